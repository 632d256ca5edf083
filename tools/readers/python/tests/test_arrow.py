"""Tables of books as Arrow tables: what polars, pyarrow and duckdb make of them, and rows out of theirs, without a file between."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from golden import cases
from programs import large_book

import tabia
from tabia import _arrow_c

polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

BOOKS = {case.name: case.book for case in cases() if case.expect == "valid" and case.journal is None}
SOME = ["example.tabia", "small.tabia", "columns.tabia", "columns-example.tabia", "empty.tabia", "packed-pages.tabia", "packed-large-columns.tabia",
        "packed-facts.tabia", "ratings.tabia"]  # fmt: skip


def sums_by_polars(table: tabia.ArrowTable) -> list[int]:
    frame = polars.DataFrame(table)
    return [frame.height, *(frame[name].sum() for name in ("wins", "draws", "losses"))]


def sums_by_pyarrow(table: tabia.ArrowTable) -> list[int]:
    read = pyarrow.table(table)
    read.validate(full=True)
    import pyarrow.compute as compute

    return [read.num_rows, *(compute.sum(read[name]).as_py() or 0 for name in ("wins", "draws", "losses"))]


def sums_by_duckdb(rows: tabia.ArrowTable) -> list[int]:
    found = duckdb.sql("select count(*), sum(wins), sum(draws), sum(losses) from rows").fetchall()[0]
    return [int(number or 0) for number in found]


CONSUMERS = [sums_by_polars, sums_by_pyarrow, sums_by_duckdb]


@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("name", SOME)
def test_sums_are_the_totals_of_the_header(name: str, consumer: Callable[[tabia.ArrowTable], list[int]]) -> None:
    with tabia.open_book(BOOKS[name]) as book:
        for table in book.tables:
            arrow = book.arrow(table)
            assert consumer(arrow) == list(book.totals(table)) == consumer(arrow)


@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("name", ["m16.tabia", "wthor.tabia"])
def test_sums_of_a_large_book(name: str, consumer: Callable[[tabia.ArrowTable], list[int]]) -> None:
    with tabia.open_book(large_book(name)) as book:
        for table in book.tables:
            assert consumer(book.arrow(table)) == list(book.totals(table))


@pytest.mark.parametrize("name", SOME)
def test_columns_are_named_and_typed_as_in_parquet(name: str) -> None:
    wanted = {
        "key": "uint64", "wins": "int64", "draws": "int64", "losses": "int64", "eval": "int16", "depth": "uint8", "flags": "uint8",
        "move": "uint16", "marks": "uint8", "mover_rating_sum": "int64", "opponent_rating_sum": "int64", "rated_games": "int64",
        "rated_score": "uint64", "game": "uint64", "first_year": "int32", "last_year": "int32",
    }  # fmt: skip
    with tabia.open_book(BOOKS[name]) as book:
        for table in book.tables:
            schema = pyarrow.schema(book.arrow(table))
            assert {field.name: str(field.type) for field in schema} == {name: wanted[name] for name in book.arrow(table).column_names}
            assert [field.name for field in schema if field.nullable] == (["eval"] if table == "positions" else [])
            assert schema == pyarrow.table(book.arrow(table)).schema


def rows_of(book: tabia.Book, table: str) -> np.ndarray[Any, Any]:
    parts = list(book.batches(table))  # type: ignore[arg-type]
    return np.concatenate(parts) if parts else np.zeros(0, tabia.moves_dtype(book.columns) if table == "moves" else tabia.positions_dtype().descr[:-1])


@pytest.mark.parametrize("name", [name for name in SOME if name != "empty.tabia"])
def test_rows_come_back_from_every_consumer(name: str) -> None:
    with tabia.open_book(BOOKS[name]) as book:
        for table in book.tables:
            wanted = rows_of(book, table)
            arrow = book.arrow(table)
            for again in (arrow, polars.DataFrame(arrow), pyarrow.table(arrow), duckdb.sql("from arrow")):
                rows = tabia.from_arrow(again)
                assert rows.dtype == wanted.dtype and (rows == wanted).all()
            nulls = pyarrow.table(arrow)["eval"].null_count if table == "positions" else 0
            assert nulls == (int((wanted["eval"] == -32768).sum()) if table == "positions" else 0)


def test_rows_of_other_programs() -> None:
    frame = polars.DataFrame({"key": [1, 2], "wins": [3, 4]}, schema={"key": polars.UInt64, "wins": polars.Float64})
    rows = tabia.from_arrow(frame)
    assert rows["wins"].tolist() == [3, 4] and rows["eval"].tolist() == [-32768] * 2 and rows["depth"].tolist() == [0, 0]
    summed = duckdb.sql("select 7::ubigint as key, sum(x) as wins, 5 as eval, null::smallint as ev from (values (1), (2)) t(x)").project("key, wins, eval")
    assert tabia.from_arrow(summed)[["key", "wins", "eval"]].tolist() == [(7, 3, 5)]
    signed = pyarrow.table({"key": pyarrow.array([-1], pyarrow.int64()), "move": pyarrow.array([5], pyarrow.int32()), "game": [-1]})
    moves = tabia.from_arrow(signed)
    assert moves["key"][0] == moves["game"][0] == (1 << 64) - 1 and moves.dtype == tabia.moves_dtype(("game",))
    sliced = pyarrow.table({"key": [1, 2, 3, 4], "eval": pyarrow.array([1, None, 3, None], pyarrow.int16())}).slice(1, 2)
    assert tabia.from_arrow(sliced)[["key", "eval"]].tolist() == [(2, -32768), (3, 3)]


@pytest.mark.parametrize(
    "columns",
    [{"wins": [1]}, {"key": [1], "win": [1]}, {"key": [1], "wins": [-1]}, {"key": [1], "wins": [1 << 32]}, {"key": [1], "wins": [1.5]},
     {"key": [1], "wins": [None]}, {"key": ["a"]}, {"key": [1], "flags": [32]}, {"key": [1], "move": [65536]}, {"key": [1], "eval": [-40000]},
     {"key": [1], "move": [1], "mover_rating_sum": [1 << 48]}, {"key": [1.5]}, {"key": [float("nan")]}, {"key": [True]}, {"key": [1], "move": [1], "eval": [1]}],
)  # fmt: skip
def test_tables_that_no_book_has(columns: dict[str, list[Any]]) -> None:
    with pytest.raises(tabia.InvalidData):
        tabia.from_arrow(pyarrow.table(columns))


def test_what_is_no_table() -> None:
    for other in (1, None, [1], np.zeros(3)):
        with pytest.raises(tabia.InvalidData):
            tabia.from_arrow(other)


def test_damage_is_an_error_of_the_consumer_with_our_text() -> None:
    case = {case.name: case for case in cases()}["b-31-bit.tabia"]
    with tabia.open_book(case.book, verify=True) as book:
        for consumer in CONSUMERS:
            with pytest.raises(Exception, match="B-31"):
                consumer(book.arrow("positions"))
        with pytest.raises(tabia.InvalidData, match="B-31"):
            tabia.from_arrow(book.arrow("positions"))


def test_nothing_is_left_in_memory() -> None:
    """Streams and schemas that are consumed, half consumed, or never looked at."""
    with tabia.open_book(BOOKS["columns.tabia"]) as book:
        gc.collect()
        _arrow_c._reap()
        before = len(_arrow_c._held)
        for _ in range(5):
            for consumer in CONSUMERS:
                consumer(book.arrow("moves"))
            book.arrow("moves").__arrow_c_stream__()
            book.arrow("moves").__arrow_c_schema__()
            reader = pyarrow.RecordBatchReader.from_stream(book.arrow("moves"))
            reader.read_next_batch()
            del reader
        gc.collect()
        _arrow_c._reap()
        assert len(_arrow_c._held) == before and not _arrow_c._exports


def test_arrow_from_several_threads() -> None:
    with tabia.open_book(BOOKS["columns.tabia"]) as book:
        wanted, wrong = list(book.totals("moves")), []

        def work() -> None:
            for _ in range(5):
                for consumer in (sums_by_polars, sums_by_pyarrow):
                    if consumer(book.arrow("moves")) != wanted:
                        wrong.append(consumer)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
