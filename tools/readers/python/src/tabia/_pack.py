"""The section PACK of a packed book: its parameters and code tables, and rule B-29 (section 3 of packed.md)."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np

from ._header import PAGE, Header
from ._xxh3 import xxh3_64
from .errors import DamagedBook
from .rows import CELL_FIELDS

HEAD = struct.Struct("<IIIBBBBhHIII8x")
MOST_BYTES = 1 << 20
GAME = 16
NO_TRIPLE = (0xFFFFFFFF,) * 3


@dataclass(frozen=True)
class Pack:
    """Names as in packed.md; `fields` has (least, width) of the fields that may be spelled out, and `sizes` the bits of each in a cell."""

    k: int
    group_buckets: int
    page_buckets: int
    c: int
    m: int
    e: int
    p: int
    least: int
    classes: list[tuple[int, ...]]
    codes: list[int]
    pairs: list[tuple[int, int]]
    fields: list[tuple[int, int]]
    sizes: list[int]
    columns: tuple[str, ...]
    games: int
    salt: int
    share: int
    hash_bits: int
    pages: int
    has_positions: bool
    has_moves: bool

    @property
    def w(self) -> int:
        """Bits of a remainder."""
        return self.hash_bits - self.k

    @property
    def groups(self) -> int:
        """Groups of a home page."""
        return -(-self.page_buckets // self.group_buckets)

    @property
    def has_games(self) -> bool:
        return "GAME" in self.columns

    @property
    def told_bits(self) -> int:
        """Bits that say whether a move's game tells all of its cells."""
        return int(self.has_games and len(self.columns) > 1)

    @property
    def number_bits(self) -> int:
        """Bits of the number of a game."""
        return self.games.bit_length()

    @property
    def game_bits(self) -> int:
        """Bits of the number of a game, and of whether the lesser rating is the mover's."""
        return self.number_bits + (self.has_games and "RTNG" in self.columns)

    @property
    def home_pages(self) -> int:
        return -(-(1 << self.k) // self.page_buckets)

    @property
    def long_class(self) -> int:
        return (1 << self.c) - 1

    def buckets_of(self, group: int) -> int:
        """How many buckets a group has, by its place among those of its home page."""
        return min(self.group_buckets, self.page_buckets - group * self.group_buckets)

    def place_of(self, h: int) -> tuple[int, int, int, int]:
        """Home page, group, bucket within the group, and remainder of an h."""
        rest = h & (1 << self.hash_bits) - 1
        page, bucket = divmod(rest >> self.w, self.page_buckets)
        group, bucket = divmod(bucket, self.group_buckets)
        return page, group, bucket, rest & (1 << self.w) - 1

    def says(self, page: int) -> int:
        """What a page says of its place."""
        return self.salt + page & 0xFFFFFFFF

    def class_array(self) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
        return np.array(self.classes or [(0, 0, 0)], np.uint64)


def read_pack(data: bytes | memoryview, header: Header, path: str | None) -> Pack:
    """PACK of a book whose header is sound; `data` is the file."""

    def hold(good: object, what: str) -> None:
        if not good:
            raise DamagedBook(what, path=path, place="section PACK", rule="B-29")

    section, pages = header.sections["PACK"], header.sections["PAGE"]
    hold(HEAD.size <= section.length <= MOST_BYTES, "its length")
    body = bytes(data[section.offset : section.offset + section.length])
    hold(xxh3_64(body) == section.checksum, "the checksum does not match")
    k, group_buckets, page_buckets, c, m, e, p, least, share_bits, pairs, codes, fields = HEAD.unpack_from(body)
    hash_bits = 64 - header.share_bits
    hold(4 <= k <= min(56, hash_bits) and 4 <= group_buckets <= 32, "its buckets")
    hold(1 <= page_buckets <= min(1 << k, 150 * group_buckets), "the buckets of a page")
    hold(c <= 6 and e <= 16 and share_bits == header.share_bits, "widths, or the share")
    classes = (1 << c) - 1
    hold(len(body) == HEAD.size + 12 * classes + 2 * codes + 2 * pairs + 16 * fields, "its length")
    sizes = [8 * size for tag in header.columns if tag != "GAME" for _, _, size in CELL_FIELDS[tag]]
    hold(fields == len(sizes), "the number of fields")
    hold((m, p) == ((codes - 1).bit_length() if codes else 0, (pairs - 1).bit_length() if pairs else 0), "widths of numbers")
    at = HEAD.size
    pack = Pack(
        k=k,
        group_buckets=group_buckets,
        page_buckets=page_buckets,
        c=c,
        m=m,
        e=e,
        p=p,
        least=least,
        classes=[struct.unpack_from("<III", body, at + 12 * i) for i in range(classes)],
        codes=list(struct.unpack_from(f"<{codes}H", body, at + 12 * classes)),
        pairs=[(body[i], body[i + 1]) for i in range(at + 12 * classes + 2 * codes, at + 12 * classes + 2 * codes + 2 * pairs, 2)],
        fields=[struct.unpack_from("<QQ", body, len(body) - 16 * (fields - i)) for i in range(fields)],
        sizes=sizes,
        columns=header.columns,
        games=header.sections["DICT"].length // GAME if "DICT" in header.sections else 0,
        salt=section.checksum,
        share=header.share_number,
        hash_bits=hash_bits,
        pages=pages.length // PAGE,
        has_positions="POSN" in header.sections,
        has_moves="MOVE" in header.sections,
    )
    used = [triple for triple in pack.classes if triple != NO_TRIPLE]
    hold(pack.classes[: len(used)] == used and all(max(triple) <= 15 for triple in used), "classes")
    hold(len(set(pack.codes)) == codes, "a code is there twice")
    hold(all(a < b for a, b in zip(pack.pairs, pack.pairs[1:])) and all(flags < 32 for _, flags in pack.pairs), "pairs")
    hold(all(width <= 64 for _, width in pack.fields), "the width of a field")
    hold(pages.homes == pack.home_pages, "the home pages are not those of PAGE")
    return pack
