#!/usr/bin/env python3
"""check_journals.py [FOLDER]: reads every golden journal as section 8 of ../README.md says, and compares what it and its book hold.

A second implementation, which shares nothing with writer.py but the text: it shows that the golden journals are right. Needs xxhash
from PyPI. Prints each difference, and exits with 1 if there is any.
"""
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import xxhash

import check_reader

HERE = Path(__file__).parent
reader = check_reader.Python(check_reader.Golden(HERE)).plain_reader
M48, M32, M64 = (1 << 48) - 1, (1 << 32) - 1, (1 << 64) - 1
COLUMNS = {"RTNG": 24, "GAME": 8, "YEAR": 4}


class Refused(Exception):
    """A journal that is refused: its rule."""


def hold(good, rule):
    if not good:
        raise Refused(rule)


# --- frames (8.1, 8.3, 8.4) --------------------------------------------------------------------------------

def unfinished(bytes_):
    start = b"\x89TABJL\r\n" + struct.pack("<I", 1)
    if not any(bytes_):
        return True
    known = bytes_.rstrip(b"\0")
    features = bytes_[16:32]
    whole = len(bytes_) == 64 and zlib.crc32(bytes_[16:]) == struct.unpack_from("<I", bytes_, 12)[0]
    return len(bytes_) <= 64 and (known[:12] == start[:len(known)]) and not any(features) and not whole


class Frames:
    """The good frames of a journal: (sequence, number of parts, length, body)."""

    def __init__(self, bytes_):
        self.bytes, self.good = bytes_, []
        hold(bytes_[:8] == b"\x89TABJL\r\n" and len(bytes_) >= 64, "J-1")
        version, crc, incompatible = struct.unpack_from("<IIQ", bytes_, 8)
        self.base, self.first, salt = struct.unpack_from("<16sQQ", bytes_, 32)
        self.salt = bytes_[56:64]
        hold(version == 1 and crc == zlib.crc32(bytes_[16:64]) and not incompatible, "J-1")
        hold(salt == xxhash.xxh3_64_intdigest(bytes_[32:56]), "J-1")
        self.walk(64, self.first, crc)

    def header(self, at):
        """(header crc, length, sequence, body crc, parts, previous, reserved) if a header of this journal is there."""
        bytes_ = self.bytes[at:at + 40]
        if len(bytes_) < 40 or bytes_[:4] != b"FRAM":
            return None
        fields = struct.unpack("<IQQIIII", bytes_[4:])
        return fields if zlib.crc32(self.salt + bytes_[8:]) == fields[0] else None

    def walk(self, at, sequence, previous):
        while at < len(self.bytes):
            header = self.header(at)
            body = header and self.bytes[at + 40:at + 40 + header[1]]
            if not header or header[5] != previous or at + 40 + header[1] > len(self.bytes) or zlib.crc32(body) != header[3]:
                return self.torn_or_damaged(at, sequence, previous, header)
            hold(header[2] == sequence, "J-4")
            self.good.append((sequence, header[4], header[1], header[6], body))
            at, sequence, previous = at + 40 + header[1], sequence + 1, header[0]

    def torn_or_damaged(self, at, sequence, previous, header):
        hold(not header or header[2] <= sequence, "J-4")
        sound = header and header[2] == sequence and header[5] == previous
        found = self.bytes.find(b"FRAM", at + 1)
        while found >= 0:
            other = self.header(found)
            if other and other[2] == sequence:
                hold(other[5] != previous, "J-4")
            elif other and other[2] > sequence:
                hold(other[2] == sequence + 1 and sound and other[5] != header[0], "J-5")
            found = self.bytes.find(b"FRAM", found + 1)

    def last(self):
        return self.good[-1][0] if self.good else self.first - 1


# --- what a book holds, and what frames do to it (4.1, 6, 7, 8.2) ------------------------------------------

class Contents:
    """Rows as {(h, move): [row, {column: cell}]}, bytes as in the file; sources and facts as lists."""

    def __init__(self, book):
        self.book, self.rows = book, {}
        self.columns = {table: [(tag, self.cell_size(tag)) for tag in book.sections if self.beside(tag) == table and tag != "TAGS"]
                        for table in ("POSN", "MOVE")}
        for table in ("POSN", "MOVE"):
            if table in book.sections:
                at = book.sections[table][0]
                self.rows[table] = {}
                for slot in book.slots(table):
                    row = book.file[at + 24 * slot:at + 24 * slot + 24]
                    cells = {tag: self.cell(tag, size, slot) for tag, size in self.columns[table]}
                    self.rows[table][self.key(table, row)] = [row, cells]
        self.sources, self.facts = list(book.sources()), set(book.facts())

    def entry(self, tag):
        at = 256 + 96 * list(self.book.sections).index(tag)
        return self.book.file[at:at + 96]

    def beside(self, tag):
        return self.entry(tag)[80:84].decode("latin-1").strip("\0")

    def cell_size(self, tag):
        return struct.unpack_from("<I", self.entry(tag), 4)[0]

    def cell(self, tag, size, slot):
        at = self.book.sections[tag][0] + size * slot
        return self.book.file[at:at + size]

    @staticmethod
    def key(table, row):
        h, move = struct.unpack_from("<Q12xH", row)
        return (h, move if table == "MOVE" else 0)

    def frame(self, parts, length, reserved, body, applies):
        hold(length % 8 == 0 and reserved == 0, "J-5")
        at, touched, last = 0, set(), {}
        for _ in range(parts):
            hold(at + 16 <= len(body), "J-5")
            operation, table, size, count, length = struct.unpack_from("<BBHIQ", body, at)
            end = at + 16 + length
            hold(end <= len(body) and not any(body[end:end + -length % 8]), "J-5")
            content = body[at + 16:end]
            if operation in (4, 5):
                hold(table == 0 and size == 0, "J-5")
                self.entries(operation, count, content, applies)
            else:
                hold(operation in (1, 2, 3) and table in (1, 2), "J-5")
                self.part(operation, ("POSN", "MOVE")[table - 1], size, count, content, applies, touched, last)
            at = end + -length % 8
        hold(at == len(body), "J-5")

    def part(self, operation, table, size, count, content, applies, touched, last):
        columns = self.columns[table]
        hold(table in self.rows and size == 24 + sum(width for _, width in columns), "J-8")
        hold(len(content) == size * count, "J-5")
        at = 24 * count
        cells = [{} for _ in range(count)]
        for tag, width in columns:
            for number in range(count):
                cells[number][tag] = content[at:at + width]
                at += width
        for number in range(count):
            row = content[24 * number:24 * number + 24]
            key = self.key(table, row)
            hold(self.valid(operation, table, row, cells[number]), "J-5")
            hold(last.get((operation, table), (-1, 0)) < key and (table, key) not in touched, "J-5")
            last[operation, table] = key
            touched.add((table, key))
            counts = struct.unpack_from("<III", row, 8)
            hold(not self.book.file[16] & 2 or not counts[0] and not counts[2], "J-9")
            hold(key[0] >> 64 - self.book.bits == self.book.number, "J-10")
            if applies:
                self.apply(operation, table, key, row, cells[number])

    @staticmethod
    def valid(operation, table, row, cells):
        if operation == 3:
            rest = row[8:20] + (row[22:] if table == "MOVE" else row[20:])
            return not any(rest) and not any(map(any, cells.values()))
        if table == "MOVE":
            return row[23] == 0
        return row[23] < 32 and (row[20:22] != b"\0\x80" or row[22] == 0)

    def apply(self, operation, table, key, row, cells):
        rows = self.rows[table]
        if operation == 3:
            rows.pop(key, None)
        elif operation == 1 and key in rows:
            rows[key] = [merged_row(table, rows[key][0], row), {tag: merged_cell(tag, rows[key][1][tag], cells[tag]) for tag in cells}]
        else:
            rows[key] = [row, cells]

    def entries(self, operation, count, content, applies):
        at = 0
        for _ in range(count):
            n, m = struct.unpack_from("<II", content.ljust(at + 32, b"\xff"), at + (24 if operation == 4 else 16))
            head, length = (32, n) if operation == 4 else (24, n + m)
            text = content[at + head:at + head + length]
            hold(len(text) == length and (m == 0 and n <= 4096 if operation == 4 else 1 <= n <= 64 and m <= 65536), "J-5")
            subject, padding = content[at:at + 16], content[at + head + length:at + head + length + -length % 8]
            hold(len(padding) == -length % 8 and not any(padding), "J-5")
            try:
                entry = (subject, struct.unpack_from("<Q", content, at + 16)[0], text.decode()) if operation == 4 else (subject,
                                                                                                                        text[:n].decode(), text[n:].decode())
            except UnicodeDecodeError:
                raise Refused("J-5") from None
            hold(operation == 4 or set(entry[1]) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-"), "J-5")
            if applies:
                self.sources.append(entry) if operation == 4 else self.facts.add(entry)
            at += head + length + -length % 8
        hold(at == len(content), "J-5")

    def lines(self):
        for table in self.rows:
            for (h, move), (row, cells) in sorted(self.rows[table].items(), key=lambda item: item[0]):
                wins, draws, losses, value, small, flags = struct.unpack_from("<IIIhBB" if table == "POSN" else "<IIIHBB", row, 8)
                if table == "POSN":
                    yield f"position {reader.unmix(h):016x} {wins} {draws} {losses} {'-' if value == -32768 else value} {small} {flags:02x}"
                    continue
                name = f"{reader.unmix(h):016x} {move:04x}"
                yield f"move {name} {wins} {draws} {losses} {small:02x}"
                for tag, (word, _) in reader.COLUMNS.items():
                    if tag in cells:
                        yield f"{word} {name} {reader.cell_text(tag, cells[tag])}"
        plain = check_reader.Python.plain
        for digest, games, name in sorted(self.sources, key=lambda s: (s[0], s[1], s[2].encode())):
            yield f"source {digest.hex()} {games} {plain(name)}"
        for subject, name, value in sorted(self.facts, key=lambda f: (f[0], f[1].encode(), f[2].encode())):
            yield f"fact {subject.hex()} {name} {plain(value)}"


def merged_row(table, old, new):
    counts = [min(a + b, M32) for a, b in zip(struct.unpack_from("<III", old, 8), struct.unpack_from("<III", new, 8))]
    if table == "MOVE":
        return old[:8] + struct.pack("<III", *counts) + old[20:22] + bytes([old[22] | new[22], 0])
    (a, a_depth, a_flags), (b, b_depth, b_flags) = struct.unpack_from("<hBB", old, 20), struct.unpack_from("<hBB", new, 20)
    worth = lambda value, depth: (value != -32768, depth, -abs(value), -value)
    value, depth = (a, a_depth) if worth(a, a_depth) >= worth(b, b_depth) else (b, b_depth)
    return old[:8] + struct.pack("<IIIhBB", *counts, value, depth, a_flags | b_flags)


def merged_cell(tag, old, new):
    if tag == "RTNG":
        sums = [min(int.from_bytes(old[a:b], "little") + int.from_bytes(new[a:b], "little"), most)
                for a, b, most in ((0, 6, M48), (6, 12, M48), (12, 16, M32), (16, 24, M64))]
        return b"".join(number.to_bytes(size, "little") for number, size in zip(sums, (6, 6, 4, 8)))
    if tag == "GAME":
        return max(old, new, key=lambda cell: int.from_bytes(cell, "little"))
    if tag == "YEAR":
        (a, b), (c, d) = struct.unpack("<HH", old), struct.unpack("<HH", new)
        return struct.pack("<HH", a and c and min(a, c) or a or c, max(b, d))
    return old  # unknown: never shown


def overlaid(book, bytes_):
    """The contents of a book under a journal. Raises Refused."""
    contents = Contents(book)
    if unfinished(bytes_):
        return contents
    frames = Frames(bytes_)
    digest, parent, sequence = book.file[88:104], book.file[104:120], struct.unpack_from("<Q", book.file, 120)[0]
    of_parent = frames.base == parent and any(parent)
    hold(frames.base == digest or of_parent, "J-2")
    if frames.last() <= sequence and (of_parent or frames.good):
        return contents  # stale
    hold(frames.base == digest, "J-3")
    hold(1 <= frames.first <= sequence + 1, "J-4")
    for number, parts, length, reserved, body in frames.good:
        if number > sequence:
            contents.frame(parts, length, reserved, body, True)
    return contents


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    golden = check_reader.Golden(folder)
    expected, wrong, count = {}, [], 0
    for book, journal, line in golden.table("answers.tsv"):
        if line.split(" ")[0] in ("position", "move", "ratings", "game", "years", "source", "fact"):
            expected.setdefault((book, journal), []).append(line)
    with tempfile.TemporaryDirectory() as temporary:
        for name, expect, rule, _, base, _ in golden.table("INDEX.tsv"):
            if not name.endswith("-journal"):
                continue
            path = Path(temporary, "book")
            path.write_bytes(golden.books[base][0])
            count += 1
            try:
                found = list(overlaid(reader.Book(path), (folder / name).read_bytes()).lines())
                if expect == "journal-refused" or found != expected[base, name]:
                    wrong.append(f"{name}: read, expected {expect} {rule}")
            except Refused as refused:
                if expect != "journal-refused" or str(refused) != rule:
                    wrong.append(f"{name}: refused under {refused}, expected {expect} {rule}")
    print(*wrong, f"{count} journals, {len(wrong)} wrong", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
