"""A set of shares, opened as one book: section 9 of the format."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ._by_hash import ByHash
from ._combine import Rows
from .book import Book, PathLike, open_book
from .errors import NotASet
from .keys import mix
from .reader import TableName, Taken, TakenMove, Totals
from .sources import Fact, Source

__all__ = ["BookSet", "open_set"]


def open_set(paths: Iterable[PathLike], *, journal: bool = True, verify: bool = False, mapped: bool = True) -> BookSet:
    """Opens all shares of a set as one book; options as those of `open_book`. Raises `NotASet` if one is missing, or they don't belong together."""
    books: list[Book] = []
    try:
        for path in paths:
            books.append(open_book(path, journal=journal, verify=verify, mapped=mapped))
        return BookSet(books)
    except BaseException:
        for book in books:
            book.close()
        raise


class BookSet(ByHash):
    """All shares of a set as one book. Made by `open_set`."""

    def __init__(self, books: Iterable[Book]) -> None:
        books = sorted(books, key=lambda book: book.share)
        if not books:
            raise NotASet("no books", rule="S-2")
        first = books[0]
        for book in books[1:]:
            if _of_set(book) != _of_set(first):
                raise NotASet("it does not belong to the same set as the others", path=book.path, rule="S-1")
        numbers = [book.share[1] for book in books]
        if numbers != list(range(1 << first.share[0])):
            raise NotASet(f"shares {numbers} of {1 << first.share[0]}: one is missing, or there twice", rule="S-2")
        self.books = tuple(books)

    def __repr__(self) -> str:
        return f"<tabia.BookSet of {len(self.books)} shares: {self.game}, {', '.join(self.tables)}>"

    @property
    def game(self) -> str:
        return self.books[0].game

    @property
    def key_scheme(self) -> str:
        return self.books[0].key_scheme

    @property
    def keyed_by_line(self) -> bool:
        return self.books[0].keyed_by_line

    @property
    def has_results(self) -> bool:
        return self.books[0].has_results

    @property
    def tables(self) -> tuple[TableName, ...]:
        return self.books[0].tables

    @property
    def columns(self) -> tuple[str, ...]:
        return self.books[0].columns

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.books[0].sources

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.books[0].facts

    @property
    def packed(self) -> bool:
        """Whether its shares are packed books."""
        return self.books[0].packed

    @property
    def share(self) -> tuple[int, int]:
        """(0, 0): together the shares are a whole book."""
        return 0, 0

    @property
    def load(self) -> float:
        """`Book.load` of each share."""
        return self.books[0].load

    @property
    def digest(self) -> str:
        """The identity of the contents without journals, as 32 hexadecimal digits: made of the shares' digests, and not that of the book they make."""
        return hashlib.blake2b(b"".join(bytes.fromhex(book.digest) for book in self.books), digest_size=16).hexdigest()

    @property
    def journal_frames(self) -> int:
        """How many batches the journals of all shares have."""
        return sum(book.journal_frames for book in self.books)

    @property
    def torn_bytes(self) -> int:
        """`Book.torn_bytes` of all shares."""
        return sum(book.torn_bytes for book in self.books)

    def totals(self, table: TableName) -> Totals:
        every = [book.totals(table) for book in self.books]
        rows, *counts = (sum(column) for column in zip(*every))
        return Totals(rows, *(count & (1 << 64) - 1 for count in counts))

    def close(self) -> None:
        for book in self.books:
            book.close()

    def refresh(self) -> bool:
        """`Book.refresh` of each share: says whether one of them has changed."""
        return any([book.refresh() for book in self.books])

    def verify(self) -> None:
        """`Book.verify` of each share."""
        for book in self.books:
            book.verify()

    def _of(self, key: int) -> Book:
        return self.books[mix(key) >> (64 - self.books[0].share[0])]

    def _position(self, key: int) -> Taken | None:
        return self._of(key)._position(key)

    def _moves(self, key: int) -> list[TakenMove]:
        return self._of(key)._moves(key)

    def _cut(self, hashes: NDArray[np.uint64]) -> Iterator[tuple[Book, NDArray[np.uint64]]]:
        """Hashes, which ascend, by the share that has them."""
        bits = self.books[0].share[0]
        numbers = hashes >> np.uint64(64 - bits) if bits else np.zeros(len(hashes), np.uint64)
        cuts = np.searchsorted(numbers, np.arange(len(self.books) + 1, dtype=np.uint64))
        for book, start, end in zip(self.books, cuts[:-1], cuts[1:]):
            yield book, hashes[start:end]

    def _positions(self, hashes: NDArray[np.uint64]) -> Rows:
        return np.concatenate([book._positions(some) for book, some in self._cut(hashes)])

    def _moves_of(self, hashes: NDArray[np.uint64]) -> Rows:
        return np.concatenate([book._moves_of(some) for book, some in self._cut(hashes)])

    def _scan(self, tag: str) -> Iterator[Rows]:
        for book in self.books:
            yield from book._scan(tag)

    def _count(self, table: TableName) -> int:
        return sum(book._count(table) for book in self.books)


def _of_set(book: Book) -> tuple[object, ...]:
    """What all books of a set have in common (S-1), with what their journals add: a set that was added to in part is none."""
    header = book._header
    unknown = [(c.tag, c.cell_size) for table in ("POSN", "MOVE") for c in header.columns_of(table) if c.is_unknown_column]
    same = (header.game, header.keys, header.by_line, header.load, header.features, header.share_bits, book.tables, book.columns)
    return (*same, unknown, book.sources, book.facts)
