#!/usr/bin/env python3
"""golden.py READER [--folder FOLDER] [--quick]: tabia.h against the golden files, right and wrong. READER is reader.c, built.

First format-spec/golden/check_reader.py's own comparison, key by key, of plain and packed books and with no rule left out; then all that a book holds, columns,
facts and shares too, by each way to ask (one by one, in batches, from memory), all journals beside their books, and the shares of a book as a set.
"""
import argparse
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[4]
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "format-spec" / "golden"))
import check_reader  # noqa: E402

check_reader.NOT_CHECKED = set()  # tabia.h computes the digest of the header
OF_A_KEY = check_reader.OF_A_KEY
MISPLACED = "the first page in place of the second", "two pages are exchanged", "the page of another book"  # are refused, or the answer is right
MAY_BE_SEEN = "B-31", "B-32"  # `check` finds it, and so does a probe that comes by
FAR_FROM_ANY_KEY = "00000000000000aa"
SHARES = "share-0.tabia", "share-1.tabia", "share-2.tabia", "share-3.tabia"


def in_order(lines, keys):
    """Lines of these keys, in their order; of each the position first."""
    of = defaultdict(list)
    for line in lines:
        of[line.split(" ")[1]].append(line)
    return [line for key in keys for line in sorted(of[key], key=lambda line: line.split(" ")[0] != "position")]


class Reader(check_reader.Program):
    """reader.c with all its options."""

    def __init__(self, golden, command):
        super().__init__(golden, command, packed=True)
        self.cases = [row for row in golden.table("INDEX.tsv")]
        self.journals = defaultdict(list)  # journal: the lines of its book under it
        for _, journal, line in golden.table("answers.tsv"):
            self.journals[journal].append(line)

    def expect(self, good, *what):
        name, *_, err = what
        expected, rule = self.golden.books[name][1:] if name in self.golden.books else ("", "")
        super().expect(good or (expected == "check-finds" and rule in MAY_BE_SEEN and f": {rule}: " in err), *what)

    def call(self, *args, keys=()):
        """Runs the reader; with keys it reads them from its input, as there can be many."""
        self.calls += 1
        done = subprocess.run([*self.command, *args, *["-"] * bool(keys)], input="".join(f"{key}\n" for key in keys), capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def compare_contents(self):
        for name, (bytes_, expected, _) in self.golden.books.items():
            lines = self.golden.lines[name]
            if expected not in ("valid", "copy-refused") or not lines:
                continue
            self.path.write_bytes(bytes_)
            keys = list(self.golden.keys[name])
            listed = [line for line in lines if line.split(" ")[0] in OF_A_KEY]
            by_key = in_order(listed, keys)
            for options in (["-c"], ["-c", "-b"], ["-c", "-m"], ["-c", "-b", "-m"]):
                # Each key once, and those of the first ten again behind the others
                code, out, err = self.call(*options, str(self.path), keys=keys + keys[:10])
                self.expect((code, out, err) == (0 if by_key else 1, by_key + in_order(listed, keys[:10]), ""), name, options, code, err)
            self.compare_description(name, lines)

    def compare_refused(self):
        for name, (bytes_, expected, rule) in self.golden.books.items():
            if expected == "open-refused":
                self.path.write_bytes(bytes_)
                code, out, err = self.call(str(self.path), check_reader.START)
                self.expect((code, out) == (2, []) and f": {rule}: " in err and err.count("\n") == 1, name, rule, code, err)

    def compare_damaged(self):
        """Books whose contents are damaged: they open, and answers may be wrong, but nothing may crash."""
        for name, expected, rule, about, base, _ in self.cases:
            base = "packed-pages.tabia" if about in MISPLACED and base == "-" else base
            if expected == "check-finds" and name in self.golden.books:
                self.path.write_bytes(self.golden.books[name][0])
                keys = list(self.golden.keys[base])[:200]
                for key in keys if about in MISPLACED else ():
                    code, out, err = self.call("-c", str(self.path), keys=[key])
                    self.expect(code == 2 and not out or out == in_order(self.golden.lines[base], [key]), name, key, out, err)
                for asked in (keys, keys[::-1]):
                    code, _, err = self.call(str(self.path), keys=[check_reader.START, *asked])
                    self.expect((code in (0, 1) and not err) or (code == 2 and any(f": {rule}: " in err for rule in MAY_BE_SEEN)), name, "damaged", code, err)

    def compare_description(self, name, lines):
        code, out, err = self.call(str(self.path))
        kinds = ("digest", "share", "fact") if any(line.startswith("digest") for line in lines) else ("share", "fact")
        out = [line for line in out if line.split(" ")[0] in kinds]
        self.expect((code, err) == (0, "") and out == [line for line in lines if line.split(" ")[0] in kinds], name, "description", out, err)

    def compare_journals(self):
        for name, expected, rule, _, base, _ in self.cases:
            if not name.endswith("-journal"):
                continue
            self.path.write_bytes(self.golden.books[base][0])
            beside = Path(f"{self.path}-journal")
            beside.write_bytes((self.golden.folder / name).read_bytes())
            code, _, err = self.call(str(self.path), FAR_FROM_ANY_KEY)
            if expected == "journal-refused":
                self.expect(code == 2 and (f": {rule}: " in err or ": additions stand" in err), name, rule, code, err)
            else:
                changed = [line for line in self.journals[name] if not line.startswith(("digest", "table"))] != [
                    line for line in self.golden.lines[base] if not line.startswith(("digest", "table"))]
                self.expect(code == (2 if changed else 1) and (": additions stand" in err) == changed, name, changed, code, err)
            code, out, err = self.call("-j", str(self.path), FAR_FROM_ANY_KEY)
            self.expect((code, out, err) == (1, [], ""), name, "-j", err)
            self.compare_overlaid(name, expected, rule, base)
            beside.unlink()

    def compare_overlaid(self, name, expected, rule, base):
        if expected == "journal-refused":
            code, out, err = self.call("-o", str(self.path), FAR_FROM_ANY_KEY)
            self.expect((code, out) == (2, []) and f": {rule}: " in err, name, "overlaid", code, err)
            return
        lines = [line for line in self.journals[name] if line.split(" ")[0] in OF_A_KEY]
        keys = list(dict.fromkeys([line.split(" ")[1] for line in lines] + list(self.golden.keys[base])))
        by_key = in_order(lines, keys)
        for options in (["-o", "-c"], ["-o", "-c", "-b"]):
            code, out, err = self.call(*options, str(self.path), keys=keys)
            self.expect((code, out, err) == (0 if by_key else 1, by_key, ""), name, "overlaid", options, code, out, err)


    def lay_set(self, names, journals=None):
        """Writes books, and the journals of those that have one, as files of their own. Returns their paths."""
        paths = []
        for number, name in enumerate(names):
            paths.append(f"{self.path}-{number}-{name}")
            Path(paths[-1]).write_bytes(self.golden.books[name][0])
            beside = Path(f"{paths[-1]}-journal")
            beside.unlink(missing_ok=True)
            if journals and name in journals:
                beside.write_bytes((self.golden.folder / journals[name]).read_bytes())
        return paths

    def refuse_set(self, names, wanted, failed=0, journals=None):
        """`wanted`: rule and share that the error has to name, as "S-2 3", or the rule alone. `failed`: which of the files."""
        paths = self.lay_set(names, journals)
        rule, *share = wanted.split(" ")
        code, out, err = self.call("-s", *paths, "--", check_reader.START)
        good = err.startswith(f"{paths[failed]}: {rule}: ") and err.endswith(f"(share {share[0]})\n" if share else "\n") and err.count("\n") == 1
        self.expect((code, out) == (2, []) and good, "set", names, wanted, code, err)

    def compare_sets(self):
        whole = "share-whole.tabia"
        if whole not in self.golden.books:
            return
        lines = [line for line in self.golden.lines[whole] if line.split(" ")[0] in OF_A_KEY]
        keys = [*dict.fromkeys(line.split(" ")[1] for line in lines), FAR_FROM_ANY_KEY, "0000000000000001"]
        for names in (SHARES, SHARES[::-1], [SHARES[i] for i in (2, 0, 3, 1)], [whole]):
            paths = self.lay_set(names)
            for options in ([], ["-b"]):
                code, out, err = self.call("-s", "-c", *options, *paths, "--", keys=keys)
                self.expect((code, out, err) == (0, in_order(lines, keys), ""), "set", names, options, code, err)
            self.path.write_bytes(self.golden.books[whole][0])
            description = self.call(str(self.path))[1][1:]  # without the digest
            self.expect(self.call("-s", *paths, "--")[1] == description, "set", names, "totals and facts")
        self.refuse_sets(whole)

    def refuse_sets(self, whole):
        for number, share in enumerate(SHARES):
            others = [name for name in SHARES if name != share]
            self.refuse_set(others, f"S-2 {number}")
            self.refuse_set([share], "S-2 0" if number else "S-2 1")
            self.refuse_set([*SHARES, share], f"S-2 {number}", 4)
        self.refuse_set([*SHARES[:3], SHARES[0]], "S-2 0", 3)
        self.refuse_set([SHARES[3], *SHARES[1:]], "S-2 0")
        self.refuse_set([whole, whole], "S-2 0", 1)
        self.refuse_set(["packed-share-1.tabia", "packed-share-2.tabia"], "S-2 0")
        self.refuse_set([*SHARES, whole], "S-1 0", 4)
        self.refuse_set([whole, *SHARES], "S-1 0", 1)
        self.refuse_set([SHARES[0], "packed-share-1.tabia", *SHARES[2:]], "S-1 1", 1)
        self.refuse_set([*SHARES[:3], "share-32.tabia"], "S-1", 3)
        self.refuse_set([SHARES[0], "b-01-text.tabia", *SHARES[2:]], "B-1", 1)
        self.refuse_set(SHARES, "S-1 1", 1, {SHARES[1]: "journal-share.tabia-journal"})  # it brings a source to one share alone
        for name, expected, rule, _, base, _ in self.cases:
            if expected == "set-refused":
                self.refuse_set([SHARES[0], name, *SHARES[2:]], "S-1 1", 1)
                self.refuse_set([*SHARES[:1:-1], SHARES[0], name], "S-1 1", 3)
                self.refuse_set([name, SHARES[0], *SHARES[2:]], "S-1 0", 1)
            elif expected == "journal-refused" and base == SHARES[1]:
                self.refuse_set(SHARES, rule, 1, {base: name})
        code, _, err = self.call("-s")
        self.expect(code == 2 and ": S-2: " in err, "set", "without shares", code, err)


def lay_out(golden, folder):
    """Writes what fuzz.c reads: all books and journals, and `list`, which has a line for each: its path, that of the book (of a journal), keys."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "list", "w", encoding="utf-8") as listed:
        for name, _, _, _, base, _ in golden.table("INDEX.tsv"):
            of_journal = name.endswith("-journal")
            book = base if of_journal else name
            (folder / name).write_bytes((golden.folder / name).read_bytes() if of_journal else golden.books[name][0])
            keys = list(golden.keys[book])
            print(folder / name, folder / base if of_journal else "-", *keys[::1 + len(keys) // 60], file=listed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader", nargs="?")
    parser.add_argument("--folder", default=REPOSITORY / "format-spec" / "golden")
    parser.add_argument("--quick", action="store_true", help="not key by key")
    parser.add_argument("--lay-out", type=Path, help="only write the cases into this folder, for fuzz.c")
    args = parser.parse_args()
    golden = check_reader.Golden(args.folder)
    if args.lay_out:
        lay_out(golden, args.lay_out)
        return
    reader = Reader(golden, [args.reader])
    if not args.quick:
        reader.compare()
    reader.compare_refused()
    reader.compare_damaged()
    reader.compare_contents()
    reader.compare_journals()
    reader.compare_sets()
    reader.finish()


if __name__ == "__main__":
    main()
