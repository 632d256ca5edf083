"""The journal of a book: batches of changes, each of which is made wholly or not at all."""

from __future__ import annotations

import operator
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import tabia
from tabia._by_hash import keys_of
from tabia.rows import NO_EVAL

from . import _native
from ._arrays import POSITIONS, as_moves, as_positions
from ._games import PathLike


class Batch:
    """Changes that are made together. Later changes of a row go on top of earlier ones. Methods return the batch, so that they can be chained.

    Rows are as those of `tabia_engine.write_book`: arrays or Arrow tables. An `add` merges rows into those of the same key (and move), a
    `put` replaces them, a `delete` removes them.
    """

    def __init__(self) -> None:
        self._changes: list[tuple[str, str, bytes, list[str]]] = []
        self._sources: list[tuple[str, int, str]] = []
        self._facts: list[tuple[str | None, str, str]] = []

    def __bool__(self) -> bool:
        return bool(self._changes or self._sources or self._facts)

    def add_positions(self, rows: Any) -> Batch:
        """Merges positions into those of the same keys."""
        self._changes.append(("add", "positions", as_positions(rows), []))
        return self

    def put_positions(self, rows: Any) -> Batch:
        """Puts positions in the place of those of the same keys."""
        self._changes.append(("put", "positions", as_positions(rows), []))
        return self

    def delete_positions(self, keys: ArrayLike) -> Batch:
        """Removes the positions of these keys."""
        self._changes.append(("delete", "positions", keys_of(keys).tobytes(), []))
        return self

    def add_moves(self, rows: Any) -> Batch:
        """Merges moves into those of the same keys and codes."""
        moves = as_moves(rows)
        self._changes.append(("add", "moves", moves.rows, moves.columns))
        return self

    def put_moves(self, rows: Any) -> Batch:
        """Puts moves in the place of those of the same keys and codes."""
        moves = as_moves(rows)
        self._changes.append(("put", "moves", moves.rows, moves.columns))
        return self

    def delete_moves(self, keys: ArrayLike, codes: ArrayLike) -> Batch:
        """Removes the moves with these keys and codes, pairwise."""
        asked, moves = keys_of(keys), keys_of(codes)
        if len(asked) != len(moves):
            raise tabia.InvalidData(f"{len(asked)} keys and {len(moves)} codes are no pairs")
        rows = np.zeros(len(asked), [("key", "<u8"), ("move", "<u8")])
        rows["key"], rows["move"] = asked, moves
        self._changes.append(("delete", "moves", as_moves(rows).rows, []))
        return self

    def add_position(
        self, key: int, wins: int = 0, draws: int = 0, losses: int = 0, *, eval: int | None = None, depth: int = 0, flags: int = 0
    ) -> Batch:
        """Merges one position."""
        return self.add_positions(_one_position(key, wins, draws, losses, eval, depth, flags))

    def put_position(
        self, key: int, wins: int = 0, draws: int = 0, losses: int = 0, *, eval: int | None = None, depth: int = 0, flags: int = 0
    ) -> Batch:
        """Puts one position in the place of that of the same key."""
        return self.put_positions(_one_position(key, wins, draws, losses, eval, depth, flags))

    def add_move(self, key: int, code: int, wins: int = 0, draws: int = 0, losses: int = 0, *, marks: int = 0) -> Batch:
        """Merges one move."""
        return self.add_moves(_one_move(key, code, wins, draws, losses, marks))

    def put_move(self, key: int, code: int, wins: int = 0, draws: int = 0, losses: int = 0, *, marks: int = 0) -> Batch:
        """Puts one move in the place of that of the same key and code; its columns then say nothing."""
        return self.put_moves(_one_move(key, code, wins, draws, losses, marks))

    def add_source(self, source: tabia.Source) -> Batch:
        """Records an archive as one that went into the book."""
        self._sources.append((source.digest, source.games, source.name))
        return self

    def add_fact(self, fact: tabia.Fact) -> Batch:
        """Records a fact."""
        self._facts.append((fact.subject, fact.name, fact.value))
        return self


def _one(dtype: np.dtype[Any], values: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.void]]:
    """One row; numpy itself would cut numbers that aren't whole, and older versions of it those that are too large."""
    row = np.zeros(1, dtype)
    for name, value in zip(dtype.names or (), values):
        limits = np.iinfo(dtype[name])
        try:
            number = operator.index(value)
        except TypeError:
            raise tabia.InvalidData(f"{name} is a whole number, not {value!r}") from None
        if not limits.min <= number <= limits.max:
            raise tabia.InvalidData(f"{name} is from {limits.min} to {limits.max}, not {number}")
        row[name] = number
    return row


def _one_position(
    key: int, wins: int, draws: int, losses: int, value: int | None, depth: int, flags: int
) -> np.ndarray[Any, np.dtype[np.void]]:
    return _one(POSITIONS, (key, wins, draws, losses, NO_EVAL if value is None else value, depth, flags))


def _one_move(key: int, code: int, wins: int, draws: int, losses: int, marks: int) -> np.ndarray[Any, np.dtype[np.void]]:
    return _one(tabia.moves_dtype(), (key, wins, draws, losses, code, marks))


class Writer:
    """A book that is open for writing. There is one at most at any time; readers aren't affected.

    Opening it takes the book's lock (`BookLocked` if another writer has it), and cuts a torn tail off the journal. What `append` was
    given is durable when it returns. After a failure of the disk nothing more can be written: open the book again.

        with tabia_engine.Writer("masters.tabia") as writer:
            writer.append(tabia_engine.Batch().add_move(key, code, wins=1))
    """

    def __init__(self, path: PathLike) -> None:
        self._native = _native.Writer(path)

    def append(self, batch: Batch) -> int:
        """Makes the changes of a batch durable, all of them or none; returns its sequence. Raises `NoSuchTable` and `InvalidData` if the book can't hold them."""
        return self._native.append(batch._changes, batch._sources, batch._facts)

    def undo(self) -> int | None:
        """Takes the last batch of the journal back; its sequence, None if there is none."""
        return self._native.undo()

    @property
    def frames(self) -> int:
        """Batches in the journal."""
        return self._native.journal()[0]

    @property
    def sequence(self) -> int:
        """The sequence of the last batch."""
        return self._native.journal()[1]

    @property
    def cut(self) -> int:
        """Bytes of a torn tail, never acknowledged, that were cut off when the book was opened."""
        return self._native.journal()[2]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the book's moves."""
        return tuple(self._native.columns())

    def close(self) -> None:
        """Gives the lock back."""
        self._native.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
