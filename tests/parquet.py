"""Whether DuckDB and pyarrow read what `tabia dump` writes as Parquet, and `tabia load` what they write.

tests/parquet.py TABIA ARCHIVE: the command, and an archive of games to play with. Called by tests/parquet.sh.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

START = 0x463B96181691FC9C
COUNTS = ["wins", "draws", "losses"]
COUNT_COLUMNS = [(name, pa.int64()) for name in COUNTS]
TYPES = {
    "positions": [("key", pa.uint64()), *COUNT_COLUMNS, ("eval", pa.int16()), ("depth", pa.uint8()), ("flags", pa.uint8())],
    "moves": [("key", pa.uint64()), *COUNT_COLUMNS, ("move", pa.uint16()), ("marks", pa.uint8())],
}
COLUMNS = {
    "ratings": [*((name, pa.int64()) for name in ("mover_rating_sum", "opponent_rating_sum", "rated_games")), ("rated_score", pa.uint64())],
    "games": [("game", pa.uint64())],
    "years": [("first_year", pa.int32()), ("last_year", pa.int32())],
}


class Stage:
    """A folder to work in, and the command."""

    def __init__(self, tabia, archive, folder):
        self.tabia, self.archive, self.folder = Path(tabia).resolve(), Path(archive).resolve(), Path(folder)

    def run(self, *arguments, code=0):
        """Runs the command; its standard output, or its standard error where it is to fail."""
        ran = subprocess.run([self.tabia, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        assert ran.returncode == code, f"tabia {arguments}: {ran.returncode}: {ran.stdout}{ran.stderr}"
        return ran.stderr if code else ran.stdout

    def path(self, name):
        return self.folder / name

    def bytes(self, name):
        return self.path(name).read_bytes()


def totals(stage, book):
    """Rows, wins, draws and losses of each table, as the book itself says."""
    tables = json.loads(stage.run("info", "--json", book))["tables"]
    return {table["name"]: (table["rows"], *(table[name] for name in COUNTS)) for table in tables}


def answer(query):
    """The first row of DuckDB's answer."""
    return duckdb.connect().execute(query).fetchall()[0]


def pyarrow_reads(stage, expected):
    for table, (rows, *sums) in expected.items():
        read = pq.read_table(stage.path(f"a.{table}.parquet"))
        assert [(field.name, field.type) for field in read.schema] == TYPES[table], read.schema
        assert read.num_rows == rows and [pc.sum(read[name]).as_py() for name in COUNTS] == sums, table
        assert START in read["key"].to_pylist(), "the start position's key is the Polyglot key as it is"
        book = json.loads(read.schema.metadata[b"tabia.book"])
        assert (book["game"], book["keys"], book["tables"]) == ("chess", "polyglot", [table]), book
        assert json.loads(read.schema.metadata[b"tabia.sources"])[0]["name"] == stage.archive.name


def duckdb_reads(stage, expected):
    for table, (rows, *sums) in expected.items():
        file = stage.path(f"a.{table}.parquet")
        query = f"select count(*), sum(wins), sum(draws), sum(losses), bool_or(printf('%016x', key) = '{START:016x}') from '{file}'"
        assert answer(query) == (rows, *sums, True), table
        (least,) = answer(f"select min(wins - losses) from '{file}'")
        assert least < 0, "differences have a sign"


def tabia_reads_pyarrow(stage):
    """What pyarrow writes of what it read is the same book, whatever the options: it carries the metadata on."""
    for options in [{}, {"compression": "zstd"}, {"compression": "none", "use_dictionary": False}, {"data_page_version": "2.0"},
                    {"row_group_size": 7}, {"use_dictionary": False, "column_encoding": {"key": "BYTE_STREAM_SPLIT", "wins": "DELTA_BINARY_PACKED"}}]:
        for table in TYPES:
            read = pq.read_table(stage.path(f"a.{table}.parquet"))
            pq.write_table(read.take(pc.sort_indices(read["key"])), stage.path(f"b.{table}.parquet"), **options)
        stage.run("load", "--force", "-o", "b.tabia", "b.positions.parquet", "b.moves.parquet")
        assert stage.bytes("b.tabia") == stage.bytes("a.tabia"), options


def tabia_reads_duckdb(stage):
    """Rows that DuckDB makes, as signed keys, keys in hexadecimal, and sums over two books; a column may be left out."""
    a, both = stage.path("a.positions.parquet"), [str(stage.path(f"{name}.positions.parquet")) for name in "ac"]
    stage.run("dump", "c.tabia", "-o", "c.parquet")
    summed = "select key, sum(wins) as wins, sum(draws) as draws, sum(losses) as losses"
    wrapped = "case when key < 9223372036854775808 then key::bigint else (key::hugeint - 18446744073709551616)::bigint end as key"
    for query, book in [
        (f"select * from '{a}' order by wins", "a.tabia"),
        (f"select {wrapped}, wins::integer as wins, draws, losses::double as losses, flags::bigint as flags from '{a}'", "a.tabia"),
        (f"select printf('%016x', key) as key, wins, draws, losses from '{a}'", "a.tabia"),
        (f"{summed} from read_parquet({both}) group by key", "ac.tabia"),
    ]:
        answer(f"copy ({query}) to '{stage.path('d.parquet')}' (format parquet)")
        stage.run("load", "--force", "-o", "d.tabia", "--game", "chess", "--keys", "polyglot", "d.parquet")
        dump = [line for line in stage.run("dump", "d.tabia").splitlines() if not line.startswith("#")]
        expected = [line for line in stage.run("dump", "--table", "positions", book).splitlines() if not line.startswith("#")]
        assert dump == expected, query


def columns_come_back(stage):
    """A book with columns has their fields too, and is the same again by pyarrow; DuckDB reckons with them."""
    for names in [["ratings"], ["games", "years"], ["ratings", "games", "years"]]:
        stage.run("build", "-q", "--force", *(f"--{name}" for name in names), "-o", "r.tabia", stage.archive)
        stage.run("dump", "--force", "r.tabia", "-o", "r.parquet")
        read = pq.read_table(stage.path("r.moves.parquet"))
        assert [(field.name, field.type) for field in read.schema] == sum((COLUMNS[name] for name in names), TYPES["moves"]), read.schema
        facts = json.loads(read.schema.metadata[b"tabia.facts"])
        assert all(set(fact) == {"subject", "name", "value"} for fact in facts), facts
        pq.write_table(read, stage.path("r2.parquet"))
        stage.run("load", "--force", "-o", "r2.tabia", "r2.parquet", "r.positions.parquet")
        assert stage.bytes("r2.tabia") == stage.bytes("r.tabia"), names
    games = [game for game in read["game"].to_pylist() if game]
    (best, years, score) = answer(f"select max(game), min(last_year - first_year), sum(2 * rated_games - rated_score) from '{stage.path('r.moves.parquet')}'")
    assert best == max(games, default=0) and years >= 0 and score >= 0, (best, years, score)


def a_lake_is_loaded_and_made_by_shares(stage, expected):
    """Rows that DuckDB has partitioned by the keys' upper bits, a book of each partition, shares of them all, and these as a partitioned data set again."""
    for table in TYPES:
        select = f"select *, (key >> 62)::integer as part from '{stage.path(f'a.{table}.parquet')}' order by wins, key"
        answer(f"copy ({select}) to '{stage.path(f'lake-{table}')}' (format parquet, partition_by (part))")
    files = lambda part: [next(stage.path(f"lake-{table}/part={part}").glob("*.parquet")) for table in TYPES]
    of_game = ["--game", "chess", "--keys", "polyglot"]
    stage.path("parts").mkdir()
    for part in range(4):
        stage.run("load", "-o", f"parts/{part}.tabia", *of_game, *files(part))
    stage.run("load", "-o", "at-once.tabia", *of_game, *(file for part in (2, 0, 3, 1) for file in files(part)))
    shares = [f"set/{share}.tabia" for share in (1, 2, 3, 4)]
    stage.path("set").mkdir()
    for share, path in enumerate(shares, 1):
        stage.run("merge", "--share", f"{share}/4", "-o", path, "parts")
        stage.path(f"out/share={share}").mkdir(parents=True)
        stage.run("dump", path, "-o", f"out/share={share}/rows.parquet")
    stage.run("merge", "-o", "joined.tabia", *reversed(shares))
    assert stage.bytes("joined.tabia") == stage.bytes("at-once.tabia"), "in whatever partitions rows lie"
    for table, (rows, *sums) in expected.items():
        query = f"select count(*), sum(wins), sum(draws), sum(losses), count(distinct share) from read_parquet('{stage.path(f'out/*/rows.{table}.parquet')}', hive_partitioning = true)"
        assert answer(query) == (rows, *sums, 4), table
    stage.run("load", "-o", "back.tabia", "out/share=2/rows.positions.parquet", "out/share=2/rows.moves.parquet")
    assert stage.bytes("back.tabia") == stage.bytes(shares[1]), "a share is a share again"
    said = stage.run("load", "-o", "mixed.tabia", "out/share=2/rows.positions.parquet", "out/share=3/rows.moves.parquet", code=2)
    assert said.count("\n") == 1 and "share" in said, said
    moved = pq.read_table(stage.path("out/share=2/rows.positions.parquet")).replace_schema_metadata(pq.read_schema(stage.path("out/share=3/rows.positions.parquet")).metadata)
    pq.write_table(moved, stage.path("moved.parquet"))
    said = stage.run("load", "-o", "mixed.tabia", "moved.parquet", code=2)
    assert said.count("\n") == 1 and "share" in said, said


def bad_files_are_refused(stage):
    """Files that say clearly what is wrong with them."""
    key = pa.array([1, 2], pa.uint64())
    for columns, said in [
        ({"wins": [1, 2]}, "missing: key"),
        ({"key": key, "win": [1, 2]}, "`win` is no column"),
        ({"key": key, "wins": [1, -2]}, "row 2: wins is a whole number from 0 to 4294967295, not -2"),
        ({"key": key, "wins": [1, 2**32]}, "row 2: wins"),
        ({"key": key, "wins": [1, 1.5]}, "row 2: wins is a whole number from 0 to 4294967295, not 1.5"),
        ({"key": key, "wins": [None, 1]}, "row 1: wins is a whole number from 0 to 4294967295, not null"),
        ({"key": key, "wins": ["1", "2"]}, "the column wins is of a wrong type"),
        ({"key": key, "wins": [[1], [2]]}, "nested"),
        ({"key": [None, 1]}, "row 1: a key"),
        ({"key": ["0000000000000001", "1"]}, "row 2: a key is 16 hexadecimal digits, not `1`"),
        ({"key": [1.0, 2.0]}, "the column key is of a wrong type"),
        ({"key": key, "eval": pa.array([-32768, None])}, "row 1: eval"),
        ({"key": key, "depth": [0, 3]}, "row 2: the depth is 3 although there is no eval"),
        ({"key": key, "move": [1, 2**16]}, "row 2: move"),
        ({"key": key, "move": [1, 2], "flags": [0, 0]}, "`flags` is no column of a moves table"),
        ({"key": key, "move": [1, 2], "last_year": [0, 2**16]}, "row 2: last_year is a whole number from 0 to 65535"),
        ({"key": key, "move": [1, 2], "rated_score": [0, -1]}, "row 2: rated_score is a whole number from 0 to 18446744073709551615, not -1"),
        ({"key": key, "move": [1, 2], "game": ["0000000000000001", "1"]}, "row 2: game is 16 hexadecimal digits, not `1`"),
    ]:
        pq.write_table(pa.table(columns), stage.path("bad.parquet"))
        line = stage.run("load", "-o", "bad.tabia", "--game", "go", "--keys", "z", "bad.parquet", code=2)
        assert line.startswith("tabia: bad.parquet: ") and said in line and line.count("\n") == 1, line
    pq.write_table(pa.table({"key": key}), stage.path("bad.parquet"), compression="gzip")
    assert "bad.parquet: its pages are compressed by GZIP" in stage.run("load", "-o", "bad.tabia", "--game", "go", "--keys", "z", "bad.parquet", code=2)


def main(tabia, archive):
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(tabia, archive, folder)
        stage.run("build", "-q", "-o", "a.tabia", stage.archive)
        stage.run("build", "-q", "-o", "c.tabia", "--max-ply", "10", stage.archive)
        stage.run("merge", "-o", "ac.tabia", "--allow-duplicate-sources", "a.tabia", "c.tabia")
        stage.run("dump", "a.tabia", "-o", "a.parquet")
        expected = totals(stage, "a.tabia")
        pyarrow_reads(stage, expected)
        duckdb_reads(stage, expected)
        tabia_reads_pyarrow(stage)
        tabia_reads_duckdb(stage)
        a_lake_is_loaded_and_made_by_shares(stage, expected)
        columns_come_back(stage)
        bad_files_are_refused(stage)
        positions, moves = (expected[table][0] for table in TYPES)
        print(f"Parquet: {positions} positions and {moves} moves by pyarrow {pa.__version__} and DuckDB {duckdb.__version__}, out and in again")


if __name__ == "__main__":
    main(*sys.argv[1:])
