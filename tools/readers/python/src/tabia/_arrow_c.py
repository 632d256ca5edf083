"""The Arrow C stream interface by ctypes: a stream of struct arrays out of numpy arrays, and numpy arrays out of a stream.

What C is handed is kept alive in `_held`, under the number that is its `private_data`, until it calls `release`. This needs CPython.
Callbacks are Python functions, which can't run while an exception is pending in their thread: so a stream that fails is released before
its consumer raises anything, and capsules have no destructor.
"""

from __future__ import annotations

import ctypes
import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p, cast, pointer, py_object
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

NULLABLE = 2
EIO = 5
STREAM, SCHEMA, ARRAY = b"arrow_array_stream", b"arrow_schema", b"arrow_array"
FORMATS = {"uint8": b"C", "uint16": b"S", "uint32": b"I", "uint64": b"L", "int8": b"c", "int16": b"s", "int32": b"i", "int64": b"l"}
TYPES = {format_.decode(): np.dtype(name) for name, format_ in FORMATS.items()} | {"f": np.dtype("f4"), "g": np.dtype("f8")}


class Schema(Structure):
    pass


class Array(Structure):
    pass


class Stream(Structure):
    pass


SCHEMA_RELEASE = CFUNCTYPE(None, POINTER(Schema))
ARRAY_RELEASE = CFUNCTYPE(None, POINTER(Array))
STREAM_RELEASE = CFUNCTYPE(None, POINTER(Stream))
GET_SCHEMA = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))
GET_NEXT = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))
GET_ERROR = CFUNCTYPE(c_void_p, POINTER(Stream))

Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", SCHEMA_RELEASE),
    ("private_data", c_void_p),
]
Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", ARRAY_RELEASE),
    ("private_data", c_void_p),
]
Stream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", GET_ERROR),
    ("release", STREAM_RELEASE),
    ("private_data", c_void_p),
]


class Field(NamedTuple):
    """A field of a struct: its name, its type, whether it may be null."""

    name: str
    type: str
    nullable: bool


class Column(NamedTuple):
    """Values of a field, and which of them are there (None: all)."""

    values: NDArray[Any]
    valid: NDArray[np.bool_] | None


_held: dict[int, Any] = {}
_numbers = itertools.count(1)


def _hold(what: Any) -> int:
    number = next(_numbers)
    _held[number] = what
    return number


def _let_go(struct: Any) -> None:
    """Releases a schema or array and its children, of which a consumer may have taken some away."""
    for i in range(struct.n_children):
        child = struct.children[i]
        if child.contents.release:
            child.contents.release(child)
    _held.pop(struct.private_data, None)


def _release_schema_(schema: Any) -> None:
    _let_go(schema.contents)
    schema.contents.release = SCHEMA_RELEASE()


_release_schema = SCHEMA_RELEASE(_release_schema_)


def _release_array_(array: Any) -> None:
    _let_go(array.contents)
    array.contents.release = ARRAY_RELEASE()


_release_array = ARRAY_RELEASE(_release_array_)


def _release_stream_(stream: Any) -> None:
    _held.pop(stream.contents.private_data, None)
    stream.contents.release = STREAM_RELEASE()


_release_stream = STREAM_RELEASE(_release_stream_)


def _pointers(kind: Any, children: list[Any]) -> Any:
    return (POINTER(kind) * len(children))(*map(pointer, children))


def _fill_schema(schema: Any, format_: bytes, name: bytes, nullable: bool, children: list[Any]) -> None:
    pointers = _pointers(Schema, children)
    schema.format, schema.name, schema.metadata = format_, name, None
    schema.flags = NULLABLE if nullable else 0
    schema.n_children, schema.children = len(children), cast(pointers, POINTER(POINTER(Schema)))
    schema.dictionary = POINTER(Schema)()
    schema.release = _release_schema
    schema.private_data = _hold((format_, name, pointers, children))


def fill_schema(schema: Any, fields: list[Field]) -> None:
    """Makes a schema that of a struct with these fields."""
    children = []
    for field in fields:
        child = Schema()
        _fill_schema(child, FORMATS[field.type], field.name.encode(), field.nullable, [])
        children.append(child)
    _fill_schema(schema, b"+s", b"", False, children)


def _fill_array(array: Any, length: int, buffers: list[NDArray[Any] | None], nulls: int, children: list[Any]) -> None:
    addresses = (c_void_p * len(buffers))(*(None if buffer is None else buffer.ctypes.data for buffer in buffers))
    pointers = _pointers(Array, children)
    array.length, array.null_count, array.offset = length, nulls, 0
    array.n_buffers, array.buffers = len(buffers), cast(addresses, POINTER(c_void_p))
    array.n_children, array.children = len(children), cast(pointers, POINTER(POINTER(Array)))
    array.dictionary = POINTER(Array)()
    array.release = _release_array
    array.private_data = _hold((buffers, addresses, pointers, children))


def _fill_batch(array: Any, columns: list[Column]) -> None:
    """Makes an array that of a struct with these columns."""
    children = []
    length = len(columns[0].values)
    for values, valid in columns:
        child = Array()
        bitmap = None if valid is None else np.append(np.packbits(valid, bitorder="little"), np.uint8(0))
        nulls = 0 if valid is None else length - int(valid.sum())
        _fill_array(child, length, [bitmap, np.ascontiguousarray(values)], nulls, [])
        children.append(child)
    _fill_array(array, length, [None], 0, children)


class _Producer:
    """What a stream needs: its fields, and the batches that are still to come."""

    def __init__(self, fields: list[Field], batches: Iterator[list[Column]]) -> None:
        self.fields, self.batches = fields, batches


_errors: dict[int, Any] = {}
"""The last error of each stream that had one. They outlive their streams, and the oldest are forgotten."""
MOST_ERRORS = 256


def _attempt_for(stream: Any, work: Callable[[_Producer], None]) -> int:
    """Does something for a stream. If that fails the stream is over, and released: consumers then raise, and what they release while an
    exception is pending would have to run Python in that state.
    """
    number = stream.contents.private_data
    try:
        work(_held[number])
        return 0
    except BaseException as error:  # no exception may go into C
        _errors[number] = ctypes.create_string_buffer(f"{type(error).__name__}: {error}".encode())
        while len(_errors) > MOST_ERRORS:
            del _errors[next(iter(_errors))]
        _release_stream_(stream)
        return EIO


def _get_schema_(stream: Any, out: Any) -> int:
    return _attempt_for(stream, lambda producer: fill_schema(out.contents, producer.fields))


_get_schema = GET_SCHEMA(_get_schema_)


def _get_next_(stream: Any, out: Any) -> int:
    def step(producer: _Producer) -> None:
        columns = next(producer.batches, None)
        if columns is None:
            out.contents.release = ARRAY_RELEASE()
        else:
            _fill_batch(out.contents, columns)

    return _attempt_for(stream, step)


_get_next = GET_NEXT(_get_next_)


def _get_error_(stream: Any) -> int | None:
    error = _errors.get(stream.contents.private_data)
    return None if error is None else ctypes.addressof(error)


_get_error = GET_ERROR(_get_error_)


_api = ctypes.pythonapi
_new_capsule = _api.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_pointer_in = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", _api))

_exports: list[tuple[object, Any]] = []
"""Capsules that were handed out, and what is in them."""
_exporting = threading.Lock()


def _capsule(struct: Any, name: bytes) -> object:
    """A capsule without a destructor: that would be called where an exception may be pending, in which no Python can run."""
    with _exporting:
        _reap()
        capsule: object = _new_capsule(ctypes.addressof(struct), name, None)
        _exports.append((capsule, struct))
    return capsule


def _reap() -> None:
    """Forgets the capsules that nobody else has, and releases what nobody took out of them."""
    kept = []
    while _exports:
        export = _exports.pop()
        if sys.getrefcount(export[0]) > 2:
            kept.append(export)
        elif export[1].release:
            export[1].release(byref(export[1]))
    _exports.extend(kept)


def stream_capsule(fields: list[Field], batches: Iterator[list[Column]]) -> object:
    """A capsule with a stream of these batches."""
    stream = Stream()
    stream.get_schema, stream.get_next = _get_schema, _get_next
    stream.get_last_error, stream.release = _get_error, _release_stream
    stream.private_data = _hold(_Producer(fields, batches))
    return _capsule(stream, STREAM)


def schema_capsule(fields: list[Field]) -> object:
    """A capsule with the schema of a struct of these fields."""
    schema = Schema()
    fill_schema(schema, fields)
    return _capsule(schema, SCHEMA)


class BadStream(Exception):
    """A stream that can't be read here; the text says why."""


def read_stream(source: Any) -> Iterator[dict[str, Column]]:
    """The batches of anything with `__arrow_c_stream__`: copies of its columns, by name."""
    capsule = source.__arrow_c_stream__()
    stream = Stream.from_address(_pointer_in(capsule, STREAM))
    schema = Schema()
    try:
        _attempt(stream, stream.get_schema(byref(stream), byref(schema)))
        if schema.format != b"+s":
            raise BadStream("an Arrow table is wanted, with columns")
        while True:
            array = Array()
            _attempt(stream, stream.get_next(byref(stream), byref(array)))
            if not array.release:
                return
            try:
                yield _columns(schema, array)
            finally:
                array.release(byref(array))
    finally:
        if schema.release:
            schema.release(byref(schema))
        if stream.release:
            stream.release(byref(stream))


def _attempt(stream: Any, code: int) -> None:
    if code:
        address = stream.get_last_error(byref(stream))
        text = ctypes.string_at(address).decode(errors="replace") if address else f"error {code}"
        raise BadStream(text)


def _columns(schema: Any, array: Any) -> dict[str, Column]:
    columns = {}
    outer = _valid(array, array.offset, array.length)
    if outer is not None and not outer.all():
        raise BadStream("a row is null")
    for i in range(schema.n_children):
        child = schema.children[i].contents
        name = (child.name or b"").decode(errors="replace")
        columns[name] = _column(name, child.format.decode(), array.children[i].contents, array.offset, array.length, bool(child.dictionary))
    return columns


def _valid(array: Any, start: int, length: int) -> NDArray[np.bool_] | None:
    if not array.null_count or not array.n_buffers or not array.buffers[0] or not length:
        return None
    bits = np.ctypeslib.as_array(cast(array.buffers[0], POINTER(ctypes.c_uint8)), ((start + length + 7) // 8,))
    return np.unpackbits(bits, bitorder="little")[start : start + length].astype(np.bool_)


def _column(name: str, format_: str, array: Any, offset: int, length: int, dictionary: bool) -> Column:
    start = array.offset + offset
    valid = _valid(array, start, length)
    wide = format_.startswith("d:") and format_.split(",")[1:] == ["0"]  # whole numbers of 128 bits, as sums of duckdb are
    if dictionary or not (wide or format_ in TYPES):
        raise BadStream(f"column {name!r} is no column of whole numbers (its Arrow format is {format_!r})")
    dtype = np.dtype([("low", "<u8"), ("high", "<i8")]) if wide else TYPES[format_]
    if not length:
        return Column(np.zeros(0, np.uint64 if wide else dtype), valid)
    size = dtype.itemsize
    raw = np.ctypeslib.as_array(cast(array.buffers[1], POINTER(ctypes.c_uint8)), ((start + length) * size,))
    values = raw[start * size :].copy().view(dtype)
    if wide:
        there = np.ones(length, np.bool_) if valid is None else valid
        if (values["high"][there] != 0).any():
            raise BadStream(f"column {name!r} has a number that is not of 64 bits")
        values = values["low"].copy()
    return Column(values, valid)
