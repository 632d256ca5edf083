"""The writer of packed books, made from ../packed.md alone. A `Packed` is a `Book` with the same contents and other bytes."""
import struct
from collections import Counter

import xxhash

from writer import NONE, PAGE, Book, encode_cell, encode_row, hash_of, mix, order, unmix

PACKED = 16  # the incompatible feature
ROOM = PAGE - 8  # bytes of a page in front of its checksum
HEAD = 8  # bytes of a page in front of the starts
MOST_ENTRIES, MOST_BYTES, LARGE = 254, 4076, 255
FIELDS = {"RTNG": (6, 6, 4, 8), "GAME": (8,), "YEAR": (2, 2)}  # bytes of the fields of a cell
GAME_CELL = 16


def bits(x):
    return x.bit_length()


def widen(counts):
    return sum(counts), *counts


class Bits:
    """A string of bits, from the lowest of each byte on."""

    def __init__(self):
        self.value = self.length = 0

    def put(self, number, width):
        assert 0 <= number < 1 << width or number == width == 0
        self.value |= number << self.length
        self.length += width
        return self

    def gamma(self, x):
        """bits(x) - 1 zeros, a one, the lower bits of x."""
        return self.put(1 << bits(x) - 1, bits(x)).put(x ^ 1 << bits(x) - 1, bits(x) - 1)

    def counts(self, row, zero=0):
        games, wins, draws, _ = widen(row)
        return self.gamma(games + zero).put(wins, bits(games)).put(draws, bits(games - wins))

    def size(self):
        return (self.length + 7) // 8

    def encode(self):
        return self.value.to_bytes(self.size(), "little")


# --- games (section 3.5) -----------------------------------------------------------------------------------

class Games:
    """The dictionary of the games that cells name, and how cells are written with it."""

    def __init__(self, entries, columns):
        self.columns, found = columns, {}
        for _, row, fields in (move for entry in entries for move in entry.moves):
            cells = self.split(fields)
            if cells.get("GAME", (0,))[0]:
                found.setdefault(cells["GAME"][0], []).append(self.known(sum(row[:3]), cells))
        self.known_of = {game: max(found[game])[1:] for game in sorted(found)}
        self.numbers = {game: number for number, game in enumerate(self.known_of, 1)}
        self.told_bits = int("GAME" in columns and len(columns) > 1)
        self.swap_bits = int("GAME" in columns and "RTNG" in columns)
        self.bits = bits(len(self.known_of))
        self.forced = set()  # values of fields of moves that are spelled out without need

    def split(self, fields):
        cells, at = {}, 0
        for tag in self.columns:
            cells[tag] = tuple(fields[at:at + len(FIELDS[tag])])
            at += len(FIELDS[tag])
        return cells

    @staticmethod
    def known(games, cells):
        """(- games, last year, first year, greater rating, lesser rating): of the greatest one is what a game tells."""
        if not games:
            return -65535, 0, 0, 0, 0
        first, last = cells.get("YEAR", (0, 0))
        mover, opponent, rated, _ = cells.get("RTNG", (0, 0, 0, 0))
        same = rated == games and mover % games == opponent % games == 0 and max(mover, opponent) // games < 1 << 16
        ratings = (max(mover, opponent) // games, min(mover, opponent) // games) if same else (0, 0)
        return (-min(games, 65535), last, first) + ratings

    def told(self, row, game, swapped):
        """The fields that a game tells of the cells of a move; None if they are too great."""
        last, first, greater, lesser = self.known_of.get(game, (0, 0, 0, 0))
        games, wins, draws, _ = widen(row[:3])
        mover, opponent = (lesser, greater) if swapped else (greater, lesser)
        ratings = (mover * games, opponent * games, games, 2 * wins + draws) if greater or lesser else (0, 0, 0, 0)
        cells = {"RTNG": ratings, "GAME": (game,), "YEAR": (first, last)}
        return [value for tag in self.columns for value in cells[tag]]

    def code(self, row, fields):
        """Whether its game tells the cells of a move, the game's number with the bit above it, the fields that are spelled out."""
        if "GAME" not in self.columns:
            return 0, 0, fields
        game, way = self.split(fields)["GAME"][0], None
        if self.told_bits and tuple(fields) not in self.forced:
            ways = [swapped for swapped in range(self.swap_bits + 1) if self.told(row, game, swapped) == list(fields)]
            way = ways[0] if ways else None
        at = sum(len(FIELDS[tag]) for tag in self.columns[:self.columns.index("GAME")])
        number = self.numbers[game] if game else 0
        return int(way is not None), number | (way or 0) << self.bits, list(fields[:at]) + list(fields[at + 1:])

    def body(self):
        """The body of DICT."""
        return b"".join(struct.pack("<QHHHH", game, first, last, greater, lesser)
                        for game, (last, first, greater, lesser) in self.known_of.items())


# --- entries (section 2) and records (section 6) -----------------------------------------------------------

class Entry:
    """All that a book says of one h."""

    def __init__(self, h):
        self.h, self.position, self.moves = h, None, []  # moves: (code, row, fields of its cells)

    def evaluation(self):
        """Its eval, depth and flags, None if it has neither an eval nor a flag."""
        if self.position and (self.position[3] != NONE or self.position[5]):
            return self.position[3:]
        return None

    def sum(self, columns):
        """Its part of the sum of all entries: section 3.4."""
        rows = [(encode_row(unmix(self.h), self.position), 0)] if self.position else []
        rows += [(encode_row((unmix(self.h), code), row), 0x9E3779B97F4A7C15) for code, row, _ in self.moves]
        words = [(struct.unpack("<QQQ", row), table) for row, table in rows]
        total = sum(mix(h ^ mix(b ^ mix(c ^ table))) for (h, b, c), table in words)
        sizes = [size for tag in columns for size in FIELDS[tag]]
        cells = b"".join(value.to_bytes(size, "little") for _, _, fields in self.moves for value, size in zip(fields, sizes))
        if cells:
            total += mix(self.h ^ xxhash.xxh3_64_intdigest(cells))
        return total

    def triple(self, tables):
        """The counts of a candidate, None if it is not one."""
        of = []
        if "POSN" in tables:
            of.append(self.position and self.position[:3])
        if "MOVE" in tables:
            of.append(self.moves[0][1][:3] if len(self.moves) == 1 and self.moves[0][1][3] == 0 else None)
        return of[0] if None not in of and of[0] == of[-1] and max(of[0]) <= 15 else None


def record(entry, tables, numbers, m, dictionary=None, **wrong):
    """dictionary: of games; None: without cells. wrong: flags that it has otherwise."""
    out = Bits()
    if len(tables) == 2:
        out.put(entry.position is not None, 1)
    if entry.position:
        out.counts(entry.position[:3], 1)
    if "MOVE" in tables:
        out.gamma(len(entry.moves) + (entry.position is not None))
    if not entry.moves:
        return out
    left = list(entry.position[:3]) if entry.position else None
    sums = [sum(row[i] for _, row, _ in entry.moves) for i in range(3)]
    within = left is not None and all(a <= b for a, b in zip(sums, left))
    exact = within and sums == left
    marks, zero = any(row[3] for _, row, _ in entry.moves), any(not any(row[:3]) for _, row, _ in entry.moves)
    marks, zero = wrong.get("marks", marks), wrong.get("zero", zero)
    out.put(within, 1).put(exact, 1).put(marks, 1).put(zero, 1)
    for number, (code, row, fields) in enumerate(entry.moves):
        out.put(numbers[code], m)
        if marks:
            out.put(row[3], 8)
        games, wins, draws, _ = widen(row[:3])
        if not within:
            out.counts(row[:3], zero)
        elif not exact or number + 1 < len(entry.moves):
            out.gamma(games + zero).put(wins, bits(min(games, left[0]))).put(draws, bits(min(games - wins, left[1])))
        if within:
            left = [a - b for a, b in zip(left, row[:3])]
        if not dictionary:
            continue
        told, game, fields = dictionary.code(row, fields)
        out.put(told, dictionary.told_bits).put(game, dictionary.bits + dictionary.swap_bits)
        for value in () if told else fields:
            out.put(bits(value), 7)
            if value:
                out.put(value ^ 1 << bits(value) - 1, bits(value) - 1)
    return out


# --- PACK (section 3) --------------------------------------------------------------------------------------

class Pack:
    """The parameters and tables of a book's entries."""

    def __init__(self, entries, tables, share_bits, columns):
        self.entries, self.tables, self.games, self.share_bits = entries, tables, Games(entries, columns), share_bits
        self.sum = sum(entry.sum(columns) for entry in entries) % (1 << 64)
        self.forced = set()  # places of groups that are large without need
        n, b = len(entries), 64 - share_bits
        self.k = min(max(bits(n * n) // 2, 4), min(56, b))
        self.w, self.mask = b - self.k, (1 << b) - 1
        self.group_buckets = min(max(((32 << self.k) + n) // (2 * n), 4), 32) if n else 32
        self.codes_and_evaluations()
        self.choose_classes()
        for entry in entries:
            triple = entry.triple(tables)
            entry.number = self.classes.get(triple, (1 << self.c) - 1) if triple else (1 << self.c) - 1
            entry.short = entry.number != (1 << self.c) - 1
        for entry in entries:
            entry.coded = self.games.code(*entry.moves[0][1:]) if entry.short and entry.moves else (1, 0, [])
        spelled = [entry.coded[2] for entry in entries if entry.short and not entry.coded[0]]
        self.fields = [self.field([fields[i] for fields in spelled]) for i in range(sum(len(FIELDS[tag]) for tag in columns if tag != "GAME"))]
        for entry in entries:
            entry.record = None if entry.short else record(entry, tables, self.numbers, self.m, self.games)
        self.choose_pages()

    def codes_and_evaluations(self):
        counts = Counter(code for entry in self.entries for code, _, _ in entry.moves)
        self.codes = sorted(counts, key=lambda code: (-counts[code], code))
        self.numbers = {code: number for number, code in enumerate(self.codes)}
        self.m = bits(len(self.codes) - 1) if self.codes else 0
        found = [entry.evaluation() for entry in self.entries if entry.evaluation()]
        self.pairs = sorted({(depth, flags) for _, depth, flags in found})
        self.p = bits(len(self.pairs) - 1) if self.pairs else 0
        evals = [value for value, _, _ in found if value != NONE]
        self.least_eval = min(evals, default=0)
        self.e = bits(max(evals) - self.least_eval + 1) if evals else 0

    def choose_classes(self):
        """c and the class table that cost the least."""
        counts = Counter(filter(None, (entry.triple(self.tables) for entry in self.entries)))
        length = {}
        for entry in self.entries:
            triple = entry.triple(self.tables)
            if triple and triple not in length:
                length[triple] = record(entry, self.tables, self.numbers, self.m).length
        ranked = sorted(counts, key=lambda triple: (-counts[triple], triple))
        cost = lambda c: len(self.entries) * c + sum(counts[t] * (length[t] + 12) for t in ranked[(1 << c) - 1:])
        self.c = min(range(7), key=cost)
        self.class_table = ranked[:(1 << self.c) - 1]
        self.classes = {triple: number for number, triple in enumerate(self.class_table)}

    @staticmethod
    def field(values):
        some = [value for value in values if value]
        return (min(some), bits(max(some) - min(some) + 1)) if some else (0, 0)

    def choose_pages(self):
        """Section 3.3."""
        buckets = 1 << self.k
        g = -(-buckets // self.group_buckets)
        evaluated = sum(entry.evaluation() is not None for entry in self.entries)
        short = sum(entry.short for entry in self.entries)
        spelled = sum(entry.short and not entry.coded[0] for entry in self.entries)
        games = self.games.told_bits + self.games.swap_bits + (self.games.bits if "GAME" in self.games.columns else 0)
        total = len(self.entries) * (1 + self.c + self.w) + short * (self.m + games) + spelled * sum(width for _, width in self.fields)
        total += (len(self.entries) + evaluated * (self.e + self.p)) if self.pairs else 0
        total += sum(12 + entry.record.length for entry in self.entries if not entry.short) + 28 * g + buckets
        room = max(max(32640 - total // (2 * g), 0) * 39 // 40, 8160)
        self.page_buckets = min(max(buckets * room // total, 1), buckets, 150 * self.group_buckets)
        self.home_pages = -(-buckets // self.page_buckets)
        self.groups = -(-self.page_buckets // self.group_buckets)

    def encode(self):
        head = struct.pack("<IIIBBBBhHIIIQ", self.k, self.group_buckets, self.page_buckets, self.c, self.m, self.e, self.p,
                           self.least_eval, self.share_bits, len(self.pairs), len(self.codes), len(self.fields), self.sum)
        classes = b"".join(struct.pack("<III", *triple) for triple in self.class_table).ljust(12 * ((1 << self.c) - 1), b"\xff")
        return (head + classes + struct.pack(f"<{len(self.codes)}H", *self.codes) + b"".join(map(bytes, self.pairs))
                + b"".join(struct.pack("<QQ", *field) for field in self.fields))

    # --- groups (section 5) --------------------------------------------------------------------------------

    def place(self, entry):
        """The home page, the place of the group in it, and the bucket in the group."""
        page, within = divmod((entry.h & self.mask) >> self.w, self.page_buckets)
        return page, within // self.group_buckets, within % self.group_buckets

    def buckets_of(self, place):
        return min(self.group_buckets, self.page_buckets - place * self.group_buckets)

    def group(self, place, entries):
        """The bytes of a group, None if it has to be a large one."""
        if len(entries) > MOST_ENTRIES or place in self.forced:
            return None
        out = Bits().put(len(entries), 8)
        if not entries:
            return out.encode()
        for bucket in range(self.buckets_of(place)):
            count = sum(self.place(entry)[2] == bucket for entry in entries)
            out.put((1 << count) - 1, count + 1)
        for plane in range(self.c):
            for entry in entries:
                out.put(entry.number >> plane & 1, 1)
        for entry in entries:
            out.put(entry.h & (1 << self.w) - 1, self.w)
        short, long = [e for e in entries if e.short], [e for e in entries if not e.short]
        for code in [entry.moves[0][0] for entry in short if entry.moves]:
            out.put(self.numbers[code], self.m)
        self.evaluations(out, entries)
        for entry in short if self.games.columns else ():
            out.put(entry.coded[0], self.games.told_bits)
        for entry in short:
            out.put(entry.coded[1], self.games.bits + self.games.swap_bits)
        for entry in short:
            for (least, width), value in zip(self.fields, () if entry.coded[0] else entry.coded[2]):
                out.put(value and value - least + 1, width)
        sizes, records = b"", b""
        for entry in long:
            size = entry.record.size()
            if size > MOST_BYTES:
                return None
            sizes += bytes([size]) if size < 255 else b"\xff" + struct.pack("<H", size)
            records += entry.record.encode()
        group = out.encode() + sizes + records
        return group if len(group) <= MOST_BYTES else None

    def evaluations(self, out, entries):
        if not self.pairs:
            return
        for entry in entries:
            out.put(entry.evaluation() is not None, 1)
        for entry in entries:
            if entry.evaluation():
                value, depth, flags = entry.evaluation()
                out.put(0 if value == NONE else value - self.least_eval + 1, self.e).put(self.pairs.index((depth, flags)), self.p)


# --- pages (section 4) -------------------------------------------------------------------------------------

class Pages:
    """Where groups stand; and the entries of large ones, in order."""

    def __init__(self, pack):
        self.pack, self.large, self.rows = pack, [], [0, 0]
        self.pages = []  # for each page the number of its first group, and its groups
        groups = {}
        for entry in pack.entries:
            groups.setdefault(pack.place(entry)[:2], []).append(entry)
        for page in range(pack.home_pages):
            for place in range(pack.groups):
                self.stand(page, place, groups.get((page, place), []))

    def stand(self, home, place, entries):
        number, bytes_ = home * self.pack.groups + place, self.pack.group(place, entries)
        at = self.page_for(home, len(bytes_ or bytes(25)))
        if bytes_ is not None and entries and at > home + 1:
            bytes_ = None
            at = self.page_for(home, 25)
        if bytes_ is None:
            counts = sum(entry.position is not None for entry in entries), sum(len(entry.moves) for entry in entries)
            bytes_ = struct.pack("<BQQII", LARGE, *self.rows, *counts)
            self.rows = [a + b for a, b in zip(self.rows, counts)]
            self.large += entries
        if at == len(self.pages):
            self.pages.append((number, []))
        self.pages[at][1].append(bytes_)

    def page_for(self, home, size):
        if len(self.pages) <= home:
            assert len(self.pages) == home
            return home
        there = self.pages[-1][1]
        fits = HEAD + 2 * len(there) + 2 + sum(map(len, there)) + size <= ROOM
        return len(self.pages) - fits

    def encode(self):
        """Pages of 4,088 bytes, without their checksums; what they say of their places is still to come."""
        for number, (first, groups) in enumerate(self.pages):
            starts, at = [], HEAD + 2 * len(groups)
            for group in groups:
                starts.append(at)
                at += len(group)
            head = struct.pack(f"<HHI{len(groups)}H", number * self.pack.groups - first, len(groups), 0, *starts)
            yield (head + b"".join(groups)).ljust(ROOM, b"\0")


# --- a book ------------------------------------------------------------------------------------------------

class Packed(Book):
    """What a `Book` holds, packed. An invalid one has more than the keyword arguments of a `Book`:

    packing=f   changes the `Pack` before its groups are written
    pages=f     changes the list of pages before they are told their places, and their checksums are computed
    placed=f    changes what a page of this number says of its place
    """
    features = PACKED

    def entries(self):
        found = {}
        for key, row in (self.positions or {}).items():
            found.setdefault(hash_of(key), Entry(hash_of(key))).position = row
        for key, row in sorted((self.moves or {}).items(), key=lambda item: item[0][1]):
            fields = []
            for tag, _, cells in self.columns_of("MOVE"):
                cell, at = encode_cell(tag, cells[key]) if key in cells else bytes(sum(FIELDS[tag])), 0
                for size in FIELDS[tag]:
                    fields.append(int.from_bytes(cell[at:at + size], "little"))
                    at += size
            found.setdefault(hash_of(key), Entry(hash_of(key))).moves.append((key[1], row, fields))
        return [found[h] for h in sorted(found)]

    def packed(self):
        """The parameters, where the groups stand, and the body of PACK."""
        if not hasattr(self, "made"):
            pack = Pack(self.entries(), self.tables(), self.share()[0], [tag for tag, _, _ in self.columns_of("MOVE")])
            body = pack.encode()
            self.more.get("packing", id)(pack)
            self.made = pack, Pages(pack), body
        return self.made

    def layout(self, table):
        """As of a `Book`: no homes, and in the slots only the rows of large groups."""
        keys = sorted(self.rows(table), key=order)
        large = {entry.h for entry in self.packed()[1].large}
        return keys, 0, [number for number, key in enumerate(keys) if hash_of(key) in large], 0

    def tags_body(self, keys, homes, slots):
        return b""

    def table_sections(self, table):
        sections, pack = super().table_sections(table), self.packed()[0]
        if table == "MOVE" and "GAME" in pack.games.columns:
            sections += self.with_sums("DICT", pack.games.body(), dict(size=GAME_CELL, beside="MOVE"))
        return sections

    def first_sections(self):
        pack, pages, parameters = self.packed()
        tweak, bodies = self.more.get("tweak", {}), self.more.get("pages", list)(list(pages.encode()))
        parameters, placed = tweak.get("PACK", bytes)(parameters), self.more.get("placed", int)
        salt = xxhash.xxh3_64_intdigest(parameters)
        places = [struct.pack("<I", (salt + placed(number)) % (1 << 32)) for number in range(len(bodies))]
        bodies = [page[:4] + place + page[8:] for page, place in zip(bodies, places)]
        body = b"".join(page + struct.pack("<Q", xxhash.xxh3_64_intdigest(page)) for page in bodies)
        body = tweak.get("PAGE", bytes)(body)
        sums = b"".join(body[at + ROOM:at + PAGE] for at in range(0, len(body), PAGE))
        fields = dict(size=PAGE, rows=len(pack.entries), homes=pack.home_pages, checksum=xxhash.xxh3_64_intdigest(sums))
        return [("PACK", parameters, {}), ("PAGE", body, fields)]

    def last_sections(self):
        """COPY: the bytes of PACK, as they are."""
        return [("COPY", self.more.get("tweak", {}).get("PACK", bytes)(self.packed()[2]), {})]


def packed(book):
    """The packed book of a plain one."""
    names = ("positions", "moves", "sources", "load", "columns", "facts")
    return Packed(**{name: getattr(book, name) for name in names}, **book.more)
