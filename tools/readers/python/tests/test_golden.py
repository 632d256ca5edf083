"""Every golden file, right and wrong: opened, read and probed as INDEX.tsv and answers.tsv say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from golden import Case, answers, cases, head_lines, lines_of, lines_of_key

import tabia

CASES = cases()
ANSWERS = answers()
OF_A_KEY = ("position", "move", "ratings", "game", "years")
OF_A_HEAD = ("digest", "share", "table")
VERIFIED = ("B-12", "B-13", "B-14", "B-31")
"""Rules whose breaking `verify` finds."""
READ = {"B-19": "sources", "B-27": "facts"}
"""Rules whose breaking is found by what is read."""


def of(*expected: str) -> list[Case]:
    return [case for case in CASES if case.expect in expected]


def named(case: Case) -> str:
    return case.name


def test_there_are_cases_of_every_kind() -> None:
    assert len(of("valid")) > 70 and len(of("open-refused")) > 100 and len(of("check-finds")) > 90 and len(of("journal-refused")) > 60


@pytest.mark.parametrize("verify", [False, True], ids=["", "verified"])
@pytest.mark.parametrize("case", of("valid", "copy-refused"), ids=named)
def test_holds_what_the_answers_say(case: Case, verify: bool, tmp_path: Path) -> None:
    with tabia.open_book(case.lay_out(tmp_path), verify=verify) as book:
        wanted = [line for line in ANSWERS[case.name] if line.split(" ")[0] not in (*OF_A_HEAD, "absent")]
        assert lines_of(book) == wanted
        if case.journal is None and case.expect == "valid":
            assert head_lines(book) == [line for line in ANSWERS[case.name] if line.split(" ")[0] in OF_A_HEAD]
        book.verify()


@pytest.mark.parametrize("verify", [False, True], ids=["", "verified"])
@pytest.mark.parametrize("case", of("valid", "copy-refused"), ids=named)
def test_each_key_is_found_or_absent(case: Case, verify: bool, tmp_path: Path) -> None:
    wanted: dict[int, list[str]] = {}
    for line in ANSWERS[case.name]:
        kind, *rest = line.split(" ")
        if kind in (*OF_A_KEY, "absent"):
            wanted.setdefault(int(rest[0], 16), []).extend([line] * (kind != "absent"))
    with tabia.open_book(case.lay_out(tmp_path), verify=verify) as book:
        for key, lines in wanted.items():
            assert lines_of_key(book, key) == lines
            assert (key in book) == bool(lines)
        check_arrays(book, list(wanted))


def check_arrays(book: tabia.BookReader, keys: list[int]) -> None:
    """Arrays of keys, some of them twice, have the same answers as single ones."""
    keys = keys + keys[::2] + [1, 2, 3]
    array = np.array(keys, np.uint64)
    if "positions" in book.tables:
        rows = book.positions(array)
        assert rows["key"].tolist() == keys
        for key, row in zip(keys, rows):
            position = book.get(key)
            assert row["found"] == (position is not None)
            if position is not None:
                value = None if row["eval"] == -32768 else int(row["eval"])
                assert tabia.Position(key, *row.tolist()[1:4], value, int(row["depth"]), tabia.Flags(row["flags"])) == position
    if "moves" in book.tables:
        lists = book.moves(array)
        for i, key in enumerate(keys):
            moves = sorted(book.find_all(key), key=lambda move: move.code)
            of_key = lists.of(i)
            assert of_key["key"].tolist() == [key] * len(moves)
            assert of_key["move"].tolist() == [move.code for move in moves]
            assert of_key[["wins", "draws", "losses", "marks"]].tolist() == [(m.wins, m.draws, m.losses, int(m.marks)) for m in moves]
            if "ratings" in book.columns:
                names = ["mover_rating_sum", "opponent_rating_sum", "rated_games", "rated_score"]
                assert of_key[names].tolist() == [tuple(move.ratings or ()) for move in moves]


@pytest.mark.parametrize("case", of("open-refused"), ids=named)
def test_is_not_opened(case: Case, tmp_path: Path) -> None:
    path = case.lay_out(tmp_path)
    for options in ({}, {"mapped": False}):
        with pytest.raises(tabia.TabiaError) as raised:
            tabia.open_book(path, **options)
        assert raised.value.rule == case.rule and raised.value.path == str(path)
        assert isinstance(raised.value, (tabia.NotABook, tabia.UnsupportedBook, tabia.DamagedBook))
        assert raised.value.place or not isinstance(raised.value, tabia.DamagedBook)


@pytest.mark.parametrize("case", of("check-finds"), ids=named)
def test_opens_and_damage_is_found_where_it_is_read(case: Case, tmp_path: Path) -> None:
    with tabia.open_book(case.lay_out(tmp_path)) as book:
        if case.rule in VERIFIED:
            with pytest.raises(tabia.DamagedBook) as raised:
                book.verify()
            assert raised.value.rule == case.rule and raised.value.place
        elif case.rule in READ:
            with pytest.raises(tabia.DamagedBook) as raised:
                getattr(book, READ[case.rule])
            assert raised.value.rule == case.rule
        else:
            book.verify()
        try:
            lines_of(book)
        except tabia.DamagedBook as error:
            assert error.rule in ("B-13", "B-14", "B-16", "B-19", "B-27", "B-31", "B-32")


# Nothing reads the sections of tags, and those that nobody knows.
READ = [case for case in of("check-finds") if case.rule in ("B-13", "B-31") and case.name not in ("b-13-tags.tabia", "b-13-unknown.tabia")]


@pytest.mark.parametrize("case", READ, ids=named)
def test_a_verified_book_gives_nothing_of_a_damaged_block(case: Case, tmp_path: Path) -> None:
    with tabia.open_book(case.lay_out(tmp_path), verify=True) as book, pytest.raises(tabia.DamagedBook) as raised:
        lines_of(book)
    assert raised.value.rule == case.rule


@pytest.mark.parametrize("case", of("journal-refused"), ids=named)
def test_its_journal_is_refused(case: Case, tmp_path: Path) -> None:
    path = case.lay_out(tmp_path)
    with pytest.raises(tabia.TabiaError) as raised:
        tabia.open_book(path)
    assert raised.value.rule == case.rule and raised.value.path == f"{path}-journal" and raised.value.place
    with tabia.open_book(path, journal=False) as book:
        assert lines_of(book)


SET = ("share-0.tabia", "share-1.tabia", "share-2.tabia", "share-3.tabia")


def write_set(folder: Path, names: tuple[str, ...]) -> list[Path]:
    books = {case.name: case.book for case in CASES}
    paths = []
    for i, name in enumerate(names):
        paths.append(folder / f"{i}-{name}")
        paths[-1].write_bytes(books[name])
    return paths


def test_a_set_is_the_whole_book(tmp_path: Path) -> None:
    whole = write_set(tmp_path, ("share-whole.tabia",))[0]
    for order in (SET, SET[::-1]):
        with tabia.open_set(write_set(tmp_path, order)) as book, tabia.open_book(whole) as other:
            assert lines_of(book) == lines_of(other) and len(book) == len(other)
            assert book.totals("positions") == other.totals("positions")
            keys = [position.key for position in other] + [1, 2, 3]
            for key in keys:
                assert lines_of_key(book, key) == lines_of_key(other, key)
            check_arrays(book, keys)
            book.verify()


@pytest.mark.parametrize("case", of("set-refused"), ids=named)
def test_is_not_of_the_set(case: Case, tmp_path: Path) -> None:
    paths = write_set(tmp_path, ("share-0.tabia", case.name, "share-2.tabia", "share-3.tabia"))
    with pytest.raises(tabia.NotASet) as raised:
        tabia.open_set(paths)
    assert raised.value.rule == "S-1"


@pytest.mark.parametrize("names", [SET[:3], (*SET, "share-2.tabia"), (*SET[:3], "share-0.tabia"), ()])
def test_a_share_is_missing_or_there_twice(names: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(tabia.NotASet) as raised:
        tabia.open_set(write_set(tmp_path, names))
    assert raised.value.rule == "S-2"
