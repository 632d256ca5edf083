"""An independent writer of Tabia books and journals, made from ../README.md alone. Needs xxhash from PyPI.

A `Book` says what a book holds, and as keyword arguments everything that an invalid one has otherwise; a `Journal` likewise.
`answers` says what a reader finds in a book.
"""
import struct
import zlib

import xxhash

PAGE, ROW = 4096, 24
M64 = (1 << 64) - 1
EMPTY = b"\xff" * ROW
RETIRED, COUNTS_ONLY, SHARE = 1, 2, 4  # incompatible features
NONE = -32768  # no eval
WHOLE_BOOK = bytes(16)  # the subject of a fact
TABLES = ("POSN", "MOVE")
COLUMNS = {"RTNG": 24, "GAME": 8, "YEAR": 4}  # columns of MOVE, in the order of their sections


# --- keys (section 2) --------------------------------------------------------------------------------------

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


def place(h, homes, share_bits):
    """The home of h, and the lower half of the product."""
    product = (h << share_bits & M64) * homes
    return product >> 64, product & M64


# --- rows and cells (sections 4 and 6) ---------------------------------------------------------------------
# positions: {key: (wins, draws, losses, eval, depth, flags)}
# moves:     {(key, move): (wins, draws, losses, marks)}
# columns:   {"RTNG": {(key, move): (movers, opponents, games, score)}, "GAME": {...: (rank, digest)},
#             "YEAR": {...: (first, last)}}; a row that is missing there has a cell of zeros

def hash_of(key):
    return mix(key[0] if isinstance(key, tuple) else key)


def order(key):
    """The place of a row in its table: by h, or by (h, move)."""
    return (hash_of(key), key[1] if isinstance(key, tuple) else 0)


def encode_row(key, row):
    if isinstance(key, tuple):
        wins, draws, losses, marks = row
        return struct.pack("<QIIIHBB", hash_of(key), wins, draws, losses, key[1], marks, 0)
    return struct.pack("<QIIIhBB", hash_of(key), *row)


def encode_cell(tag, cell):
    if tag == "RTNG":
        movers, opponents, games, score = cell
        return movers.to_bytes(6, "little") + opponents.to_bytes(6, "little") + struct.pack("<IQ", games, score)
    if tag == "GAME":
        return struct.pack("<Q", cell[0] << 48 | cell[1])
    return struct.pack("<HH", *cell) if tag == "YEAR" else cell


def add_rows(old, new):
    """M-1 to M-3."""
    counts = tuple(min(a + b, 0xFFFFFFFF) for a, b in zip(old[:3], new[:3]))
    if len(old) == 4:
        return counts + (old[3] | new[3],)
    evals = [(-depth, abs(value), value) for value, depth in (old[3:5], new[3:5]) if value != NONE]
    depth, _, value = min(evals) if evals else (0, 0, NONE)
    return counts + (value, -depth, old[5] | new[5])


def add_cells(tag, old, new):
    """M-5 to M-7."""
    if tag == "RTNG":
        most = ((1 << 48) - 1, (1 << 48) - 1, 0xFFFFFFFF, M64)
        return tuple(min(a + b, m) for a, b, m in zip(old, new, most))
    if tag == "GAME":
        return max(old, new)
    return min([year for year in (old[0], new[0]) if year], default=0), max(old[1], new[1])


# --- tables (section 5) ------------------------------------------------------------------------------------

def homes_for(rows, load):
    return max(1, -(-rows * 1000 // load))


def slack_for(rows, displacement):
    slack = rows if rows <= 1024 else 1024
    while slack < displacement:
        slack *= 4
    return slack


def lay_out(hashes, homes, share_bits=0):
    """For each slot up to the last row: the number of its row, or None; and the max displacement."""
    slots, displacement = [], 0
    for number, h in enumerate(hashes):
        home = place(h, homes, share_bits)[0]
        at = max(home, len(slots))
        slots += [None] * (at - len(slots)) + [number]
        displacement = max(displacement, at - home)
    return slots, displacement


def tags_body(slots, hashes, homes, share_bits):
    tags = []
    for slot, number in enumerate(slots):
        if number is None:
            tags.append((slot + 1 & 127) << 9)
        else:
            home, low = place(hashes[number], homes, share_bits)
            tags.append((home & 127) << 9 | low >> 55)
    return struct.pack(f"<{len(tags)}H", *tags)


def block_sums(body):
    blocks = (body[at:at + PAGE] for at in range(0, len(body), PAGE))
    return b"".join(struct.pack("<Q", xxhash.xxh3_64_intdigest(block)) for block in blocks)


# --- sources and facts (section 7) -------------------------------------------------------------------------

def source_entry(source):
    digest, games, name = source
    return digest + struct.pack("<QII", games, len(name), 0) + name + bytes(-len(name) % 8)


def fact_entry(fact):
    subject, name, value = fact
    text = name + value
    return subject + struct.pack("<II", len(name), len(value)) + text + bytes(-len(text) % 8)


def list_body(entries):
    return struct.pack("<Q", len(entries)) + b"".join(entries)


# --- a book (section 3) ------------------------------------------------------------------------------------

def digest_of(page):
    page = bytearray(page)
    page[88:128], page[4092:] = bytes(40), bytes(4)
    return xxhash.xxh3_128_digest(bytes(page))  # canonical: the most significant byte first


def name_field(name):
    return name.encode().ljust(16, b"\0")


class Book:
    """What a book holds.

    columns={tag: {key: cell}}     columns of MOVE       tags=True       with the filter of positions
    facts=[(subject, name, value)]                       share=(bits, number)
    counts=True                    counts without results
    unknown=[(tag, table, size, {key: bytes})]           unknown columns, behind all known sections of their table

    What an invalid book has otherwise:
    tweak={tag: f}   f changes the body of a section before it is summed
    entry={tag: {}}  values of a section's entry: offset, rows, homes, displacement, wins, draws, losses, length, size,
                     checksum, beside; homes_laid_out and slack_laid_out for a table that is made so
    extra={tag: n}   the entry counts n rows more, and homes and slack are made for them
    order=f          changes the list of sections: (tag, body, fields)
    header=f         changes the header page before its digest and crc are computed
    digested=f       ... after the digest        sealed=f   ... after the crc
    image=f          changes the file, copy of the header included
    """
    features = 0  # incompatible ones that all of these books have

    def __init__(self, positions=None, moves=None, sources=(), load=800, columns=(), facts=(), **more):
        self.positions, self.moves, self.sources, self.load, self.more = positions, moves, list(sources), load, more
        self.columns, self.facts = dict(columns), sorted(set(facts))

    def rows(self, table):
        return self.positions if table == "POSN" else self.moves

    def tables(self):
        return [table for table in TABLES if self.rows(table) is not None]

    def share(self):
        return self.more.get("share", (0, 0))

    def columns_of(self, table):
        """(tag, bytes of a cell, {key: cell}) of each column, known or not, in the order of the sections."""
        columns = [(tag, COLUMNS[tag], self.columns[tag]) for tag in COLUMNS if tag in self.columns and table == "MOVE"]
        return columns + [(tag, size, cells) for tag, of, size, cells in self.more.get("unknown", ()) if of == table]

    def layout(self, table):
        """Sorted keys, homes, the slots (a number of a row or None), slack included, and the max displacement."""
        keys = sorted(self.rows(table), key=order)
        wrong = self.more.get("entry", {}).get(table, {})
        count = len(keys) + self.more.get("extra", {}).get(table, 0)
        homes = wrong.get("homes_laid_out", homes_for(count, self.load))
        slots, displacement = lay_out([hash_of(key) for key in keys], homes, self.share()[0])
        slack = wrong.get("slack_laid_out", slack_for(count, displacement))
        return keys, homes, slots + [None] * (homes + slack - len(slots)), displacement

    def with_sums(self, tag, body, fields):
        body = self.more.get("tweak", {}).get(tag, bytes)(body)
        sums = self.more.get("tweak", {}).get(tag.lower(), bytes)(block_sums(body))
        return [(tag, body, dict(fields, checksum=0)), (tag.lower(), sums, {})]

    def tags_body(self, keys, homes, slots):
        return tags_body(slots, [hash_of(key) for key in keys], homes, self.share()[0])

    def table_sections(self, table):
        keys, homes, slots, displacement = self.layout(table)
        rows = self.rows(table)
        body = b"".join(EMPTY if number is None else encode_row(keys[number], rows[keys[number]]) for number in slots)
        totals = {name: sum(row[i] for row in rows.values()) & M64 for i, name in enumerate(("wins", "draws", "losses"))}
        count = len(keys) + self.more.get("extra", {}).get(table, 0)
        sections = self.with_sums(table, body, dict(size=ROW, rows=count, homes=homes, displacement=displacement, **totals))
        if table == "POSN" and self.more.get("tags"):
            sections += self.with_sums("TAGS", self.tags_body(keys, homes, slots), dict(size=2, beside="POSN"))
        for tag, size, cells in self.columns_of(table):
            encoded = {key: encode_cell(tag, cell) for key, cell in cells.items()}
            body = b"".join(bytes(size) if number is None else encoded.get(keys[number], bytes(size)) for number in slots)
            sections += self.with_sums(tag, body, dict(size=size, beside=table))
        return sections

    def first_sections(self):
        return []

    def last_sections(self):
        return []

    def sections(self):
        """(tag, body, fields of the entry) of each section."""
        tweak, wrong = self.more.get("tweak", {}), self.more.get("entry", {})
        sections = self.first_sections() + [section for table in self.tables() for section in self.table_sections(table)]
        sections += self.more.get("optional", [])
        sections.append(("SRCS", tweak.get("SRCS", bytes)(list_body([source_entry(s) for s in sorted(self.sources)])), {}))
        sections.append(("FACT", tweak.get("FACT", bytes)(list_body([fact_entry(f) for f in self.facts])), {}))
        sections += self.more.get("behind", []) + self.last_sections()
        for tag, body, fields in self.more.get("order", list)(sections):
            fields = dict(dict(length=len(body), checksum=xxhash.xxh3_64_intdigest(body)), **fields)
            yield tag, body, dict(fields, **wrong.get(tag, {}))

    def header(self, entries, length):
        more, (bits, number) = self.more, self.share()
        features = self.features | (COUNTS_ONLY if more.get("counts") else 0) | (SHARE if bits else 0)
        page = bytearray(PAGE)
        page[0:32] = struct.pack("<8sIIQQ", b"\x89TABIA\r\n", 1, PAGE, more.get("incompatible", features), more.get("compatible", 0))
        page[32:66] = name_field(more.get("game", "chess")) + name_field(more.get("keys", "polyglot")) + bytes([more.get("keyed", 0), bits])
        page[68:88] = struct.pack("<IIIQ", self.load, PAGE, len(entries), length)
        page[104:132] = more.get("parent", bytes(16)) + struct.pack("<QI", more.get("sequence", 0), number)
        page[256:256 + 96 * len(entries)] = b"".join(entries)
        more.get("header", len)(page)
        page[88:104] = digest_of(page)
        more.get("digested", len)(page)
        page[4092:] = struct.pack("<I", zlib.crc32(page[:4092]))
        more.get("sealed", len)(page)
        return bytes(page)

    def encode(self):
        pages, entries, at = [], [], PAGE
        for tag, body, f in self.sections():
            names = ("length", "checksum", "rows", "homes", "displacement", "wins", "draws", "losses")
            entries.append(struct.pack("<4sIQ8Q", tag.encode(), f.get("size", 0), f.get("offset", at), *(f.get(n, 0) for n in names))
                           + f.get("beside", "").encode().ljust(4, b"\0") + bytes(12))
            pages.append(body + bytes(-len(body) % PAGE))
            at += len(pages[-1])
        page = self.header(entries, at + PAGE)
        file = bytearray(page + b"".join(pages) + page)
        return bytes(self.more.get("image", lambda f: None)(file) or file)

    def digest(self):
        return self.encode()[88:104]

    def but(self, **more):
        """This book, with these differences."""
        names = ("positions", "moves", "sources", "load", "columns", "facts")
        return type(self)(**{n: more.pop(n, getattr(self, n)) for n in names}, **{**self.more, **more})

    def of_share(self, bits, number):
        """The share of this (whole) book."""
        def of(rows):
            return rows and {key: row for key, row in rows.items() if hash_of(key) >> 64 - bits == number}
        columns = {tag: of(cells) for tag, cells in self.columns.items()}
        return self.but(positions=of(self.positions), moves=of(self.moves), columns=columns, share=(bits, number))

    def after(self, frames):
        """The contents with the frames of a journal applied (section 8)."""
        rows = {table: dict(self.rows(table)) for table in self.tables()}
        columns, sources, facts = {tag: dict(cells) for tag, cells in self.columns.items()}, list(self.sources), list(self.facts)
        for sequence, parts in frames:
            for operation, table, new, *cells in parts if sequence > self.more.get("sequence", 0) else ():
                sources += new if operation == "sources" else []
                facts += new if operation == "facts" else []
                for key in new if table else ():
                    there = rows[table].get(key)
                    merges = operation == "add" and there is not None
                    for tag in columns if table == "MOVE" else ():
                        zero = {"RTNG": (0,) * 4}.get(tag, (0, 0))
                        cell = cells[0].get(tag, {}).get(key, zero) if cells else zero
                        columns[tag][key] = add_cells(tag, columns[tag].get(key, zero), cell) if merges else cell
                    if operation == "delete":
                        rows[table].pop(key, None)
                    else:
                        rows[table][key] = add_rows(there, new[key]) if merges else new[key]
        return self.but(positions=rows.get("POSN"), moves=rows.get("MOVE"), columns=columns, sources=sources, facts=facts)


def merge(a, b):
    """The book of two books (M-4, M-8, M-9), with the options of the first."""
    parts = [("add", "POSN", b.positions or {})] * (b.positions is not None) + [("add", "MOVE", b.moves or {}, b.columns)] * (b.moves is not None)
    columns = {tag: {} for tag in COLUMNS if tag in a.columns or tag in b.columns}
    whole = a.but(positions=a.positions if b.positions is None else a.positions or {}, moves=a.moves if b.moves is None else a.moves or {},
                  columns={**columns, **a.columns})
    return whole.after([(M64, parts + [("sources", None, b.sources), ("facts", None, b.facts)])])


# --- what a reader finds -----------------------------------------------------------------------------------

def escaped(text):
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def position_line(key, row):
    wins, draws, losses, value, depth, flags = row
    value = "-" if value == NONE else value
    return f"position {key:016x} {wins} {draws} {losses} {value} {depth} {flags:02x}"


def move_lines(book, key):
    """The row of a move, and its cells in the known columns."""
    name = f"{key[0]:016x} {key[1]:04x}"
    wins, draws, losses, marks = book.moves[key]
    yield f"move {name} {wins} {draws} {losses} {marks:02x}"
    cells = {tag: book.columns[tag].get(key, (0, 0, 0, 0)) for tag in book.columns}
    if "RTNG" in cells:
        yield f"ratings {name} {cells['RTNG'][0]} {cells['RTNG'][1]} {cells['RTNG'][2]} {cells['RTNG'][3]}"
    if "GAME" in cells:
        yield f"game {name} {cells['GAME'][0]} {cells['GAME'][1]:012x}"
    if "YEAR" in cells:
        yield f"years {name} {cells['YEAR'][0]} {cells['YEAR'][1]}"


def answers(book, copies=True):
    """Everything a book holds as lines, and a few keys that it doesn't. copies: a new book can be made of it."""
    lines, keys, (bits, number) = [], set(), book.share()
    if copies:
        lines.append("digest " + book.digest().hex())
    if bits:
        lines.append(f"share {bits} {number}")
    for table in book.tables():
        sorted_keys, homes, slots, displacement = book.layout(table)
        if copies:
            lines.append(f"table {'positions' if table == 'POSN' else 'moves'} {len(sorted_keys)} {homes} {displacement} {len(slots)}")
        for key in sorted_keys:
            lines += [position_line(key, book.positions[key])] if table == "POSN" else move_lines(book, key)
            keys.add(key if table == "POSN" else key[0])
    for digest, games, name in sorted(book.sources):
        lines.append(f"source {digest.hex()} {games} {escaped(name.decode())}")
    for subject, name, value in book.facts:
        lines.append(f"fact {subject.hex()} {name.decode()} {escaped(value.decode())}")
    hashes = sorted(map(mix, keys))
    near = [h + step for h in hashes[:2] + hashes[-2:] for step in (-1, 1) if 0 <= h + step <= M64]
    near += [h ^ 1 << 63 for h in hashes[:3]] * (bits > 0)
    for key in [unmix(h) for h in near] + [0, M64, unmix(M64), 0x0123456789ABCDEF] + book.more.get("absent", []):
        if key not in keys:
            keys.add(key)
            lines.append(f"absent {key:016x}")
    return lines


# --- a journal (section 8) ---------------------------------------------------------------------------------

OPERATIONS = {"add": 1, "put": 2, "delete": 3, "sources": 4, "facts": 5}


def part(book, operation, table, rows, cells=(), body=None, padding=None, **wrong):
    """rows: as in a book; for a delete a list of keys; for sources and facts a list of them. cells: {tag: {key: cell}}.
    body: instead of the encoded rows and cells."""
    code, size = 0, 0
    if operation == "sources":
        encoded = [source_entry(s) for s in rows]
    elif operation == "facts":
        encoded = [fact_entry(f) for f in rows]
    else:
        columns = book.columns_of(table)
        code, size = 1 + TABLES.index(table), ROW + sum(size for _, size, _ in columns)
        keys = sorted(rows, key=order)
        zero = (0,) * (6 if table == "POSN" else 4)
        encoded = [encode_row(key, zero if operation == "delete" else rows[key]) for key in keys]
        for tag, width, _ in columns:
            of = dict(cells).get(tag, {})
            encoded += [encode_cell(tag, of[key]) if key in of else bytes(width) for key in keys]
    count = wrong.get("count", len(rows))
    body = b"".join(encoded) if body is None else body
    fields = wrong.get("code", OPERATIONS[operation]), wrong.get("of_table", code), wrong.get("size", size), count, wrong.get("length", len(body))
    return struct.pack("<BBHIQ", *fields) + body + (bytes(-len(body) % 8) if padding is None else padding)


class Journal:
    """A journal's bytes, frame by frame. `base` is a digest; `book` says which columns there are."""

    def __init__(self, book, first, base=None, magic=b"\x89TABJL\r\n", version=1, crc=0, incompatible=0, compatible=0, salt=None):
        named = (base or book.digest()) + struct.pack("<Q", first)
        self.book, self.salt = book, struct.pack("<Q", xxhash.xxh3_64_intdigest(named) if salt is None else salt)
        fields = struct.pack("<QQ", incompatible, compatible) + named + self.salt
        self.previous = zlib.crc32(fields)
        self.bytes = magic + struct.pack("<II", version, self.previous ^ crc) + fields
        self.starts = []  # offsets of the frames

    def frame(self, sequence, parts, **wrong):
        """The bytes of the next frame. parts: tuples (operation, table, rows[, cells]), or bytes.
        wrong: length, number of parts, previous, salt, reserved; xor of the body crc and of the header crc (head)."""
        encoded = [p if isinstance(p, bytes) else part(self.book, *p) for p in parts]
        body = b"".join(encoded)
        fields = struct.pack("<QQIIII", wrong.get("length", len(body)), sequence, zlib.crc32(body) ^ wrong.get("body", 0),
                             wrong.get("number", len(parts)), wrong.get("previous", self.previous), wrong.get("reserved", 0))
        crc = zlib.crc32(wrong.get("salt", self.salt) + fields)
        return b"FRAM" + struct.pack("<I", crc ^ wrong.get("head", 0)) + fields + body

    def add(self, sequence, parts, **wrong):
        frame = self.frame(sequence, parts, **wrong)
        self.starts.append(len(self.bytes))
        self.bytes += frame
        self.previous = struct.unpack_from("<I", frame, 4)[0] ^ wrong.get("head", 0)
        return self

    def raw(self, bytes_):
        self.bytes += bytes_
        return self
