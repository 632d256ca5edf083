#!/usr/bin/env python3
"""Compares a reader with the golden files. Needs nothing but Python 3.

    check_reader.py READER [--valgrind] [--fuzz N]     READER BOOK KEY is called as ../reader.c says
    check_reader.py --python                           ../reader.py and ../reader_packed.py instead, all that they list and find
    ... --folder FOLDER                                other golden files than these: those of make_golden.py --large

Prints each difference, and exits with 1 if there is any. --valgrind runs every call under valgrind; --fuzz N also calls the reader for
N books with flipped bytes: any result is right but a crash.
"""
import argparse
import importlib
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
NOT_CHECKED = {"B-11"}  # by reader.c
CHECKED_BY_PYTHON = {"B-1", "B-2", "B-3", "B-4", "B-5", "B-20"}
NEEDS_XXHASH = "b-29-checksum.tabia"  # as all of B-31
OPENS = ("valid", "copy-refused", "set-refused", "check-finds")
OF_A_KEY = ("position", "move", "ratings", "game", "years")
START = "463b96181691fc9c"


def is_packed(book):
    return book[:8] == b"\x89TABIA\r\n" and book[16] & 16 != 0


class Golden:
    """The books of a folder, and what they hold."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.books = {}  # name: (bytes, expect, rule)
        for name, expect, rule, _, base, patch in self.table("INDEX.tsv"):
            if not name.endswith("-journal"):
                self.books[name] = (self.image(name, base, patch), expect, rule)
        self.lines = defaultdict(list)  # book: its lines
        self.keys = defaultdict(lambda: defaultdict(list))  # book: key: its lines
        for book, journal, line in self.table("answers.tsv"):
            kind, key = line.split(" ")[:2]
            if journal == "-":
                self.lines[book].append(line)
                if kind in OF_A_KEY + ("absent",):
                    self.keys[book][key] += [line] * (kind != "absent")

    def table(self, name):
        lines = (self.folder / name).read_text(encoding="utf-8").split("\n")[1:-1]
        return [line.split("\t") for line in lines]

    def image(self, name, base, patch):
        """A golden book: its file, or the base with the patch applied."""
        if patch == "-":
            return (self.folder / name).read_bytes()
        bytes_ = bytearray(self.books[base][0])
        for place, value in (item.split("=") for item in patch.split(" ")):
            if place == "length":
                bytes_ = bytes_[:int(value)].ljust(int(value), b"\0")
            else:
                bytes_[int(place):int(place) + len(value) // 2] = bytes.fromhex(value)
        return bytes(bytes_)

    def some_keys(self, name, most=300):
        """Keys of a book, all of them if they are not too many, and their lines."""
        keys = list(self.keys[name].items())
        return keys[::1 + len(keys) // most] + [item for item in keys if not item[1]]


class Comparison:
    """Counts calls and collects differences."""

    def __init__(self, golden):
        self.golden, self.calls, self.wrong = golden, 0, []
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name, "book")

    def expect(self, good, *what):
        if not good:
            self.wrong.append(what)

    def finish(self):
        for what in self.wrong:
            print(*what, sep="\t")
        print(f"{self.calls} calls, {len(self.wrong)} wrong")
        sys.exit(bool(self.wrong))


class Program(Comparison):
    """A reader that is called as ../reader.c."""

    def __init__(self, golden, command, packed=False):
        super().__init__(golden)
        self.command, self.packed = command, packed

    def run(self, key):
        self.calls += 1
        done = subprocess.run(self.command + [str(self.path), key], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def compare(self):
        for name, (bytes_, expected, rule) in self.golden.books.items():
            self.path.write_bytes(bytes_)
            if is_packed(bytes_) and not self.packed:
                code, out, err = self.run(START)
                self.expect((code, out) == (2, "") and ": B-4: " in err and err.count("\n") == 1, name, code, out, err)
                continue
            for key, lines in self.golden.some_keys(name):
                code, out, err = self.run(key)
                lines = [line for line in lines if line.split(" ")[0] in ("position", "move")]
                self.expect((code, out.splitlines(), err) == (0 if lines else 1, lines, ""), name, key, code, out, err)
            if expected not in ("valid", "copy-refused"):
                code, out, err = self.run(START)
                refused = expected not in OPENS and rule not in NOT_CHECKED
                self.expect(code in ((2,) if refused else (0, 1)), name, code, err)
                self.expect(not refused or (out == "" and f": {rule}: " in err and err.count("\n") == 1), name, err)

    def fuzz(self, times):
        dice = random.Random(1)
        sound = [bytes_ for bytes_, expected, _ in self.golden.books.values() if expected in OPENS]
        for _ in range(times):
            bytes_ = bytearray(dice.choice(sound))
            in_header = dice.random() < 0.7
            for _ in range(dice.randint(1, 4)):
                at = dice.choice((dice.randrange(132), 256 + dice.randrange(96 * 14))) if in_header else dice.randrange(len(bytes_))
                bytes_[at] = dice.choice((dice.randrange(256), bytes_[at] ^ 1 << dice.randrange(8), 0, 255))
            if dice.random() < 0.9:  # most often behind a right crc
                bytes_[4092:4096] = struct.pack("<I", zlib.crc32(bytes_[:4092]))
            if dice.random() < 0.05:
                bytes_ = bytes_[:dice.randrange(len(bytes_))]
            self.path.write_bytes(bytes_)
            code, out, err = self.run(f"{dice.choice((0, int(START, 16), 0xCF9A04AFFA6BADC0, dice.getrandbits(64))):016x}")
            self.expect(code in (0, 1) and not err or code == 2 and err.count("\n") == 1 and out == "", "fuzz", code, out, err)


class Python(Comparison):
    """../reader.py and ../reader_packed.py, in this process."""

    def __init__(self, golden):
        super().__init__(golden)
        sys.path.insert(0, str(HERE.parent))
        self.plain_reader, self.packed_reader = importlib.import_module("reader"), importlib.import_module("reader_packed")
        self.verifies = self.packed_reader.xxh3_64_intdigest is not None

    def open(self, name):
        """The book, by the reader for it."""
        packed = is_packed(self.golden.books[name][0])
        return (self.packed_reader if packed else self.plain_reader).Book(self.path)

    def read(self, name, key=None):
        """All lines of a book, or those of a key; or what was wrong."""
        self.calls += 1
        try:
            book = self.open(name)
            lines = list(book.lines(key))
            return lines, [] if key is not None else [list(book.sources()), list(book.facts())]
        except (ValueError, LookupError, struct.error) as error:
            return error, None

    def compare(self):
        for name, (bytes_, expected, rule) in self.golden.books.items():
            self.path.write_bytes(bytes_)
            lines, rest = self.read(name)
            if expected not in ("valid", "copy-refused"):
                if rule in CHECKED_BY_PYTHON or rule == "B-29" and name != NEEDS_XXHASH or self.verifies and (rule == "B-31" or name == NEEDS_XXHASH):
                    self.expect(isinstance(lines, Exception), name, "read")
                continue
            self.expect(rest is not None, name, lines)
            self.expect(lines == [line for line in self.golden.lines[name] if line.split(" ")[0] in OF_A_KEY], name, "rows")
            listed = [f"source {digest.hex()} {games} {self.plain(text)}" for digest, games, text in rest[0]]
            listed += [f"fact {subject.hex()} {word} {self.plain(text)}" for subject, word, text in rest[1]]
            self.expect(listed == [line for line in self.golden.lines[name] if line.split(" ")[0] in ("source", "fact")], name, listed)
            book = self.open(name)
            for key, lines in self.golden.some_keys(name):
                self.calls += 1
                found = list(book.lines(int(key, 16)))
                self.expect(found == lines, name, key, found)

    @staticmethod
    def plain(text):
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader", nargs="?")
    parser.add_argument("--python", action="store_true")
    parser.add_argument("--valgrind", action="store_true")
    parser.add_argument("--fuzz", type=int, default=0)
    parser.add_argument("--folder", default=HERE)
    args = parser.parse_args()
    golden = Golden(args.folder)
    if args.python:
        comparison = Python(golden)
        comparison.compare()
    else:
        comparison = Program(golden, ["valgrind", "-q", "--error-exitcode=99"] * args.valgrind + [args.reader])
        comparison.compare()
        comparison.fuzz(args.fuzz)
    comparison.finish()


if __name__ == "__main__":
    main()
