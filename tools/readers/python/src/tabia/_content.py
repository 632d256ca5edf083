"""What both layouts of a book answer, and what they read from: the file's bytes, verified where that is asked for.

Rows here have `h`; `rows.with_keys` is what users see. No journal is known here.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ._combine import Rows
from ._header import BLOCK, Header, Section
from ._xxh3 import xxh3_64, xxh3_64_each
from .errors import DamagedBook

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
PositionTuple = tuple[int, ...]  # wins, draws, losses, eval, depth, flags
MoveTuple = tuple[int, int, int, int, int, tuple[int, ...]]  # code, wins, draws, losses, marks, fields of cells


class Content(Protocol):
    """The rows of a book in one of its layouts."""

    def position(self, h: int) -> PositionTuple | None:
        """The positions row of an h."""

    def moves(self, h: int) -> list[MoveTuple]:
        """The moves rows of an h, in the order of their codes."""

    def positions(self, hashes: U64) -> Rows:
        """The positions rows of hashes that ascend: of those that have one."""

    def moves_of(self, hashes: U64) -> Rows:
        """The moves rows of hashes that ascend."""

    def scan(self, table: str) -> Iterator[Rows]:
        """All rows of a table in its order, some at a time."""


class Source:
    """The bytes of a book's file, and which blocks of them were verified."""

    def __init__(self, data: bytes | mmap.mmap, header: Header, path: str | None, verify: bool) -> None:
        self.data = data
        self.bytes = np.frombuffer(data, np.uint8)
        self.header = header
        self.path = path
        self.verify = verify
        self.good: dict[str, NDArray[np.bool_]] = {}
        self.sums: dict[str, U64] = {}

    def damaged(self, rule: str, message: str, place: str) -> DamagedBook:
        return DamagedBook(message, path=self.path, place=place, rule=rule)

    def array(self, section: Section, dtype: np.dtype[np.void]) -> Rows:
        """A section's body as an array over the file, without a copy; read-only."""
        array = np.frombuffer(self.data, dtype, section.length // dtype.itemsize, section.offset)
        array.flags.writeable = False
        return array

    def whole(self, tag: str) -> bytes:
        """The bytes of a section that has a checksum of its own, which is compared (B-14)."""
        section = self.header.sections[tag]
        data = bytes(self.data[section.offset : section.offset + section.length])
        if xxh3_64(data) != section.checksum:
            raise self.damaged("B-14", "the checksum does not match", f"section {tag}")
        return data

    def check_blocks(self, section: Section, blocks: I64) -> None:
        """Verifies those of these blocks of a section that were not verified before (B-13)."""
        count = -(-section.length // BLOCK)
        if not count:
            self.whole(section.tag.lower())
            return
        good = self.good.setdefault(section.tag, np.zeros(count, np.bool_))
        if section.tag not in self.sums:
            self.sums[section.tag] = np.frombuffer(self.whole(section.tag.lower()), "<u8")
        todo = np.unique(blocks[~good[blocks]])
        for some in np.array_split(todo, len(todo) // 4096 + 1):
            bad = some[self.block_sums(section, some) != self.sums[section.tag][some]]
            if len(bad):
                raise self.damaged("B-13", "the sum of a block does not match", f"{section.tag}, block {bad[0]}")
            good[some] = True

    def block_sums(self, section: Section, blocks: I64) -> U64:
        sums = np.zeros(len(blocks), np.uint64)
        whole = blocks < section.length // BLOCK
        body = self.bytes[section.offset : section.offset + section.length]
        full = body[: section.length // BLOCK * BLOCK].reshape(-1, BLOCK)
        sums[whole] = xxh3_64_each(full[blocks[whole]])
        sums[~whole] = xxh3_64(body[len(full) * BLOCK :].tobytes()) if (~whole).any() else 0
        return sums

    def check_cells(self, section: Section, cells: I64, size: int) -> None:
        """Verifies the blocks that have these slots or cells, if reading is to be verified."""
        if self.verify and len(cells):
            self.check_blocks(section, np.concatenate([cells * size // BLOCK, (cells * size + size - 1) // BLOCK]))

    def will_need(self, start: int, length: int) -> None:
        """Tells the system that a part of the file is going to be read in order."""
        if isinstance(self.data, mmap.mmap) and hasattr(mmap, "MADV_WILLNEED"):
            start = start // mmap.PAGESIZE * mmap.PAGESIZE
            self.data.madvise(mmap.MADV_WILLNEED, start, min(length + mmap.PAGESIZE, len(self.data) - start))
