"""Arrays of keys, for readers that look for hashes in ascending order: books and sets of shares."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._combine import Rows
from .errors import InvalidData
from .keys import mix_array, unmix_array
from .reader import BookReader, TableName
from .rows import NO_EVAL, MoveLists, positions_dtype, with_keys

TAGS: dict[TableName, str] = {"positions": "POSN", "moves": "MOVE"}


def keys_of(keys: ArrayLike) -> NDArray[np.uint64]:
    """Keys as an array of 64 bits each; raises `InvalidData` if they are none."""
    try:
        if not hasattr(keys, "__array__") and isinstance(keys, Iterable):
            return _of_numbers(keys)
        given = np.asarray(keys)
        if given.ndim == 1 and given.dtype == object:
            return _of_numbers(given)
        if given.ndim == 1 and (given.dtype.kind == "u" or given.dtype.kind == "i" and not (given < 0).any()):
            return given.astype(np.uint64)
    except (AttributeError, OverflowError, TypeError, ValueError):
        pass
    raise InvalidData("keys are an array or a list of whole numbers of 64 bits")


def _of_numbers(numbers: Iterable[Any]) -> NDArray[np.uint64]:
    """Whole numbers as an array. numpy would make floats of small and large ones together, and its older versions take negative ones."""
    return np.array(array("Q", (number.__index__() for number in numbers)), np.uint64)


class ByHash(BookReader):
    """A reader that is told hashes, ascending and each once, and gives rows that have `h`."""

    @abstractmethod
    def _positions(self, hashes: NDArray[np.uint64]) -> Rows: ...

    @abstractmethod
    def _moves_of(self, hashes: NDArray[np.uint64]) -> Rows: ...

    @abstractmethod
    def _scan(self, tag: str) -> Iterator[Rows]: ...

    def positions(self, keys: ArrayLike) -> Rows:
        self._need("positions")
        asked = keys_of(keys)
        hashes, which = np.unique(mix_array(asked), return_inverse=True)
        rows = self._positions(hashes)
        out = np.zeros(len(hashes), positions_dtype())
        out["eval"] = NO_EVAL
        at = np.searchsorted(hashes, rows["h"])
        for name in rows.dtype.names or ():
            if name != "h":
                out[name][at] = rows[name]
        out["found"][at] = True
        out = out[which.reshape(-1)]
        out["key"] = asked
        return out

    def moves(self, keys: ArrayLike) -> MoveLists:
        self._need("moves")
        asked = keys_of(keys)
        hashes, which = np.unique(mix_array(asked), return_inverse=True)
        which = which.reshape(-1)
        rows = self._moves_of(hashes)
        first, end = np.searchsorted(rows["h"], hashes), np.searchsorted(rows["h"], hashes, "right")
        counts = (end - first)[which]
        offsets = np.append(0, np.cumsum(counts)).astype(np.int64)
        of = np.repeat(np.arange(len(which)), counts)
        taken = rows[first[which][of] + np.arange(len(of)) - offsets[of]]
        taken["h"] = asked[of]
        return MoveLists(offsets, taken.view(with_keys(taken.dtype)))

    def batches(self, table: TableName) -> Iterator[Rows]:
        self._need(table)
        return self._keyed(table)

    def _keyed(self, table: TableName) -> Iterator[Rows]:
        for rows in self._scan(TAGS[table]):
            rows["h"] = unmix_array(rows["h"])
            yield rows.view(with_keys(rows.dtype))
