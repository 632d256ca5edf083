"""What a book was made of and how: its sources (section SRCS) and facts (section FACT), and the same entries in a journal."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Fact", "Source"]

MOST_NAME, MOST_FACT_NAME, MOST_VALUE = 4096, 64, 65536
FACT_NAME = re.compile(rb"[a-z0-9.-]+")


class Source(NamedTuple):
    """An archive that went into a book: the XXH3-128 of its bytes as 32 hexadecimal digits, games that were taken, its file's name."""

    digest: str
    games: int
    name: str


class Fact(NamedTuple):
    """Something about the book (`subject` is None) or about an archive (`subject` is its digest): a name and a value."""

    subject: str | None
    name: str
    value: str


class Malformed(Exception):
    """An entry that is not well formed; the text says why."""


def section_entries(data: bytes, what: type[Source] | type[Fact]) -> list[bytes]:
    """The entries of a whole section, which begins with their count (B-19, B-27): each without its padding, in their order."""
    if len(data) < 8:
        raise Malformed("there is not even a count")
    (count,) = struct.unpack_from("<Q", data)
    entries = list(entries_of(data[8:], count, what))
    order = [source_order(entry) if what is Source else fact_order(entry) for entry in entries]
    if order != sorted(order) or what is Fact and len(set(order)) < len(order):
        raise Malformed("entries are not in their order")
    return entries


def entries_of(data: bytes, count: int, what: type[Source] | type[Fact]) -> Iterator[bytes]:
    """That many entries, one after the other, with nothing behind the last one."""
    at, size_of = 0, source_size if what is Source else fact_size
    for _ in range(count):
        size = size_of(data, at)
        end = at + (size + 7) // 8 * 8
        if end > len(data):
            raise Malformed("an entry ends outside")
        if any(data[at + size : end]):
            raise Malformed("padding is not zero")
        yield data[at : at + size]
        at = end
    if at != len(data):
        raise Malformed("there is something behind the last entry")


def source_size(data: bytes, at: int) -> int:
    if at + 32 > len(data):
        raise Malformed("an entry ends outside")
    n, reserved = struct.unpack_from("<II", data, at + 24)
    if n > MOST_NAME or reserved:
        raise Malformed("the length of a name, or reserved bytes")
    if at + 32 + n > len(data):
        raise Malformed("an entry ends outside")
    _utf_8(data[at + 32 : at + 32 + n])
    return 32 + int(n)


def fact_size(data: bytes, at: int) -> int:
    if at + 24 > len(data):
        raise Malformed("an entry ends outside")
    n, m = struct.unpack_from("<II", data, at + 16)
    if not 1 <= n <= MOST_FACT_NAME or m > MOST_VALUE:
        raise Malformed("the length of a name or value")
    if at + 24 + n + m > len(data):
        raise Malformed("an entry ends outside")
    if not FACT_NAME.fullmatch(data[at + 24 : at + 24 + n]):
        raise Malformed("a fact's name")
    _utf_8(data[at + 24 + n : at + 24 + n + m])
    return 24 + int(n) + int(m)


def _utf_8(text: bytes) -> None:
    try:
        text.decode()
    except UnicodeDecodeError:
        raise Malformed("a text that is not UTF-8") from None


def source_order(entry: bytes) -> tuple[bytes, int, bytes]:
    return entry[:16], int.from_bytes(entry[16:24], "little"), entry[32:]


def fact_order(entry: bytes) -> tuple[bytes, bytes, bytes]:
    n = int.from_bytes(entry[16:20], "little")
    return entry[:16], entry[24 : 24 + n], entry[24 + n :]


def source_of(entry: bytes) -> Source:
    digest, games, name = source_order(entry)
    return Source(digest.hex(), games, name.decode())


def fact_of(entry: bytes) -> Fact:
    subject, name, value = fact_order(entry)
    return Fact(subject.hex() if any(subject) else None, name.decode(), value.decode())
