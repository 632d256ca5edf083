"""Books against the command `tabia`: random rows loaded by it, what it dumps, what it gets; and Polyglot books that it exports against python-chess."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import chess.polyglot
import numpy as np
import pytest
from programs import SAMPLE, large_book, tabia_command

import tabia

RATINGS = ["mover_rating_sum", "opponent_rating_sum", "rated_games", "rated_score"]
COLUMN_FIELDS = {"ratings": RATINGS, "game": ["game"], "years": ["first_year", "last_year"]}


def dumped(path: Path, *options: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows that `tabia dump` prints: the table, and the values by their names."""
    table, names = "", []
    for line in tabia_command("dump", path, *options).split("\n"):
        fields = line.split("\t")
        if fields[0] in ("#positions", "#moves"):
            table, names = fields[0][1:], fields[1:]
        elif line and not line.startswith("#"):
            yield table, dict(zip(names, fields))


def read(book: tabia.BookReader) -> Iterator[tuple[str, dict[str, str]]]:
    """The same of a book that is read."""
    for table in book.tables:
        for rows in book.batches(table):
            names = rows.dtype.names or ()
            for row in rows.tolist():
                values = dict(zip(names, map(str, row)))
                values["key"] = f"{row[0]:016x}"
                if "game" in values:
                    values["game"] = f"{int(values['game']):016x}"
                if values.get("eval") == "-32768":
                    values["eval"] = "-"
                yield table, values


class Dice(random.Random):
    """Dice for rows: mostly small numbers, sometimes the greatest there are."""

    def count(self, limit: int = (1 << 32) - 1) -> int:
        return self.choice((0, 1, 1, 2, self.randrange(20), self.randrange(limit + 1), limit))

    def key(self) -> int:
        """Keys that crowd in a few homes, and others."""
        if self.random() < 0.2:
            return tabia.keys.unmix(self.choice((0, 1, 2, (1 << 64) - 1, self.getrandbits(20), 7 << 60 | self.getrandbits(9))))
        return self.getrandbits(64)


def random_text(dice: Dice, columns: list[str], results: bool, share: str | None) -> str:
    """Rows as text, of a game that nobody knows."""
    lines = ["#tabia-rows\t1", "#game\tquidditch", "#keys\tsnitch", f"#load\t{dice.choice(('0.500', '0.800', '0.980'))}"]
    lines += ["#results\tunknown"] * (not results) + ["#filter"] * dice.randrange(2) + [f"#share\t{share}"] * bool(share)
    lines += [f"#fact\t-\tevals\tengine={dice.randrange(3)}; limit=x; unit=y", f"#source\t{dice.getrandbits(128):032x}\t{dice.randrange(9)}\tä b\\t{dice.random()}"]
    keys = {dice.key() for _ in range(dice.choice((0, 1, 5, 400, 3000)))}
    if share:
        number, of = map(int, share.split("/"))
        keys = {key for key in keys if tabia.keys.mix(key) * of >> 64 == number - 1}

    def counts() -> list[int]:
        return [dice.count() if results else 0, dice.count(), dice.count() if results else 0]

    tables = dice.choice((["positions"], ["moves"], ["positions", "moves"], ["positions", "moves"]))
    if "positions" in tables:
        lines.append("#positions\tkey\twins\tdraws\tlosses\teval\tdepth\tflags")
        for key in keys:
            value = dice.choice(("-", dice.randrange(-32767, 32768), 0))
            row = [f"{key:016x}", *counts(), value, 0 if value == "-" else dice.randrange(256), dice.choice((0, 0, dice.randrange(32)))]
            lines.append("\t".join(map(str, row)))
    if "moves" in tables:
        fields = [name for column in columns for name in COLUMN_FIELDS[column]]
        lines.append("\t".join(["#moves", "key", "wins", "draws", "losses", "move", "marks", *fields]))
        limits = {"mover_rating_sum": (1 << 48) - 1, "opponent_rating_sum": (1 << 48) - 1, "rated_score": (1 << 64) - 1, "first_year": 65535, "last_year": 65535}
        for key in keys:
            for code in {dice.choice((dice.randrange(40), dice.randrange(65536))) for _ in range(dice.choice((0, 1, 1, 2, 40)))}:
                cells: list[object] = [f"{dice.getrandbits(64):016x}" if name == "game" else dice.count(limits.get(name, (1 << 32) - 1)) for name in fields]
                row = [f"{key:016x}", *counts(), code, dice.choice((0, 0, dice.randrange(256))), *cells]
                lines.append("\t".join(map(str, row)))
    return "\n".join([*lines, "#end", ""])


@pytest.mark.parametrize("seed", range(40))
def test_random_books_are_read_as_they_are_dumped(seed: int, tmp_path: Path) -> None:
    dice = Dice(seed)
    columns = [column for column in COLUMN_FIELDS if dice.random() < 0.4]
    share = dice.choice((None, None, "2/4", "1/2"))
    rows = tmp_path / "rows.tsv"
    rows.write_text(random_text(dice, columns, dice.random() < 0.8, share), encoding="utf-8")
    plain, packed = tmp_path / "plain.tabia", tmp_path / "packed.tabia"
    tabia_command("load", "-o", plain, rows)
    tabia_command("pack", plain, "-o", packed)
    wanted = list(dumped(plain))
    for path in (plain, packed):
        with tabia.open_book(path, verify=dice.random() < 0.5) as book:
            book.verify()
            assert list(read(book)) == wanted
            keys = list({int(row["key"], 16) for _, row in wanted})[:500] + [dice.getrandbits(64) for _ in range(50)]
            compare_probes(book, wanted, keys)


def compare_probes(book: tabia.BookReader, wanted: list[tuple[str, dict[str, str]]], keys: list[int]) -> None:
    """Single probes and arrays of keys against rows."""
    found: dict[tuple[str, int], list[list[int]]] = {}
    for table, row in wanted:
        found.setdefault((table, int(row["key"], 16)), []).append(row)  # type: ignore[arg-type]
    answers = book.positions(keys) if "positions" in book.tables else None
    lists = book.moves(keys) if "moves" in book.tables else None
    for i, key in enumerate(keys):
        if answers is not None:
            rows = found.get(("positions", key), [])
            position = book.get(key)
            assert bool(rows) == (position is not None) == bool(answers["found"][i])
            if position is not None:
                value = "-" if position.eval is None else str(position.eval)
                told = [*map(str, position[1:4]), value, str(position.depth), str(int(position.flags))]
                assert told == list(rows[0].values())[1:]  # type: ignore[attr-defined]
                assert answers[["wins", "draws", "losses"]][i].tolist() == tuple(position[1:4])
        if lists is not None:
            rows = found.get(("moves", key), [])
            moves = sorted(book.find_all(key), key=lambda move: move.code)
            assert [(str(move.code), str(move.wins), str(int(move.marks))) for move in moves] == [(row["move"], row["wins"], row["marks"]) for row in rows]  # type: ignore[call-overload]
            assert lists.of(i)["move"].tolist() == [move.code for move in moves]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "sample.tabia"
    tabia_command("build", "-o", path, SAMPLE)
    return path


def test_get_says_the_same(sample: Path) -> None:
    with tabia.open_book(sample) as book:
        keys = [position.key for position in book][::7]
        for key, rows in got(sample, keys).items():
            moves = sorted(book.find_all(key), key=lambda move: move.code)
            assert rows == [("position", *book[key][1:4]), *(("move", move.code, *move[2:5]) for move in moves)]


@pytest.mark.parametrize("packed", [False, True])
def test_python_chess_reads_the_same_out_of_the_exported_book(packed: bool, sample: Path, tmp_path: Path) -> None:
    path, exported = sample, tmp_path / "sample.bin"
    if packed:
        path = tmp_path / "packed.tabia"
        tabia_command("pack", sample, "-o", path)
    tabia_command("export", "polyglot", sample, "-o", exported, "--weight", "games", "--unchecked")
    compare_with_polyglot(path, exported)


def test_a_set_that_was_added_to_in_part_is_none(sample: Path, tmp_path: Path) -> None:
    shares = [tmp_path / f"{number}.tabia" for number in (1, 2)]
    for number, share in enumerate(shares, 1):
        tabia_command("merge", "-q", "--share", f"{number}/2", "-o", share, sample)
    games = tmp_path / "more.pgn"
    games.write_text('[Event "more"]\n[Result "1-0"]\n\n1. a3 a6 1-0\n')
    tabia_command("build", "-q", "-o", tmp_path / "more.tabia", games)
    for share in shares:
        tabia_command("merge", "-q", "--into", share, tmp_path / "more.tabia")
        if share == shares[0]:
            with pytest.raises(tabia.NotASet, match="same set"):
                tabia.open_set(shares)
    with tabia.open_set(shares) as book:
        assert any(source.name == "more.pgn" for source in book.sources) and book.journal_frames == 2


def entries_of(path: Path) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """The entries of a Polyglot book."""
    return np.fromfile(path, [("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])


def compare_with_polyglot(path: Path, exported: Path) -> None:
    """All keys of a Polyglot book, and all its moves, are those of the book, and python-chess finds them in the same order."""
    entries = entries_of(exported)
    assert len(entries)
    with tabia.open_book(path) as book, chess.polyglot.open_reader(str(exported)) as reader:
        keys = np.unique(entries["key"].astype(np.uint64))
        lists = book.moves(keys)
        of = np.repeat(keys, np.diff(lists.offsets))
        mine = np.sort(np.rec.fromarrays([of, lists.rows["move"]], names="key,move"))
        theirs = np.sort(np.rec.fromarrays([entries["key"].astype(np.uint64), entries["move"].astype(np.uint16)], names="key,move"))
        kept = np.isin(mine, theirs)  # a Polyglot book leaves out moves of no weight
        assert (mine[kept] == theirs).all() and kept.mean() > 0.5
        for key in keys.tolist()[:: max(1, len(keys) // 2000)]:
            weights = {entry.raw_move: entry.weight for entry in reader.find_all(key)}
            games = {move.code: move.games for move in book.find_all(key)}
            if max(games.values()) < 1 << 16:
                assert weights == {code: number for code, number in games.items() if number}
                assert list(weights.values()) == [move.games for move in book.find_all(key) if move.games]
            assert games[next(iter(weights))] == book.find(key).games


def test_all_keys_of_a_large_exported_book(tmp_path: Path) -> None:
    exported = tmp_path / "m16.bin"
    path = large_book("m16.tabia")
    tabia_command("export", "polyglot", path, "-o", exported, "--weight", "games", "--unchecked")
    compare_with_polyglot(path, exported)


@pytest.mark.parametrize("name", ["masters.tabia", "masters-packed.tabia"])
def test_100_000_keys_of_the_masters(name: str) -> None:
    """What `tabia get` says of 100,000 keys, 2,000 of them absent; every hundredth is probed one by one, too."""
    path, dice = large_book(name), np.random.default_rng(1)
    with tabia.open_book(path) as book:
        keys: list[int] = []
        for rows in book.batches("positions"):
            keys += rows["key"][:: 1 + len(rows) // 700].tolist()
            if len(keys) > 98_000:
                break
        keys = keys[:98_000] + dice.integers(0, 1 << 64, 2000, np.uint64, endpoint=False).tolist()
        answers, lists = book.positions(keys), book.moves(keys)
        wanted, wrong = got(path, keys), 0
        for i, key in enumerate(keys):
            row, of_key = answers[i], lists.of(i)
            told: list[tuple[object, ...]] = [("position", *row.tolist()[1:4])] if row["found"] else []
            told += [("move", *one) for one in of_key[["move", "wins", "draws", "losses"]].tolist()]
            wrong += told != wanted.get(key, [])
            if i % 100 == 0:
                position, moves = book.get(key), sorted(book.find_all(key), key=lambda move: move.code)
                single: list[tuple[object, ...]] = [] if position is None else [("position", *position[1:4])]
                assert single + [("move", move.code, *move[2:5]) for move in moves] == told
        assert wrong == 0 and answers["found"].sum() == 98_000


def got(path: Path, keys: list[int]) -> dict[int, list[tuple[object, ...]]]:
    """What `tabia get` says of keys: position and moves of each."""
    found: dict[int, list[tuple[object, ...]]] = {}
    for answer in json.loads(tabia_command("get", path, "--json", "-", given="\n".join(f"{key:016x}" for key in keys))):
        rows = found.setdefault(int(answer["key"], 16), [])
        if answer["position"]:
            rows.append(("position", *(answer["position"][name] for name in ("wins", "draws", "losses"))))
        rows += [("move", move["move"], move["wins"], move["draws"], move["losses"]) for move in answer["moves"] or []]
    return found
