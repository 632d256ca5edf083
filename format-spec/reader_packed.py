#!/usr/bin/env python3
"""reader_packed.py BOOK: prints all rows, sources and facts of a packed Tabia book.    reader_packed.py BOOK KEY: probes for one position.

Written from packed.md and README.md alone. A plain book is read by reader.py, which this extends. Pages that are read are verified if
xxhash is there (PyPI). Exit code: 0 found, 1 not in the book, 2 not a readable book.
"""
import struct

import reader
from reader import COLUMNS, mix, unmix

try:
    from xxhash import xxh3_64_intdigest
except ImportError:
    xxh3_64_intdigest = None
PAGE, ROOM, PACKED, NONE = 4096, 4088, 16, -32768
FIELDS = {"RTNG": (6, 6, 4, 8), "GAME": (8,), "YEAR": (2, 2)}


class Bits:
    """Reads bits, from the lowest of each byte on."""

    def __init__(self, bytes_):
        self.value, self.at, self.end = int.from_bytes(bytes_, "little"), 0, 8 * len(bytes_)

    def take(self, width):
        self.at += width
        Book.hold(self.at <= self.end, "B-32: a group goes beyond its page")
        return self.value >> self.at - width & (1 << width) - 1

    def gamma(self):
        zeros = 0
        while not self.take(1):
            zeros += 1
        return 1 << zeros | self.take(zeros)

    def counts(self, less=0):
        games = self.gamma() - less
        wins = self.take(games.bit_length())
        draws = self.take((games - wins).bit_length()) if wins <= games else 0
        Book.hold(0 <= games - wins - draws, "B-32: counts of a record")
        return wins, draws, games - wins - draws

    def bytes(self, count):
        self.at = (self.at + 7) // 8 * 8
        return self.take(8 * count).to_bytes(count, "little")


class Book(reader.Book):
    known = 2 * PACKED

    def __init__(self, path):
        super().__init__(path)
        self.hold(struct.unpack_from("<Q", self.file, 16)[0] & PACKED, "not a packed book")
        self.hold(list(self.sections)[:2] == ["PACK", "PAGE"], "B-30: PACK and PAGE are not the first sections")
        self.columns = [tag for tag in COLUMNS if tag in self.sections]
        at, length = self.sections["PACK"][:2]
        pack, checksum = self.file[at:at + length], struct.unpack_from("<Q", self.file, 256 + 24)[0]
        self.hold(len(pack) >= 40 and (not xxh3_64_intdigest or xxh3_64_intdigest(pack) == checksum), "B-29: PACK is damaged")
        self.salt = checksum
        self.open_pack(pack)
        self.at, length, _, homes, _ = self.sections["PAGE"]
        self.pages = length // PAGE
        self.hold(homes == -(-(1 << self.k) // self.page_buckets), "B-29: the home pages are not those of PACK")
        self.hold(length % PAGE == 0 and 0 <= self.pages - homes <= 2, "B-30: the pages")
        for tag in ("POSN", "MOVE"):
            self.hold(self.sections.get(tag, [0, 0])[1] % 24 == 0, "B-30: the length of " + tag)
        self.hold(("DICT" in self.sections) == ("GAME" in self.columns), "B-30: DICT and GAME")
        self.games, self.games_length = self.sections.get("DICT", (0, 0))[:2]
        self.hold(self.games_length % 16 == 0, "B-30: the length of DICT")
        self.told = "GAME" in self.columns and len(self.columns) > 1
        self.swap = "GAME" in self.columns and "RTNG" in self.columns
        self.g = (self.games_length // 16).bit_length()

    def open_pack(self, pack):
        """Section 3."""
        fields = struct.unpack_from("<IIIBBBBhHIII8x", pack)
        self.k, self.group_buckets, self.page_buckets, self.c, self.m, self.e, self.p, self.least, share, pairs, codes, count = fields
        all_bits = 64 - self.bits
        self.hold(4 <= self.k <= min(56, all_bits) and 4 <= self.group_buckets <= 32, "B-29: buckets")
        self.hold(1 <= self.page_buckets <= min(1 << self.k, 150 * self.group_buckets) and self.c <= 6 and self.e <= 16, "B-29: parameters")
        classes = (1 << self.c) - 1
        self.hold(share == self.bits and len(pack) == 40 + 12 * classes + 2 * codes + 2 * pairs + 16 * count, "B-29: the length of PACK")
        self.hold(count == sum(len(FIELDS[tag]) for tag in self.columns if tag != "GAME"), "B-29: the fields of the columns")
        self.hold((self.m, self.p) == tuple((n - 1).bit_length() if n else 0 for n in (codes, pairs)), "B-29: widths")
        self.w, self.groups = all_bits - self.k, -(-self.page_buckets // self.group_buckets)
        self.classes = [struct.unpack_from("<III", pack, 40 + 12 * i) for i in range(classes)]
        at = 40 + 12 * classes
        self.codes = struct.unpack_from(f"<{codes}H", pack, at)
        at += 2 * codes
        self.pairs = [tuple(pack[at + 2 * i:at + 2 * i + 2]) for i in range(pairs)]
        self.fields = [struct.unpack_from("<QQ", pack, at + 2 * pairs + 16 * i) for i in range(count)]
        used = [triple for triple in self.classes if triple != (0xFFFFFFFF,) * 3]
        self.hold(self.classes[:len(used)] == used and all(max(triple) <= 15 for triple in used), "B-29: classes")
        ascending = all(a < b for a, b in zip(self.pairs, self.pairs[1:]))
        self.hold(len(set(self.codes)) == codes and ascending and all(flags < 32 for _, flags in self.pairs), "B-29: codes or pairs")
        self.hold(all(width <= 64 for _, width in self.fields), "B-29: the width of a field")

    def page(self, number):
        """The page, its `back`, and its starts: section 4."""
        page = self.file[self.at + PAGE * number:self.at + PAGE * (number + 1)]
        good = not xxh3_64_intdigest or struct.pack("<Q", xxh3_64_intdigest(page[:ROOM])) == page[ROOM:]
        self.hold(good, f"B-31: page {number} is damaged")
        back, count, place = struct.unpack_from("<HHI", page)
        self.hold(place == (self.salt + number) % (1 << 32), f"B-31: another page stands in the place of page {number}")
        self.hold(1 <= count and 8 + 2 * count <= ROOM, "B-32: the groups of a page")
        return page, back, struct.unpack_from(f"<{count}H", page, 8)

    def entries(self, key=None):
        """All entries, or that of a key: (h, position, [(code, counts and marks, values of the cells)])."""
        if key is None:
            for number in range(self.pages):
                page, back, starts = self.page(number)
                for i, start in enumerate(starts):
                    yield from self.group(page, start, *divmod(number * self.groups - back + i, self.groups))
        elif mix(key) >> 64 - self.bits == self.number:
            home, bucket = divmod((mix(key) & (1 << 64 - self.bits) - 1) >> self.w, self.page_buckets)
            for i in range(min(3, self.pages - home)):
                page, back, starts = self.page(home + i)
                place = bucket // self.group_buckets + back - i * self.groups
                if 0 <= place < len(starts):
                    found = self.group(page, starts[place], home, bucket // self.group_buckets)
                    yield from (entry for entry in found if entry[0] == mix(key))

    def group(self, page, start, home, place):
        """The entries of a group: section 5."""
        bits = Bits(page[start:ROOM])
        n = bits.take(8)
        if n == 255:
            return self.large(page, start)
        return self.small(bits, n, home * self.page_buckets + place * self.group_buckets,
                          min(self.group_buckets, self.page_buckets - place * self.group_buckets))

    def small(self, bits, n, first, buckets):
        of = []
        for bucket in range(first, first + buckets) if n else ():
            while bits.take(1):
                of.append(bucket)
        self.hold(len(of) == n, "B-32: the entries of a group")
        numbers = [0] * n
        for plane in range(self.c):
            numbers = [number | bits.take(1) << plane for number in numbers]
        hashes = [(self.number << 64 - self.bits) | bucket << self.w | bits.take(self.w) for bucket in of]
        short = [i for i in range(n) if numbers[i] < len(self.classes)]
        codes = {i: self.code(bits) for i in short if "MOVE" in self.sections}
        evaluated = [i for i in range(n) if self.pairs and bits.take(1)]
        evaluations = {i: self.evaluation(bits) for i in evaluated}
        told = [bool(self.told and bits.take(1)) for i in short]
        games = [(bits.take(self.g), bits.take(self.swap)) for i in short]
        fields = [() if all_ else [self.value(bits, *field) for field in self.fields] for all_ in told]
        triples = [self.classes[numbers[i]] for i in short]
        cells = {i: self.cells(*of) for i, *of in zip(short, told, games, triples, fields)}
        sizes = {}
        for i in range(n):
            if i not in cells:
                size = bits.bytes(1)[0]
                sizes[i] = size if size < 255 else struct.unpack("<H", bits.bytes(2))[0]
        entries = []
        for i, h in enumerate(hashes):
            if i in cells:
                counts = self.classes[numbers[i]]
                self.hold(counts[0] <= 15, "B-32: a class without a triple")
                position, moves = counts if "POSN" in self.sections else None, [(codes[i], counts + (0,), cells[i])] if i in codes else []
            else:
                position, moves = self.record(Bits(bits.bytes(sizes[i])))
            entries.append((h, position and position + evaluations.get(i, (NONE, 0, 0)), moves))
        return entries

    def code(self, bits):
        number = bits.take(self.m)
        self.hold(number < len(self.codes), "B-32: the number of a move")
        return self.codes[number]

    def evaluation(self, bits):
        value, pair = bits.take(self.e), bits.take(self.p)
        self.hold(pair < len(self.pairs) and (not value or self.least + value - 1 < 32768), "B-32: an evaluation")
        return (self.least + value - 1 if value else NONE,) + self.pairs[pair]

    @staticmethod
    def value(bits, least, width):
        number = bits.take(width)
        return number and least + number - 1

    def cells(self, told, game, counts, fields):
        """The fields of all cells of a move: section 5.2."""
        if "GAME" not in self.columns:
            return list(fields)
        number, swapped = game
        self.hold(number <= self.games_length // 16, "B-32: the number of a game")
        value, first, last, a, b = struct.unpack_from("<QHHHH", self.file, self.games + 16 * (number - 1)) if number else (0,) * 5
        games, fields = sum(counts[:3]), list(fields)
        ratings = [games * (b if swapped else a), games * (a if swapped else b), games, 2 * counts[0] + counts[1]] if a or b else [0] * 4
        cells = {"RTNG": ratings, "GAME": [value], "YEAR": [first, last]}
        for tag in self.columns:
            if not told and tag != "GAME":
                cells[tag] = [fields.pop(0) for _ in FIELDS[tag]]
        return [value for tag in self.columns for value in cells[tag]]

    def record(self, bits):
        """Section 6."""
        both, position, moves, left = "POSN" in self.sections and "MOVE" in self.sections, None, [], None
        if bits.take(1) if both else "POSN" in self.sections:
            position = bits.counts(1)
        count = bits.gamma() - (position is not None) if "MOVE" in self.sections else 0
        within, exact, marks, zero = [bits.take(1) for _ in range(4)] if count else [0] * 4
        self.hold(position or not within, "B-32: the flags of a record")
        left = position
        for i in range(count):
            code = self.code(bits)
            mark = bits.take(8) if marks else 0
            if not within:
                counts = bits.counts(zero)
            elif exact and i + 1 == count:
                counts = left
            else:
                games = bits.gamma() - zero
                wins = bits.take(min(games, left[0]).bit_length())
                draws = bits.take(min(max(games - wins, 0), left[1]).bit_length())
                counts = wins, draws, games - wins - draws
            if within:
                left = tuple(a - b for a, b in zip(left, counts))
            self.hold(min(counts + (left if within else ())) >= 0, "B-32: counts of a record")
            told, game, fields = bool(self.told and bits.take(1)), (bits.take(self.g), bits.take(self.swap)), []
            for _ in () if told else self.fields:
                width = bits.take(7)
                fields.append(1 << width - 1 | bits.take(width - 1) if width else 0)
            moves.append((code, counts + (mark,), self.cells(told, game, counts, fields)))
        return position, moves

    def large(self, page, start):
        """The rows of a large group: section 5.1."""
        self.hold(start + 25 <= ROOM, "B-32: a group goes beyond its page")
        at_position, at_move, positions, moves = struct.unpack_from("<QQII", page, start + 1)
        for tag, at, count in (("POSN", at_position, positions), ("MOVE", at_move, moves)):
            self.hold(at + count <= self.sections.get(tag, [0, 0])[1] // 24, "B-32: the rows of a large group")
        entries = {}
        for slot in range(at_position, at_position + positions):
            h, *row = self.row("POSN", slot)
            entries[h] = (h, tuple(row), [])
        for slot in range(at_move, at_move + moves):
            h, wins, draws, losses, code, marks, _ = self.row("MOVE", slot)
            cells = b"".join(self.cell(tag, slot) for tag in self.columns)
            values = [int.from_bytes(part, "little") for part in self.parts(cells)]
            entries.setdefault(h, (h, None, []))[2].append((code, (wins, draws, losses, marks), values))
        return [entries[h] for h in sorted(entries)]

    def cell(self, tag, slot):
        size = COLUMNS[tag][1]
        return self.file[self.sections[tag][0] + size * slot:][:size]

    def parts(self, cells):
        at = 0
        for size in (size for tag in self.columns for size in FIELDS[tag]):
            yield cells[at:at + size]
            at += size

    def lines(self, key=None):
        entries = list(self.entries(key))
        for h, position, _ in entries:
            if position:
                wins, draws, losses, value, depth, flags = position
                yield f"position {unmix(h):016x} {wins} {draws} {losses} {'-' if value == NONE else value} {depth} {flags:02x}"
        for h, _, moves in entries:
            for code, (wins, draws, losses, marks), values in moves:
                yield f"move {unmix(h):016x} {code:04x} {wins} {draws} {losses} {marks:02x}"
                for tag in self.columns:
                    self.hold(all(value < 1 << 8 * size for value, size in zip(values, FIELDS[tag])), "B-32: a cell")
                    cell = b"".join(values.pop(0).to_bytes(size, "little") for size in FIELDS[tag])
                    yield f"{COLUMNS[tag][0]} {unmix(h):016x} {code:04x} {reader.cell_text(tag, cell)}"


if __name__ == "__main__":
    import sys
    reader.main(*sys.argv[1:], book=Book)
