"""Books read by the compiled part: what `tabia.open_book` gives, faster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

import tabia
from tabia._by_hash import keys_of
from tabia.reader import TABLES, TableName, Taken, TakenMove, Totals
from tabia.rows import COLUMN_NAMES

from . import _native
from ._arrays import POSITIONS
from ._games import PathLike

Rows = np.ndarray[tuple[int], np.dtype[np.void]]
ROWS_AT_ONCE = 1 << 16


def open_book(path: PathLike | bytes, *, journal: bool = True, verify: bool = False, mapped: bool = True) -> EngineBook:
    """Opens a book for reading, as `tabia.open_book` does: same answers, errors and arrays, but faster, most of all for packed books.

    The file is mapped, and must not be changed in place, which Tabia never does. With `verify`, or without `journal` or `mapped`, it is
    read instead, each block being verified. Arrays of keys are answered without the interpreter's lock.
    """
    return EngineBook(path, journal=journal, verify=verify, mapped=mapped)


class EngineBook(tabia.BookReader):
    """A book that is read by the compiled part. Made by `tabia_engine.open_book`."""

    def __init__(self, path: PathLike | bytes, *, journal: bool = True, verify: bool = False, mapped: bool = True) -> None:
        self.path = None if isinstance(path, bytes) else os.fspath(path)
        self._bytes = path if isinstance(path, bytes) else None
        self._native = _native.Book.of_bytes(path) if isinstance(path, bytes) else _native.Book(path, journal, verify, mapped)
        self._pure: tabia.Book | None = None
        self._closed = False
        self._look()

    def _look(self) -> None:
        """What is asked for often; it changes only with `refresh`."""
        self._kind = self._native.kind()
        self._columns = tuple(self._native.columns())
        self._totals = {name: totals for name in TABLES if (totals := self._native.totals(name == "moves")) is not None}
        self._tables = cast(tuple[TableName, ...], tuple(self._totals))
        tags = tuple(tag for tag, name in COLUMN_NAMES.items() if name in self._columns)
        self._moves_dtype = tabia.moves_dtype(tuple(COLUMN_NAMES[tag] for tag in tags))

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"{self.game}, {', '.join(self.tables)}"
        return f"<tabia_engine.EngineBook {self.path!r}: {state}>"

    def _open(self) -> _native.Book:
        if self._closed:
            raise tabia.ClosedBook("the book is closed", path=self.path)
        return self._native

    @property
    def game(self) -> str:
        return self._kind[0]

    @property
    def key_scheme(self) -> str:
        return self._kind[1]

    @property
    def keyed_by_line(self) -> bool:
        return self._kind[2]

    @property
    def has_results(self) -> bool:
        return self._kind[3]

    @property
    def share(self) -> tuple[int, int]:
        """Share bits and share number: (0, 0) of a whole book."""
        return self._kind[4], self._kind[5]

    @property
    def packed(self) -> bool:
        """Whether it is a packed book."""
        return self._kind[6]

    @property
    def load(self) -> float:
        """How full its tables are, from 0.5 to 0.98; of a packed book those of the plain one."""
        return self._kind[7]

    @property
    def tables(self) -> tuple[TableName, ...]:
        return self._tables

    @property
    def columns(self) -> tuple[str, ...]:
        return self._columns

    @property
    def digest(self) -> str:
        """The identity of the contents of the book without its journal, as 32 hexadecimal digits."""
        return self._open().digest()

    @property
    def journal_frames(self) -> int:
        """How many batches the journal has."""
        return self._open().journal()[0]

    @property
    def torn_bytes(self) -> int:
        """Bytes of a torn tail of the journal: a batch that was never acknowledged, and is not taken notice of."""
        return self._open().journal()[1]

    @property
    def sources(self) -> tuple[tabia.Source, ...]:
        return tuple(tabia.Source(*source) for source in self._open().sources())

    @property
    def facts(self) -> tuple[tabia.Fact, ...]:
        return tuple(tabia.Fact(*fact) for fact in self._open().facts())

    def totals(self, table: TableName) -> Totals:
        self._need(table)
        return Totals(*self._totals[table])

    def refresh(self) -> bool:
        """As `tabia.Book.refresh`."""
        changed = self._open().refresh()
        if changed:
            self._look()
        return changed

    def close(self) -> None:
        self._closed = True
        self._native.close()
        if self._pure is not None:
            self._pure.close()

    def slots(self, table: TableName) -> Rows:
        """As `tabia.Book.slots`."""
        return self._by_pure_reader().slots(table)

    def verify(self) -> None:
        """As `tabia.Book.verify`."""
        self._by_pure_reader().verify()

    def _by_pure_reader(self) -> tabia.Book:
        """The same book without its journal, opened by the pure reader, for what needs no speed. Raises `BookReplaced` if it isn't there any more."""
        digest, pure = self.digest, self._pure
        if pure is None or pure.digest != digest:
            source = self.path if self.path is not None else self._bytes or b""
            pure = tabia.open_book(source, journal=False)
            if pure.digest != digest:
                pure.close()
                raise tabia.BookReplaced("the book was replaced: refresh() goes on with what is there", path=self.path)
            self._pure = pure
        return pure

    def _position(self, key: int) -> Taken | None:
        return self._open().position(key)

    def _moves(self, key: int) -> list[TakenMove]:
        return self._open().moves(key)

    def positions(self, keys: ArrayLike) -> Rows:
        self._need("positions")
        return _array(self._open().positions(keys_of(keys).tobytes()), tabia.positions_dtype())

    def moves(self, keys: ArrayLike) -> tabia.MoveLists:
        self._need("moves")
        offsets, rows = self._open().moves_of(keys_of(keys).tobytes())
        return tabia.MoveLists(np.frombuffer(offsets, "<i8"), _array(rows, self._moves_dtype))

    def batches(self, table: TableName) -> Iterator[Rows]:
        self._need(table)
        return self._batches(table)

    def _batches(self, table: TableName) -> Iterator[Rows]:
        start, dtype = 0, self._moves_dtype if table == "moves" else POSITIONS
        while True:
            found = self._open().scan(table == "moves", start, ROWS_AT_ONCE)
            if found is None:
                return
            rows, last = found
            yield _array(bytearray(rows), dtype)
            if last == (1 << 64) - 1:
                return
            start = last + 1

    def _count(self, table: TableName) -> int:
        if not self.journal_frames:
            rows = self._totals[table][0]
            if rows > 8 * self._native.file_length():
                raise tabia.DamagedBook(f"{rows} rows, for which the file has no room", path=None if self.path is None else os.fsdecode(self.path), place=f"entry of {table}", rule="B-17")
            return rows
        return sum(len(rows) for rows in self.batches(table))


def _array(data: bytearray, dtype: np.dtype[Any]) -> Rows:
    return np.frombuffer(data, dtype)
