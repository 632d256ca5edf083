"""Game archives to books."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, Union

from . import _native

PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[str, int, int], object]


class Built(NamedTuple):
    """What came of games: how many were read, how many went in with how many plies; skipped (something is wrong with them) and filtered
    (not wanted) by reason; left out as copies, None if that was not asked for; after `add` the sequence of the journal's batch, None if
    all archives were in the book already.
    """

    read: int
    games: int
    plies: int
    skipped: dict[str, int]
    filtered: dict[str, int]
    copies: int | None
    sequence: int | None


def _archives(archives: PathLike | Iterable[PathLike]) -> list[PathLike]:
    return [archives] if isinstance(archives, (str, os.PathLike)) else list(archives)


def _options(**given: Any) -> dict[str, Any]:
    """All options that the compiled part asks for."""
    new_book = {
        "game": None, "keys": None, "tables": None, "columns": None, "by_line": False, "results": True, "min_games": 1, "load": None,
        "filter": False, "packed": False, "resume": False, "replace": False, "differently": False,
    }  # fmt: skip
    return {**new_book, **given}


def build(
    path: PathLike,
    archives: PathLike | Iterable[PathLike],
    *,
    game: str | None = None,
    keys: str | None = None,
    tables: Sequence[Literal["positions", "moves"]] | None = None,
    columns: Sequence[Literal["ratings", "game", "years"]] | None = None,
    by_line: bool = False,
    results: bool = True,
    max_ply: int | None = None,
    side: Literal["white", "black"] | None = None,
    min_games: int = 1,
    min_rating: int | None = None,
    max_rating: int | None = None,
    since: str | None = None,
    until: str | None = None,
    players: Sequence[str] = (),
    min_plies: int = 0,
    dedup: Literal["exact", "prefix"] | None = None,
    dedup_by_players: bool = False,
    evals: bool = False,
    variations: bool = False,
    load: float | None = None,
    filter: bool = False,
    packed: bool = False,
    threads: int | None = None,
    memory: int | None = None,
    resume: bool = False,
    replace: bool = False,
    allow_empty: bool = False,
    allow_duplicate_sources: bool = False,
    skipped_list: PathLike | None = None,
    progress: Progress | None = None,
) -> Built:
    """Makes a book of game archives: PGN, SGF, WTHOR, GGF, PDN, transcripts, in tars, plain or compressed; folders and patterns too.

    Each game counts once for every position it passes and every move made there; games without a decided result are skipped, unless
    `results` is False: then all count, as draws. The options mean what those of `tabia build` of the same name do; `by_line` is
    `--keyed line`, `keys` the name of a key scheme (`zobrist`: images of a board are told apart), `memory` is in bytes. The book gets its
    name when it is whole and durable. If `path` exists it is a `FileExistsError`, unless `replace` is True.

    Raises `EngineError` if no game went in, an archive can't be read or was given twice; `InvalidData` for options that can't be.
    """
    options = _options(
        game=game, keys=keys, tables=None if tables is None else list(tables), columns=None if columns is None else list(columns),
        by_line=by_line, results=results, max_ply=max_ply, side=side, min_games=min_games, min_rating=min_rating, max_rating=max_rating,
        since=since, until=until, players=list(players), min_plies=min_plies, dedup=dedup, dedup_by_players=dedup_by_players, evals=evals,
        variations=variations, load=load, filter=filter, packed=packed, threads=threads, memory=memory, resume=resume, replace=replace,
        allow_empty=allow_empty, allow_duplicate_sources=allow_duplicate_sources, skipped_list=skipped_list,
    )  # fmt: skip
    return Built(**_native.build(path, _archives(archives), options, progress))


def add(
    path: PathLike,
    archives: PathLike | Iterable[PathLike],
    *,
    max_ply: int | None = None,
    side: Literal["white", "black"] | None = None,
    min_rating: int | None = None,
    max_rating: int | None = None,
    since: str | None = None,
    until: str | None = None,
    players: Sequence[str] = (),
    min_plies: int = 0,
    dedup: Literal["exact", "prefix"] | None = None,
    dedup_by_players: bool = False,
    evals: bool = False,
    variations: bool = False,
    differently: bool = False,
    threads: int | None = None,
    memory: int | None = None,
    allow_empty: bool = False,
    allow_duplicate_sources: bool = False,
    skipped_list: PathLike | None = None,
    progress: Progress | None = None,
) -> Built:
    """Adds the games of archives to a book, as one batch of its journal: all of them or none.

    Archives that the book knows are left out. Archives are read as those of the book were, which its facts say; options that contradict
    this raise `EngineError`, unless `differently` is True: then exactly the given ones count. Raises `BookLocked` if another writer is at work.
    """
    options = _options(
        max_ply=max_ply, side=side, min_rating=min_rating, max_rating=max_rating, since=since, until=until, players=list(players),
        min_plies=min_plies, dedup=dedup, dedup_by_players=dedup_by_players, evals=evals, variations=variations, differently=differently,
        threads=threads, memory=memory, allow_empty=allow_empty, allow_duplicate_sources=allow_duplicate_sources, skipped_list=skipped_list,
    )  # fmt: skip
    return Built(**_native.add(path, _archives(archives), options, progress))
