#!/usr/bin/env python3
"""Writes the golden files of the Tabia book format beside itself: books, journals, INDEX.tsv and answers.tsv; files of games, games.tsv and games-answers.tsv.

The bytes come from writer.py and game_writer.py, which were made from ../README.md and ../games.md alone. Needs xxhash from PyPI. The same bytes come out of every run.

    make_golden.py                  write everything
    make_golden.py --check          write nothing, fail if a file, or a hex dump in a text, is not as it would be
    make_golden.py --large FOLDER   write larger files of the same kind there: a few MB, not committed
"""
import sys
from pathlib import Path

import books
import game_cases
import journals
import large
import packed_books
from cases import Cases

HERE = Path(__file__).parent
SUFFIXES = (".tabia", ".tabia-journal", ".tabia-games", ".tsv")


def make(cases):
    basis = books.make(cases)
    packed_books.make(cases, basis)
    journals.make(cases, basis)
    return cases.finish() | game_cases.make()


def wrong_dumps(files):
    """Lines of the hex dumps in ../README.md and ../packed.md that are not what the files hold."""
    name, wrong = None, []
    texts = [(HERE / "..").joinpath(text).read_text(encoding="utf-8") for text in ("README.md", "packed.md")]
    for line in "\n".join(texts).split("\n"):
        if line.startswith("```"):
            name = line[3:] if line[3:] in files else None
        elif name and line:
            at, bytes_ = int(line[:8], 16), bytes.fromhex(line[10:82])
            wrong += [] if bytes_ and files[name][at:at + len(bytes_)] == bytes_ else [f"{name}: {line}"]
    return wrong


def write(folder, files):
    for path in folder.iterdir():
        if path.suffix in SUFFIXES and path.name not in files:
            path.unlink()
    for name, bytes_ in files.items():
        (folder / name).write_bytes(bytes_)
    cases = sum(files[name].count(10) - 1 for name in ("INDEX.tsv", "games.tsv") if name in files)
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes, {cases} cases")


def main():
    if "--large" in sys.argv:
        folder = Path(sys.argv[sys.argv.index("--large") + 1])
        folder.mkdir(parents=True, exist_ok=True)
        cases = Cases()
        large.make(cases)
        return write(folder, cases.finish())
    files = make(Cases())
    if "--check" not in sys.argv:
        return write(HERE, files)
    ours = {p.name for p in HERE.iterdir() if p.suffix in SUFFIXES}
    wrong = [n for n in sorted(ours | set(files)) if n not in ours or files.get(n) != (HERE / n).read_bytes()]
    sys.exit("\n".join(["these differ:"] + wrong + wrong_dumps(files)) if wrong or wrong_dumps(files) else 0)


if __name__ == "__main__":
    main()
