"""The header page: what it says, and the rules that hold when a book is opened (B-1 to B-11, B-20, B-23, B-25, B-30).

Knows offsets and rules, and reads nothing but the first page; pages of packed books are described in `_pack`.
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass

from ._xxh3 import xxh3_128_of_page
from .errors import DamagedBook, NotABook, TabiaError, UnsupportedBook

PAGE = 4096
BLOCK = 4096
ROW = 24
MAGIC = b"\x89TABIA\r\n"
MOST_SECTIONS = 39
RETIRED = {b"FILT", b"PSUM", b"MSUM"}
NO_RESULTS, SHARE, PACKED = 2, 4, 16
UNRELEASED_FEATURES = 9
KNOWN_FEATURES = 31
M64 = (1 << 64) - 1

ORDER = ("PACK", "PAGE", "POSN", "posn", "TAGS", "tags", "MOVE", "move", "RTNG", "rtng", "GAME", "game", "YEAR", "year", "DICT", "dict", "SRCS", "FACT", "COPY")
"""Known sections, in the order in which a book has them."""
TABLES = ("POSN", "MOVE")
BESIDE = {"TAGS": ("POSN", 2), "RTNG": ("MOVE", 24), "GAME": ("MOVE", 8), "YEAR": ("MOVE", 4), "DICT": ("MOVE", 16)}
"""Known sections beside a table: the table, and the bytes of a cell."""
COLUMNS = ("RTNG", "GAME", "YEAR")
ENTRY = struct.Struct("<4sIQQQQQQQQQ4s")
NAME = re.compile(rb"[a-z0-9-]{1,16}\0*")


@dataclass(frozen=True)
class Section:
    """An entry of the section table. `beside` is "" for a section that is beside no table."""

    tag: str
    cell_size: int
    offset: int
    length: int
    checksum: int
    rows: int
    homes: int
    max_displacement: int
    wins: int
    draws: int
    losses: int
    beside: str

    @property
    def slots(self) -> int:
        """Slots of a table."""
        return self.length // ROW

    @property
    def end(self) -> int:
        """Where the next section begins."""
        return self.offset + (self.length + PAGE - 1) // PAGE * PAGE

    @property
    def is_table(self) -> bool:
        return self.tag in TABLES

    @property
    def is_beside(self) -> bool:
        """Whether it has a cell for each slot of a table."""
        return self.tag in BESIDE or self.is_unknown_column

    @property
    def is_sums(self) -> bool:
        return self.tag.islower()

    @property
    def has_sums(self) -> bool:
        return self.is_table or self.is_beside

    @property
    def is_unknown_column(self) -> bool:
        return self.beside != "" and self.tag not in ORDER


@dataclass(frozen=True)
class Header:
    """What a header page says, in the terms of section 3 of the format."""

    features: int
    compatible: int
    game: str
    keys: str
    by_line: bool
    share_bits: int
    share_number: int
    load: int
    file_length: int
    digest: bytes
    parent: bytes
    sequence: int
    sections: dict[str, Section]

    @property
    def packed(self) -> bool:
        return bool(self.features & PACKED)

    @property
    def has_results(self) -> bool:
        return not self.features & NO_RESULTS

    @property
    def columns(self) -> tuple[str, ...]:
        """The known columns of the book, in order."""
        return tuple(tag for tag in COLUMNS if tag in self.sections)

    def columns_of(self, table: str) -> list[Section]:
        """All columns beside a table, known or not, in the order of the sections."""
        return [section for section in self.sections.values() if section.is_beside and section.tag not in ("TAGS", "DICT") and section.beside == table]

    def home(self, h: int, table: Section) -> int:
        return ((h << self.share_bits & M64) * table.homes) >> 64

    def holds(self, h: int) -> bool:
        """Whether an `h` is of the book's share."""
        return h >> (64 - self.share_bits) == self.share_number


def read_header(page: bytes, file_length: int, path: str | None) -> Header:
    """The header of a book whose first bytes, at most a page, are these. Raises the error of the first rule that is broken."""
    try:
        return _read(page, file_length)
    except TabiaError as error:
        error.path = path
        raise


def _damaged(rule: str, message: str, place: str = "header page") -> DamagedBook:
    return DamagedBook(message, rule=rule, place=place)


def _read(page: bytes, file_length: int) -> Header:
    _check_version(page)
    header = _fields(page)
    if file_length != header.file_length or file_length % PAGE:
        raise _damaged("B-5", f"the file has {file_length} bytes, its header says {header.file_length}", "end of the file")
    _check_names(page, header)
    _check_reserved(page, header)
    _check_order(header)
    if header.packed:
        _check_packed(header)
    else:
        _check_tables(header)
        _check_beside(header)
    without = page[:88] + bytes(40) + page[128:4092] + bytes(4)
    if xxh3_128_of_page(without) != header.digest:
        raise _damaged("B-11", "the digest is not that of the header page")
    return header


def _check_version(page: bytes) -> None:
    """B-1 to B-4 and B-20, in this order."""
    if page[:8] != MAGIC:
        if len(page) == PAGE and zlib.crc32(MAGIC + page[8:4092]) == int.from_bytes(page[4092:], "little"):
            raise _damaged("B-1", "the magic is damaged, the rest of the page is that of a book")
        raise NotABook("not a Tabia book", rule="B-1")
    if len(page) < PAGE:
        raise _damaged("B-5", "the file is shorter than a page", "end of the file")
    if zlib.crc32(page[:4092]) != int.from_bytes(page[4092:], "little"):
        raise _damaged("B-2", "the crc does not match")
    version, size, features = struct.unpack_from("<IIQ", page, 8)
    block, count = struct.unpack_from("<II", page, 72)
    if (version, size, block) != (1, PAGE, BLOCK):
        raise UnsupportedBook(f"made by another version of the format: version {version}, pages of {size}, blocks of {block}", rule="B-3")
    if features & ~KNOWN_FEATURES:
        raise UnsupportedBook(f"needs features that this version does not know: {features & ~KNOWN_FEATURES:#x}", rule="B-4")
    tags = {page[at : at + 4] for at in range(256, 256 + 96 * min(count, MOST_SECTIONS), 96)}
    if features & UNRELEASED_FEATURES or tags & RETIRED:
        raise UnsupportedBook("made by an unreleased version of Tabia: it has to be built again", rule="B-20")


def _fields(page: bytes) -> Header:
    features, compatible = struct.unpack_from("<QQ", page, 16)
    by_line, share_bits = page[64], page[65]
    (load,) = struct.unpack_from("<I", page, 68)
    count, file_length = struct.unpack_from("<IQ", page, 76)
    (sequence, share_number) = struct.unpack_from("<QI", page, 120)
    if not 4 <= count <= MOST_SECTIONS:
        raise _damaged("B-6", f"{count} sections")
    sections = {}
    for at in range(256, 256 + 96 * count, 96):
        section = _section(page[at : at + 96])
        if section.tag in sections:
            raise _damaged("B-6", f"two sections {section.tag}")
        sections[section.tag] = section
    return Header(
        features=features,
        compatible=compatible,
        game=page[32:48].rstrip(b"\0").decode("latin-1"),
        keys=page[48:64].rstrip(b"\0").decode("latin-1"),
        by_line=by_line == 1,
        share_bits=share_bits,
        share_number=share_number,
        load=load,
        file_length=file_length,
        digest=page[88:104],
        parent=page[104:120],
        sequence=sequence,
        sections=sections,
    )


def _section(entry: bytes) -> Section:
    tag, cell_size, *numbers, beside = ENTRY.unpack_from(entry)
    if not re.fullmatch(rb"[A-Z]{4}|[a-z]{4}", tag):
        raise _damaged("B-6", f"a section's tag is {tag!r}")
    offset, length, checksum, rows, homes, max_displacement, wins, draws, losses = numbers
    table = "" if beside == bytes(4) else beside.decode("latin-1")
    return Section(tag.decode(), cell_size, offset, length, checksum, rows, homes, max_displacement, wins, draws, losses, table)


def _check_names(page: bytes, header: Header) -> None:
    """B-9."""
    for what, name in (("game", page[32:48]), ("key scheme", page[48:64])):
        if not NAME.fullmatch(name):
            raise _damaged("B-9", f"the name of the {what} is {name!r}")
    if page[64] > 1:
        raise _damaged("B-9", f"keyed is {page[64]}")
    if not 500 <= header.load <= 980:
        raise _damaged("B-9", f"the load is {header.load} thousandths")
    bits = header.share_bits
    if bits > 32 or header.share_number >> bits or bool(header.features & SHARE) != bool(bits):
        raise _damaged("B-9", f"share {header.share_number} of {bits} bits, feature bits {header.features:#x}")


def _check_reserved(page: bytes, header: Header) -> None:
    """B-10."""
    end = 256 + 96 * len(header.sections)
    if any(page[66:68]) or any(page[132:256]) or any(page[end:4092]):
        raise _damaged("B-10", "reserved bytes are not zero")
    for i, section in enumerate(header.sections.values()):
        numbers = [section.checksum] if section.has_sums else []
        if not section.is_table and section.tag != "PAGE":
            numbers += [section.rows, section.homes, section.max_displacement, section.wins, section.draws, section.losses]
        if not section.is_beside:
            numbers += [section.beside != ""]
        if not section.has_sums and section.tag != "PAGE":
            numbers += [section.cell_size]
        if any(numbers) or any(page[256 + 96 * i + 84 : 256 + 96 * i + 96]):
            raise _damaged("B-10", "a field that has to be zero is not", f"entry of {section.tag}")


def _check_order(header: Header) -> None:
    """B-6."""
    sections = list(header.sections.values())
    known = [ORDER.index(section.tag) for section in sections if section.tag in ORDER]
    if known != sorted(known):
        raise _damaged("B-6", "sections are not in their order")
    tags = header.sections
    if not ("POSN" in tags or "MOVE" in tags) or "SRCS" not in tags or "FACT" not in tags:
        raise _damaged("B-6", "a section is missing")
    end = PAGE
    before = ""
    for section in [*sections, None]:
        tag = section.tag if section else ""
        wanted = before.lower() if before in tags and tags[before].has_sums else None
        if (wanted is not None or tag.islower()) and tag != wanted:
            raise _damaged("B-6", "a section is not followed by its sums, or sums are not behind their section", f"entry of {tag or before}")
        before = tag
        if section is None:
            continue
        if section.offset != end:
            raise _damaged("B-6", f"it begins at {section.offset} where {end} is wanted", f"entry of {tag}")
        end = section.end
    if end != header.file_length - PAGE:
        raise _damaged("B-6", f"sections end at {end} in a file of {header.file_length} bytes")


def _check_sums(header: Header) -> None:
    """B-7, of sums."""
    for section in header.sections.values():
        if section.has_sums and header.sections[section.tag.lower()].length != 8 * -(-section.length // BLOCK):
            raise _damaged("B-7", "the length of sums", f"entry of {section.tag.lower()}")


def slack_of(rows: int, max_displacement: int) -> int:
    """Section 5.1 of the format."""
    if rows <= 1024:
        return rows
    slack = 1024
    while slack < max_displacement:
        slack *= 4
    return slack


def _check_tables(header: Header) -> None:
    """B-7, B-8, B-23; and B-30, as far as it is about plain books."""
    for tag in ("PACK", "PAGE", "DICT", "COPY"):
        if tag in header.sections:
            raise _damaged("B-30", f"{tag} in a book that is not packed")
    tables = [header.sections[tag] for tag in TABLES if tag in header.sections]
    for table in tables:
        if table.cell_size != ROW or table.length % ROW or not 1 <= table.homes <= table.slots or table.rows > table.slots:
            raise _damaged("B-7", "cell size, length, homes or rows", f"entry of {table.tag}")
    _check_sums(header)
    for table in tables:
        if table.homes != max(1, -(-table.rows * 1000 // header.load)):
            raise _damaged("B-8", f"{table.homes} homes for {table.rows} rows", f"entry of {table.tag}")
        slack = table.slots - table.homes
        if table.max_displacement > slack or slack != slack_of(table.rows, table.max_displacement):
            raise _damaged("B-23", f"slack of {slack} slots, max displacement {table.max_displacement}", f"entry of {table.tag}")


def _check_beside(header: Header) -> None:
    """B-25."""
    seen: set[str] = set()
    for section in header.sections.values():
        seen.add(section.tag)
        if not section.is_beside:
            continue
        table, size = BESIDE.get(section.tag, (section.beside, section.cell_size))
        if section.beside != table or table not in TABLES or table not in seen or section.cell_size != size or size < 1:
            raise _damaged("B-25", f"beside {section.beside!r}, with cells of {section.cell_size} bytes", f"entry of {section.tag}")
        if section.length != size * header.sections[table].slots:
            raise _damaged("B-25", "its length is not that of a cell for each slot", f"entry of {section.tag}")


def _check_packed(header: Header) -> None:
    """B-30, and B-7 of sums. How many home pages there are is compared in `_pack`."""
    tags = list(header.sections)
    if tags[:2] != ["PACK", "PAGE"] or tags[-1] != "COPY":
        raise _damaged("B-30", "PACK and PAGE are not the first sections, or COPY is not the last")
    pack, page, copy = (header.sections[tag] for tag in ("PACK", "PAGE", "COPY"))
    if (copy.length, copy.checksum) != (pack.length, pack.checksum):
        raise _damaged("B-30", "COPY is not PACK", "entry of COPY")
    if page.cell_size != PAGE or page.length % PAGE or any((page.max_displacement, page.wins, page.draws, page.losses)):
        raise _damaged("B-30", "cell size, length, displacement or counts", "entry of PAGE")
    if not page.homes <= page.length // PAGE <= page.homes + 2 or page.homes < 1:
        raise _damaged("B-30", f"{page.length // PAGE} pages, of which {page.homes} are home pages", "entry of PAGE")
    if ("DICT" in tags) != ("GAME" in tags):
        raise _damaged("B-30", "one of GAME and DICT is missing")
    for section in header.sections.values():
        if section.is_unknown_column:
            raise _damaged("B-30", "an unknown column in a packed book", f"entry of {section.tag}")
        if section.is_table and (section.cell_size != ROW or section.homes or section.max_displacement or section.length % ROW):
            raise _damaged("B-30", "cell size, homes, displacement or length", f"entry of {section.tag}")
        if section.is_beside:
            table, size = BESIDE[section.tag]
            cells = header.sections[table].slots if table in header.sections and section.tag != "TAGS" else 0
            cells = section.length // size if section.tag == "DICT" else cells
            if section.beside != table or table not in header.sections or section.cell_size != size or section.length != size * cells:
                raise _damaged("B-30", "its table, cell size or length", f"entry of {section.tag}")
    _check_sums(header)
