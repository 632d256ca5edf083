"""What a probe costs: the pure reader and the compiled one, one key at a time and 100,000 at once, beside chess.polyglot on the exported book.

    python benches/probes.py masters.tabia masters-packed.tabia masters.bin [ROUNDS]

The .bin is what `tabia export polyglot masters.tabia -o masters.bin --weight games --unchecked` writes. All is measured in turns, in one process: the figures are medians of
the rounds, of keys that are in the book, drawn from all of it; every key is read once before, so that files are in memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter_ns

import chess.polyglot
import numpy as np

import tabia
import tabia_engine

BATCH, SINGLE = 100_000, 2_000


def keys_of(book: tabia.BookReader) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Keys of the book, as many as of a batch, in an order of chance."""
    rows = np.concatenate([rows["key"][::31] for rows in book.batches("positions")])
    return np.random.default_rng(1).permutation(rows)[:BATCH]


def works(plain: str, packed: str, exported: str) -> tuple[dict[str, tuple[Callable[[], object], int]], str]:
    """What is measured: a name, the work, and how many probes it makes. And the one that others are compared with."""
    books = {
        "tabia, plain": tabia.open_book(plain),
        "tabia, packed": tabia.open_book(packed),
        "tabia_engine, plain": tabia_engine.open_book(plain),
        "tabia_engine, packed": tabia_engine.open_book(packed),
    }
    keys = keys_of(books["tabia, plain"])
    single = keys[:SINGLE].tolist()
    reader = chess.polyglot.open_reader(exported)
    measured: dict[str, tuple[Callable[[], object], int]] = {
        "chess.polyglot | find_all": (lambda: [list(reader.find_all(key)) for key in single], SINGLE),
        "chess.polyglot | get": (lambda: [reader.get(key) for key in single], SINGLE),
    }
    for name, book in books.items():
        measured[f"{name} | get"] = (lambda book=book: [book.get(key) for key in single], SINGLE)
        measured[f"{name} | find_all"] = (lambda book=book: [book.find_all(key) for key in single], SINGLE)
        measured[f"{name} | positions, {BATCH:,} at once"] = (lambda book=book: book.positions(keys), BATCH)
        measured[f"{name} | moves, {BATCH:,} at once"] = (lambda book=book: book.moves(keys), BATCH)
    return measured, "chess.polyglot | find_all"


def main(plain: str, packed: str, exported: str, rounds: int) -> None:
    """Measures and prints a table."""
    measured, base = works(plain, packed, exported)
    times: dict[str, list[float]] = {name: [] for name in measured}
    for number in range(rounds + 1):
        for name, (work, probes) in measured.items():
            start = perf_counter_ns()
            work()
            if number:
                times[name].append((perf_counter_ns() - start) / probes)
    print("| reader | what | ns a probe | chess.polyglot's find_all takes |\n|---|---|---|---|")
    for name, some in times.items():
        print(f"| {name} | {median(some):,.0f} | {median(times[base]) / median(some):.1f} x |")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(f"usage: {sys.argv[0]} BOOK PACKED EXPORTED [ROUNDS]")
    main(*sys.argv[1:4], int(sys.argv[4]) if len(sys.argv) == 5 else 7)
