#!/usr/bin/env python3
"""check_books.py [FOLDER]: tests every rule of a book (B-1 to B-27, M-3) on every golden book, as ../README.md says.

A second implementation, which shares nothing with writer.py but the text: it shows that valid books break no rule and that invalid
ones break theirs. Needs xxhash from PyPI. Prints each difference, and invalid books that break more rules than their own and don't
say so; exits with 1 if there is any.
"""
import re
import struct
import sys
import zlib
from pathlib import Path

import xxhash

import check_reader

HERE = Path(__file__).parent
M64 = (1 << 64) - 1
KNOWN = {"POSN": (24, ""), "TAGS": (2, "POSN"), "MOVE": (24, ""), "RTNG": (24, "MOVE"), "GAME": (8, "MOVE"), "YEAR": (4, "MOVE"), "SRCS": (0, ""),
         "FACT": (0, "")}
TABLES = ("POSN", "MOVE")
FIELDS = ("tag", "cell", "offset", "length", "checksum", "rows", "homes", "displacement", "wins", "draws", "losses", "beside", "reserved")


class Section:
    def __init__(self, entry, file):
        self.__dict__.update(zip(FIELDS, struct.unpack("<4sIQQQQQQQQQ4s12s", entry)))
        self.tag, self.beside = self.tag.decode("latin-1"), self.beside.rstrip(b"\0").decode("latin-1")
        self.body = file[self.offset:self.offset + self.length] if self.offset + self.length <= len(file) else b""
        self.slots = self.length // 24

    def is_column(self):
        return self.tag in ("TAGS", "RTNG", "GAME", "YEAR") or self.tag.isupper() and self.tag not in KNOWN and bool(self.beside)


def pages(length):
    return -(-length // 4096) * 4096


class Check:
    """The rules that a file breaks."""

    def __init__(self, file):
        self.file, self.broken = file, set()
        if self.opens():
            self.contents()

    def hold(self, good, rule):
        if not good:
            self.broken.add(rule)
        return good

    def opens(self):
        """B-1 to B-11, B-20, B-23 and B-25."""
        page = self.page = self.file[:4096]
        if not self.hold(page[:8] == b"\x89TABIA\r\n", "B-1") or not self.hold(len(page) == 4096, "B-5"):
            return False
        if not self.hold(zlib.crc32(page[:4092]) == struct.unpack("<I", page[4092:])[0], "B-2"):
            return False
        version, page_size, features = struct.unpack_from("<IIQ", page, 8)
        keyed, self.bits, reserved, self.load, block, count, length = struct.unpack_from("<BBHIIIQ", page, 64)
        if not self.hold((version, page_size, block) == (1, 4096, 4096), "B-3") or not self.hold(features < 16, "B-4"):
            return False
        entries = [page[at:at + 96] for at in range(256, 256 + 96 * min(count, 39), 96)]
        if not self.hold(not features & 9 and not any(entry[:4] in (b"FILT", b"PSUM", b"MSUM") for entry in entries), "B-20"):
            return False
        self.features, self.number = features, struct.unpack_from("<I", page, 128)[0]
        if not self.hold(length == len(self.file) and length % 4096 == 0, "B-5") or not self.hold(1 <= count <= 39, "B-6"):
            return False
        self.hold(all(re.fullmatch(rb"[a-z0-9-]+\0*", name) for name in (page[32:48], page[48:64])) and keyed < 2 and 500 <= self.load <= 980, "B-9")
        self.hold(self.bits <= 32 and self.number >> self.bits == 0 and (features & 4 != 0) == (self.bits != 0), "B-9")
        self.hold(not reserved and not any(page[132:256]) and not any(page[256 + 96 * count:4092]), "B-10")
        cleared = page[:88] + bytes(40) + page[128:4092] + bytes(4)
        self.hold(xxhash.xxh3_128_digest(cleared) == page[88:104], "B-11")
        self.sections = [Section(entry, self.file) for entry in entries]
        self.by_tag = {section.tag: section for section in self.sections}
        self.order()
        if "B-6" not in self.broken:
            self.entries()
        return not self.broken

    def order(self):
        at, known, owner = 4096, -1, None
        for section in self.sections:
            self.hold(section.offset == at and section.offset + pages(section.length) <= len(self.file) - 4096, "B-6")
            at = section.offset + pages(section.length)
            if owner:
                self.hold(section.tag == owner.tag.lower(), "B-6")
                owner = None
                continue
            self.hold(re.fullmatch("[A-Z]{4}", section.tag), "B-6")
            if section.tag in KNOWN:
                place = list(KNOWN).index(section.tag)
                self.hold(place > known, "B-6")
                known = place
            owner = section if section.tag in TABLES or section.is_column() else None
        self.hold(not owner and at == len(self.file) - 4096 and len(self.by_tag) == len(self.sections), "B-6")
        self.hold({"SRCS", "FACT"} <= set(self.by_tag) and (set(TABLES) & set(self.by_tag)), "B-6")

    def entries(self):
        before = None
        for number, s in enumerate(self.sections):
            is_table, is_sums = s.tag in TABLES, s.tag.islower()
            self.hold(s.reserved == bytes(12) and (is_table or not any((s.rows, s.homes, s.displacement, s.wins, s.draws, s.losses))), "B-10")
            if is_sums:
                self.hold(s.length == 8 * (pages(before.length) // 4096), "B-7")
            if is_table:
                self.table_entry(s)
            elif s.is_column():
                self.hold(s.beside in TABLES and s.beside in [t.tag for t in self.sections[:number]], "B-25")
                self.hold(s.cell >= 1 and (s.tag not in KNOWN or (s.cell, s.beside) == KNOWN[s.tag]), "B-25")
                self.hold(s.beside in self.by_tag and s.length == s.cell * self.by_tag[s.beside].slots, "B-25")
            else:
                self.hold(s.cell == 0, "B-10")
            self.hold(s.is_column() or not s.beside, "B-10")
            self.hold(s.checksum == 0 or not (is_table or s.is_column()), "B-10")
            before = s

    def table_entry(self, s):
        self.hold(s.cell == 24 and s.length % 24 == 0 and 1 <= s.homes <= s.slots and s.rows <= s.slots, "B-7")
        self.hold(not 500 <= self.load <= 980 or s.homes == max(1, -(-s.rows * 1000 // self.load)), "B-8")
        slacks = [s.rows] if s.rows <= 1024 else [1024 * 4 ** k for k in range(27)]
        fit = [slack for slack in slacks if slack >= s.displacement]
        self.hold(fit and s.slots - s.homes == fit[0], "B-23")

    def contents(self):
        """What a check finds."""
        self.hold(self.file[-4096:] == self.page, "B-12")
        for s in self.sections:
            if s.tag in TABLES or s.is_column():
                sums = [xxhash.xxh3_64_intdigest(s.body[at:at + 4096]) for at in range(0, s.length, 4096)]
                self.hold(b"".join(struct.pack("<Q", number) for number in sums) == self.by_tag[s.tag.lower()].body, "B-13")
            else:
                self.hold(xxhash.xxh3_64_intdigest(s.body) == s.checksum, "B-14")
            self.hold(not any(self.file[s.offset + s.length:s.offset + pages(s.length)]), "B-15")
        for tag in TABLES:
            if tag in self.by_tag:
                self.table(self.by_tag[tag])
        self.sources(self.by_tag["SRCS"].body)
        self.facts(self.by_tag["FACT"].body)

    def place(self, h, homes):
        product = (h << self.bits & M64) * homes
        return product >> 64, product & M64

    def table(self, s):
        is_moves, last, free, totals, displacement, rows = s.tag == "MOVE", (-1, 0), 0, [0, 0, 0], 0, 0
        tags = []
        for slot in range(s.slots):
            row = s.body[24 * slot:24 * slot + 24]
            if row[23] == 0xFF:
                self.hold(row == b"\xff" * 24, "B-18")
                self.empty(s, slot)
                tags.append((slot + 1 & 127) << 9)
                continue
            h, wins, draws, losses, value, small, flags = struct.unpack("<QIIIHBB", row)
            home, low = self.place(h, s.homes)
            key = (h, value if is_moves else 0)
            self.hold(key > last and slot == max(home, free), "B-16")
            self.hold(flags == 0 if is_moves else flags < 32 and (value != 0x8000 or small == 0), "B-18")
            self.hold(is_moves or bin(flags & 7).count("1") < 2, "M-3")
            self.hold(not self.features & 2 or not wins and not losses, "B-22")
            self.hold(h >> 64 - self.bits == self.number, "B-24")
            last, free, rows, displacement = key, slot + 1, rows + 1, max(displacement, slot - home)
            totals = [total + count & M64 for total, count in zip(totals, (wins, draws, losses))]
            tags.append((home & 127) << 9 | low >> 55)
        self.hold([rows, displacement] + totals == [s.rows, s.displacement, s.wins, s.draws, s.losses], "B-17")
        if s.tag == "POSN" and "TAGS" in self.by_tag:
            self.hold(struct.pack(f"<{len(tags)}H", *tags) == self.by_tag["TAGS"].body, "B-21")

    def empty(self, s, slot):
        for tag in ("RTNG", "GAME", "YEAR"):
            if s.tag == "MOVE" and tag in self.by_tag:
                size = KNOWN[tag][0]
                self.hold(not any(self.by_tag[tag].body[size * slot:size * slot + size]), "B-26")

    def sources(self, body):
        def entry(at):
            digest, games, n, reserved = struct.unpack_from("<16sQII", body, at)
            name = body[at + 32:at + 32 + n]
            name.decode()
            self.hold(len(name) == n <= 4096 and not reserved, "B-19")
            return (digest, games, name), at + 32, n
        self.list(body, entry, "B-19", False)

    def facts(self, body):
        def entry(at):
            subject, n, m = struct.unpack_from("<16sII", body, at)
            name, value = body[at + 24:at + 24 + n], body[at + 24 + n:at + 24 + n + m]
            value.decode()
            self.hold(re.fullmatch(rb"[a-z0-9.-]{1,64}", name) and len(name) == n and len(value) == m <= 65536, "B-27")
            return (subject, name, value), at + 24, n + m
        self.list(body, entry, "B-27", True)

    def list(self, body, entry, rule, strictly):
        try:
            at, last = 8, None
            for _ in range(struct.unpack_from("<Q", body)[0]):
                this, start, length = entry(at)
                self.hold(last is None or last < this or last == this and not strictly, rule)
                last, at = this, start + length + -length % 8
                self.hold(not any(body[start + length:at]), rule)
            self.hold(at == len(body), rule)
        except (struct.error, UnicodeDecodeError):
            self.broken.add(rule)


def rows_of(golden, *names):
    """The rows of these books one after the other, each with its ratings."""
    rows = []
    for name in names:
        book = Check(golden.books[name + ".tabia"][0])
        for tag in TABLES:
            body, ratings = book.by_tag[tag].body, book.by_tag["RTNG"].body
            slots = [at for at in range(0, len(body), 24) if body[at + 23] != 0xFF]
            rows += [(tag, body[at:at + 24], ratings[at:at + 24] if tag == "MOVE" else b"") for at in slots]
    return sorted(rows, key=lambda row: row[0])  # positions, then moves; otherwise in order


def main():
    golden = check_reader.Golden(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
    about = {row[0]: row[3] for row in golden.table("INDEX.tsv")}
    wrong = []
    for name, (file, expect, rule) in golden.books.items():
        check = Check(file)
        expected = set() if expect in ("valid", "copy-refused", "set-refused") else {rule}
        said = set(re.findall(r"[BM]-\d+", about[name]))
        if not expected <= check.broken or check.broken - expected - said:
            wrong.append(f"{name}: breaks {sorted(check.broken)}, expected {sorted(expected)}")
        opened = check.broken <= {"B-12", "B-13", "B-14", "B-15", "B-16", "B-17", "B-18", "B-19", "B-21", "B-22", "B-24", "B-26", "B-27", "M-3"}
        if opened != (expect != "open-refused"):
            wrong.append(f"{name}: {'opens' if opened else 'refused'}, expected {expect}")
    if "share-whole.tabia" in golden.books:
        shares = [f"share-{number}" for number in range(4)]
        if rows_of(golden, *shares) != rows_of(golden, "share-whole"):
            wrong.append("share-0 to share-3 are not share-whole")
    print(*wrong, f"{len(golden.books)} books, {len(wrong)} wrong", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
