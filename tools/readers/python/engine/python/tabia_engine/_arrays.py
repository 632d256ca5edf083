"""Rows that callers give as numpy arrays or Arrow tables, as the bytes that the compiled part takes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import tabia
from tabia.rows import CELL_FIELDS, COLUMN_NAMES, NO_EVAL

POSITIONS = np.dtype(tabia.positions_dtype().descr[:-1])


class Moves(NamedTuple):
    """Moves as bytes, and the names of the columns whose fields they have."""

    rows: bytes
    columns: list[str]


def _table(rows: Any) -> np.ndarray[Any, np.dtype[np.void]]:
    if hasattr(rows, "__arrow_c_stream__"):
        return tabia.from_arrow(rows)
    array = np.asarray(rows)
    if array.ndim != 1 or array.dtype.names is None or "key" not in array.dtype.names:
        raise tabia.InvalidData("rows are an array with named fields, `key` among them, or an Arrow table")
    return array


def _fitted(array: np.ndarray[Any, np.dtype[np.void]], dtype: np.dtype[np.void]) -> bytes:
    """The same rows with exactly these fields; those that are missing are 0, an eval none."""
    out = np.zeros(len(array), dtype)
    if "eval" in (dtype.names or ()):
        out["eval"] = NO_EVAL
    for name in array.dtype.names or ():
        if name not in (dtype.names or ()):
            raise tabia.InvalidData(f"these rows have no field {name!r}")
        values, limits = array[name], np.iinfo(dtype[name])
        if values.dtype.kind not in "ui":
            raise tabia.InvalidData(f"{name} is of whole numbers, not {values.dtype}")
        if len(values) and not (limits.min <= int(values.min()) and int(values.max()) <= limits.max):
            raise tabia.InvalidData(f"{name} is from {limits.min} to {limits.max}")
        out[name] = values
    return out.tobytes()


def as_positions(rows: Any) -> bytes:
    """Positions: an array that was taken from a book may have `found`, and has to be True there."""
    array = _table(rows)
    names = [name for name in array.dtype.names or () if name != "found"]
    if "found" in (array.dtype.names or ()) and not array["found"].all():
        raise tabia.InvalidData("a position that was not found is no row")
    return _fitted(array[names], POSITIONS)


def as_moves(rows: Any) -> Moves:
    """Moves, with those columns of which they have a field."""
    array = _table(rows)
    names = set(array.dtype.names or ())
    if "move" not in names:
        raise tabia.InvalidData("moves have a field `move`")
    columns = [COLUMN_NAMES[tag] for tag, fields in CELL_FIELDS.items() if names & {name for name, _, _ in fields}]
    return Moves(_fitted(array, tabia.moves_dtype(tuple(columns))), columns)
