#!/usr/bin/env python3
"""Writes the golden files of the Tabia book format beside itself: books, journals, INDEX.tsv and answers.tsv.

An independent writer, made from ../README.md alone. Needs xxhash from PyPI. The same bytes come out of every run.

    make_golden.py            write everything
    make_golden.py --check    write nothing, fail if a file, or a hex dump in ../README.md, is not as it would be
"""
import struct
import sys
import zlib
from pathlib import Path

import xxhash

HERE = Path(__file__).parent
PAGE, ROW, RATED_ROW = 4096, 24, 48
M64 = (1 << 64) - 1
EMPTY = b"\xff" * ROW
RATED, COUNTS_ONLY = 1, 2  # incompatible features
NONE = -32768  # no eval
TABLES = {"POSN": "PSUM", "MOVE": "MSUM"}


# --- keys (section 2) ------------------------------------------------------------------------------------------------------------

def mix(x):
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & M64
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & M64
    return x ^ x >> 31


def unmix(x):
    x ^= x >> 31 ^ x >> 62
    x = x * 0x319642B2D24D8EC3 & M64
    x ^= x >> 27 ^ x >> 54
    x = x * 0x96DE1B173F119089 & M64
    return x ^ x >> 30 ^ x >> 60


# --- rows (section 4) ------------------------------------------------------------------------------------------------------------
# positions: {key: (wins, draws, losses, eval, depth, flags)}        moves: {(key, move): (wins, draws, losses, marks)}
# rated moves: {(key, move): (wins, draws, losses, marks, sum of the movers' ratings, sum of the opponents', rated games, score)}

def position_row(key, row):
    return struct.pack("<QIIIhBB", mix(key), *row)


def move_row(key, row):
    (key, move), (wins, draws, losses, marks, *ratings) = key, row
    encoded = struct.pack("<QIIIHBB", mix(key), wins, draws, losses, move, marks, 0)
    if ratings:
        movers, opponents, games, score = ratings
        encoded += movers.to_bytes(6, "little") + opponents.to_bytes(6, "little") + struct.pack("<IQ", games, score)
    return encoded


def in_order(tag, rows):
    """The encoded rows of a table in ascending order of h, or of (h, move)."""
    if tag == "POSN":
        return [position_row(key, rows[key]) for key in sorted(rows, key=mix)]
    return [move_row(key, rows[key]) for key in sorted(rows, key=lambda k: (mix(k[0]), k[1]))]


def add(tag, old, new):
    """Two rows merged (section 4.1)."""
    counts = tuple(min(a + b, 0xFFFFFFFF) for a, b in zip(old[:3], new[:3]))
    if tag == "MOVE":
        most = ((1 << 48) - 1, (1 << 48) - 1, 0xFFFFFFFF, M64)
        return counts + (old[3] | new[3],) + tuple(min(a + b, m) for a, b, m in zip(old[4:], new[4:], most))
    evals = [(depth, -value) for value, depth in (old[3:5], new[3:5]) if value != NONE]
    depth, value = max(evals) if evals else (0, -NONE)
    return counts + (-value, depth, old[5] | new[5])


# --- a book (sections 3, 5 and 6) ------------------------------------------------------------------------------------------------

def homes_for(rows, load):
    return max(1, -(-rows * 1000 // load))


def home(row, homes):
    return int.from_bytes(row[:8], "little") * homes >> 64


def lay_out(rows, homes, empty=EMPTY):
    """The slots of a table, and its reach."""
    slots, reach = [], 0
    for row in rows:
        at = max(home(row, homes), len(slots))
        slots += [empty] * (at - len(slots)) + [row]
        reach = max(reach, at - home(row, homes))
    return b"".join(slots + [empty] * (homes + reach - len(slots))), reach


def filter_body(positions):
    """The filter of a positions table (section 5.1)."""
    blocks = max(1, -(-10 * len(positions) // 512))
    words = [[0] * 8 for _ in range(blocks)]
    for h in map(mix, positions):
        mixed = h * 0x9E3779B97F4A7C15 & M64
        for i in range(8):
            words[h * blocks >> 64][i] |= 1 << (mixed >> 16 + 6 * i & 63)
    return b"".join(struct.pack("<8Q", *block) for block in words)


def source_entry(digest, games, name):
    return digest + struct.pack("<QII", games, len(name), 0) + name + bytes(-len(name) % 8)


def sources_body(sources):
    return struct.pack("<Q", len(sources)) + b"".join(source_entry(*s) for s in sorted(sources))


def block_sums(body):
    blocks = (body[at:at + PAGE] for at in range(0, len(body), PAGE))
    return b"".join(struct.pack("<Q", xxhash.xxh3_64_intdigest(block)) for block in blocks)


def digest_of(page):
    page = bytearray(page)
    page[88:128], page[4092:] = bytes(40), bytes(4)
    return xxhash.xxh3_128_digest(bytes(page))  # canonical: the most significant byte first


def text(name):
    return name.encode().ljust(16, b"\0")


class Book:
    """What a book holds, and as keyword arguments everything that an invalid one has otherwise.

    filter=True      there is a filter of the positions
    rated=True       moves have ratings
    counts=True      counts without results

    tweak={tag: f}   f changes the body of a section before it is summed
    entry={tag: {}}  values of a section's entry: rows, homes, reach, wins, draws, losses, length, size, checksum
    header=f         changes the header page before its digest and crc are computed
    digested=f       ... after the digest        sealed=f   ... after the crc
    image=f          changes the file, copy of the header included
    """

    def __init__(self, positions=None, moves=None, sources=(), load=800, **more):
        self.positions, self.moves, self.sources, self.load, self.more = positions, moves, list(sources), load, more

    def tables(self):
        return [(tag, rows) for tag, rows in (("POSN", self.positions), ("MOVE", self.moves)) if rows is not None]

    def sections(self):
        """(tag, body, fields of the entry) of each section."""
        tweak, wrong = self.more.get("tweak", {}), self.more.get("entry", {})
        sections = []
        if self.more.get("filter"):
            sections.append(("FILT", tweak.get("FILT", bytes)(filter_body(self.positions or {})), {}))
        for tag, rows in self.tables():
            encoded = in_order(tag, rows)
            said = len(rows) + self.more.get("extra_rows", 0)
            homes = wrong.get(tag, {}).get("homes_laid_out", homes_for(said, self.load))
            size = RATED_ROW if tag == "MOVE" and self.more.get("rated") else ROW
            body, reach = lay_out(encoded, homes, b"\xff" * size)
            body, reach = body + EMPTY * self.more.get("extra_reach", 0), reach + self.more.get("extra_reach", 0)
            body = tweak.get(tag, bytes)(body)
            totals = {n: sum(row[i] for row in rows.values()) & M64 for i, n in enumerate(("wins", "draws", "losses"))}
            sections.append((tag, body, dict(size=size, checksum=0, rows=said, homes=homes, reach=reach, **totals)))
            sections.append((TABLES[tag], tweak.get(TABLES[tag], bytes)(block_sums(body)), {}))
        sections += self.more.get("optional", [])
        sections.append(("SRCS", tweak.get("SRCS", bytes)(sources_body(self.sources)), {}))
        sections += self.more.get("after_sources", [])
        for tag, body, fields in self.more.get("order", lambda s: s)(sections):
            fields = dict(dict(length=len(body), checksum=xxhash.xxh3_64_intdigest(body)), **fields)
            yield tag, body, dict(fields, **wrong.get(tag, {}))

    def encode(self):
        more, pages, entries, at = self.more, [], [], PAGE
        for tag, body, f in self.sections():
            names = ("length", "checksum", "rows", "homes", "reach", "wins", "draws", "losses")
            entries.append(struct.pack("<4sI", tag.encode(), f.get("size", 0)) + struct.pack("<Q", f.get("offset", at)))
            entries[-1] += struct.pack("<8Q", *(f.get(n, 0) for n in names)) + bytes(16)
            pages.append(body + bytes(-len(body) % PAGE))
            at += len(pages[-1])
        page = bytearray(PAGE)
        page[0:32] = struct.pack("<8sIIQQ", b"\x89TABIA\r\n", 1, PAGE, self.features(), more.get("compatible", 1 if more.get("filter") else 0))
        page[32:65] = text(more.get("game", "chess")) + text(more.get("keys", "polyglot")) + bytes([more.get("keyed", 0)])
        page[68:88] = struct.pack("<IIIQ", self.load, PAGE, len(entries), at + PAGE)
        page[104:128] = more.get("parent", bytes(16)) + struct.pack("<Q", more.get("sequence", 0))
        page[256:256 + 96 * len(entries)] = b"".join(entries)
        more.get("header", len)(page)
        page[88:104] = digest_of(page)
        more.get("digested", len)(page)
        page[4092:] = struct.pack("<I", zlib.crc32(page[:4092]))
        more.get("sealed", len)(page)
        file = bytearray(bytes(page) + b"".join(pages) + bytes(page))
        return bytes(more.get("image", lambda f: None)(file) or file)

    def features(self):
        known = (RATED if self.more.get("rated") else 0) | (COUNTS_ONLY if self.more.get("counts") else 0)
        return self.more.get("incompatible", known)

    def digest(self):
        return self.encode()[88:104]

    def but(self, **more):
        """This book, with these differences."""
        fields = {n: more.pop(n, getattr(self, n)) for n in ("positions", "moves", "sources", "load")}
        return Book(**fields, **{**self.more, **more})

    def after(self, frames):
        """The contents with the frames of a journal applied (section 7)."""
        tables, sources = {tag: dict(rows) for tag, rows in self.tables()}, list(self.sources)
        for sequence, parts in frames:
            for operation, tag, rows in parts if sequence > self.more.get("sequence", 0) else ():
                tag = "MOVE" if tag == "RATED" else tag
                if operation == "sources":
                    sources += rows
                for key in rows if operation == "delete" else ():
                    tables[tag].pop(key, None)
                for key, row in rows.items() if operation in ("add", "put") else ():
                    merge = operation == "add" and key in tables[tag]
                    tables[tag][key] = add(tag, tables[tag][key], row) if merge else row
        return self.but(positions=tables.get("POSN"), moves=tables.get("MOVE"), sources=sources)


def answers(book):
    """Everything a book holds as lines, and a few keys that it doesn't."""
    lines, keys = ["digest " + book.digest().hex()], set()
    for tag, rows in book.tables():
        if tag == "POSN":
            for key in sorted(rows, key=mix):
                wins, draws, losses, value, depth, flags = rows[key]
                value = "-" if value == NONE else value
                lines.append(f"position {key:016x} {wins} {draws} {losses} {value} {depth} {flags:02x}")
                keys.add(key)
        else:
            for key, move in sorted(rows, key=lambda k: (mix(k[0]), k[1])):
                wins, draws, losses, marks, *ratings = rows[key, move]
                ratings = "".join(f" {number}" for number in ratings)
                lines.append(f"move {key:016x} {move:04x} {wins} {draws} {losses} {marks:02x}{ratings}")
                keys.add(key)
    for digest, games, name in sorted(book.sources):
        lines.append(f"source {digest.hex()} {games} {name.decode()}")
    hashes = sorted(map(mix, keys))
    near = [h + step for h in hashes[:2] + hashes[-2:] for step in (-1, 1) if 0 <= h + step <= M64]
    for key in [unmix(h) for h in near] + [0, M64, unmix(M64), 0x0123456789ABCDEF]:
        if key not in keys:
            keys.add(key)
            lines.append(f"absent {key:016x}")
    return lines


# --- a journal (section 7) -------------------------------------------------------------------------------------------------------

OPERATIONS = {"add": 1, "put": 2, "delete": 3, "sources": 4}


def part(operation, tag, rows, body=None, **wrong):
    """rows: as in a book; for a delete a list of keys; for sources a list of them. body: instead of the encoded rows. tag: RATED for moves with ratings."""
    if operation == "sources":
        table, size, encoded = 0, 0, [source_entry(*s) for s in rows]
    else:
        zero = (0,) * {"POSN": 6, "MOVE": 4, "RATED": 8}[tag]
        rows = {key: zero for key in rows} if operation == "delete" else rows
        table, size, encoded = 1 if tag == "POSN" else 2, RATED_ROW if tag == "RATED" else ROW, in_order(tag, rows)
    body = b"".join(encoded) if body is None else body
    count = wrong.get("count", len(encoded))
    length = wrong.get("length", len(body))
    return struct.pack("<BBHIQ", wrong.get("code", OPERATIONS[operation]), table, wrong.get("size", size), count, length) + body


def frame(sequence, parts, **wrong):
    """parts: tuples (operation, tag, rows), or bytes."""
    parts = [p if isinstance(p, bytes) else part(*p) for p in parts]
    body = b"".join(parts)
    fields = struct.pack("<QQII", wrong.get("length", len(body)), sequence, zlib.crc32(body) ^ wrong.get("body", 0), wrong.get("number", len(parts)))
    return b"FRAM" + struct.pack("<I", zlib.crc32(fields) ^ wrong.get("head", 0)) + fields + body


def journal(base, first, *frames, magic=b"\x89TABJL\r\n", version=1, crc=0, incompatible=0, compatible=0, reserved=0):
    fields = struct.pack("<QQ16sQQ", incompatible, compatible, base, first, reserved)
    return magic + struct.pack("<II", version, zlib.crc32(fields) ^ crc) + fields + b"".join(frames)


# --- the files -------------------------------------------------------------------------------------------------------------------

files, index, answer_lines = {}, [], []
images = {}  # of all books, patched ones included


def emit(name, expect, rule, about, base="-", patch="-"):
    index.append((name, expect, rule, about, base, patch))


def answer(name, beside, book):
    answer_lines.extend((name, beside, line) for line in answers(book))


def valid_book(name, book, about):
    files[name] = images[name] = book.encode()
    emit(name, "valid", "-", about)
    answer(name, "-", book)
    return book


def bad_book(name, expect, book, about, base=None):
    """An invalid book: a file, or with `base` a patch of that one."""
    rule = "-".join([name[0].upper(), str(int(name[2:4]))])
    name, image = name + ".tabia", book.encode() if isinstance(book, Book) else bytes(book)
    assert image not in images.values(), name
    images[name] = image
    if base is None:
        files[name] = image
        emit(name, expect, rule, about)
    else:
        emit(name, expect, rule, about, base, patch_of(images[base], image))


def patch_of(old, new):
    """What makes `new` of `old`: the length if it differs (cut, or extended with zeros), then runs of bytes."""
    patch = [] if len(old) == len(new) else [f"length={len(new)}"]
    old = old[:len(new)].ljust(len(new), b"\0")
    differ = [i for i in range(len(new)) if old[i] != new[i]]
    while differ:
        run = 1
        while run < len(differ) and differ[run] - differ[run - 1] <= 4:
            run += 1
        patch.append(f"{differ[0]}={new[differ[0]:differ[run - 1] + 1].hex()}")
        differ = differ[run:]
    assert patch and sum(map(len, patch)) < 2000
    return " ".join(patch)


def put(offset, new):
    """Changes a page, a body or a file at an offset."""
    def change(bytes_):
        changed = bytearray(bytes_)
        changed[offset:offset + len(new)] = new
        if isinstance(bytes_, bytearray):
            bytes_[:] = changed
        return bytes(changed)
    return change


def u32(n):
    return struct.pack("<I", n)


def u64(n):
    return struct.pack("<Q", n & M64)


START, E4, E4_D5 = 0x463B96181691FC9C, 0x823C9B50FD114196, 0x0756B94461C50FB0  # Polyglot's own test positions
H_MAX = unmix(M64)  # the key whose h is 2^64 - 1


def archive(content, games, name):
    return xxhash.xxh3_128_digest(content.encode()), games, name.encode()


ONE_SOURCE = [archive("1. e4 1-0\n", 1, "one.pgn")]
SOURCES = [archive("a", 12, "partidas-españolas.pgn"), archive("b", 40_000_000_000, "Партии.pgn.zst"), archive("c", 0, ""),
           archive("d", 7, "定跡-🂡.sgf"), archive("b", 40_000_000_000, "Партии.pgn.zst"), archive("b", 3, "x" * 4096)]


def small_positions():
    rows = {0: (1, 2, 3, NONE, 0, 0), M64: (0, 0, 0, 0, 0, 0x10), H_MAX: (9, 8, 7, 32767, 255, 0x1F & ~0x06)}
    rows[START] = (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 31, 40, 0x10)
    rows[E4] = (0, 0xFFFFFFFE, 1, -32767, 1, 0x01)
    for i in range(6):  # the first homes, the middle and the last: collisions, some displaced far, some past the last home
        rows[unmix(i + 1)] = (i, 0, 0, -i, i, 0x02 if i == 3 else 0)
        rows[unmix((1 << 63) + i)] = (0, i, 0, NONE, 0, 0x08 if i % 2 else 0)
        rows[unmix(M64 - 1 - i)] = (0, 0, i, 0, 0, 0x04 if i == 4 else 0)
    for i in range(20):
        r = mix(1000 + i)
        rows[mix(r)] = (r & 0xFFF, r >> 12 & 0xFFF, r >> 24 & 0xFFF, (r >> 36 & 0x3FF) - 512, r >> 48 & 0x3F, r >> 60 & 1)
    return rows


def small_moves():
    rows = {(0, 0): (1, 0, 0, 0), (0, 0xFFFF): (0, 1, 0, 0xFF), (M64, 796): (0, 0, 1, 1), (H_MAX, 0xFFFF): (5, 5, 5, 0x40)}
    rows[H_MAX, 1] = (0xFFFFFFFF, 0, 0xFFFFFFFF, 0x80)
    for i in range(70):  # one position with many moves
        rows[START, mix(i) & 0xFFFF] = (i, 2 * i, 3 * i, 1 << i % 8)
    for i in range(4):
        rows[unmix((1 << 63) + i), 731 + i] = (1, i, 0, 0)
        rows[0x1111111111111111 * (i + 1), 900] = (i, i, i, 0)  # moves of positions that the other table lacks
    return rows


def rated_moves():
    """The same moves with ratings, some sums as great as they can be."""
    most = ((1 << 48) - 1, (1 << 48) - 2, 0xFFFFFFFF, M64)
    return {key: row + (most if row[0] > 100 else (2000 * row[0], 1900 * row[0], row[0], 2 * row[0])) for key, row in small_moves().items()}


def many(n):
    return {mix(n + i): (i % 7, i % 5, i % 3, NONE if i % 4 else i, 0 if i % 4 else 9, 0) for i in range(n)}


def the_valid_books():
    valid_book("empty.tabia", Book({}, {}), "both tables, no rows, no sources")
    one = valid_book("one-row.tabia", Book({START: (3, 2, 1, 25, 20, 0x10)}, None, ONE_SOURCE), "one position, no moves table")
    valid_book("small.tabia", Book(small_positions(), small_moves(), SOURCES),
               "keys 0 and 2^64-1, h 0 and 2^64-1, displaced rows, 70 moves, saturated counts, sources of UTF-8 names, one of them twice")
    valid_book("positions-load-500.tabia", Book(small_positions(), None, [], 500, game="othello", keys="zobrist-1", keyed=1),
               "positions only, load 0.5, another game, keyed by line")
    valid_book("moves-load-980.tabia", Book(None, small_moves(), ONE_SOURCE, 980, game="a234567890-45678", keys="z"),
               "moves only, load 0.98, a game's name of 16 letters")
    valid_book("blocks.tabia", Book(many(400), None, ONE_SOURCE), "a table of three blocks, the last one short")
    optional = one.but(optional=[("NOTE", b"of a later version", {})], after_sources=[("ZZZZ", b"", {})])
    valid_book("optional-sections.tabia", optional, "two sections of unknown tags: one before SRCS, one behind it and of no bytes")
    valid_book("filter.tabia", Book(many(400), None, ONE_SOURCE, filter=True), "a filter of eight blocks, the last one short of rows")
    valid_book("filter-one-row.tabia", one.but(filter=True), "a filter of one block")
    valid_book("filter-empty.tabia", Book({}, {}, filter=True), "no rows, and a filter of one block")
    feature = one.but(compatible=1 << 63 | 1 << 17)
    images["compatible-features.tabia"] = feature.encode()
    emit("compatible-features.tabia", "valid", "-", "unknown compatible feature bits 17 and 63", "one-row.tabia",
         patch_of(images["one-row.tabia"], feature.encode()))
    answer("compatible-features.tabia", "-", feature)
    example = Book({START: (2, 1, 1, NONE, 0, 0x10), E4: (1, 0, 2, -30, 18, 0)},
                   {(START, 731): (0, 1, 0, 0), (START, 796): (2, 0, 1, 0x01), (E4, 3234): (1, 0, 2, 0)},
                   [archive("1. e4 c5 1-0\n1. e4 c5 1-0\n1. e4 c5 0-1\n1. d4 1/2-1/2\n", 4, "café.pgn")],
                   parent=xxhash.xxh3_128_digest(b"the book before"), sequence=10)
    files["example.tabia"] = images["example.tabia"] = example.encode()
    emit("example.tabia", "valid", "-", "the worked example: two positions, three moves, a source, a parent, sequence 10")
    answer("example.tabia", "-", example)
    rated = Book({START: (2, 1, 1, NONE, 0, 0)}, {(START, 731): (0, 1, 0, 0, 0, 0, 0, 0), (START, 796): (2, 0, 1, 0x01, 4731, 4590, 2, 2)},
                 [archive("1. e4 1-0\n1. e4 1-0\n1. e4 0-1\n1. d4 1/2-1/2\n", 4, "club.pgn")], rated=True)
    valid_book("rated-example.tabia", rated, "the worked example of a book with ratings")
    valid_book("rated.tabia", Book(small_positions(), rated_moves(), SOURCES, rated=True), "moves with ratings in two blocks, saturated sums, ratings of no game")
    valid_book("rated-empty.tabia", Book(None, {}, rated=True), "moves with ratings, no rows")
    valid_book("rated-load-980.tabia", Book(None, rated_moves(), ONE_SOURCE, 980, rated=True), "moves with ratings only, load 0.98")
    counts = valid_book("counts.tabia", Book({START: (0, 4, 0, 31, 9, 0), E4: (0, 3, 0, NONE, 0, 0)},
                                             {(START, 731): (0, 1, 0, 0), (START, 796): (0, 3, 0, 0x01)}, ONE_SOURCE, counts=True), "counts without results")
    valid_book("counts-rated.tabia", counts.but(moves={(START, 731): (0, 1, 0, 0, 2410, 2390, 1, 1), (START, 796): (0, 3, 0, 0x01, 0, 0, 0, 0)}, rated=True),
               "counts without results, moves with ratings")
    return one, example, rated, counts


def the_invalid_books(one, example, rated, counts):
    def refused(name, book, about, base=None):
        bad_book(name, "open-refused", book, about, base)

    def found(name, book, about, base=None):
        bad_book(name, "check-finds", book, about, base)

    x, y = "one-row.tabia", "example.tabia"
    image = one.encode()
    wrong_magic = put(0, b"\x89TABIA\n\n")
    refused("b-01-magic", one.but(header=wrong_magic), "line ends of the magic changed, crc made to match")
    refused("b-01-damaged-magic", one.but(sealed=wrong_magic), "the same, with the crc of the right magic", x)
    refused("b-01-empty", b"", "a file of no bytes")
    refused("b-01-text", b"1. e4 e5 2. Nf3 *\n", "a file that is something else")
    refused("b-02-crc", one.but(sealed=put(4092, b"\0\0\0\0")), "the crc", x)
    refused("b-02-flipped-bit", one.but(sealed=put(124, b"\1")), "one bit of `sequence`", x)
    refused("b-03-version", one.but(header=put(8, u32(2))), "version 2", x)
    refused("b-03-page-size", one.but(header=put(12, u32(8192))), "page size 8192", x)
    refused("b-03-block-size", one.but(header=put(72, u32(8192))), "block size 8192", x)
    refused("b-04-incompatible", one.but(header=put(16, u64(4))), "incompatible feature bit 2", x)
    refused("b-04-incompatible-known", rated.but(header=put(16, u64(RATED | 1 << 40))), "incompatible feature bit 40 beside one that is known", "rated-example.tabia")
    refused("b-04-incompatible-63", one.but(header=put(16, u64(1 << 63))), "incompatible feature bit 63", x)
    refused("b-05-cut", one.but(image=lambda f: f[:-PAGE]), "the last page is missing")
    refused("b-05-cut-in-header", one.but(image=lambda f: f[:1000]), "only the first 1,000 bytes", x)
    refused("b-05-extended", one.but(image=lambda f: f + bytes(PAGE)), "a page too many", x)
    refused("b-05-one-byte", one.but(image=lambda f: f + b"\0"), "a byte too many", x)
    refused("b-05-not-whole-pages", one.but(header=put(80, u64(len(image) + 8)), image=lambda f: f + bytes(8)),
            "the file is as long as the header says, but that is no multiple of 4096", x)

    swap = one.but(order=lambda s: [s[2], s[0], s[1]])
    refused("b-06-order", swap, "SRCS stands first")
    filtered = one.but(filter=True)
    refused("b-06-filter-late", filtered.but(order=lambda s: [s[1], s[2], s[0], s[3]]), "FILT behind POSN and PSUM", "filter-one-row.tabia")
    refused("b-06-no-sources", one.but(order=lambda s: s[:2]), "no SRCS", x)
    refused("b-06-no-table", one.but(order=lambda s: s[2:]), "neither POSN nor MOVE", x)
    refused("b-06-no-sums", one.but(order=lambda s: [s[0], s[2]]), "POSN without PSUM", x)
    refused("b-06-sums-alone", example.but(order=lambda s: [s[0], s[1], s[3], s[4]]), "MSUM without MOVE", y)
    refused("b-06-tables-swapped", example.but(order=lambda s: [s[2], s[3], s[0], s[1], s[4]]), "MOVE before POSN", y)
    refused("b-06-unknown-between", one.but(order=lambda s: [s[0], ("NOTE", b"", {}), s[1], s[2]]), "an unknown section between POSN and PSUM", x)
    refused("b-06-twice", one.but(order=lambda s: s + [s[2]]), "two SRCS", x)
    refused("b-06-unknown-twice", one.but(optional=[("NOTE", b"", {})], after_sources=[("NOTE", b"", {})]), "the same unknown tag twice", x)
    refused("b-06-tag", one.but(optional=[("Note", b"", {})]), "a tag with small letters", x)
    refused("b-06-count-0", one.but(header=put(76, u32(0))), "section count 0", x)
    refused("b-06-count-40", one.but(header=put(76, u32(40))), "section count 40", x)
    refused("b-06-count-huge", one.but(header=put(76, u32(0xFFFFFFFF))), "section count 2^32-1", x)
    refused("b-06-offset", one.but(entry={"SRCS": dict(offset=PAGE)}), "SRCS overlaps POSN", x)
    refused("b-06-offset-unaligned", one.but(entry={"SRCS": dict(offset=3 * PAGE + 8)}), "SRCS does not start on a page", x)
    refused("b-06-hole", one.but(entry={"SRCS": dict(offset=4 * PAGE)}, header=put(80, u64(len(image) + PAGE)),
                              image=lambda f: f[:3 * PAGE] + bytes(PAGE) + f[3 * PAGE:]), "a page between PSUM and SRCS belongs to neither", x)
    refused("b-06-length", one.but(entry={"SRCS": dict(length=PAGE + 8)}), "SRCS reaches into the last page", x)
    refused("b-06-length-overflow", one.but(entry={"SRCS": dict(length=-PAGE & M64)}), "offset + length is above 2^64", x)
    refused("b-06-end", one.but(image=lambda f: f[:-PAGE] + bytes(PAGE) + f[-PAGE:], header=put(80, u64(len(image) + PAGE))),
            "a page between SRCS and the last page", x)

    refused("b-07-length", one.but(entry={"POSN": dict(length=72)}), "POSN says 3 slots, homes + reach are 2")
    refused("b-07-row-size", one.but(entry={"POSN": dict(size=40)}), "row size 40", x)
    refused("b-07-rated-no-moves", one.but(incompatible=RATED), "the feature of ratings, but no moves", x)
    refused("b-07-rated-plain", example.but(incompatible=RATED), "the feature of ratings, but moves rows of 24 bytes", y)
    refused("b-07-rated-unsaid", rated.but(incompatible=0), "moves rows of 48 bytes, but not the feature of ratings", "rated-example.tabia")
    refused("b-07-rated-40", rated.but(entry={"MOVE": dict(size=40)}), "moves rows of 40 bytes with the feature of ratings", "rated-example.tabia")
    refused("b-07-rated-half", rated.but(entry={"MOVE": dict(length=144 - 24)}), "moves with ratings end within a slot", "rated-example.tabia")
    refused("b-07-odd-length", one.but(entry={"POSN": dict(length=50)}), "POSN is not a whole number of slots", x)
    refused("b-07-reach", one.but(entry={"POSN": dict(reach=1)}), "reach is one more than the slots allow", x)
    refused("b-07-overflow", one.but(entry={"POSN": dict(reach=1 << 61)}), "24 x (homes + reach) is the length, modulo 2^64", x)
    refused("b-07-sum-overflow", one.but(entry={"POSN": dict(reach=M64)}), "homes + reach is above 2^64", x)
    refused("b-07-homes-0", one.but(entry={"POSN": dict(homes=0, reach=2)}), "no homes (breaks B-8 too)", x)
    refused("b-07-rows", one.but(entry={"POSN": dict(rows=3)}), "more rows than slots (breaks B-8 too)", x)
    refused("b-07-sums", one.but(entry={"PSUM": dict(length=16)}), "PSUM has two sums for one block", x)
    refused("b-08-homes", one.but(entry={"POSN": dict(homes_laid_out=3)}), "3 homes for one row at load 0.8, laid out for 3")
    refused("b-08-empty", Book({}, {}, entry={"MOVE": dict(homes_laid_out=2)}), "2 homes for no rows", "empty.tabia")
    refused("b-07-rows-huge", one.but(entry={"POSN": dict(rows=M64)}), "rows 2^64-1, and rows x 1000 overflows (breaks B-8 too)", x)
    refused("b-09-game", one.but(game="Chess"), "a game's name with a capital letter", x)
    refused("b-09-game-empty", one.but(game=""), "no game", x)
    refused("b-09-game-after-nul", one.but(header=put(40, b"x")), "a letter after the NUL of the game's name", x)
    refused("b-09-keys", one.but(keys="poly glot"), "a space in the name of the keys", x)
    refused("b-09-keyed", one.but(keyed=2), "keyed 2", x)
    refused("b-09-load-low", one.but(load=499), "load 0.499, laid out for it", x)
    refused("b-09-load-high", one.but(load=981), "load 0.981", x)
    refused("b-09-load-0", one.but(header=put(68, u32(0))), "load 0 (B-8 can't be computed)", x)
    refused("b-10-reserved-128", one.but(header=put(255, b"\1")), "a reserved byte before the section table", x)
    refused("b-10-reserved-65", one.but(header=put(66, b"\1")), "a reserved byte after keyed", x)
    refused("b-10-after-sections", one.but(header=put(256 + 3 * 96, b"\1")), "a byte after the last entry", x)
    refused("b-10-before-crc", one.but(header=put(4091, b"\1")), "the byte before the crc", x)
    refused("b-10-entry", one.but(header=put(256 + 95, b"\1")), "a reserved byte of POSN's entry", x)
    refused("b-10-table-checksum", one.but(entry={"POSN": dict(checksum=1)}), "a table's entry has a checksum", x)
    refused("b-10-sources-rows", one.but(entry={"SRCS": dict(rows=1)}), "SRCS has rows", x)
    refused("b-10-sums-row-size", one.but(entry={"PSUM": dict(size=8)}), "PSUM has a row size", x)
    refused("b-11-digest", one.but(digested=put(88, bytes(16))), "a digest of zeros, crc made to match", x)
    refused("b-11-load", example.but(header=put(68, u32(790)), digested=put(88, example.digest())),
            "the load is another one that gives the same homes, the digest is the old one", y)

    refused("b-20-alone", Book(None, {(START, 796): (0, 0, 1, 0)}, ONE_SOURCE, filter=True), "a filter without positions")
    refused("b-20-long", filtered.but(tweak={"FILT": lambda b: b + bytes(64)}), "a block too many", "filter-one-row.tabia")
    refused("b-20-empty", filtered.but(tweak={"FILT": lambda b: b""}), "a filter of no bytes", "filter-one-row.tabia")
    found("b-12-last-page", one.but(image=put(len(image) - PAGE, bytes(PAGE))), "the last page is zero")
    found("b-12-one-bit", one.but(image=put(len(image) - PAGE + 120, b"\1")), "one bit of the last page", x)
    flip = lambda at: lambda body: put(at, bytes([body[at] ^ 1]))(body)
    found("b-13-sum", one.but(tweak={"PSUM": flip(3)}), "the sum of the only block")
    blocks = Book(many(400), None, ONE_SOURCE)
    found("b-13-last-block", blocks.but(tweak={"PSUM": flip(16)}), "the sum of the short last block", "blocks.tabia")
    e4 = move_row((START, 796), (2, 0, 1, 1))
    found("b-13-row", example.but(image=lambda f: f.replace(e4, e4[:-2] + b"\3\0")), "the marks of a moves row", y)
    found("b-14-sources", one.but(entry={"SRCS": dict(checksum=1)}), "the checksum of SRCS")
    found("b-14-sums", one.but(entry={"PSUM": dict(checksum=1)}), "the checksum of PSUM", x)
    optional = one.but(optional=[("NOTE", b"unknown", dict(checksum=1))])
    found("b-14-unknown", optional, "the checksum of an unknown section", x)
    found("b-15-table", one.but(image=put(PAGE + 48, b"\1")), "a byte after POSN")
    found("b-15-sources", one.but(image=put(4 * PAGE - 1, b"\1")), "the last byte of the page of SRCS", x)

    three = Book({unmix(h << 60): (h, 0, 0, NONE, 0, 0) for h in (1, 2, 9)}, None, ONE_SOURCE)  # 4 homes: rows in slots 0, 1, 2
    swapped = lambda b: b[24:48] + b[:24] + b[48:]
    found("b-16-order", three.but(tweak={"POSN": swapped}), "two rows of the same home are swapped")
    three_rows = "b-16-order.tabia"
    found("b-16-late", three.but(tweak={"POSN": lambda b: b[:48] + b[72:96] + b[48:72] + b[96:]}),
          "a row stands a slot behind where it belongs, after an empty slot", three_rows)
    far = Book({unmix(h << 60): (h, 0, 0, NONE, 0, 0) for h in (4, 5, 6)}, None, ONE_SOURCE)  # all in home 1
    found("b-16-early", far.but(tweak={"POSN": lambda b: b[24:48] + b[:24] + b[48:]}), "a row stands before its home", three_rows)
    twice = in_order("POSN", {START: (1, 0, 0, NONE, 0, 0)})[0]
    double = Book({START: (1, 0, 0, NONE, 0, 0), START + 1: (1, 0, 0, NONE, 0, 0)}, None, ONE_SOURCE)
    found("b-16-twice", double.but(tweak={"POSN": lambda b: lay_out([twice, twice], 3)[0]}, entry={"POSN": dict(reach=1)}),
          "the same key twice", three_rows)
    found("b-16-moves-order", example.but(tweak={"MOVE": moves_swapped}), "two moves of one position are swapped", y)

    found("b-17-wins", one.but(entry={"POSN": dict(wins=4)}), "wins of the entry")
    found("b-17-draws", one.but(entry={"POSN": dict(draws=0)}), "draws of the entry", x)
    found("b-17-losses", one.but(entry={"POSN": dict(losses=M64)}), "losses of the entry", x)
    found("b-17-rows", one.but(extra_rows=1), "the entry counts a row more than there are, laid out for it", x)
    found("b-17-reach", one.but(extra_reach=1), "the entry has a reach that no row has", x)
    found("b-18-flags", Book({START: (3, 2, 1, 25, 20, 0x20)}, None, ONE_SOURCE), "a reserved flag")
    found("b-18-depth", Book({START: (3, 2, 1, NONE, 20, 0x10)}, None, ONE_SOURCE), "a depth without an eval", x)
    found("b-18-empty", one.but(tweak={"POSN": lambda b: b.replace(EMPTY, b"\xfe" + EMPTY[1:])}),
          "a slot that ends in ff, but is not all ff", x)
    found("b-18-move-reserved", example.but(tweak={"MOVE": lambda b: b.replace(e4, e4[:-1] + b"\1")}),
          "the reserved byte of a moves row", y)

    rated_e4 = move_row((START, 796), rated.moves[START, 796])
    change = lambda old, at, byte: lambda b: b.replace(old, old[:at] + byte + old[at + 1:])
    found("b-18-rated-reserved", rated.but(tweak={"MOVE": change(rated_e4, 23, b"\1")}), "the reserved byte of a moves row with ratings", "rated-example.tabia")
    found("b-18-rated-empty", rated.but(tweak={"MOVE": change(b"\xff" * RATED_ROW, 47, b"\xfe")}), "an empty slot of moves with ratings that is not all ff",
          "rated-example.tabia")
    found("b-13-rated", rated.but(image=lambda f: f.replace(rated_e4, rated_e4[:24] + b"\1" + rated_e4[25:])), "a sum of ratings", "rated-example.tabia")
    found("b-16-rated-order", rated.but(tweak={"MOVE": lambda b: b[48:96] + b[:48] + b[96:]}), "two moves with ratings are swapped", "rated-example.tabia")
    found("b-17-rated-draws", rated.but(entry={"MOVE": dict(draws=7)}), "draws of the entry of moves with ratings", "rated-example.tabia")
    found("b-22-wins", counts.but(positions={START: (1, 3, 0, 31, 9, 0), E4: (0, 3, 0, NONE, 0, 0)}), "a win in a book without results", "counts.tabia")
    found("b-22-losses", counts.but(positions={START: (0, 3, 1, 31, 9, 0), E4: (0, 3, 0, NONE, 0, 0)}), "a loss", "counts.tabia")
    found("b-22-moves", counts.but(moves={(START, 731): (0, 1, 0, 0), (START, 796): (1, 1, 1, 0x01)}), "a win and a loss of a move", "counts.tabia")
    found("b-21-missing", filtered.but(tweak={"FILT": lambda b: bytes(64)}), "a filter that lets nothing pass: its book has a row", "filter-one-row.tabia")
    found("b-21-too-many", filtered.but(tweak={"FILT": lambda b: b"\xff" * 64}), "a filter that lets everything pass", "filter-one-row.tabia")

    def sources(change):
        return one.but(tweak={"SRCS": change})
    found("b-19-order", one.but(sources=SOURCES[:1] + ONE_SOURCE, tweak={"SRCS": lambda b: sources_swapped(SOURCES[:1] + ONE_SOURCE)}),
          "two sources are swapped")
    found("b-19-count", sources(put(0, u64(2))), "a source fewer than the count says", x)
    found("b-19-count-huge", sources(put(0, u64(M64))), "count 2^64-1", x)
    found("b-19-rest", sources(lambda b: b + bytes(8)), "8 bytes after the last source", x)
    found("b-19-name-length", sources(put(8 + 24, u32(9))), "a name that ends outside the section", x)
    found("b-19-name-too-long", Book(small_positions(), small_moves(), SOURCES[:-1] + [SOURCES[-1][:2] + (b"x" * 4097,)]),
          "a name of 4,097 bytes", "small.tabia")
    found("b-19-not-utf-8", sources(put(8 + 32, b"\xff")), "a name that is not UTF-8", x)
    found("b-19-reserved", sources(put(8 + 28, b"\1")), "the reserved bytes of a source", x)
    found("b-19-padding", sources(lambda b: b[:-1] + b"\1"), "the padding of a source", x)
    found("m-03-conflict", Book({START: (3, 2, 1, 25, 20, 0x05)}, None, ONE_SOURCE),
          "proven win and proven loss in one row: the book reads and merges as any other", x)


def moves_swapped(body):
    slots = [body[at:at + ROW] for at in range(0, len(body), ROW)]
    for i in range(1, len(slots)):
        if slots[i] != EMPTY and slots[i][:8] == slots[i - 1][:8]:
            slots[i - 1:i + 1] = slots[i], slots[i - 1]
    return b"".join(slots)


def sources_swapped(sources):
    return struct.pack("<Q", len(sources)) + b"".join(source_entry(*s) for s in sorted(sources, reverse=True))


def the_journals(example, rated, counts):
    base, parent, y = example.digest(), example.more["parent"], "example.tabia"
    one_frame = (11, [("add", "POSN", {START: (0, 0, 1, NONE, 0, 0), E4: (1, 0, 0, NONE, 0, 0), E4_D5: (0, 0, 1, 12, 9, 0)}),
                      ("add", "MOVE", {(START, 796): (0, 0, 1, 0), (E4, 3299): (1, 0, 0, 0)}),
                      ("sources", None, [archive("1. e4 d5 0-1\n", 1, "new.pgn")])])
    several = [one_frame,
               (12, [("put", "POSN", {START: (7, 7, 7, -5, 30, 0x02), 1: (1, 1, 1, NONE, 0, 0)}), ("delete", "MOVE", [(START, 731), (5, 5)]),
                     ("put", "MOVE", {(E4, 3299): (9, 0, 0, 0x82)})]),
               (13, []),
               (14, [("add", "POSN", {START: (0xFFFFFFFF, 0, 0, -9, 30, 0x10), E4: (0, 0, 0, 77, 17, 0)}), ("add", "POSN", {}),
                     ("delete", "POSN", [E4_D5])]),
               (15, [("add", "POSN", {E4_D5: (0, 1, 0, NONE, 0, 0), H_MAX: (1, 0, 0, NONE, 0, 0), 0: (0, 0, 1, 0, 0, 0)}),
                     ("add", "MOVE", {(H_MAX, 0xFFFF): (1, 0, 0, 0)}),
                     ("sources", None, [archive("z", 1, "z.pgn"), archive("y", 2, "y.pgn")])])]

    def encoded(frames):
        return [frame(*f) for f in frames]

    def valid(name, bytes_, about, frames=()):
        name += "" if name.endswith("journal") else ".tabia-journal"
        files[name] = bytes_
        emit(name, "valid", "-", about, y)
        answer(y, name, example.after(frames))

    def valid_beside(book, beside, name, frames, about):
        name += ".tabia-journal"
        files[name] = journal(book.digest(), 1, *encoded(frames))
        emit(name, "valid", "-", about, beside)
        answer(beside, name, book.after(frames))

    def refused(name, bytes_, about, beside=y):
        rule = "-".join([name[0].upper(), str(int(name[2:4]))])
        files[name + ".tabia-journal"] = bytes_
        emit(name + ".tabia-journal", "journal-refused", rule, about, beside)

    valid("example.tabia-journal", journal(base, 11, *encoded([one_frame])), "the worked example: one frame, a game added", [one_frame])
    valid("journal-several", journal(base, 11, *encoded(several)), "add, put, delete and sources in five frames, one of them empty", several)
    valid("journal-empty", journal(base, 11), "no frames")
    valid("journal-unfinished-0", b"", "creation never finished: no bytes")
    valid("journal-unfinished-10", journal(base, 11)[:10], "creation never finished: 10 bytes")
    valid("journal-unfinished-zero", bytes(64), "creation never finished: 64 zeros")
    valid("journal-unfinished-zeros", bytes(4096), "creation never finished: 4,096 zeros")
    valid("journal-compatible", journal(base, 11, *encoded([one_frame]), compatible=1 << 40), "an unknown compatible feature bit", [one_frame])
    stale = [(9, one_frame[1]), (10, [("delete", "POSN", [START])])]
    valid("journal-stale", journal(parent, 9, *encoded(stale)), "stale: extends the parent, last sequence 10 is the book's")
    valid("journal-stale-same-digest", journal(base, 9, *encoded(stale)), "stale: extends a book of the same contents, last sequence 10")
    valid("journal-stale-empty", journal(parent, 11), "stale: extends the parent, no frames")
    valid("journal-stale-torn", journal(parent, 9, *encoded(stale), b"FRAM"), "stale, with a torn tail")
    skipped = stale + several[:2]
    valid("journal-skipped", journal(base, 9, *encoded(skipped)), "frames 9 and 10 are in the book already, 11 and 12 are not (J-7)", skipped)
    f11, f12 = encoded(several[:2])
    valid("journal-torn-header", journal(base, 11, f11, f12[:31]), "a torn tail: 31 bytes of a frame header", [one_frame])
    valid("journal-torn-body", journal(base, 11, f11, f12[:-1]), "a torn tail: the last byte of frame 12 is missing", [one_frame])
    valid("journal-torn-zeros", journal(base, 11, f11, bytes(len(f12))), "a torn tail: the length was synced, the bytes were not", [one_frame])
    valid("journal-torn-crc", journal(base, 11, f11, f12[:40] + bytes(8) + f12[48:]), "a torn tail: 8 bytes of frame 12 are zero", [one_frame])
    valid("journal-torn-odd", journal(base, 11, f11, b"\1\2\3"), "a torn tail of 3 bytes", [one_frame])

    refused("j-01-magic", journal(base, 11, f11, magic=b"\x89TABIA\r\n"), "the magic of a book")
    refused("j-01-version", journal(base, 11, f11, version=2), "version 2")
    refused("j-01-crc", journal(base, 11, f11, crc=1), "the crc")
    refused("j-01-incompatible", journal(base, 11, f11, incompatible=1), "an unknown incompatible feature bit")
    refused("j-01-reserved", journal(base, 11, f11, reserved=1), "the reserved bytes")
    refused("j-02-foreign", journal(xxhash.xxh3_128_digest(b"another book"), 11, f11), "the journal of another book")
    refused("j-02-foreign-old", journal(xxhash.xxh3_128_digest(b"another book"), 9, *encoded(stale)), "the journal of another book, sequences 9 and 10")
    refused("j-03-parent-not-stale", journal(parent, 10, frame(10, []), f11), "extends the parent, but its last sequence is above the book's")
    refused("j-04-jump", journal(base, 11, f11, frame(13, [])), "sequence 13 after 11, at the end")
    refused("j-04-back", journal(base, 11, f11, frame(11, [])), "sequence 11 twice")
    refused("j-04-first", journal(base, 11, f12), "`first` is 11, its first frame 12")
    refused("j-04-gap-to-book", journal(base, 12, f12), "the book holds sequence 10, the journal begins with 12")
    refused("j-04-gap", journal(base, 11, f11, bytes(8), f12), "8 zero bytes between two frames")
    good = frame(12, [])

    def bad_frame(name, parts, about, **wrong):
        refused("j-05-" + name, journal(base, 11, frame(11, parts, **wrong), good), about + "; a good frame follows")
    add_start = ("add", "POSN", {START: (1, 0, 0, NONE, 0, 0)})
    bad_frame("body-crc", [add_start], "the body crc", body=1)
    bad_frame("header-crc", [add_start], "the header crc", head=1)
    refused("j-05-magic", journal(base, 11, b"fram" + f11[4:], good), "the magic of a frame; a good frame follows")
    bad_frame("length", [add_start], "the length of the frame ends in the next one", length=48)
    bad_frame("length-past-end", [add_start], "the length of the frame ends behind the file", length=1 << 32)
    bad_frame("length-overflow", [add_start], "the length of the frame is 2^64-8", length=M64 - 7)
    bad_frame("parts", [add_start], "two parts instead of one", number=2)
    bad_frame("parts-fewer", [add_start], "no parts instead of one", number=0)
    bad_frame("count", [part(*add_start, count=2)], "a part of one row says two")
    bad_frame("part-length", [part(*add_start, length=48)], "a part's length ends behind the frame")
    bad_frame("operation", [part(*add_start, code=9)], "operation 9")
    bad_frame("row-size", [part(*add_start, size=40)], "row size 40")
    bad_frame("row", [("add", "POSN", {START: (1, 0, 0, NONE, 0, 0x80)})], "a row with a reserved flag")
    bad_frame("empty-row", [part("add", "POSN", {}, body=EMPTY, count=1)], "an empty slot as a row")
    r, c = "rated-example.tabia", "counts.tabia"
    d4, e4, e4_d5 = (START, 731), (START, 796), (E4, 3299)
    rated_frames = [(1, [("add", "POSN", {START: (1, 0, 0, NONE, 0, 0)}), ("add", "RATED", {e4: (1, 0, 0, 0, 2300, 2400, 1, 2), e4_d5: (0, 0, 1, 0, 2400, 2300, 1, 0)})]),
                    (2, [("add", "RATED", {e4: (0, 1, 0, 2, (1 << 48) - 1, 5, 0xFFFFFFFF, M64), d4: (0, 0, 0, 0, 0, 0, 0, 0)})]),
                    (3, [("put", "RATED", {e4_d5: (1, 0, 0, 0, 0, 0, 0, 0)}), ("delete", "RATED", [d4])])]
    valid_beside(rated, r, "rated-example", rated_frames[:1], "the worked example: a rated game added")
    valid_beside(rated, r, "journal-rated", rated_frames, "moves with ratings: add, put and delete, sums that saturate")
    counted = [(1, [("add", "POSN", {START: (0, 1, 0, NONE, 0, 0)}), ("put", "MOVE", {e4: (0, 9, 0, 0)}), ("delete", "MOVE", [d4])])]
    valid_beside(counts, c, "journal-counts", counted, "counts without results")
    plain, wide = ("add", "MOVE", {e4: (0, 1, 0, 0)}), ("add", "RATED", {e4: (0, 1, 0, 0, 2000, 2000, 1, 1)})
    refused("j-05-rated-reserved", journal(rated.digest(), 1, frame(1, [part("add", "RATED", {}, count=1,
            body=rated_row_of(e4, 23, 1))])), "the reserved byte of a moves row with ratings", r)
    refused("j-05-rated-delete-rest", journal(rated.digest(), 1, frame(1, [part("delete", "RATED", {}, count=1, body=rated_row_of(e4, 40, 1))])),
            "a delete with a score", r)
    refused("j-05-rated-count", journal(rated.digest(), 1, frame(1, [part(*wide, count=2)])), "a part of one row with ratings says two", r)
    refused("j-05-rated-twice", journal(rated.digest(), 1, frame(1, [wide, ("delete", "RATED", [e4])])), "add and delete of the same move with ratings", r)
    refused("j-08-rated", journal(base, 11, frame(11, [wide])), "moves with ratings for a book of moves without")
    refused("j-08-plain", journal(rated.digest(), 1, frame(1, [plain])), "moves without ratings for a book of moves with ratings", r)
    refused("j-08-rated-no-moves", journal(images_digest("one-row.tabia"), 1, frame(1, [wide])), "moves with ratings for a book without a moves table",
            "one-row.tabia")
    refused("j-09-wins", journal(counts.digest(), 1, frame(1, [("add", "POSN", {E4: (1, 0, 0, NONE, 0, 0)})])), "a win for a book without results", c)
    refused("j-09-losses", journal(counts.digest(), 1, frame(1, [("put", "MOVE", {e4: (0, 1, 1, 0)})])), "a loss, put, for a book without results", c)
    two = in_order("POSN", {START: (1, 0, 0, NONE, 0, 0), E4: (1, 0, 0, NONE, 0, 0)})
    bad_frame("order", [part("add", "POSN", {}, body=two[1] + two[0], count=2)], "two rows are swapped")
    bad_frame("order-across-parts", [part("add", "POSN", {}, body=two[1], count=1), part("add", "POSN", {}, body=two[0], count=1)],
              "two parts of the same operation and table are not in order")
    bad_frame("twice", [add_start, ("delete", "POSN", [START])], "add and delete of the same row")
    bad_frame("delete-rest", [part("delete", "POSN", [], body=two[0], count=1)], "a delete with counts")
    bad_frame("source-name", [part("sources", None, [], body=source_entry(bytes(16), 1, b"\xff"), count=1)], "a source's name is not UTF-8")
    refused("j-08-moves", journal(images_digest("one-row.tabia"), 1, frame(1, [("add", "MOVE", {(START, 796): (1, 0, 0, 0)})])),
            "moves for a book without a moves table", "one-row.tabia")
    refused("j-08-positions", journal(images_digest("moves-load-980.tabia"), 1, frame(1, [("delete", "POSN", [START])])),
            "a delete of positions for a book without a positions table", "moves-load-980.tabia")


def rated_row_of(key, at, byte):
    """A moves row with ratings and nothing else, but one byte."""
    row = bytearray(move_row(key, (0,) * 8))
    row[at] = byte
    return bytes(row)


def images_digest(name):
    return images[name][88:104]


# --- out -------------------------------------------------------------------------------------------------------------------------

def make():
    one, example, rated, counts = the_valid_books()
    the_invalid_books(one, example, rated, counts)
    the_journals(example, rated, counts)
    rows = [("file", "expect", "rule", "about", "base", "patch")] + index
    files["INDEX.tsv"] = "".join("\t".join(row) + "\n" for row in rows).encode()
    rows = [("book", "journal", "line")] + answer_lines
    files["answers.tsv"] = "".join("\t".join(row) + "\n" for row in rows).encode()


def wrong_dumps():
    """Lines of the hex dumps in ../README.md that are not what the files hold."""
    name, wrong = None, []
    for line in (HERE / "../README.md").read_text(encoding="utf-8").split("\n"):
        if line.startswith("```"):
            name = line[3:] if line[3:] in files else None
        elif name and line:
            at, bytes_ = int(line[:8], 16), bytes.fromhex(line[10:82])
            wrong += [] if bytes_ and files[name][at:at + len(bytes_)] == bytes_ else [f"{name}: {line}"]
    return wrong


def main():
    make()
    ours = {p.name for p in HERE.iterdir() if p.suffix in (".tabia", ".tabia-journal", ".tsv")}
    if "--check" in sys.argv:
        wrong = [n for n in sorted(ours | set(files)) if n not in ours or files.get(n) != (HERE / n).read_bytes()]
        sys.exit("\n".join(["these differ:"] + wrong + wrong_dumps()) if wrong or wrong_dumps() else 0)
    for name in ours - set(files):
        (HERE / name).unlink()
    for name, bytes_ in files.items():
        (HERE / name).write_bytes(bytes_)
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes, {len(index)} in INDEX.tsv")


if __name__ == "__main__":
    main()
