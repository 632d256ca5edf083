#!/usr/bin/env python3
"""books.py READER TABIA [--seed N] [--books N]: tabia.h against `tabia dump`, over random books, plain and packed. READER is reader.c, built; TABIA the command.

The books are made by `tabia load` of random rows: few or many, at loads of 0.5 to 0.98, with and without columns, filter, evals, marks, one table or both, counts
small and near their limit, shares and sets of them. Every key of a book is asked for, and as many absent ones.

    books.py READER TABIA --book BOOK... [--keys N]     books there are, N keys of the first one (a plain one with positions), against `tabia get`
"""
import argparse
import random
import struct
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

COLUMNS = {"ratings": ["mover_rating_sum", "opponent_rating_sum", "rated_games", "rated_score"], "game": ["game"], "years": ["first_year", "last_year"]}


class Dice(random.Random):
    """What books are made of."""

    def count(self, most):
        return self.choice((0, 1, 2, self.randrange(16), self.randrange(most))) if most > 16 else self.randrange(most + 1)

    def position(self, key, most):
        evaluated = self.random() < 0.3
        return [f"{key:016x}", *(self.count(most) for _ in range(3)), self.randint(-32767, 32767) if evaluated else "-",
                self.randrange(256) if evaluated else 0, self.choice((0, 0, 0, 1, 2, 4, 8, 16, 24))]

    def move(self, key, code, most, columns):
        row = [f"{key:016x}", *(self.count(most) for _ in range(3)), code, self.choice((0, 0, 0, 0, 1, 64, 128, self.randrange(256)))]
        for field in (field for column in columns for field in COLUMNS[column]):
            limit = {"game": 2**64, "rated_score": 2**64, "rated_games": 2**32, "first_year": 2**16, "last_year": 2**16}.get(field, 2**48)
            value = self.choice((0, self.randrange(1000), self.randrange(limit)))
            row.append(f"{value:016x}" if field == "game" else value)
        return row

    def rows(self):
        """The text of a book, as format-spec/rows.md says."""
        tables = self.choice(("positions", "moves", "both", "both"))
        columns = [name for name in COLUMNS if self.random() < 0.4]
        most = self.choice((2, 15, 1000, 2**32))
        keys = [self.getrandbits(64) for _ in range(self.choice((0, 1, 5, 100, 1500, 6000)))]
        lines = ["#tabia-rows\t1", "#game\tchess", "#keys\tpolyglot", f"#load\t{self.choice((0.5, 0.8, 0.98))}"]
        lines += ["#filter"] * (tables != "moves" and self.random() < 0.5)
        if tables != "moves":
            lines += ["#positions\tkey\twins\tdraws\tlosses\teval\tdepth\tflags"]
            lines += ["\t".join(map(str, self.position(key, most))) for key in keys if tables == "positions" or self.random() < 0.9]
        if tables != "positions":
            lines += ["#moves\tkey\twins\tdraws\tlosses\tmove\tmarks" + "".join("\t" + field for column in columns for field in COLUMNS[column])]
            for key in keys:
                codes = self.sample(range(4096), self.choice((0, 1, 1, 1, 2, 5, 40)))
                lines += ["\t".join(map(str, self.move(key, code, most, columns))) for code in codes]
        return "\n".join(lines) + "\n#end\n"


def answers(text):
    """What a dump says of each key, as reader.c prints it."""
    found = defaultdict(list)
    table, names = None, []
    for line in text.splitlines():
        words = line.split("\t")
        if line.startswith(("#positions", "#moves")):
            table, names = words[0][1:-1], words[1:]
        elif table and not line.startswith("#"):
            row = dict(zip(names, words))
            counts = f"{row['wins']} {row['draws']} {row['losses']}"
            if table == "position":
                found[row["key"]].append(f"position {row['key']} {counts} {row['eval']} {row['depth']} {int(row['flags']):02x}")
                continue
            start = f"{row['key']} {int(row['move']):04x}"
            found[row["key"]].append(f"move {start} {counts} {int(row['marks']):02x}")
            if "rated_games" in row:
                found[row["key"]].append(f"ratings {start} {' '.join(row[field] for field in COLUMNS['ratings'])}")
            if "game" in row:
                found[row["key"]].append(f"game {start} {int(row['game'], 16) >> 48} {row['game'][4:]}")
            if "first_year" in row:
                found[row["key"]].append(f"years {start} {row['first_year']} {row['last_year']}")
    return found


def unmix(x):
    """The key of a row (section 2 of the format)."""
    x = (x ^ x >> 31 ^ x >> 62) * 0x319642B2D24D8EC3 % 2**64
    x = (x ^ x >> 27 ^ x >> 54) * 0x96DE1B173F119089 % 2**64
    return x ^ x >> 30 ^ x >> 60


def keys_of(path, count, dice):
    """Keys of so many random slots of a plain book's positions that have a row; some perhaps twice."""
    with open(path, "rb") as book:
        header = book.read(4096)
        tag, _, offset, length = struct.unpack_from("<4sIQQ", header, 256)
        assert tag == b"POSN", "a plain book with positions is needed"
        while count:
            book.seek(offset + 24 * dice.randrange(length // 24))
            row = book.read(24)
            if row[23] != 0xFF:
                count -= 1
                yield f"{unmix(int.from_bytes(row[:8], 'little')):016x}"


class Comparison:
    """Asks reader.c for keys, and counts what differs."""

    def __init__(self, reader, tabia):
        self.reader, self.tabia, self.keys, self.wrong = reader, tabia, 0, 0

    def run(self, *args, **options):
        return subprocess.run([self.tabia, *map(str, args)], check=True, capture_output=True, text=True, **options).stdout

    def ask(self, book, keys, right, *options):
        self.compare(book, [book], keys, right, *options)

    def ask_set(self, shares, keys, right):
        for options in ([], ["-b"]):
            self.compare(f"{shares[0]} ...", ["-s", *shares, "--"], keys, right, *options)

    def refuse_set(self, shares, why):
        done = subprocess.run([self.reader, "-s", *shares, "--", "00000000000000aa"], capture_output=True, text=True)
        if done.returncode != 2 or why not in done.stderr:
            self.wrong += 1
            print(f"{shares[0]} ...", why, done.returncode, done.stderr, sep="\t")

    def compare(self, book, asked, keys, right, *options):
        done = subprocess.run([self.reader, "-c", *options, *asked, "-"], input="".join(f"{key}\n" for key in keys), capture_output=True, text=True)
        expected = [line for key in keys for line in right.get(key, ())]
        self.keys += len(keys)
        if done.returncode != (0 if expected else 1) or done.stdout.splitlines() != expected or done.stderr:
            self.wrong += 1
            different = [pair for pair in zip(done.stdout.splitlines(), expected) if pair[0] != pair[1]][:3]
            print(book, *options, done.returncode, done.stderr, different, sep="\t")

    def book(self, path, dice):
        """A book by its dump, and the same packed."""
        right = answers(self.run("dump", path))
        keys = list(right) + [f"{dice.getrandbits(64):016x}" for _ in range(len(right) + 10)]
        dice.shuffle(keys)
        packed = path.with_name(f"packed-{path.name}")
        self.run("pack", path, "-o", packed)
        for each in (path, packed):
            for options in ([], ["-b"], ["-b", "-m"]):
                self.ask(each, keys, right, *options)
        return keys, right

    def random_book(self, folder, dice, number):
        path = folder / f"{number}.tabia"
        self.run("load", "-o", path, "-", input=dice.rows())
        keys, right = self.book(path, dice)
        if number % 4 == 0:  # its shares: each key is in one of them
            found, shares = defaultdict(list), []
            for share in range(1, 5):
                of_share = folder / f"{number}-{share}.tabia"
                self.run("merge", "--share", f"{share}/4", "-o", of_share, path)
                own, _ = self.book(of_share, dice)
                held = answers(self.run("dump", of_share))
                self.ask(of_share, keys, held)
                for key, lines in held.items():
                    found[key] += lines
                shares.append(of_share)
            self.wrong += found != right
            dice.shuffle(shares)
            for each in (shares, [share.with_name(f"packed-{share.name}") for share in shares], [path]):
                self.ask_set(each, keys, right)
            self.refuse_set([*shares[:2], path.with_name(f"packed-{shares[2].name}"), shares[3]], ": S-1: ")
            self.refuse_set(shares[:3], ": S-2: ")

    def journal(self, folder, archive):
        """A book with a journal of added games, marked moves and evals, a piece at a time, laid over it; and the same packed."""
        text = Path(archive).read_text(encoding="utf-8", errors="replace")
        games = ["[Event " + game for game in text.split("[Event ")[1:]]
        pieces = [folder / f"{piece}.pgn" for piece in range(3)]
        for number, piece in enumerate(pieces):
            piece.write_text("".join(games[number::3]), encoding="utf-8")
        plain, packed = folder / "journal.tabia", folder / "journal-packed.tabia"
        self.run("build", "-q", "--ratings", "--years", "--games", "-o", plain, pieces[0])
        self.run("pack", "-q", plain, "-o", packed)
        for book in (plain, packed):
            for step in (["add", book, pieces[1]], ["mark", book, "never", "--fen", "startpos", "--move", "e4"], ["drop", book, "--fen", "startpos", "--move", "d4"],
                         ["add", book, pieces[2]], ["mark", book, "always", "--fen", "startpos", "--move", "Na3"]):
                self.run(*step)
            right = answers(self.run("dump", book))
            assert right != answers(self.run("dump", "--bare", book)), "the journal has something"
            for options in (["-o"], ["-o", "-b"]):
                self.ask(book, list(right) + ["00000000000000aa"], right, *options)

    def set_with_journals(self, folder):
        """A set that is added to, share by share, after `journal` has made its pieces: only when the last share has what is new, it is a set again."""
        pieces = [folder / f"{piece}.pgn" for piece in range(2)]
        whole, week = folder / "whole.tabia", folder / "week.tabia"
        options = ["-q", "--ratings", "--years", "--games"]
        self.run("build", *options, "-o", whole, pieces[0])
        self.run("build", *options, "-o", week, pieces[1])
        news = [folder / f"news-{number}.tabia" for number in range(1, 5)]
        for number, share in enumerate(news, 1):
            self.run("merge", "-q", "--share", f"{number}/4", "-o", share, week)
        for pack in ([], ["--pack"]):
            shares = [folder / f"set{len(pack)}" / f"{share}.tabia" for share in range(1, 5)]
            shares[0].parent.mkdir()
            for number, share in enumerate(shares, 1):
                self.run("merge", "-q", "--share", f"{number}/4", *pack, "-o", share, whole)
            self.ask_set(shares, *self.all_of(whole))
            self.refuse_set([shares[0], news[1], *shares[2:]], ": S-1: ")
            self.run("mark", shares[0], "never", "--fen", "startpos", "--move", "e4")  # a journal beside one share
            marked = folder / f"marked{len(pack)}.tabia"
            self.run("merge", "-q", "-o", marked, whole)
            self.run("mark", marked, "never", "--fen", "startpos", "--move", "e4")
            self.ask_set(shares, *self.all_of(marked))
            for share, new in zip(shares, news):
                self.run("merge", "-q", "--into", share, new)
                if share != shares[-1]:
                    self.refuse_set(shares, ": S-1: ")
            self.run("merge", "-q", "--into", marked, week)
            keys, right = self.all_of(marked)
            assert right != self.all_of(whole)[1], "there is something new"
            self.ask_set(shares, keys, right)
            self.run("compact", "-q", shares[2])
            self.ask_set(shares[::-1], keys, right)

    def all_of(self, book):
        """The keys of a book with its journal, and an absent one; and what they have."""
        right = answers(self.run("dump", book))
        return [*right, "00000000000000aa"], right

    def real_books(self, paths, count, dice):
        """Keys of a plain book, a fifth of them absent, of it and packed ones, against `tabia get`."""
        keys = sorted({*keys_of(paths[0], count * 4 // 5, dice), *(f"{dice.getrandbits(64):016x}" for _ in range(count // 5))})
        dice.shuffle(keys)
        for path in paths:
            right = answers(self.run("get", path, "-", input="".join(f"{key}\n" for key in keys)))
            self.wrong += len(right) < count * 3 // 5
            for options in ([], ["-b"]):
                self.ask(path, keys, right, *options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader")
    parser.add_argument("tabia")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--books", type=int, default=24)
    parser.add_argument("--book", nargs="*", default=[])
    parser.add_argument("--keys", type=int, default=100_000)
    args = parser.parse_args()
    comparison, dice = Comparison(args.reader, args.tabia), Dice(args.seed)
    if args.book:
        comparison.real_books(args.book, args.keys, dice)
    else:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(args.books):
                comparison.random_book(Path(folder), dice, number)
            comparison.journal(Path(folder), Path(__file__).resolve().parents[4] / "tests" / "sample.pgn")
            comparison.set_with_journals(Path(folder))
    print(f"{comparison.keys} answers compared, {comparison.wrong} books wrong")
    sys.exit(bool(comparison.wrong))


if __name__ == "__main__":
    main()
