"""What a probe costs in every language: one key at a time and 100,000 at once, beside chess.polyglot and Polyglot's own way of reading on the exported book.

`benches/readers.sh BOOK` makes what this needs and runs it. The .bin is what `tabia export polyglot BOOK -o masters.bin --weight games --unchecked` writes. A
program is asked as `PROGRAM BOOK KEYS` (benches/rust, ../c/bench/asked.c, ../js/bench/asked.js say how). All is measured in turns, in one run: the figures are
medians of the rounds, of keys that are in the book, drawn from all of it; every key is read once before, so that files are in memory. Times are
those of the processor, which a busy machine changes less than those of the clock. Every reader has to find the same games.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from statistics import median
from time import thread_time_ns
from typing import NamedTuple

import chess.polyglot
import numpy as np

import tabia
import tabia_engine

BATCH, SINGLE = 100_000, 10_000
BASE = "chess.polyglot | find_all"
Keys = np.ndarray[tuple[int], np.dtype[np.uint64]]


class Done(NamedTuple):
    """How long work had the processor, and the games that were found; None where they aren't comparable."""

    nanoseconds: int
    games: int | None


class Work(NamedTuple):
    """Something that is measured: how many probes it makes, and what does it."""

    probes: int
    run: Callable[[], Done]


def keys_of(book: tabia.BookReader) -> Keys:
    """Keys of the book, as many as of a batch, in an order of chance."""
    rows = np.concatenate([rows["key"][::31] for rows in book.batches("positions")])
    if len(rows) < BATCH:
        raise SystemExit(f"the book is too small: every 31st of its positions is asked for, and {BATCH:,} of them are wanted")
    return np.random.default_rng(1).permutation(rows)[:BATCH]


def timed(probes: int, ask: Callable[[], object], games: Callable[[object], int] | None) -> Work:
    """Work of Python: only the asking is timed, not the counting of the games that were found."""

    def run() -> Done:
        start = thread_time_ns()
        found = ask()
        end = thread_time_ns()
        return Done(end - start, None if games is None else games(found))

    return Work(probes, run)


def games_of(found: object) -> int:
    """The games of positions, of lists of moves, or of an array of either."""
    if isinstance(found, tabia.MoveLists):
        found = found.rows
    if isinstance(found, np.ndarray):
        return sum(int(found[name].sum(dtype=np.uint64)) for name in ("wins", "draws", "losses"))
    if isinstance(found, list):
        return sum(map(games_of, found))
    return 0 if found is None else found.games  # type: ignore[attr-defined]


def of_reader(name: str, book: tabia.BookReader, keys: Keys) -> dict[str, Work]:
    """What a reader of this package is asked."""
    single = keys[:SINGLE].tolist()
    return {
        f"{name} | get": timed(SINGLE, lambda: [book.get(key) for key in single], games_of),
        f"{name} | find_all": timed(SINGLE, lambda: [book.find_all(key) for key in single], games_of),
        f"{name} | positions, {BATCH:,} at once": timed(BATCH, lambda: book.positions(keys), games_of),
        f"{name} | moves, {BATCH:,} at once": timed(BATCH, lambda: book.moves(keys), games_of),
    }


class Program:
    """A reader of another language, in a process of its own: it measures itself when it is asked to."""

    def __init__(self, command: str, book: str, keys: str) -> None:
        self.process = subprocess.Popen([*shlex.split(command), book, keys], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def work(self, what: str, probes: int) -> Work:
        """Some work that it knows, for so many of the keys."""

        def run() -> Done:
            assert self.process.stdin is not None and self.process.stdout is not None
            print(what, probes, file=self.process.stdin, flush=True)
            nanoseconds, games = self.process.stdout.readline().split()
            return Done(int(nanoseconds), int(games))

        return Work(probes, run)

    def works(self, name: str, with_batches: bool) -> dict[str, Work]:
        """The same questions as a reader of Python gets; batches with moves come with positions too."""
        single = {f"{name} | {what}": self.work(what, SINGLE) for what in ("get", "find_all")}
        batches = {f"{name} | {what}, {BATCH:,} at once": self.work(what, BATCH) for what in ("positions", "moves") if with_batches}
        return single | batches

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def of_polyglot(exported: str, keys: Keys) -> dict[str, Work]:
    """What python-chess's reader is asked; its weights are cut, so its games aren't compared."""
    reader, single = chess.polyglot.open_reader(exported), keys[:SINGLE].tolist()
    return {
        "chess.polyglot | get": timed(SINGLE, lambda: [reader.get(key) for key in single], None),
        BASE: timed(SINGLE, lambda: [list(reader.find_all(key)) for key in single], None),
    }


def measure(measured: dict[str, Work], rounds: int) -> dict[str, float]:
    """Nanoseconds a probe. Raises an error if readers don't find the same."""
    times: dict[str, list[float]] = {name: [] for name in measured}
    for number in range(rounds + 1):
        games: dict[str, int] = {}
        # In another order each time: who comes later finds in the cache what others have read.
        for name, work in random.Random(number).sample(list(measured.items()), len(measured)):
            done = work.run()
            if done.games is not None and games.setdefault(name.split(" | ")[1], done.games) != done.games:
                raise AssertionError(f"{name} finds other games than readers before it")
            if number:
                times[name].append(done.nanoseconds / work.probes)
    return {name: median(some) for name, some in times.items()}


def main(plain: str, packed: str, exported: str, programs: list[tuple[str, str]], polyglot: str | None, rounds: int) -> None:
    """Measures and prints a table."""
    load = os.getloadavg()[0]
    with tabia.open_book(plain) as book, tempfile.NamedTemporaryFile() as file:
        keys = keys_of(book)
        file.write(keys.astype("<u8").tobytes())
        file.flush()
        measured, processes = of_polyglot(exported, keys), []
        if polyglot:
            processes.append(Program(polyglot, exported, file.name))
            own = processes[-1].work("find_all", SINGLE)
            measured["a binary search of the .bin in C | find_all"] = Work(SINGLE, lambda: Done(own.run().nanoseconds, None))
        for kind, path in (("plain", plain), ("packed", packed)):
            for name, command in programs:
                processes.append(Program(command, path, file.name))
                measured |= processes[-1].works(f"{name}, {kind}", with_batches=name != "JavaScript")
            measured |= of_reader(f"Python, {kind}", tabia.open_book(path), keys)
            measured |= of_reader(f"Python (compiled), {kind}", tabia_engine.open_book(path), keys)
        try:
            found = measure(measured, rounds)
        finally:
            for process in processes:
                process.close()
    print("| reader | what | ns a probe | of Rust's time |\n|---|---|---|---|")
    for name, nanoseconds in found.items():
        reader, what = name.split(" | ")
        of_rust = found.get(f"Rust, {reader.rpartition(', ')[2]} | {what}")
        print(f"| {name} | {nanoseconds:,.0f} | {f'{nanoseconds / of_rust:.2f}' if of_rust else ''} |")
    print(f"\n{len(keys):,} keys; medians of {rounds} rounds; load average {load:.1f} before, {os.getloadavg()[0]:.1f} after.")


def named(text: str) -> tuple[str, str]:
    """NAME=COMMAND."""
    name, equals, command = text.partition("=")
    if not (name and equals and command):
        raise argparse.ArgumentTypeError(f"{text!r} isn't NAME=COMMAND")
    return name, command


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plain"), parser.add_argument("packed"), parser.add_argument("exported")
    parser.add_argument("--program", type=named, action="append", default=[], metavar="NAME=COMMAND", help="a reader of another language")
    parser.add_argument("--polyglot", metavar="COMMAND", help="a program that reads the .bin by a binary search")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    main(given.plain, given.packed, given.exported, given.program, given.polyglot, given.rounds)
