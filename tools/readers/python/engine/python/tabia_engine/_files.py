"""Whole books, with all files that belong to them: merging, checking, packing, compacting, and making one of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import tabia

from . import _native
from ._arrays import as_moves, as_positions
from ._games import PathLike, Progress


def merge(
    path: PathLike,
    books: Iterable[PathLike],
    *,
    packed: bool | None = None,
    load: float | None = None,
    filter: bool = False,
    allow_duplicate_sources: bool = False,
    replace: bool = False,
    progress: Progress | None = None,
) -> str:
    """Merges books, with their journals, games and fingerprints, into a new one; returns its digest. Neither order nor grouping of merges
    shows in the result.

    All shares of a set are merged into a whole book. `packed`: None packs if all inputs are packed; `load`: None takes the fullest of the
    inputs'. Raises `EngineError` for books of different kinds, and for archives that are in two of them, unless
    `allow_duplicate_sources` is True: then their games count twice.
    """
    return _native.merge(path, list(books), packed, load, filter, allow_duplicate_sources, replace, progress)


def merge_into(path: PathLike, books: Iterable[PathLike], *, allow_duplicate_sources: bool = False, progress: Progress | None = None) -> int:
    """Merges books into one that is there, as one batch of its journal, and their games and fingerprints into its; returns the batch's
    sequence. Errors as those of `merge`."""
    return _native.merge_into(path, list(books), allow_duplicate_sources, progress)


class Finding(NamedTuple):
    """Something that is wrong with a book: in which file, in which section, in which block of it (None: in no block), at which byte,
    the rule that is broken, and what was found."""

    file: str
    section: str
    block: int | None
    offset: int
    rule: str
    what: str


class CheckReport(NamedTuple):
    """What `check` verified: rows, blocks of tables, frames of the journal; bytes of a torn tail of the journal, which is no damage;
    the first thousand findings, and how many there are beyond those."""

    rows: int
    blocks: int
    frames: int
    torn: int
    findings: tuple[Finding, ...]
    unlisted: int

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def raise_if_damaged(self) -> None:
        """Raises the first finding as a `DamagedBook` (or `DamagedJournal`) with its place and rule, if there is one."""
        for found in self.findings:
            kind = tabia.DamagedJournal if found.rule.startswith("J") else tabia.DamagedBook
            block = "" if found.block is None else f" block {found.block}"
            raise kind(found.what, path=found.file, place=f"{found.section}{block}, byte {found.offset}", rule=found.rule)


def check(path: PathLike, *, progress: Progress | None = None) -> CheckReport:
    """Verifies everything about a book, its journal, games and fingerprints: checksums, rows, totals, and that the games are there that its
    moves name. Damage is reported, not raised.

    Raises `NotABook` and `UnsupportedBook` for what is no book of this version.
    """
    report = _native.check(path, progress)
    findings = tuple(Finding(str(found[0]), *found[1:]) for found in report["findings"])
    return CheckReport(report["rows"], report["blocks"], report["frames"], report["torn"], findings, report["unlisted"])


def pack(book: PathLike, path: PathLike, *, replace: bool = False, progress: Progress | None = None) -> str:
    """Writes what a book and its journal hold as a packed book, in a fraction of the bytes, and its games and fingerprints beside that;
    returns its digest. The book stays as it is."""
    return _native.repack(book, path, True, replace, progress)


def unpack(book: PathLike, path: PathLike, *, replace: bool = False, progress: Progress | None = None) -> str:
    """Writes what a book and its journal hold as a plain book, and its games and fingerprints beside that; returns its digest."""
    return _native.repack(book, path, False, replace, progress)


def compact(path: PathLike, *, packed: bool | None = None, progress: Progress | None = None) -> bool:
    """Puts the journal into the book: a new book takes its place. Says whether there was anything to do.

    `packed`: whether the new book is packed; None: if it was. Raises `BookLocked` if another writer is at work.
    """
    return _native.compact(path, packed, progress)


def write_book(
    path: PathLike,
    *,
    game: str,
    keys: str,
    positions: Any = None,
    moves: Any = None,
    by_line: bool = False,
    results: bool = True,
    sources: Sequence[tabia.Source] = (),
    facts: Sequence[tabia.Fact] = (),
    load: float | None = None,
    filter: bool = False,
    packed: bool = False,
    replace: bool = False,
    progress: Progress | None = None,
) -> str:
    """Makes a book of rows in memory, in any order; rows of the same key (and move) are merged. Returns its digest.

    `positions` and `moves` are arrays with the fields of `tabia.positions_dtype()` and `tabia.moves_dtype(columns)`, or Arrow tables of
    anything with `__arrow_c_stream__`, read by `tabia.from_arrow`. A table that is not given is not in the book. Raises `InvalidData`
    for rows that no book can hold.
    """
    played = None if moves is None else as_moves(moves)
    kind = {
        "game": game, "keys": keys, "by_line": by_line, "results": results, "load": load, "filter": filter, "packed": packed,
        "replace": replace, "columns": [] if played is None else played.columns, "sources": [tuple(one) for one in sources],
        "facts": [tuple(one) for one in facts],
    }  # fmt: skip
    reached = None if positions is None else as_positions(positions)
    return _native.write_book(path, reached, None if played is None else played.rows, kind, progress)
