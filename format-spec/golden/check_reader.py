#!/usr/bin/env python3
"""check_reader.py READER [--valgrind] [--fuzz N]: compares a reader with the golden files. Needs nothing but Python 3.

READER BOOK KEY is called as ../reader.c says. Prints what differs, and exits with 1 if anything does. --valgrind runs every
call under valgrind; --fuzz N also calls it for N books with flipped bytes, of which it may make anything but a crash.
"""
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


def table(name):
    lines = (HERE / name).read_text(encoding="utf-8").split("\n")[1:-1]
    return [line.split("\t") for line in lines]


def image(name, base, patch):
    """A golden book: its file, or the base with the patch applied."""
    if patch == "-":
        return (HERE / name).read_bytes()
    bytes_ = bytearray((HERE / base).read_bytes())
    for place, value in (item.split("=") for item in patch.split(" ")):
        if place == "length":
            bytes_ = bytes_[:int(value)].ljust(int(value), b"\0")
        else:
            bytes_[int(place):int(place) + len(value) // 2] = bytes.fromhex(value)
    return bytes(bytes_)


def main():
    args = sys.argv[1:]
    fuzz = int(args[args.index("--fuzz") + 1]) if "--fuzz" in args else 0
    command = ["valgrind", "-q", "--error-exitcode=99"] * ("--valgrind" in args) + [args[0]]
    calls, wrong = 0, []
    folder = tempfile.TemporaryDirectory()

    def run(bytes_, key):
        nonlocal calls
        calls += 1
        book = Path(folder.name, "book")
        if bytes_ is not None:
            book.write_bytes(bytes_)
        done = subprocess.run(command + [str(book), key], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def expect(good, *what):
        if not good:
            wrong.append(what)

    books = {name: (image(name, base, patch), verdict, rule) for name, verdict, rule, _, base, patch in table("INDEX.tsv")
             if not name.endswith("-journal")}
    rows = defaultdict(lambda: defaultdict(list))
    for book, journal, line in table("answers.tsv"):
        kind, key = line.split(" ")[:2]
        if journal == "-" and kind in ("position", "move", "absent"):
            rows[book][key] += [line] * (kind != "absent")
    for name, (bytes_, verdict, rule) in books.items():
        if verdict == "valid":
            for key, lines in rows[name].items():
                code, out, err = run(bytes_, key)
                expect((code, out.splitlines(), err) == (0 if lines else 1, lines, ""), name, key, code, out, err)
        else:
            code, out, err = run(bytes_, "463b96181691fc9c")
            refused = verdict == "open-refused" and rule not in NOT_CHECKED
            expect(code in ((2,) if refused else (0, 1)), name, code, err)
            expect(not refused or (out == "" and f": {rule}: " in err and err.count("\n") == 1), name, err)

    dice = random.Random(1)
    sound = [b for b, verdict, _ in books.values() if verdict == "valid"]
    for _ in range(fuzz):
        bytes_ = bytearray(dice.choice(sound))
        in_header = dice.random() < 0.7
        for _ in range(dice.randint(1, 4)):
            at = dice.choice((dice.randrange(128), 256 + dice.randrange(480))) if in_header else dice.randrange(len(bytes_))
            bytes_[at] = dice.choice((dice.randrange(256), bytes_[at] ^ 1 << dice.randrange(8), 0, 255))
        if dice.random() < 0.9:  # most often behind a right crc
            bytes_[4092:4096] = struct.pack("<I", zlib.crc32(bytes_[:4092]))
        if dice.random() < 0.05:
            bytes_ = bytes_[:dice.randrange(len(bytes_))]
        code, out, err = run(bytes_, f"{dice.choice((0, 0x463B96181691FC9C, 0xCF9A04AFFA6BADC0, dice.getrandbits(64))):016x}")
        expect(code in (0, 1) and not err or code == 2 and err.count("\n") == 1 and out == "", "fuzz", code, out, err)
    for what in wrong:
        print(*what, sep="\t")
    print(f"{calls} calls, {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
