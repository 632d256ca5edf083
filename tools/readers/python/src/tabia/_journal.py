"""The journal beside a book: its frames, which of them count (J-1 to J-7, section 8.4), and what they say (J-5, J-8 to J-10).

Reads bytes that were taken once, and never the book: of that only its header. What its rows come to is computed by `_combine`.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ._combine import Overlay, Rows, overlay_of, same_as_next
from ._header import ROW, Header
from ._xxh3 import xxh3_64
from .errors import DamagedBook, DamagedJournal, TabiaError, UnsupportedBook, WrongJournal
from .rows import CELL_FIELDS, NO_EVAL, SLOTS, move_row
from .sources import Fact, Malformed, Source, entries_of

MAGIC = b"\x89TABJL\r\n"
FRAME_MAGIC = b"FRAM"
HEADER, FRAME_HEADER, PART_HEADER = 64, 40, 16
ADD, PUT, DELETE, SOURCES, FACTS = 1, 2, 3, 4, 5
TABLES = {1: "POSN", 2: "MOVE"}
MOST_ENTRY_BYTES = 1 << 26


@dataclass(frozen=True)
class Journal:
    """What a journal says beside its book: its good frames, bytes of a torn tail, and what the frames come to.

    `proof` is the header of the last of these frames, at the byte `last`, or that of the journal: its checksum follows from all frames
    before. `end` is where the frames end. All three are empty if the journal says nothing.
    """

    frames: int = 0
    torn: int = 0
    overlays: dict[str, Overlay] = field(default_factory=dict)
    sources: tuple[bytes, ...] = ()
    facts: tuple[bytes, ...] = ()
    last: int = 0
    end: int = 0
    proof: bytes = b""


class Frame(NamedTuple):
    """A good frame: its sequence, where it begins, and its parts."""

    sequence: int
    offset: int
    parts: int
    reserved: int
    body: bytes


def read_journal(data: bytes, book: Header, path: str | None) -> Journal:
    """What a journal of these bytes says beside a book. One that is stale, empty or was never finished says nothing."""
    try:
        return _read(data, book)
    except TabiaError as error:
        error.path = path
        raise


def _damaged(rule: str, message: str, place: str) -> DamagedJournal:
    return DamagedJournal(message, rule=rule, place=place)


def _read(data: bytes, book: Header) -> Journal:
    if _is_unfinished(data):
        return Journal()
    _check_header(data)
    base, (first,) = data[32:48], struct.unpack_from("<Q", data, 48)
    of_parent = any(book.parent) and base == book.parent
    if base != book.digest and not of_parent:
        raise WrongJournal("the journal belongs to another book", rule="J-2", place="journal header")
    frames, end = _frames(data, first)
    last = frames[-1].sequence if frames else first - 1
    if last <= book.sequence and not (base == book.digest and not frames and first == book.sequence + 1):
        return Journal()
    if of_parent:
        raise WrongJournal(f"the journal extends the book's parent, up to {last}, which is above {book.sequence}", rule="J-3", place="journal header")
    if not 1 <= first <= book.sequence + 1:
        raise _damaged("J-4", f"the journal begins with {first}, the book holds up to {book.sequence}", "journal header")
    contents = _Contents(book)
    for frame in frames:
        if frame.sequence > book.sequence:
            contents.take(frame)
    at, length = (frames[-1].offset, FRAME_HEADER) if frames else (0, HEADER)
    return replace(contents.journal(len(frames), len(data) - end), last=at, end=end, proof=data[at : at + length])


def _is_unfinished(data: bytes) -> bool:
    """J-1: a journal whose creation never ended."""
    if not any(data):
        return True
    if len(data) > HEADER or len(data) == HEADER and zlib.crc32(data[16:]) == int.from_bytes(data[12:16], "little"):
        return False
    written = len(data.rstrip(b"\0"))
    begins = MAGIC + struct.pack("<I", 1)
    return data[: min(written, 12)] == begins[:written] and not any(data[16:32])


def _check_header(data: bytes) -> None:
    """J-1."""
    if data[:8] != MAGIC or len(data) < 12:
        raise _damaged("J-1", "this is no journal", "journal header")
    (version,) = struct.unpack_from("<I", data, 8)
    if version != 1:
        raise UnsupportedBook(f"a journal of version {version}", rule="J-1", place="journal header")
    if len(data) < HEADER:
        raise _damaged("J-1", "the header is cut", "journal header")
    if zlib.crc32(data[16:HEADER]) != int.from_bytes(data[12:16], "little"):
        raise _damaged("J-1", "the crc does not match", "journal header")
    if any(data[16:24]):
        raise UnsupportedBook("a journal with features that this version does not know", rule="J-1", place="journal header")
    if int.from_bytes(data[56:HEADER], "little") != xxh3_64(data[32:56]):
        raise _damaged("J-1", "the salt is not that of the header", "journal header")


class _Header(NamedTuple):
    """A header of this journal: 40 bytes with the magic and crc of a frame."""

    crc: int
    length: int
    sequence: int
    body_crc: int
    parts: int
    previous: int
    reserved: int


def _header_at(data: bytes, at: int, salt: bytes) -> _Header | None:
    header = data[at : at + FRAME_HEADER]
    if len(header) < FRAME_HEADER or header[:4] != FRAME_MAGIC:
        return None
    crc = int.from_bytes(header[4:8], "little")
    if zlib.crc32(header[8:], zlib.crc32(salt)) != crc:
        return None
    return _Header(crc, *struct.unpack_from("<QQIIII", header, 8))


def _frames(data: bytes, first: int) -> tuple[list[Frame], int]:
    """All good frames, and where they end: J-4, J-6."""
    salt, previous = data[56:HEADER], int.from_bytes(data[12:16], "little")
    frames: list[Frame] = []
    at, sequence = HEADER, first
    while at < len(data):
        header = _header_at(data, at, salt)
        body = at + FRAME_HEADER
        if header is None or header.previous != previous or header.length > len(data) - body:
            break
        content = data[body : body + header.length]
        if zlib.crc32(content) != header.body_crc:
            break
        if header.sequence != sequence:
            raise _damaged("J-4", f"a frame {header.sequence} where {sequence} is wanted", f"byte {at}")
        frames.append(Frame(sequence, at, header.parts, header.reserved, content))
        at, sequence, previous = body + header.length, sequence + 1, header.crc
    if at < len(data):
        _check_tail(data, at, sequence, previous, salt)
    return frames, at


def _check_tail(data: bytes, o: int, n: int, previous: int, salt: bytes) -> None:
    """Section 8.4: is what begins at `o` a torn tail, or damage before frames that were once durable?"""
    there = _header_at(data, o, salt)
    if there is not None and there.sequence > n:
        raise _damaged("J-4", f"a frame {there.sequence} where {n} is wanted", f"byte {o}")
    sound = there is not None and there.sequence == n and there.previous == previous
    at = data.find(FRAME_MAGIC, o + 1)
    while at >= 0:
        header = _header_at(data, at, salt)
        if header is not None and header.sequence >= n:
            if header.sequence == n and header.previous == previous:
                raise _damaged("J-4", f"frame {n} is wanted here, and begins at byte {at}", f"byte {o}")
            after = header.sequence == n + 1 and (not sound or there is not None and header.previous == there.crc)
            if after or header.sequence > n + 1:
                raise _damaged("J-5", f"frame {n} is damaged: frame {header.sequence} is behind it", f"byte {o}")
        at = data.find(FRAME_MAGIC, at + 1)


class _Contents:
    """What the frames of a journal say, taken one after the other."""

    def __init__(self, book: Header) -> None:
        self.book = book
        self.taken: list[Frame] = []
        self.rows: dict[str, list[Rows]] = {"POSN": [], "MOVE": []}
        self.marks: dict[str, list[tuple[int, int, int]]] = {"POSN": [], "MOVE": []}  # of each part: its frame's index, operation, rows
        self.entries: dict[int, list[bytes]] = {SOURCES: [], FACTS: []}
        self.entry_bytes = 0
        self.sizes = {table: ROW + sum(c.cell_size for c in book.columns_of(table)) for table in ("POSN", "MOVE")}

    def take(self, frame: Frame) -> None:
        """Takes a frame's parts: J-5 as far as each of them is concerned, and J-8."""
        self.place = f"frame {frame.sequence} at byte {frame.offset}"
        self.taken.append(frame)
        if frame.reserved or len(frame.body) % 8:
            raise self.wrong("its length or reserved bytes")
        at = 0
        for _ in range(frame.parts):
            at = self.take_part(frame.body, at)
        if at != len(frame.body):
            raise self.wrong("there is something behind its parts")

    def wrong(self, message: str, rule: str = "J-5") -> DamagedBook:
        return _damaged(rule, message, self.place)

    def take_part(self, body: bytes, at: int) -> int:
        """Takes the part there, and says where the next one begins."""
        if at + PART_HEADER > len(body):
            raise self.wrong("a part is cut")
        operation, table, row_size, count, length = struct.unpack_from("<BBHIQ", body, at)
        at += PART_HEADER
        end = at + (length + 7) // 8 * 8
        if end > len(body) or any(body[at + length : end]):
            raise self.wrong("the length or padding of a part")
        content = body[at : at + length]
        if operation in (SOURCES, FACTS):
            self.take_entries(operation, table, row_size, count, content)
        elif operation in (ADD, PUT, DELETE) and table in TABLES:
            self.take_rows(operation, TABLES[table], row_size, count, content)
        else:
            raise self.wrong(f"operation {operation} of table {table}")
        return int(end)

    def take_entries(self, operation: int, table: int, row_size: int, count: int, content: bytes) -> None:
        self.entry_bytes += len(content)
        if table or row_size or self.entry_bytes > MOST_ENTRY_BYTES:
            raise self.wrong("a part of sources or facts")
        try:
            self.entries[operation] += entries_of(content, count, Source if operation == SOURCES else Fact)
        except Malformed as error:
            raise self.wrong(str(error)) from None

    def take_rows(self, operation: int, table: str, row_size: int, count: int, content: bytes) -> None:
        if table not in self.book.sections or row_size != self.sizes[table]:
            raise self.wrong(f"rows of {row_size} bytes for {table}", "J-8")
        if len(content) != row_size * count:
            raise self.wrong("the length of a part is not that of its rows")
        slots = np.frombuffer(content, SLOTS[table], count)
        self.check_rows(slots, table)
        cells, at = {}, ROW * count
        for column in self.book.columns_of(table):
            cells[column.tag] = np.frombuffer(content, np.uint8, count * column.cell_size, at).reshape(count, column.cell_size)
            at += count * column.cell_size
        if operation == DELETE:
            self.check_delete(slots, content[ROW * count :])
        elif operation == PUT or operation == ADD:
            self.check_results(slots)
        self.rows[table].append(with_cells(slots, cells, self.book.columns if table == "MOVE" else ()))
        self.marks[table].append((len(self.taken) - 1, operation, count))

    def check_rows(self, slots: Rows, table: str) -> None:
        """Rows are valid (section 4), and of the book's share (J-10)."""
        if table == "POSN":
            good = (slots["flags"] < 32) & ((slots["eval"] != NO_EVAL) | (slots["depth"] == 0))
        else:
            good = slots["reserved"] == 0
        if not good.all():
            raise self.wrong("a row that is not valid")
        bits = self.book.share_bits
        if bits and (slots["h"] >> np.uint64(64 - bits) != self.book.share_number).any():
            raise self.wrong("a row of another share", "J-10")

    def check_results(self, slots: Rows) -> None:
        if not self.book.has_results and (slots["wins"].any() or slots["losses"].any()):
            raise self.wrong("wins or losses for a book of counts without results", "J-9")

    def check_delete(self, slots: Rows, cells: bytes) -> None:
        names = [name for name in slots.dtype.names or () if name not in ("h", "move")]
        if any(cells) or any(slots[name].any() for name in names):
            raise self.wrong("a delete with more than a key and a move")

    def journal(self, frames: int, torn: int) -> Journal:
        """What all of it comes to; the order of rows is checked here, in all frames at once."""
        overlays = {table: self.overlay(table) for table in ("POSN", "MOVE") if self.rows[table]}
        facts = tuple(sorted(set(self.entries[FACTS])))
        return Journal(frames, torn, overlays, tuple(self.entries[SOURCES]), facts)

    def overlay(self, table: str) -> Overlay:
        counts = np.array([count for _, _, count in self.marks[table]], np.int64)
        frames = np.repeat(np.array([frame for frame, _, _ in self.marks[table]], np.int64), counts)
        operations = np.repeat(np.array([operation for _, operation, _ in self.marks[table]], np.uint8), counts)
        rows = np.concatenate(self.rows[table])
        for operation in (ADD, PUT, DELETE):
            mine = operations == operation
            self.check_ascending(rows[mine], frames[mine])
        names = ("h", "move") if table == "MOVE" else ("h",)
        order = np.lexsort((*(rows[name] for name in reversed(names)), frames))
        twice = same_as_next(rows[order])[:-1] & (frames[order][:-1] == frames[order][1:])
        if twice.any():
            self.place_of(frames[order][np.flatnonzero(twice)[0]])
            raise self.wrong("two operations on the same row")
        return overlay_of(rows, operations)

    def check_ascending(self, rows: Rows, frames: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        """Of each frame the rows of one operation ascend strictly."""
        h = rows["h"]
        wrong = h[:-1] > h[1:]
        if "move" in (rows.dtype.names or ()):
            wrong |= (h[:-1] == h[1:]) & (rows["move"][:-1] >= rows["move"][1:])
        else:
            wrong |= h[:-1] == h[1:]
        wrong &= frames[:-1] == frames[1:]
        if wrong.any():
            self.place_of(frames[np.flatnonzero(wrong)[0]])
            raise self.wrong("its rows are not in order")

    def place_of(self, frame: int) -> None:
        self.place = f"frame {self.taken[frame].sequence} at byte {self.taken[frame].offset}"


def with_cells(slots: Rows, cells: dict[str, np.ndarray[tuple[int, int], np.dtype[np.uint8]]], columns: tuple[str, ...]) -> Rows:
    """Rows as this package holds them, of the slots of a table and the bytes of the cells that belong to them."""
    if "eval" in (slots.dtype.names or ()):
        return np.array(slots)
    rows = np.zeros(len(slots), move_row(columns))
    for name in ("h", "wins", "draws", "losses", "move", "marks"):
        rows[name] = slots[name]
    for tag in columns:
        at = 0
        for name, type_, size in CELL_FIELDS[tag]:
            wide = np.zeros((len(slots), np.dtype(type_).itemsize), np.uint8)
            wide[:, :size] = cells[tag][:, at : at + size]
            rows[name] = wide.view(type_)[:, 0]
            at += size
    return rows


__all__ = ["Journal", "read_journal", "with_cells"]
