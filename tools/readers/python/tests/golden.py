"""The golden files of format-spec/golden: what each case is, its bytes, and what it holds; and what a reader says of a book, in the same words."""

from __future__ import annotations

import os
import struct
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tabia
from tabia._xxh3 import xxh3_128_of_page

REPOSITORY = Path(__file__).resolve().parents[4]
FOLDER = Path(os.environ.get("TABIA_GOLDEN", REPOSITORY / "format-spec" / "golden"))
START = 0x463B96181691FC9C
ABSENT_EVAL = "-"


@dataclass(frozen=True)
class Case:
    """A line of INDEX.tsv: a book, or a journal with its book."""

    name: str
    expect: str
    rule: str
    book: bytes
    journal: bytes | None

    def lay_out(self, folder: Path) -> Path:
        """Writes the case into a folder; the book's path."""
        path = folder / "case.tabia"
        path.write_bytes(self.book)
        if self.journal is not None:
            (folder / "case.tabia-journal").write_bytes(self.journal)
        return path


def _table(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (FOLDER / name).read_text(encoding="utf-8").split("\n")[1:-1]]


def _patched(book: bytes, patch: str) -> bytes:
    image = bytearray(book)
    for place, value in (item.split("=") for item in patch.split(" ")):
        if place == "length":
            image = image[: int(value)].ljust(int(value), b"\0")
        else:
            image[int(place) : int(place) + len(value) // 2] = bytes.fromhex(value)
    return bytes(image)


def sealed(image: bytes | bytearray) -> bytes:
    """A book with the digest and the crc that its header page has to have."""
    page = bytearray(image[:4096])
    page[88:104] = xxh3_128_of_page(bytes(page[:88]) + bytes(40) + bytes(page[128:4092]) + bytes(4))
    page[4092:] = struct.pack("<I", zlib.crc32(page[:4092]))
    return bytes(page) + bytes(image[4096:])


def cases() -> list[Case]:
    books: dict[str, bytes] = {}
    found = []
    for name, expect, rule, _, base, patch in _table("INDEX.tsv"):
        if name.endswith("-journal"):
            found.append(Case(name, expect, rule, books[base], (FOLDER / name).read_bytes()))
        else:
            books[name] = (FOLDER / name).read_bytes() if patch == "-" else _patched(books[base], patch)
            found.append(Case(name, expect, rule, books[name], None))
    return found


def answers() -> dict[str, list[str]]:
    """The lines of each case of answers.tsv, by the case's name."""
    lines = defaultdict(list)
    for book, journal, line in _table("answers.tsv"):
        lines[book if journal == "-" else journal].append(line)
    return lines


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def position_line(position: tabia.Position) -> str:
    value = ABSENT_EVAL if position.eval is None else position.eval
    return f"position {position.key:016x} {position.wins} {position.draws} {position.losses} {value} {position.depth} {position.flags:02x}"


def move_lines(move: tabia.Move) -> Iterator[str]:
    of = f"{move.key:016x} {move.code:04x}"
    yield f"move {of} {move.wins} {move.draws} {move.losses} {move.marks:02x}"
    if move.ratings is not None:
        yield f"ratings {of} {' '.join(map(str, move.ratings))}"


def cell_lines(move: tabia.Move, columns: tuple[str, ...]) -> Iterator[str]:
    of = f"{move.key:016x} {move.code:04x}"
    if "game" in columns:
        rank, digest = move.game or (0, 0)
        yield f"game {of} {rank} {digest:012x}"
    if "years" in columns:
        assert move.years is not None
        yield f"years {of} {move.years.first or 0} {move.years.last or 0}"


def lines_of_moves(moves: Iterator[tabia.Move] | list[tabia.Move], columns: tuple[str, ...]) -> Iterator[str]:
    for move in moves:
        yield from move_lines(move)
        yield from cell_lines(move, columns)


def lines_of(book: tabia.BookReader) -> list[str]:
    """All rows, sources and facts of a book."""
    lines = [position_line(position) for position in book] if "positions" in book.tables else []
    if "moves" in book.tables:
        lines += lines_of_moves(book.iter_moves(), book.columns)
    lines += [f"source {source.digest} {source.games} {escaped(source.name)}" for source in book.sources]
    lines += [f"fact {fact.subject or '0' * 32} {fact.name} {escaped(fact.value)}" for fact in book.facts]
    return lines


def lines_of_key(book: tabia.BookReader, key: int) -> list[str]:
    """What probes say of a key."""
    lines = []
    if "positions" in book.tables:
        position = book.get(key)
        lines += [] if position is None else [position_line(position)]
    if "moves" in book.tables:
        lines += lines_of_moves(sorted(book.find_all(key), key=lambda move: move.code), book.columns)
    return lines


def head_lines(book: tabia.Book) -> list[str]:
    """What a book's header says: digest, share, tables."""
    lines = [f"digest {book.digest}"]
    if book.share[0]:
        lines.append(f"share {book.share[0]} {book.share[1]}")
    for name in book.tables:
        section = book._section(name)
        lines.append(f"table {name} {section.rows} {section.homes} {section.max_displacement} {section.slots}")
    return lines
