"""What a book can be asked: single positions and moves, arrays of them, choices, and what goes wrong."""

from __future__ import annotations

import importlib.util
import os
import pickle
import random
import re
import subprocess
import sys
import threading
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from golden import FOLDER, START, cases, lines_of, sealed

import tabia

FEN = tabia.chess_keys.START
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
ALL = {case.name: case for case in cases()}


@pytest.fixture
def book() -> Iterator[tabia.Book]:
    with tabia.open_book(ALL["example.tabia"].book) as opened:
        yield opened


@pytest.mark.parametrize("position", [START, np.uint64(START), FEN, chess.Board(), " ".join(FEN.split()[:4])])
def test_a_position_is_a_key_a_fen_or_a_board(book: tabia.Book, position: tabia.PositionLike) -> None:
    assert book.key_of(position) == START
    assert book[position] == tabia.Position(START, 2, 1, 1, None, 0, tabia.Flags.EXPANDED) == book.get(position)
    assert book[position].games == 4 and book[position].score == 0.625
    assert position in book
    assert [(move.uci, move.games, move.marks) for move in book.find_all(position)] == [("e2e4", 3, 1), ("d2d4", 1, 0)]


class Board:
    """A board that is none of python-chess."""

    def fen(self) -> str:
        return AFTER_E4


def test_any_object_with_a_fen_is_a_board(book: tabia.Book) -> None:
    position = book[Board()]
    assert (position.eval, position.depth, position.score) == (-30, 18, 1 / 3)
    assert position == book[chess.Board(AFTER_E4)]


def test_the_package_imports_neither_python_chess_nor_arrow() -> None:
    code = "import sys, tabia; sys.exit(bool({'chess', 'pyarrow', 'polars', 'duckdb'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    "position",
    ["", "x", FEN.replace("w", "x"), "8/8/8/8/8/8/8 w - -", "9/8/8/8/8/8/8/8 w - -", "7/8/8/8/8/8/8/8 w - -", FEN + " 0 0", object(), None, 3.5, -1, 1 << 64,
     "8/8/8/8/8/8/8/8 w KQkx -", "8/8/8/8/8/8/8/8 w HA -", "8/8/8/8/8/8/8/8 w - e9", "8/8/8/8/8/8/8/٨ w - -", "ppppppppp/8/8/8/8/8/8/8 w - -"],
)  # fmt: skip
def test_what_is_no_position(book: tabia.Book, position: object) -> None:
    for ask in (book.get, book.key_of, book.find_all, book.__contains__, book.__getitem__):
        with pytest.raises(tabia.BadPosition):
            ask(position)  # type: ignore[arg-type]


def test_what_is_not_in_the_book(book: tabia.Book) -> None:
    assert book.get(1) is None and book.get(1, 2) == 2 and 1 not in book and book.find_all(1) == []
    for ask in (book.__getitem__, book.find, book.best, book.choice, book.weighted_choice):
        for kind in (tabia.NotInBook, KeyError, IndexError, tabia.TabiaError):
            with pytest.raises(kind, match="nothing on this position"):
                ask(1)
    with pytest.raises(tabia.NotInBook, match="4k3"):
        book["4k3/8/8/8/8/8/8/4K3 w - -"]


def test_moves_are_filtered(book: tabia.Book) -> None:
    assert [move.uci for move in book.find_all(START, minimum_games=2)] == ["e2e4"]
    assert [move.uci for move in book.find_all(START, exclude_moves=["e2e4"])] == ["d2d4"]
    assert [move.uci for move in book.find_all(START, exclude_moves={0x31C, "a2a3"})] == ["d2d4"]
    assert [move.uci for move in book.find_all(START, exclude_moves=[chess.Move.from_uci("e2e4").uci()])] == ["d2d4"]
    assert book.find(START, exclude_moves=["e2e4"]).uci == "d2d4"
    with pytest.raises(tabia.NotInBook):
        book.find(START, minimum_games=4)


def test_a_move_says_what_it_is(book: tabia.Book) -> None:
    move = book.find(FEN)
    assert (move.code, move.squares, move.promotion, move.key) == (0x31C, (12, 28), 0, START)
    assert move.marks == tabia.Marks.GOOD and move.score == 2 / 3
    assert move.ratings is None and move.game is None and move.years is None
    assert tabia.Move(1, 2, 0, 0, 0).score is None


def test_choices(book: tabia.Book) -> None:
    dice = random.Random(1)
    weighted = Counter(book.weighted_choice(START, random=dice).uci for _ in range(4000))
    assert 2800 < weighted["e2e4"] < 3200
    even = Counter(book.choice(START, random=dice).uci for _ in range(4000))
    assert 1800 < even["e2e4"] < 2200
    only = Counter(book.weighted_choice(START, random=dice, weight=lambda move: move.code == 0x2DB).uci for _ in range(10))
    assert only == {"d2d4": 10}
    assert book.weighted_choice(START).uci in ("e2e4", "d2d4") and book.choice(START).uci in ("e2e4", "d2d4")
    with pytest.raises(tabia.NotInBook):
        book.weighted_choice(START, weight=lambda move: 0)
    for bad in (-1.0, float("inf"), float("nan")):
        with pytest.raises(tabia.InvalidData):
            book.weighted_choice(START, weight=lambda move: bad)  # noqa: B023


def test_marks_decide_what_is_chosen(tmp_path: Path) -> None:
    engine = pytest.importorskip("tabia_engine")
    path = tmp_path / "marked.tabia"
    path.write_bytes(ALL["example.tabia"].book)
    with engine.Writer(path) as writer:
        writer.append(engine.Batch().add_move(START, 0x31C, marks=tabia.Marks.NEVER))
        with tabia.open_book(path) as book:
            assert [move.uci for move in book.candidates(FEN)] == ["d2d4"]
            assert book.best(FEN).uci == "d2d4" == book.weighted_choice(FEN).uci == book.choice(FEN).uci
            assert book.find(FEN).uci == "e2e4"
        writer.append(engine.Batch().add_move(START, 0x2DB, marks=tabia.Marks.NEVER))
        with tabia.open_book(path) as book, pytest.raises(tabia.NotInBook):
            book.best(FEN)
        writer.append(engine.Batch().put_move(START, 0x2DB, wins=1, marks=tabia.Marks.ALWAYS).put_move(START, 0x31C, wins=9))
        with tabia.open_book(path) as book:
            assert [move.uci for move in book.candidates(FEN)] == ["d2d4"]


def test_castling_is_as_uci_has_it() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
    for stored, uci, black in (("e1h1", "e1g1", "e8g8"), ("e1a1", "e1c1", "e8c8")):
        assert tabia.chess_keys.uci_of(tabia.chess_keys.code_of(stored), fen) == uci
        code = tabia.chess_keys.code_of(stored.replace("1", "8"))
        assert tabia.chess_keys.uci_of(code, fen.replace(" w ", " b ")) == black
    assert tabia.chess_keys.uci_of(tabia.chess_keys.code_of("e1h1")) == "e1h1"
    assert tabia.chess_keys.uci_of(tabia.chess_keys.code_of("e1h1"), "4k3/8/8/8/8/8/8/4R2R w - -") == "e1h1"
    assert tabia.chess_keys.uci_of(tabia.chess_keys.code_of("a7a8q")) == "a7a8q"
    with pytest.raises(tabia.BadPosition):
        tabia.chess_keys.code_of("e2e9")


def test_iteration_and_length(book: tabia.Book) -> None:
    assert len(book) == 2 == len(list(book)) and bool(book)
    assert {position.key for position in book} == {START, book.key_of(AFTER_E4)}
    assert sum(move.games for move in book.iter_moves()) == sum(position.games for position in book) == 7
    assert book.totals("moves") == (3, 3, 1, 3)
    assert sum(len(rows) for rows in book.batches("moves")) == 3


def test_tables_that_are_not_there() -> None:
    with tabia.open_book(ALL["ratings.tabia"].book) as moves:
        assert moves.tables == ("moves",) and bool(moves)
        for ask in (lambda: moves.get(1), lambda: moves[1], lambda: len(moves), lambda: list(moves), lambda: moves.positions([1])):
            with pytest.raises(tabia.NoSuchTable):
                ask()
        assert next(moves.iter_moves()).key in moves
    with tabia.open_book(ALL["one-row.tabia"].book) as positions:
        asks = [lambda: positions.find_all(1), lambda: positions.best(1), lambda: positions.moves([1]), lambda: list(positions.iter_moves())]
        for ask in (*asks, lambda: positions.arrow("moves"), lambda: positions.totals("moves"), lambda: positions.slots("moves")):
            with pytest.raises(tabia.NoSuchTable):
                ask()
        with pytest.raises(tabia.NoSuchTable, match="tables are"):
            positions.batches("games")  # type: ignore[arg-type]


def test_columns() -> None:
    with tabia.open_book(ALL["columns-example.tabia"].book) as book:
        assert book.columns == ("ratings", "game", "years")
        move = book.find(FEN)
        assert move.ratings is not None and move.game is not None and move.years == tabia.Years(1987, 2025)
        assert (move.ratings.average, move.ratings.performance, move.game.rank) == (2365.5, 2295, 4721)
        unrated = book.find(FEN, exclude_moves=["e2e4"])
        assert unrated.ratings == (0, 0, 0, 0) and unrated.ratings.average is None and unrated.ratings.performance is None
        assert unrated.game is None
    case = ALL["columns-example.tabia-journal"]
    assert case.journal is not None
    assert tabia.Ratings(0, 2300, 1, 0).performance == 1500 and tabia.Ratings(0, 2300, 1, 2).performance == 3100
    assert tabia.Ratings(0, 2300, 1, 9).performance == 3100


def test_arrays_of_keys(book: tabia.Book) -> None:
    rows = book.positions([START, 5, START])
    assert rows["found"].tolist() == [True, False, True] and rows["wins"].tolist() == [2, 0, 2] and rows["eval"].tolist() == [-32768] * 3
    assert rows.dtype == tabia.positions_dtype() and rows["key"].tolist() == [START, 5, START]
    lists = book.moves(np.array([5, START], np.uint64))
    assert lists.offsets.tolist() == [0, 0, 2] and lists.of(1)["move"].tolist() == [0x2DB, 0x31C] and lists.rows.dtype == tabia.moves_dtype()
    assert len(book.positions([])) == 0 and book.moves([]).offsets.tolist() == [0]
    for bad in ([[1]], [1.5], ["x"], [-1], [1 << 64], 7, [None]):
        with pytest.raises(tabia.InvalidData):
            book.positions(bad)  # type: ignore[arg-type]
        with pytest.raises(tabia.InvalidData):
            book.moves(bad)  # type: ignore[arg-type]


def test_slots_are_the_file_itself(tmp_path: Path) -> None:
    path = ALL["blocks.tabia"].lay_out(tmp_path)
    with tabia.open_book(path) as book:
        slots = book.slots("positions")
        taken = slots[slots["flags"] != 255]
        assert len(taken) == book.totals("positions").rows == len(book)
        assert not slots.flags.writeable and slots.base is not None
        with pytest.raises(ValueError):
            slots["wins"][0] = 1
        total = int(taken["wins"].sum())
    assert total == int(slots[slots["flags"] != 255]["wins"].sum())  # closing the book takes no array away
    with tabia.open_book(ALL["packed-example.tabia"].book) as packed, pytest.raises(tabia.NoSuchTable, match="packed"):
        packed.slots("positions")


def test_a_closed_book_is_closed(tmp_path: Path) -> None:
    book = tabia.open_book(ALL["example.tabia"].lay_out(tmp_path))
    book.close()
    book.close()
    for ask in (lambda: book[START], lambda: book.find_all(START), lambda: len(book), lambda: book.positions([1]), lambda: book.game, lambda: book.refresh()):
        with pytest.raises(tabia.ClosedBook):
            ask()
    assert "closed" in repr(book)


def test_a_file_that_is_missing_or_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        tabia.open_book(tmp_path / "none.tabia")
    with pytest.raises(OSError):
        tabia.open_book(tmp_path)


def test_errors_say_path_place_and_rule_and_can_be_pickled(tmp_path: Path) -> None:
    path = ALL["b-10-entry.tabia"].lay_out(tmp_path)
    with pytest.raises(tabia.DamagedBook) as raised:
        tabia.open_book(path)
    error = raised.value
    assert (error.path, error.place, error.rule) == (str(path), "entry of POSN", "B-10")
    assert str(error) == f"{path}: B-10: entry of POSN: a field that has to be zero is not"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.rule) == (type(error), str(error), error.rule)


def test_refresh_goes_on_with_what_is_there(tmp_path: Path) -> None:
    case = ALL["example.tabia-journal"]
    path = tmp_path / "case.tabia"
    path.write_bytes(case.book)
    book, bare = tabia.open_book(path), tabia.open_book(path, journal=False)
    assert book[START].wins == 2 and not book.refresh()
    assert case.journal is not None
    (tmp_path / "case.tabia-journal").write_bytes(case.journal)
    assert book[START].losses == 1 and book.refresh() and book[START].losses == 2 and book.journal_frames == 2
    assert not bare.refresh() and bare[START].losses == 1
    assert not book.refresh()
    other = tmp_path / "other"
    other.write_bytes(ALL["columns-example.tabia"].book)
    (tmp_path / "case.tabia-journal").unlink()
    os.replace(other, path)
    assert book[START].losses == 2 and book.refresh() and book.columns and bare.refresh() and bare.columns
    path.unlink()
    with pytest.raises(FileNotFoundError):
        book.refresh()
    assert book[START].wins == 2
    other.write_bytes(ALL["b-10-entry.tabia"].book)
    os.replace(other, path)
    with pytest.raises(tabia.DamagedBook):
        book.refresh()
    assert book[START].wins == 2


@pytest.mark.parametrize("mapped", [True, False])
def test_w5_refresh_tells_journals_and_books_by_their_checksums(mapped: bool, tmp_path: Path) -> None:
    """Files are written over in place here, so that their numbers and lengths stay: systems give both again to new files."""
    case = ALL["example.tabia-journal"]
    assert case.journal is not None
    path, journal = tmp_path / "case.tabia", tmp_path / "case.tabia-journal"
    path.write_bytes(case.book)
    journal.write_bytes(case.journal)
    with tabia.open_book(path, mapped=mapped) as book:
        assert book.journal_frames == 2 and not book.refresh()
        # A frame is taken back, and another of its length written.
        with journal.open("r+b") as file:
            file.write(_with_another_last_frame(case.journal))
        before = lines_of(book)
        assert book.refresh() and lines_of(book) != before and not book.refresh()
        # A torn tail may be written over by a frame.
        journal.write_bytes(case.journal + bytes(8))
        assert book.refresh() and book.torn_bytes == 8 and not book.refresh()
    if not mapped:
        journal.unlink()
        with tabia.open_book(path, mapped=False) as book:
            with path.open("r+b") as file:
                file.write(ALL["columns-example.tabia"].book)
            assert book.refresh() and book.columns and not book.refresh()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes have names here")
def test_a_pipe_in_the_place_of_a_book_or_its_journal_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    path, journal = tmp_path / "case.tabia", tmp_path / "case.tabia-journal"
    path.write_bytes(ALL["example.tabia"].book)
    os.mkfifo(journal)
    for pipe in (journal, path):
        with pytest.raises(OSError, match="no regular file"):
            tabia.open_book(pipe)
    assert tabia.open_book(path, journal=False)[START].games == 4


def _with_another_last_frame(journal: bytes) -> bytes:
    """A journal whose last frame counts another win, with the checksums that belong to it."""
    salt, at = journal[56:64], 64
    while at + 40 + int.from_bytes(journal[at + 8 : at + 16], "little") < len(journal):
        at += 40 + int.from_bytes(journal[at + 8 : at + 16], "little")
    body = bytearray(journal[at + 40 :])
    body[16 + 8] ^= 1  # wins of the first row of the first part
    header = bytearray(journal[at : at + 40])
    header[24:28] = zlib.crc32(body).to_bytes(4, "little")
    header[4:8] = zlib.crc32(header[8:], zlib.crc32(salt)).to_bytes(4, "little")
    return journal[:at] + bytes(header) + bytes(body)


def test_m4_a_set_says_what_a_book_says() -> None:
    shares = [ALL[f"share-{number}.tabia"].book for number in range(4)]
    with tabia.BookSet(tabia.open_book(share) for share in shares) as book:
        assert (book.share, book.packed, book.load, book.journal_frames, book.torn_bytes) == ((0, 0), False, book.books[0].load, 0, 0)
        assert re.fullmatch("[0-9a-f]{32}", book.digest) and book.digest not in {one.digest for one in book.books}
        with tabia.BookSet(tabia.open_book(share) for share in reversed(shares)) as other:
            assert other.digest == book.digest


def test_a_book_that_is_always_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ALL["example.tabia"].lay_out(tmp_path)
    monkeypatch.setattr("tabia.book._Opened.is_book_of", lambda self, path: False)
    with pytest.raises(tabia.BookReplaced):
        tabia.open_book(path)


@pytest.mark.parametrize("name", ["columns.tabia", "packed-pages.tabia", "packed-large-columns.tabia"])
@pytest.mark.parametrize("verify", [False, True])
def test_threads(name: str, verify: bool) -> None:
    with tabia.open_book(ALL[name].book, verify=verify) as book:
        wanted = lines_of(book)
        keys = [position.key for position in book][:200]
        answers = [(book.get(key), book.find_all(key)) for key in keys]
    wrong: list[object] = []
    with tabia.open_book(ALL[name].book, verify=verify) as book:

        def work(number: int) -> None:
            dice = random.Random(number)
            try:
                for _ in range(300):
                    i = dice.randrange(len(keys))
                    if (book.get(keys[i]), book.find_all(keys[i])) != answers[i]:
                        wrong.append(keys[i])
                if lines_of(book) != wanted or not book.positions(keys)["found"].all():
                    wrong.append(number)
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def test_a_book_of_another_game() -> None:
    with tabia.open_book(ALL["positions-load-500.tabia"].book) as book:
        assert book.keyed_by_line and book.load == 0.5
        with pytest.raises(tabia.WrongGame):
            book.get(FEN)
    with tabia.open_book(ALL["moves-load-980.tabia"].book) as book, pytest.raises(tabia.WrongGame):
        book.find_all(FEN)


def test_what_a_book_is(book: tabia.Book) -> None:
    assert (book.game, book.key_scheme, book.keyed_by_line, book.has_results, book.share) == ("chess", "polyglot", False, True, (0, 0))
    assert book.sources == (tabia.Source("4401ae48952ec8ab3d0106715c512837", 4, "café.pgn"),)
    assert book.facts == (tabia.Fact("4401ae48952ec8ab3d0106715c512837", "plan.max-ply", "2"),)
    assert book.path is None and not book.packed and book.journal_frames == 0 and book.torn_bytes == 0
    assert "chess" in repr(book)


def test_a_torn_tail_is_told(tmp_path: Path) -> None:
    with tabia.open_book(ALL["journal-torn-odd.tabia-journal"].lay_out(tmp_path)) as book:
        assert book.torn_bytes == 3


def test_golden_files_are_there() -> None:
    assert (FOLDER / "INDEX.tsv").exists()


@pytest.mark.parametrize("rows", [1 << 40, 1 << 62, (1 << 64) - 1])
def test_more_positions_than_a_packed_book_has_room_for(rows: int, tmp_path: Path) -> None:
    """Found by fuzzing: `list(book)` makes room for `len(book)` rows, and nothing bounded that number."""
    image = bytearray(ALL["packed-pages.tabia"].book)
    at = next(at for at in range(256, 4092, 96) if image[at : at + 4] == b"POSN")
    image[at + 32 : at + 40] = rows.to_bytes(8, "little")
    path = tmp_path / "book.tabia"
    path.write_bytes(sealed(image))
    readers: list[Any] = [tabia.open_book]
    if importlib.util.find_spec("tabia_engine"):
        readers.append(importlib.import_module("tabia_engine").open_book)
    for reader in readers:
        with reader(path) as book:
            for ask in (len, list):
                with pytest.raises(tabia.DamagedBook) as raised:
                    ask(book)
                assert (raised.value.rule, raised.value.path) == ("B-17", str(path)) and raised.value.place
            assert sum(1 for _ in book) > 0
