"""Reading the tables of a plain book: sections 2, 4, 5 and 6 of the format. One position at a time, and many at once."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ._combine import Rows
from ._content import I64, U64, MoveTuple, PositionTuple, Source
from ._header import ROW, TABLES, Section
from ._journal import with_cells
from ._xxh3 import multiply
from .rows import CELL_FIELDS, SLOTS

POSITION = struct.Struct("<QIIIhBB").unpack_from
MOVE = struct.Struct("<QIIIHBB").unpack_from
M64 = (1 << 64) - 1
EMPTY = 0xFF
CHUNK = 1 << 17
"""Slots that a scan reads at once: 3 MB."""


class PlainContent:
    """The tables of a plain book."""

    def __init__(self, source: Source) -> None:
        header = source.header
        self.source, self.header = source, header
        self.tables: dict[str, Section] = {tag: header.sections[tag] for tag in TABLES if tag in header.sections}
        self.slots: dict[str, Rows] = {tag: source.array(section, SLOTS[tag]) for tag, section in self.tables.items()}
        self.columns = {tag: header.sections[tag] for tag in header.columns}
        self.cells = {
            tag: source.bytes[section.offset : section.offset + section.length].reshape(-1, section.cell_size)
            for tag, section in self.columns.items()
        }

    # One position

    def position(self, h: int) -> PositionTuple | None:
        found = self._rows("POSN", POSITION, h)
        return found[0][1][1:] if found else None

    def moves(self, h: int) -> list[MoveTuple]:
        found = self._rows("MOVE", MOVE, h)
        if self.columns:
            fields = self._fields(np.array([slot for slot, _ in found], np.int64))
            return [(row[4], row[1], row[2], row[3], row[5], cells) for (_, row), cells in zip(found, fields)]
        return [(row[4], row[1], row[2], row[3], row[5], ()) for _, row in found]

    def _rows(self, tag: str, unpack: Callable[[Any, int], tuple[Any, ...]], h: int) -> list[tuple[int, tuple[Any, ...]]]:
        """The slots and rows of an h."""
        table, data, header = self.tables[tag], self.source.data, self.header
        if h >> (64 - header.share_bits) != header.share_number:
            return []
        home = ((h << header.share_bits & M64) * table.homes) >> 64
        if self.source.verify:
            self._verify_run(table, home)
        at, found = table.offset + ROW * home, []
        for slot in range(home, home + table.max_displacement + 1):
            row = unpack(data, at)
            if row[0] >= h:
                if row[0] > h or row[6] == EMPTY:
                    break
                found.append((slot, row))
            at += ROW
        return found

    def _verify_run(self, table: Section, home: int) -> None:
        """Verifies blocks from a home on, until one has a row that ends any search."""
        last = home + table.max_displacement
        for first in range(home, last + 1, 64):
            slots = np.arange(first, min(first + 64, last + 1))
            self.source.check_cells(table, slots, ROW)
            rows = self.slots[table.tag][slots]
            homes = self._homes(rows["h"], table)
            if (homes > home).any():
                return

    def _fields(self, slots: I64) -> list[tuple[int, ...]]:
        """The fields of the cells of some slots of moves."""
        rows = self._with_cells(slots)
        names = [name for tag in self.columns for name, _, _ in CELL_FIELDS[tag]]
        return list(zip(*(rows[name].tolist() for name in names))) if len(slots) else []

    # Many positions

    def positions(self, hashes: U64) -> Rows:
        table = self.tables["POSN"]
        asked, slots = self._find(table, hashes)
        return self.slots["POSN"][slots]

    def moves_of(self, hashes: U64) -> Rows:
        table = self.tables["MOVE"]
        asked, slots = self._find(table, hashes)
        all_slots, all_asked = [slots], [asked]
        last = self._homes(hashes, table) + table.max_displacement
        while len(slots):
            slots = slots + 1
            within = slots <= last[asked]
            slots, asked = slots[within], asked[within]
            self.source.check_cells(table, slots, ROW)
            rows = self.slots["MOVE"][slots]
            same = (rows["h"] == hashes[asked]) & (rows["reserved"] != EMPTY)
            slots, asked = slots[same], asked[same]
            all_slots.append(slots)
            all_asked.append(asked)
        every, of = np.concatenate(all_slots), np.concatenate(all_asked)
        return self._with_cells(every[np.argsort(of, kind="stable")])

    def _homes(self, hashes: U64, table: Section) -> I64:
        homes = multiply(hashes << np.uint64(self.header.share_bits), np.uint64(table.homes))[1]
        return homes.astype(np.int64)

    def _find(self, table: Section, hashes: U64) -> tuple[I64, I64]:
        """Which of these hashes have a row, and the slots of the first one of each."""
        h, last_byte = self.slots[table.tag]["h"], self.slots[table.tag][self.slots[table.tag].dtype.names[-1]]  # type: ignore[index]
        slots = self._homes(hashes, table)
        last = slots + table.max_displacement
        bits = self.header.share_bits
        inside = hashes >> np.uint64(64 - bits) == self.header.share_number if bits else np.ones(len(hashes), np.bool_)
        asked, slots = np.flatnonzero(inside), slots[inside]
        found, places = [asked[:0]], [slots[:0]]
        while len(asked):
            self.source.check_cells(table, slots, ROW)
            there, wanted = h[slots], hashes[asked]
            equal = there == wanted
            if equal.any():
                equal &= last_byte[slots] != EMPTY
                found.append(asked[equal])
                places.append(slots[equal])
            on = (there < wanted) & (slots < last[asked])
            asked, slots = asked[on], slots[on] + 1
        of, where = np.concatenate(found), np.concatenate(places)
        order = np.argsort(of)
        return of[order], where[order]

    def _with_cells(self, slots: I64) -> Rows:
        """Moves rows of these slots, with the fields of their cells."""
        for section in self.columns.values():
            self.source.check_cells(section, slots, section.cell_size)
        cells = {tag: self.cells[tag][slots] for tag in self.columns}
        return with_cells(self.slots["MOVE"][slots], cells, tuple(self.columns))

    # All rows

    def scan(self, table: str) -> Iterator[Rows]:
        section, slots = self.tables[table], self.slots[table]
        before = -1
        for first in range(0, len(slots), CHUNK):
            count = min(CHUNK, len(slots) - first)
            self.source.will_need(section.offset + ROW * first, ROW * count)
            self.source.check_cells(section, np.arange(first, first + count), ROW)
            some = slots[first : first + count]
            taken = np.flatnonzero(some[some.dtype.names[-1]] != EMPTY)  # type: ignore[index]
            if not len(taken):
                continue
            rows = self._with_cells(first + taken) if table == "MOVE" else some[taken].copy()
            before = self._check_order(rows, before, section)
            yield rows

    def _check_order(self, rows: Rows, before: int, section: Section) -> int:
        """B-16, as far as it is needed to go on: rows ascend. Returns what the next ones have to exceed."""
        h = rows["h"]
        wrong = h[:-1] > h[1:]
        if "move" in (rows.dtype.names or ()):
            wrong |= (h[:-1] == h[1:]) & (rows["move"][:-1] >= rows["move"][1:])
            first, last = int(h[0]) << 16 | int(rows["move"][0]), int(h[-1]) << 16 | int(rows["move"][-1])
        else:
            wrong |= h[:-1] == h[1:]
            first, last = int(h[0]), int(h[-1])
        if wrong.any() or first <= before:
            raise self.source.damaged("B-16", "rows are not in ascending order", f"section {section.tag}")
        return last
