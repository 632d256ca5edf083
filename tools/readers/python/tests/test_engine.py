"""The compiled package: building, merging, checking, packing, writing, and reading with the same answers and errors as the pure reader."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import START, Case, answers, cases, lines_of, lines_of_key
from programs import REPOSITORY, SAMPLE, large_book, tabia_command

import tabia

engine = pytest.importorskip("tabia_engine")
CASES = cases()
ANSWERS = answers()
BOOKS = {case.name: case.book for case in CASES if case.journal is None}
MASTERS = REPOSITORY.parent / "shared" / "data" / "chess" / "masters.pgn.zst"


def of(*expected: str) -> list[Case]:
    return [case for case in CASES if case.expect in expected]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.tabia"
    engine.build(path, SAMPLE)
    return path


def bytes_of_command(tmp_path: Path, *arguments: object) -> bytes:
    """The book that a verb of the command makes."""
    path = tmp_path / "by-command.tabia"
    path.unlink(missing_ok=True)
    tabia_command(*arguments, "-o", path)
    return path.read_bytes()


# Reading


@pytest.mark.parametrize("verify", [False, True], ids=["", "verified"])
@pytest.mark.parametrize("case", of("valid", "copy-refused"), ids=lambda case: case.name)
def test_golden_files_are_read_as_by_the_pure_reader(case: Case, verify: bool, tmp_path: Path) -> None:
    path = case.lay_out(tmp_path)
    with engine.open_book(path, verify=verify) as book, tabia.open_book(path) as pure:
        assert lines_of(book) == lines_of(pure)
        for name in ("game", "key_scheme", "keyed_by_line", "has_results", "share", "load", "packed", "tables", "columns", "digest", "journal_frames", "torn_bytes"):
            assert getattr(book, name) == getattr(pure, name), name
        for table in book.tables:
            assert book.totals(table) == pure.totals(table)
        keys = [int(line.split(" ")[1], 16) for line in ANSWERS[case.name] if line.split(" ")[0] in ("position", "move", "absent")][:400]
        for key in keys[:100]:
            assert lines_of_key(book, key) == lines_of_key(pure, key)
        if "positions" in book.tables:
            assert len(book) == len(pure)
            assert (book.positions(keys) == pure.positions(keys)).all()
        if "moves" in book.tables:
            mine, theirs = book.moves(keys), pure.moves(keys)
            assert (mine.rows == theirs.rows).all() and (mine.offsets == theirs.offsets).all() and mine.rows.dtype == theirs.rows.dtype
    if case.journal is not None:
        with engine.open_book(path, journal=False) as book, tabia.open_book(path, journal=False) as pure:
            assert lines_of(book) == lines_of(pure)


@pytest.mark.parametrize("case", of("open-refused", "journal-refused"), ids=lambda case: case.name)
def test_refusals_are_those_of_the_pure_reader(case: Case, tmp_path: Path) -> None:
    path = case.lay_out(tmp_path)
    with pytest.raises(tabia.TabiaError) as raised:
        engine.open_book(path)
    with pytest.raises(tabia.TabiaError) as pure:
        tabia.open_book(path)
    unnamed = {"J-3": "J-2"}  # the engine has one error for journals of other books
    assert raised.value.rule in (case.rule, unnamed.get(case.rule)), raised.value
    mine, theirs = type(raised.value), type(pure.value)
    assert mine is theirs or {mine, theirs} <= {tabia.UnsupportedBook, tabia.DamagedBook, tabia.DamagedJournal}, raised.value
    assert not issubclass(mine, tabia.DamagedBook) or raised.value.place and raised.value.path


@pytest.mark.parametrize("case", of("valid", "copy-refused"), ids=lambda case: case.name)
def test_m4_bytes_and_files_that_are_read_answer_as_maps_do(case: Case, tmp_path: Path) -> None:
    path = case.lay_out(tmp_path)
    with engine.open_book(path, mapped=False) as book, tabia.open_book(path) as pure:
        assert lines_of(book) == lines_of(pure) and not book.refresh()
        book.verify()
        for table in book.tables:
            if book.packed:
                with pytest.raises(tabia.NoSuchTable):
                    book.slots(table)
            else:
                assert (book.slots(table) == pure.slots(table)).all()
    with engine.open_book(case.book) as book, tabia.open_book(case.book) as pure:
        assert lines_of(book) == lines_of(pure) and book.path is None and not book.refresh()
        book.verify()


def test_m4_damage_is_found_by_verify_and_a_replaced_book_is_told(tmp_path: Path) -> None:
    named = {case.name: case for case in CASES}
    path = named["b-13-row.tabia"].lay_out(tmp_path)
    with engine.open_book(path) as book:
        with pytest.raises(tabia.DamagedBook):
            book.verify()
        other = tmp_path / "other"
        other.write_bytes(named["example.tabia"].book)
        os.replace(other, path)
        with engine.open_book(path) as now:
            now.verify()
    with pytest.raises(tabia.ClosedBook):
        book.verify()


def test_damage_is_found_where_blocks_are_verified(tmp_path: Path) -> None:
    case = {case.name: case for case in CASES}["b-13-row.tabia"]
    path = case.lay_out(tmp_path)
    with engine.open_book(path, verify=True) as book:
        with pytest.raises(tabia.DamagedBook) as raised:
            book.find_all(START)
        assert raised.value.rule == "B-13" and raised.value.place == "byte 12288" and raised.value.path == str(path)
        with pytest.raises(tabia.DamagedBook):
            list(book.iter_moves())


def test_a_closed_book(sample: Path) -> None:
    book = engine.open_book(sample)
    assert "chess" in repr(book)
    book.close()
    book.close()
    for ask in (lambda: book[START], lambda: book.find_all(START), lambda: book.positions([1]), lambda: list(book), lambda: book.refresh(), lambda: book.digest):
        with pytest.raises(tabia.ClosedBook):
            ask()
    assert "closed" in repr(book)


def test_what_is_missing_is_an_os_error(tmp_path: Path) -> None:
    for work in (engine.open_book, engine.check, engine.Writer, engine.compact):
        with pytest.raises(FileNotFoundError) as raised:
            work(tmp_path / "none.tabia")
        assert raised.value.filename == str(tmp_path / "none.tabia")
    with pytest.raises(FileNotFoundError):
        engine.build(tmp_path / "new.tabia", tmp_path / "none.pgn")


@pytest.mark.parametrize("name", ["masters.tabia", "masters-packed.tabia"])
def test_100_000_keys_of_the_masters(name: str) -> None:
    with engine.open_book(large_book(name)) as book, tabia.open_book(large_book(name)) as pure:
        dice = np.random.default_rng(2)
        keys = np.concatenate([rows["key"][::5000] for rows in pure.batches("positions")] + [dice.integers(0, 1 << 64, 100_000, np.uint64)])[:100_000]
        assert (book.positions(keys) == pure.positions(keys)).all()
        mine, theirs = book.moves(keys), pure.moves(keys)
        assert (mine.rows == theirs.rows).all() and (mine.offsets == theirs.offsets).all()


# Making


def test_a_book_is_that_of_the_command(sample: Path, tmp_path: Path) -> None:
    assert sample.read_bytes() == bytes_of_command(tmp_path, "build", SAMPLE)
    options: dict[str, Any] = {"max_ply": 12, "min_games": 2, "columns": ["ratings", "game", "years"], "load": 0.9, "filter": True, "side": "white"}
    other = tmp_path / "other.tabia"
    built = engine.build(other, [SAMPLE], **options)
    flags = ["--max-ply", 12, "--min-games", 2, "--ratings", "--games=digests", "--years", "--load", 0.9, "--filter", "--white-only"]
    assert other.read_bytes() == bytes_of_command(tmp_path, "build", SAMPLE, *flags)
    assert built.games > 0 and built.read >= built.games and built.plies > built.games and built.copies is None and built.sequence is None
    packed = tmp_path / "packed.tabia"
    engine.build(packed, [SAMPLE], packed=True, tables=["positions"], dedup="exact", threads=1)
    assert packed.read_bytes() == bytes_of_command(tmp_path, "build", SAMPLE, "--pack", "--tables", "positions", "--dedup", "exact")


def two_archives(tmp_path: Path) -> tuple[Path, Path]:
    """The sample's games in two halves."""
    games = SAMPLE.read_text(encoding="utf-8", errors="surrogateescape").split("\n\n[Event ")
    half = len(games) // 2
    paths = tmp_path / "a.pgn", tmp_path / "b.pgn"
    paths[0].write_text("\n\n[Event ".join(games[:half]) + "\n", encoding="utf-8", errors="surrogateescape")
    paths[1].write_text("[Event " + "\n\n[Event ".join(games[half:]), encoding="utf-8", errors="surrogateescape")
    return paths


def test_merging_adding_and_compacting_give_the_same(tmp_path: Path) -> None:
    a, b = two_archives(tmp_path)
    both, one, other, merged = (tmp_path / name for name in ("both.tabia", "one.tabia", "other.tabia", "merged.tabia"))
    engine.build(both, [a, b])
    engine.build(one, a)
    engine.build(other, b)
    digest = engine.merge(merged, [other, one])
    assert merged.read_bytes() == both.read_bytes()
    with tabia.open_book(both) as book:
        assert book.digest == digest
        rows = lines_of(book)
    added = engine.add(one, [b])
    assert added.sequence == 1 and added.games
    with tabia.open_book(one) as book:
        assert book.journal_frames == 1 and lines_of(book) == rows
    assert engine.add(one, [b]).sequence is None
    assert engine.merge_into(other, [tmp_path / "one.tabia"], allow_duplicate_sources=True) == 1
    assert engine.compact(one) and not engine.compact(one)
    with tabia.open_book(one) as book:
        assert book.journal_frames == 0 and book.digest == digest
    with pytest.raises(tabia.EngineError, match="count twice"):
        engine.merge(tmp_path / "twice.tabia", [both, one])
    engine.merge(tmp_path / "twice.tabia", [both, one], allow_duplicate_sources=True, packed=True)
    with tabia.open_book(tmp_path / "twice.tabia") as twice, tabia.open_book(both) as once:
        assert twice.packed and twice.totals("moves").wins == 2 * once.totals("moves").wins
    with pytest.raises(tabia.EngineError, match="max-ply"):
        engine.add(one, [SAMPLE], max_ply=3)


def test_books_are_merged_and_packed_with_their_games_and_fingerprints(tmp_path: Path) -> None:
    a, b = two_archives(tmp_path)
    both, one, other, merged, packed = (tmp_path / name for name in ("both.tabia", "one.tabia", "other.tabia", "merged.tabia", "packed.tabia"))
    for book, archives in ((both, (a, b)), (one, (a,)), (other, (b,))):
        tabia_command("build", "-q", "--games", "--dedup", "exact", "-o", book, *archives)
    engine.merge(merged, [one, other])
    engine.pack(merged, packed)
    engine.merge_into(one, [other])
    games = Path(f"{both}-games").read_bytes()
    for book in (merged, packed, one):
        assert Path(f"{book}-games").read_bytes() == games and Path(f"{book}-fingerprints").exists()
        assert "beside the book" in tabia_command("check", book) and engine.check(book).ok
    Path(f"{packed}-games").write_bytes(games[:5000] + b"?" + games[5001:])
    assert not engine.check(packed).ok


def test_packing_and_unpacking_lose_nothing(sample: Path, tmp_path: Path) -> None:
    packed, plain = tmp_path / "packed.tabia", tmp_path / "plain.tabia"
    engine.pack(sample, packed)
    engine.unpack(packed, plain)
    assert plain.read_bytes() == sample.read_bytes() and packed.stat().st_size < sample.stat().st_size / 2
    with tabia.open_book(sample) as one, tabia.open_book(packed) as other, engine.open_book(packed) as third:
        assert lines_of(one) == lines_of(other) == lines_of(third)
    assert engine.compact(packed, packed=False) and packed.read_bytes()[4096:] == sample.read_bytes()[4096:-4096] + packed.read_bytes()[-4096:]


def test_checking(sample: Path, tmp_path: Path) -> None:
    report = engine.check(sample)
    with tabia.open_book(sample) as book:
        assert report.ok and report.rows == book.totals("positions").rows + book.totals("moves").rows and report.frames == 0
    report.raise_if_damaged()
    for case in of("check-finds"):
        report = engine.check(case.lay_out(tmp_path))
        assert not report.ok and case.rule in [finding.rule for finding in report.findings], case.name
        with pytest.raises(tabia.DamagedBook) as raised:
            report.raise_if_damaged()
        assert raised.value.place and raised.value.rule and raised.value.path
    for name, kind in (("b-01-text.tabia", tabia.NotABook), ("b-03-version.tabia", tabia.UnsupportedBook)):
        (tmp_path / name).write_bytes(BOOKS[name])
        with pytest.raises(kind):
            engine.check(tmp_path / name)


def test_what_is_in_the_way_is_not_replaced(sample: Path, tmp_path: Path) -> None:
    before = sample.read_bytes()
    for work in (lambda: engine.build(sample, SAMPLE), lambda: engine.merge(sample, [sample]), lambda: engine.pack(sample, sample)):
        with pytest.raises((FileExistsError, tabia.EngineError)):
            work()
    other = tmp_path / "other.tabia"
    other.write_bytes(BOOKS["example.tabia"])
    for work in (lambda: engine.build(other, SAMPLE), lambda: engine.merge(other, [sample]), lambda: engine.pack(sample, other)):
        with pytest.raises(FileExistsError):
            work()
    assert sample.read_bytes() == before and other.read_bytes() == BOOKS["example.tabia"]
    engine.build(other, SAMPLE, replace=True)
    assert other.read_bytes() == before


@pytest.mark.parametrize(
    "options",
    [{"game": "shogi"}, {"game": "chess", "keys": "zobrist"}, {"load": 2.0}, {"load": float("nan")}, {"since": "x"}, {"side": "red"}, {"dedup": "some"},
     {"columns": ["elo"]}, {"tables": ["games"]}],
)  # fmt: skip
def test_options_that_cannot_be(options: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(tabia.InvalidData):
        engine.build(tmp_path / "new.tabia", SAMPLE, **options)
    assert not list(tmp_path.glob("new*"))


def test_archives_without_games(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_text("")
    for archives in (tmp_path / "empty.pgn", [SAMPLE, SAMPLE], []):
        with pytest.raises(tabia.TabiaError):
            engine.build(tmp_path / "new.tabia", archives)
    with pytest.raises(tabia.EngineError, match="no game went in"):
        engine.build(tmp_path / "new.tabia", SAMPLE, min_rating=9999)
    built = engine.build(tmp_path / "new.tabia", SAMPLE, min_rating=9999, allow_empty=True)
    assert built.games == 0 and built.filtered["rating"] == built.read - sum(built.skipped.values())


# Rows


@pytest.mark.parametrize("name", ["example.tabia", "small.tabia", "columns.tabia", "columns-example.tabia", "ratings.tabia", "counts.tabia", "packed-pages.tabia"])
def test_a_book_of_rows_is_the_book_they_are_of(name: str, tmp_path: Path) -> None:
    (tmp_path / "old.tabia").write_bytes(BOOKS[name])
    dice = np.random.default_rng(1)
    with tabia.open_book(tmp_path / "old.tabia") as book:
        tables = {table: np.concatenate(list(book.batches(table))) for table in book.tables}
        shuffled = {table: dice.permutation(rows) for table, rows in tables.items()}
        kind: dict[str, Any] = dict(game=book.game, keys=book.key_scheme, results=book.has_results, by_line=book.keyed_by_line, load=book.load, packed=book.packed)
        kind |= dict(sources=book.sources, facts=book.facts, filter=b"TAGS" in BOOKS[name][:4096])
        digest = engine.write_book(tmp_path / "new.tabia", **shuffled, **kind)
        assert digest == book.digest
        arrows = {table: book.arrow(table) for table in book.tables}
        assert engine.write_book(tmp_path / "arrow.tabia", **arrows, **kind) == digest
    assert (tmp_path / "arrow.tabia").read_bytes() == (tmp_path / "new.tabia").read_bytes()


def test_rows_of_the_same_key_are_merged(tmp_path: Path) -> None:
    rows = np.array([(7, 1), (9, 5), (7, 2)], [("key", "u8"), ("wins", "i8")])
    engine.write_book(tmp_path / "new.tabia", game="chess", keys="polyglot", positions=rows)
    with tabia.open_book(tmp_path / "new.tabia") as book:
        assert (book[7].wins, book[9].wins, book[7].eval, book.tables) == (3, 5, None, ("positions",))


@pytest.mark.parametrize(
    ("names", "row"),
    [("key wins", (1, -1)), ("key wins", (1, 1 << 32)), ("key flags", (1, 32)), ("key depth", (1, 3)), ("key win", (1, 1)), ("wins", (1,)), ("key move", (1, 1)),
     ("key eval depth", (1, -32768, 1))],
)  # fmt: skip
def test_rows_that_no_book_can_hold(names: str, row: tuple[int, ...], tmp_path: Path) -> None:
    rows = np.array([row], [(name, "i8") for name in names.split()])
    with pytest.raises(tabia.InvalidData):
        engine.write_book(tmp_path / "new.tabia", game="chess", keys="polyglot", positions=rows)
    for kind in ({"game": "Chess", "keys": "polyglot"}, {"game": "chess", "keys": ""}):
        with pytest.raises(tabia.InvalidData):
            engine.write_book(tmp_path / "new.tabia", **kind, positions=np.array([(1,)], [("key", "u8")]))
    with pytest.raises(tabia.InvalidData):
        engine.write_book(tmp_path / "new.tabia", game="chess", keys="polyglot")
    with pytest.raises(tabia.InvalidData):
        engine.write_book(tmp_path / "new.tabia", game="chess", keys="polyglot", moves=np.array([(1, 1 << 48, 1)], [("key", "u8"), ("mover_rating_sum", "u8"), ("move", "u2")]))
    assert not list(tmp_path.iterdir())


# The journal


def test_batches(sample: Path) -> None:
    other = 0x0123456789ABCDEF
    with tabia.open_book(sample) as book:
        before = book[START]
        known = book.find(START)
    with engine.Writer(sample) as writer:
        assert (writer.frames, writer.sequence, writer.cut, writer.columns) == (0, 0, 0, ())
        batch = engine.Batch().add_position(START, 1, 2, 3, eval=17, depth=20).put_position(other, losses=5, flags=tabia.Flags.PROVEN_LOSS)
        batch.add_move(other, 9, draws=2, marks=tabia.Marks.GOOD).put_move(START, known.code, wins=1).delete_moves([START], [0x2DB]).delete_positions([3])
        batch.add_source(tabia.Source("ab" * 16, 6, "engine games")).add_fact(tabia.Fact(None, "evals", "engine=E; limit=1; unit=centipawns"))
        assert batch and not engine.Batch()
        assert writer.append(batch) == 1 == writer.sequence == writer.frames
        with pytest.raises(tabia.BookLocked):
            engine.Writer(sample)
        with pytest.raises(tabia.BookLocked):
            engine.compact(sample)
        for reader in (tabia.open_book, engine.open_book):
            with reader(sample) as book:
                assert book[START] == before._replace(wins=before.wins + 1, draws=before.draws + 2, losses=before.losses + 3, eval=17, depth=20)
                assert book[other] == tabia.Position(other, 0, 0, 5, None, 0, tabia.Flags.PROVEN_LOSS)
                assert [(move.code, move.draws, move.marks) for move in book.find_all(other)] == [(9, 2, 1)]
                assert 0x2DB not in [move.code for move in book.find_all(START)] and len(book) == book.totals("positions").rows + 1
                assert tabia.Source("ab" * 16, 6, "engine games") in book.sources and book.facts[0].name == "evals"
        assert writer.append(engine.Batch().delete_positions([START])) == 2
        assert writer.undo() == 2 and writer.frames == 1
        for bad in (lambda: writer.append(engine.Batch().add_moves(np.array([(1, 2, 3)], [("key", "u8"), ("move", "u2"), ("game", "u8")]))),):
            with pytest.raises(tabia.InvalidData):
                bad()
        assert writer.append(engine.Batch()) == 2
    with pytest.raises(tabia.EngineError, match="closed"):
        writer.append(batch)
    assert engine.compact(sample) and engine.check(sample).ok
    with tabia.open_book(sample) as book:
        assert book[START].depth == 20 and book.journal_frames == 0


def test_batches_of_arrays_with_columns(tmp_path: Path) -> None:
    path = tmp_path / "columns.tabia"
    path.write_bytes(BOOKS["columns-example.tabia"])
    with tabia.open_book(path) as book:
        rows = np.concatenate(list(book.batches("moves")))
        before = {(move.key, move.code): move for move in book.iter_moves()}
    with engine.Writer(path) as writer:
        writer.append(engine.Batch().add_moves(rows))
        assert writer.columns == ("ratings", "game", "years")
    with tabia.open_book(path) as book:
        for move in book.iter_moves():
            old = before[move.key, move.code]
            assert move.games == 2 * old.games and move.years == old.years and move.game == old.game
            assert move.ratings is not None and old.ratings is not None and move.ratings.score == 2 * old.ratings.score


@pytest.mark.parametrize("bad", [(1 << 64, 1), (1, 65536), (-1, 1)])
def test_a_move_that_cannot_be(bad: tuple[int, int]) -> None:
    with pytest.raises(tabia.InvalidData):
        engine.Batch().add_move(*bad)
    with pytest.raises(tabia.InvalidData):
        engine.Batch().delete_moves([bad[0]], [bad[1]])


def test_numbers_that_are_not_whole_and_lists_that_are_no_pairs() -> None:
    for bad in ({"wins": 1.5}, {"wins": "1"}, {"draws": 1 << 32}, {"losses": -1}, {"marks": 256}):
        with pytest.raises(tabia.InvalidData, match=next(iter(bad))):
            engine.Batch().add_move(1, 1, **bad)
    for keys, codes in (([1, 2], [1]), ([1], [1, 2]), ([1, 2], [1, 2, 3])):
        with pytest.raises(tabia.InvalidData, match="no pairs"):
            engine.Batch().delete_moves(keys, codes)
    assert engine.Batch().add_move(np.uint64(1), np.int32(2), wins=np.int64(3))


def test_random_journals_are_read_as_the_engine_compacts_them(tmp_path: Path) -> None:
    """Batches of adds, puts and deletes over plain and packed books: what the pure reader lays over them is what compaction makes."""
    for seed in range(12):
        dice = random.Random(seed)
        path = tmp_path / f"{seed}.tabia"
        path.write_bytes(BOOKS[dice.choice(["columns.tabia", "packed-pages.tabia", "packed-large-columns.tabia", "blocks.tabia", "small.tabia"])])
        with tabia.open_book(path) as book:
            tables, columns = book.tables, book.columns
            rows = {table: np.concatenate(list(book.batches(table))) for table in tables}
        with engine.Writer(path) as writer:
            for _ in range(dice.randrange(1, 8)):
                writer.append(random_batch(dice, rows, tables, columns))
        with tabia.open_book(path) as book:
            laid_over, keys = lines_of(book), [int(row["key"]) for table in tables for row in rows[table][:60]]
            singles = [lines_of_key(book, key) for key in keys]
            with engine.open_book(path) as other:
                assert [lines_of_key(other, key) for key in keys] == singles
        engine.compact(path)
        with tabia.open_book(path) as book:
            assert lines_of(book) == laid_over and [lines_of_key(book, key) for key in keys] == singles


def random_batch(dice: random.Random, rows: dict[str, Any], tables: tuple[str, ...], columns: tuple[str, ...]) -> Any:
    batch = engine.Batch()
    for table in tables:
        for operation in dice.sample(["add", "put", "delete"], dice.randrange(4)):
            some = rows[table][[dice.randrange(len(rows[table])) for _ in range(dice.randrange(1, 40))]].copy()
            if dice.random() < 0.5:
                some["key"] += np.uint64(dice.randrange(3))
            if "eval" in (some.dtype.names or ()):
                some["eval"], some["depth"] = dice.randrange(-50, 50), dice.randrange(4)
            if operation == "delete" and table == "positions":
                batch.delete_positions(some["key"])
            elif operation == "delete":
                batch.delete_moves(some["key"], some["move"])
            else:
                getattr(batch, f"{operation}_{table}")(some)
    return batch


# Progress, interruptions, threads, panics


def many_games(tmp_path: Path, megabytes: int) -> Path:
    """An archive that takes seconds to read: the sample again and again."""
    path, text = tmp_path / "many.pgn", SAMPLE.read_bytes() + b"\n\n"
    path.write_bytes(text * (megabytes * 1_000_000 // len(text)))
    return path


def test_progress_is_told_in_the_thread_that_asks(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    threads = set()

    def progress(stage: str, done: int, total: int) -> None:
        told.append((stage, done, total))
        threads.add(threading.get_ident())

    engine.build(tmp_path / "new.tabia", many_games(tmp_path, 12), progress=progress)
    assert threads == {threading.get_ident()} and told and told[-1][0] in ("writing", "syncing")
    assert all(done <= total or total == 0 for _, done, total in told) and any(stage == "reading" for stage, _, _ in told)
    engine.check(tmp_path / "new.tabia", progress=progress)
    assert told[-1][0] == "checking" and 0 < told[-1][1] <= told[-1][2]


class Enough(Exception):
    pass


def test_what_progress_raises_stops_the_work(tmp_path: Path) -> None:
    games = many_games(tmp_path, 12)
    before = set(tmp_path.iterdir())

    def progress(stage: str, done: int, total: int) -> None:
        raise Enough(stage)

    with pytest.raises(Enough) as raised:
        engine.build(tmp_path / "new.tabia", games, progress=progress)
    assert isinstance(raised.value.__cause__, tabia.EngineError) and "interrupted" in str(raised.value.__cause__)
    assert set(tmp_path.iterdir()) == before


def test_other_threads_run_while_it_works(tmp_path: Path) -> None:
    games, counted, ended = many_games(tmp_path, 12), [0], threading.Event()

    def count() -> None:
        while not ended.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    engine.build(tmp_path / "new.tabia", games, threads=1)
    during = counted[0]
    ended.set()
    thread.join()
    assert during > 20


INTERRUPTED = """
import sys, tabia_engine
print("begins", flush=True)
try:
    tabia_engine.build(sys.argv[1], sys.argv[2], progress=lambda *step: print(*step, flush=True))
except KeyboardInterrupt as error:
    print("interrupted:", error.__cause__, flush=True)
    sys.exit(130)
"""


@pytest.mark.parametrize("archive", ["masters", "many"])
def test_ctrl_c_stops_a_build_and_leaves_nothing(archive: str, tmp_path: Path) -> None:
    if archive == "masters" and not MASTERS.exists():
        pytest.skip(f"{MASTERS} is not there")
    games = MASTERS if archive == "masters" else many_games(tmp_path, 60)
    book = tmp_path / "new.tabia"
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED, str(book), str(games)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        lines: Iterator[str] = iter(child.stdout.readline, "")
        assert next(lines) == "begins\n"
        for line in lines:
            if line.startswith("reading"):
                break
        os.kill(child.pid, signal.SIGINT)
        rest = list(lines)
        assert child.wait(900) == 130 and rest[-1] == "interrupted: interrupted: nothing was changed\n", rest[-3:]
    finally:
        child.kill()
        child.wait()
    assert [path for path in tmp_path.iterdir() if path.name != "many.pgn"] == []


@pytest.mark.parametrize("on_a_thread", [False, True])
def test_a_panic_is_an_error_like_others(on_a_thread: bool) -> None:
    from tabia_engine import _native

    with pytest.raises(tabia.EngineError, match="asked to"):
        _native.fail(on_a_thread)


def test_threads_share_a_book(sample: Path) -> None:
    wrong: list[object] = []
    with engine.open_book(sample) as book:
        keys = np.array([position.key for position in book], np.uint64)
        wanted = book.positions(keys)

        def work(number: int) -> None:
            dice = random.Random(number)
            try:
                for _ in range(200):
                    i = dice.randrange(len(keys))
                    if book[int(keys[i])].wins != wanted["wins"][i] or number == 0 and book.refresh():
                        wrong.append(i)
                if not (book.positions(keys) == wanted).all():
                    wrong.append(number)
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def test_what_growing_leaves_in_a_book_is_read(sample: Path) -> None:
    """Evals, depths and flags, as `tabia grow` and `tabia set` write them by the journal."""
    tabia_command("set", sample, "--fen", tabia.chess_keys.START, "--eval", 25, "--depth", 18, "--expanded", "yes")
    for reader in (tabia.open_book, engine.open_book):
        with reader(sample) as book:
            assert (book[START].eval, book[START].depth, book[START].flags) == (25, 18, tabia.Flags.EXPANDED)


GROWN = "othello"


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book that `tabia grow` made out of nothing, by its own search: all of it is in the journal."""
    path = tmp_path_factory.mktemp("grown") / "grown.tabia"
    tabia_command("grow", "--quiet", path, "--game", GROWN, "--depth", 2, "--budget", "12 expansions")
    return path


def test_what_growing_found_is_read(grown: Path, tmp_path: Path) -> None:
    wanted = [line.split("\t") for line in tabia_command("dump", grown).split("\n") if line and not line.startswith("#")]
    values = {int(row[0], 16): (None if row[4] == "-" else int(row[4]), int(row[5]), int(row[6])) for row in wanted if len(row) == 7}
    packed = tmp_path / "packed.tabia"
    engine.pack(grown, packed)
    for path in (grown, packed):
        for reader in (tabia.open_book, engine.open_book):
            with reader(path) as book:
                assert {position.key: (position.eval, position.depth, int(position.flags)) for position in book} == values
                assert sum(tabia.Flags.EXPANDED in position.flags for position in book) == 12 == sum(flags & 16 > 0 for _, _, flags in values.values())
                assert [fact.value for fact in book.facts if fact.name == "evals"] == ["engine=tabia-search 1; limit=depth 2; unit=discs"]
                assert book.journal_frames == (12 if path == grown else 0) and engine.check(path).ok
                keys = list(values) + [1]
                assert [None if e == -32768 else e for e in book.positions(keys)["eval"].tolist()] == [*(value for value, _, _ in values.values()), None]


def test_what_growing_found_is_merged_with_games(grown: Path, tmp_path: Path) -> None:
    """Of two evals the deeper one is kept (M-2), whichever book comes first; and counts that games bring are added beside it."""
    with tabia.open_book(grown) as book:
        rows = np.concatenate(list(book.batches("positions")))
        scheme = book.key_scheme
    rows["wins"], rows["depth"] = 3, np.where(rows["eval"] == -32768, 0, rows["depth"] + 1)
    rows["eval"][rows["eval"] != -32768] = 11
    engine.write_book(tmp_path / "games.tabia", game=GROWN, keys=scheme, positions=rows, moves=np.zeros(0, tabia.moves_dtype()))
    digests = {engine.merge(tmp_path / f"{i}.tabia", order) for i, order in enumerate(([grown, tmp_path / "games.tabia"], [tmp_path / "games.tabia", grown]))}
    assert len(digests) == 1
    with tabia.open_book(tmp_path / "0.tabia") as book:
        assert {(position.wins, position.eval) for position in book} == {(3, 11), (3, None)} and len(book) == len(rows)


LIMITED = """
import resource, sys, tabia_engine
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
work, *paths = sys.argv[1:]
try:
    getattr(tabia_engine, work)(*paths)
except OSError as error:
    print(error.errno, error.filename is not None)
"""


@pytest.mark.parametrize("work", ["build", "pack", "add"])
def test_a_file_that_cannot_be_written_is_an_os_error_and_nothing_is_changed(work: str, sample: Path, tmp_path: Path) -> None:
    """A limit of the system stands for a full disk. Nothing is left over, and what was there is as it was."""
    a, b = two_archives(tmp_path)
    half = tmp_path / "half.tabia"
    engine.build(half, a)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    arguments = {"build": (tmp_path / "new.tabia", SAMPLE), "pack": (sample, tmp_path / "new.tabia"), "add": (half, b)}[work]
    done = subprocess.run([sys.executable, "-c", LIMITED, work, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == f"{errno.EFBIG} True\n", done
    with tabia.open_book(half) as book:
        assert book.digest == before_digest(before[half]) and engine.check(half).ok
    after = {path: path.read_bytes() for path in tmp_path.iterdir() if not path.name.endswith("-journal")}
    assert after == before
    if work == "add":
        assert engine.add(half, [b]).sequence == 1


def before_digest(data: bytes) -> str:
    with tabia.open_book(data) as book:
        return book.digest
