#!/usr/bin/env python3
"""reader.py BOOK DUMP: whether format-spec/reader.py, which was written from the specification alone, finds every row of a book.

DUMP is what `tabia dump` wrote of the book. For each key in it the reader's probe has to give the rows and cells that are there, in order and
no others; and reading the book from its first slot to its last has to give as many. Prints what it compared; exits with 1 at a difference.
"""
import importlib.util
import sys
from itertools import groupby
from pathlib import Path

READER = Path(__file__).parent.parent / "format-spec" / "reader.py"
RATINGS = ("mover_rating_sum", "opponent_rating_sum", "rated_games", "rated_score")


def load_reader():
    spec = importlib.util.spec_from_file_location("reader", READER)
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    return reader


def lines_of(kind, row):
    """The reader's lines for a row of the dump."""
    counts = f"{row['wins']} {row['draws']} {row['losses']}"
    if kind == "positions":
        yield f"position {row['key']} {counts} {row['eval']} {row['depth']} {int(row['flags']):02x}"
        return
    move = f"{row['key']} {int(row['move']):04x}"
    yield f"move {move} {counts} {int(row['marks']):02x}"
    if "rated_games" in row:
        yield f"ratings {move} " + " ".join(row[name] for name in RATINGS)
    if "game" in row:
        yield f"game {move} {int(row['game'][:4], 16)} {row['game'][4:]}"
    if "first_year" in row:
        yield f"years {move} {row['first_year']} {row['last_year']}"


def dumped(path):
    """(table, key, the reader's lines) for each key of each table: the rows of a key stand together."""
    kind, names = None, []
    with open(path, encoding="utf-8") as file:
        for key, rows in groupby((line.rstrip("\n").split("\t") for line in file), lambda fields: fields[0]):
            for fields in rows if key.startswith("#") else ():
                if key in ("#positions", "#moves"):
                    kind, names = key[1:], fields[1:]
            if not key.startswith("#"):
                yield kind, key, [line for fields in rows for line in lines_of(kind, dict(zip(names, fields, strict=True)))]


def main(book_path, dump_path):
    book = load_reader().Book(book_path)
    keys, total = 0, 0
    for kind, key, lines in dumped(dump_path):
        found = [line for line in book.lines(int(key, 16)) if line.startswith("position ") == (kind == "positions")]
        if found != lines:
            sys.exit(f"{key}: the reader finds {found}, the dump has {lines}")
        keys, total = keys + (kind == "positions"), total + len(lines)
    listed = sum(1 for _ in book.lines())
    if total != listed or total == 0:
        sys.exit(f"the reader lists {listed} rows and cells, the dump has {total}")
    if any(found := list(book.lines(key)) for key in range(1000)):
        sys.exit(f"the reader finds keys that are not there: {found}")
    columns = [tag for tag in ("RTNG", "GAME", "YEAR") if tag in book.sections]
    print(f"{keys:,} positions, {total:,} rows and cells, columns {' '.join(columns)}: the reader finds all")


if __name__ == "__main__":
    main(*sys.argv[1:])
