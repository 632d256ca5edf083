"""Tables of a book as Arrow tables, and Arrow tables as rows, by the Arrow PyCapsule interface: nothing of Arrow has to be installed.

Columns are named and typed as in the Parquet files that `tabia dump` writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrow_c import BadStream, Column, Field, read_stream, schema_capsule, stream_capsule
from ._combine import LIMITS, Rows
from .errors import InvalidData
from .rows import CELL_FIELDS, COLUMN_NAMES, NO_EVAL, moves_dtype, positions_dtype

__all__ = ["ArrowTable", "from_arrow"]

POSITION_FIELDS = [
    Field("key", "uint64", False),
    Field("wins", "int64", False),
    Field("draws", "int64", False),
    Field("losses", "int64", False),
    Field("eval", "int16", True),
    Field("depth", "uint8", False),
    Field("flags", "uint8", False),
]
MOVE_FIELDS = [*POSITION_FIELDS[:4], Field("move", "uint16", False), Field("marks", "uint8", False)]
CELL_TYPES = {
    "mover_rating_sum": "int64",
    "opponent_rating_sum": "int64",
    "rated_games": "int64",
    "rated_score": "uint64",
    "game": "uint64",
    "first_year": "int32",
    "last_year": "int32",
}


class ArrowTable:
    """A table of a book, as what consumers of the Arrow PyCapsule interface take: `polars.DataFrame(table)`, `pyarrow.table(table)`,
    `duckdb.sql("select sum(wins) from rows")` with the table as `rows`.

    Rows are read while they are consumed, some hundred thousand at a time; each consumer reads anew. What goes wrong while they are
    read, the consumer reports as an error of its own, with the text of ours. Needs CPython.
    """

    def __init__(self, table: str, columns: tuple[str, ...], batches: Callable[[], Iterator[Rows]]) -> None:
        self._batches = batches
        self._fields = list(POSITION_FIELDS)
        if table == "moves":
            names = [name for tag in columns for name, _, _ in CELL_FIELDS[tag]]
            self._fields = MOVE_FIELDS + [Field(name, CELL_TYPES[name], False) for name in names]

    @property
    def column_names(self) -> list[str]:
        """The names of the table's columns."""
        return [field.name for field in self._fields]

    def __arrow_c_schema__(self) -> object:
        """The table's schema, as a capsule."""
        return schema_capsule(self._fields)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table's rows, as a capsule. A requested schema is not taken notice of, as the interface allows."""
        return stream_capsule(self._fields, (self._columns(rows) for rows in self._batches()))

    def _columns(self, rows: Rows) -> list[Column]:
        columns = []
        for field in self._fields:
            values = rows[field.name].astype(field.type)
            valid = rows["eval"] != NO_EVAL if field.name == "eval" else None
            columns.append(Column(values, valid))
        return columns


def from_arrow(table: Any) -> Rows:
    """Rows from anything with `__arrow_c_stream__`: a DataFrame of polars, a table of pyarrow, a relation of duckdb ...

    A table with a column `move` is one of moves, any other one of positions: the result has the fields of `moves_dtype`, with those
    columns of a book of which it names a field, or of `positions_dtype` without `found`. Columns that are left out are 0, a missing or
    null eval is none. Raises `InvalidData` for columns that no book has, values out of range, and what is no such table.

    >>> from_arrow(tabia.open_book(example).arrow("moves"))["move"].tolist()
    [3234, 3299, 731, 796]
    """
    if not hasattr(table, "__arrow_c_stream__"):
        raise InvalidData(f"a table is an object with __arrow_c_stream__, not {type(table).__name__}")
    parts, dtype = [], None
    try:
        for batch in read_stream(table):
            dtype = dtype or _dtype_of(set(batch))
            parts.append(_rows(batch, dtype))
    except BadStream as error:
        raise InvalidData(str(error)) from None
    if dtype is None:
        raise InvalidData("the table has no batches, so its columns are not known")
    return np.concatenate(parts)


def _dtype_of(names: set[str]) -> np.dtype[np.void]:
    if "move" in names:
        columns = tuple(COLUMN_NAMES[tag] for tag, fields in CELL_FIELDS.items() if names & {name for name, _, _ in fields})
        dtype = moves_dtype(columns)
    else:
        dtype = np.dtype(positions_dtype().descr[:-1])
    unknown = names - set(dtype.names or ())
    if unknown or "key" not in names:
        raise InvalidData(f"no book has a column {sorted(unknown)[0]!r}" if unknown else "there is no column `key`")
    return dtype


def _rows(batch: dict[str, Column], dtype: np.dtype[np.void]) -> Rows:
    length = len(next(iter(batch.values())).values)
    rows = np.zeros(length, dtype)
    if "eval" in (dtype.names or ()):
        rows["eval"] = NO_EVAL
    for name, (values, valid) in batch.items():
        if valid is not None and not valid.all():
            if name != "eval":
                raise InvalidData(f"column {name!r} has a null")
            values = np.where(valid, values, NO_EVAL)
        rows[name] = _in_range(name, values, dtype[name])
    return rows


def _in_range(name: str, values: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Values of a column as its type, if all of them fit."""
    if values.dtype.kind == "f" and not (np.isfinite(values).all() and (values == np.floor(values)).all()):
        raise InvalidData(f"column {name!r} has numbers that are not whole")
    if name in ("key", "game") and values.dtype == np.int64:
        return values.view(np.uint64)
    limits = np.iinfo(dtype)
    least, greatest = limits.min, LIMITS.get(name, 31 if name == "flags" else limits.max)
    if len(values) and not (least <= int(values.min()) and int(values.max()) <= greatest):
        raise InvalidData(f"column {name!r} has numbers outside {least} to {greatest}")
    return values.astype(dtype)
