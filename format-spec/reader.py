#!/usr/bin/env python3
"""reader.py BOOK: prints all rows, sources and facts of a Tabia book, version 1.    reader.py BOOK KEY: probes for one position.

Written from README.md alone, with nothing but Python 3. It reads the bare book: no journal is overlaid, blocks are not verified. It
knows the columns RTNG, GAME and YEAR, ignores all others, and trusts the sections of a book whose header is sound. Packed books are
read by reader_packed.py.
Exit code: 0 found, 1 not in the book, 2 not a readable book.
"""
import struct
import sys
import zlib

M64 = (1 << 64) - 1
COLUMNS = {"RTNG": ("ratings", 24), "GAME": ("game", 8), "YEAR": ("years", 4)}


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & M64
    return x ^ x >> 31


def unmix(x):
    x = (x ^ x >> 31 ^ x >> 62) * 0x319642B2D24D8EC3 & M64
    x = (x ^ x >> 27 ^ x >> 54) * 0x96DE1B173F119089 & M64
    return x ^ x >> 30 ^ x >> 60


def cell_text(tag, cell):
    if tag == "YEAR":
        return "%d %d" % struct.unpack("<HH", cell)
    ends = (0, 6, 12, 16, 24) if tag == "RTNG" else (0, 6, 8)
    numbers = [int.from_bytes(cell[a:b], "little") for a, b in zip(ends, ends[1:])]
    return "%d %d %d %d" % tuple(numbers) if tag == "RTNG" else "%d %012x" % (numbers[1], numbers[0])


class Book:
    known = 16  # incompatible features that are less

    def __init__(self, path):
        with open(path, "rb") as file:
            self.file = file.read()
        magic, version, page, features = struct.unpack_from("<8sIIQ", self.file)
        self.hold(magic == b"\x89TABIA\r\n", "B-1: not a Tabia book")
        self.hold(len(self.file) >= 4096, "B-5: the file is shorter than its header")
        self.hold(zlib.crc32(self.file[:4092]) == struct.unpack_from("<I", self.file, 4092)[0], "B-2: the header is damaged")
        self.bits, self.load, block, count, length = struct.unpack_from("<xB2xIIIQ", self.file, 64)
        self.hold((version, page, block) == (1, 4096, 4096), "B-3: made by another version")
        self.hold(features < self.known, "B-4: needs features that version 1 does not know")
        self.sections = {}  # tag: offset, length, rows, homes, max displacement
        for at in range(256, 256 + 96 * min(count, 39), 96):
            tag, *fields = struct.unpack_from("<4s4xQQ8xQQQ", self.file, at)
            self.sections[tag.decode("latin-1")] = fields
        self.hold(not features & 9 and not {"FILT", "PSUM", "MSUM"} & set(self.sections), "B-20: made by an unreleased version of Tabia")
        self.hold(len(self.file) == length and length % 4096 == 0, "B-5: the file is not as long as its header says")
        self.number = struct.unpack_from("<I", self.file, 128)[0]
        self.hold(self.bits <= 32 and self.number >> self.bits == 0 and bool(features & 4) == bool(self.bits), "B-9: the share")

    @staticmethod
    def hold(good, rule):
        if not good:
            raise ValueError(rule)

    def row(self, tag, slot):
        """(h, wins, draws, losses, eval or move, depth or marks, flags) of a slot, None if it is empty."""
        row = struct.unpack_from("<QIIIhBB" if tag == "POSN" else "<QIIIHBB", self.file, self.sections[tag][0] + 24 * slot)
        return None if row[6] == 0xFF else row

    def slots(self, tag, key=None):
        """The slots of a table that have a row; with a key those that have this one: sections 2 and 5."""
        _, length, _, homes, displacement = self.sections.get(tag, [0] * 5)
        if key is None:
            yield from (slot for slot in range(length // 24) if self.row(tag, slot))
        elif length and mix(key) >> 64 - self.bits == self.number:
            home = (mix(key) << self.bits & M64) * homes >> 64
            for slot in range(home, home + displacement + 1):
                row = self.row(tag, slot)
                if row is None or row[0] > mix(key):
                    break
                if row[0] == mix(key):
                    yield slot

    def lines(self, key=None):
        for slot in self.slots("POSN", key):
            h, wins, draws, losses, value, depth, flags = self.row("POSN", slot)
            yield f"position {unmix(h):016x} {wins} {draws} {losses} {'-' if value == -32768 else value} {depth} {flags:02x}"
        for slot in self.slots("MOVE", key):
            h, wins, draws, losses, move, marks, _ = self.row("MOVE", slot)
            yield f"move {unmix(h):016x} {move:04x} {wins} {draws} {losses} {marks:02x}"
            for tag, (word, size) in COLUMNS.items():
                if tag in self.sections:
                    at = self.sections[tag][0] + size * slot
                    yield f"{word} {unmix(h):016x} {move:04x} {cell_text(tag, self.file[at:at + size])}"

    def sources(self):
        """(digest, games, name): section 7.1."""
        at = self.sections["SRCS"][0] + 8
        for _ in range(struct.unpack_from("<Q", self.file, at - 8)[0]):
            digest, games, n = struct.unpack_from("<16sQI", self.file, at)
            yield digest, games, self.file[at + 32:at + 32 + n].decode()
            at += 32 + (n + 7) // 8 * 8

    def facts(self):
        """(subject, name, value): section 7.2."""
        at = self.sections["FACT"][0] + 8
        for _ in range(struct.unpack_from("<Q", self.file, at - 8)[0]):
            subject, n, m = struct.unpack_from("<16sII", self.file, at)
            name, value = self.file[at + 24:at + 24 + n], self.file[at + 24 + n:at + 24 + n + m]
            yield subject, name.decode(), value.decode()
            at += 24 + (n + m + 7) // 8 * 8


def main(path, key=None, book=Book):
    try:
        book = book(path)
        lines = list(book.lines(key and int(key, 16)))
        if not key:
            plain = lambda text: text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
            lines += [f"source {digest.hex()} {games} {plain(name)}" for digest, games, name in book.sources()]
            lines += [f"fact {subject.hex()} {name} {plain(value)}" for subject, name, value in book.facts()]
    except (OSError, ValueError, LookupError, struct.error) as error:
        sys.exit(print(f"{path}: {error}", file=sys.stderr) or 2)
    print("".join(line + "\n" for line in lines), end="")
    sys.exit(0 if lines or not key else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
