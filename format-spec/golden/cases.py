"""What the golden files have in common: collecting them for INDEX.tsv and answers.tsv, changes of bytes, contents."""
import struct

import xxhash

from writer import M64, NONE, PAGE, WHOLE_BOOK, Book, Journal, answers, mix, unmix


# --- collecting files, cases and answers -------------------------------------------------------------------

class Cases:
    """The files of a folder, the rows of its INDEX.tsv and its answers.tsv."""

    suffix, lists, answered = ".tabia", ("INDEX.tsv", "answers.tsv"), ("book", "journal", "line")

    def __init__(self):
        self.files, self.index, self.lines = {}, [], []
        self.images = {}  # of all books, patched ones included

    def case(self, name, expect, rule, about, base="-", patch="-"):
        assert name not in [row[0] for row in self.index], name
        self.index.append((name, expect, rule, about, base, patch))

    def answer(self, book_name, journal_name, book, copies=True):
        self.lines.extend((book_name, journal_name, line) for line in answers(book, copies))

    def book(self, name, expect, rule, about, book, base=None):
        """A book: a file, or with `base` a patch of that one, if it is short."""
        name, image = name + self.suffix, bytes(book) if isinstance(book, (bytes, bytearray)) else book.encode()
        assert image not in self.images.values(), name
        self.images[name] = image
        patch = patch_of(self.files[base + self.suffix], image) if base else None
        if patch is None:
            self.files[name] = image
            self.case(name, expect, rule, about)
        else:
            self.case(name, expect, rule, about, base + self.suffix, patch)
        if expect in ("valid", "copy-refused", "merge-refused"):
            self.answer(name, "-", book, expect != "copy-refused")
        return book

    def valid(self, name, book, about, base=None):
        return self.book(name, "valid", "-", about, book, base)

    def refused(self, name, book, about, base=None):
        self.book(name, "open-refused", rule_of(name), about, book, base)

    def found(self, name, book, about, base=None):
        self.book(name, "check-finds", rule_of(name), about, book, base)

    def journal(self, name, base, bytes_, about, book, frames=(), expect="valid"):
        """A valid journal: beside `base`, which is `book`, it holds these frames."""
        name += ".tabia-journal"
        self.files[name] = bytes_.bytes if isinstance(bytes_, Journal) else bytes_
        self.case(name, expect, "-" if expect == "valid" else "B-28", about, base + ".tabia")
        self.answer(base + ".tabia", name, book.after(frames), expect == "valid")

    def bad_journal(self, name, base, bytes_, about):
        self.files[name + ".tabia-journal"] = bytes_.bytes if isinstance(bytes_, Journal) else bytes_
        self.case(name + ".tabia-journal", "journal-refused", rule_of(name), about, base + ".tabia")

    def finish(self):
        def table(*rows):
            return "".join("\t".join(row) + "\n" for row in rows).encode()
        index, lines = self.lists
        self.files[index] = table(("file", "expect", "rule", "about", "base", "patch"), *self.index)
        self.files[lines] = table(self.answered, *self.lines)
        return self.files


def rule_of(name):
    """b-07-length: B-7."""
    return f"{name[0].upper()}-{int(name[2:4])}"


def patch_of(old, new):
    """What makes `new` of `old`: the length if it differs (cut, or extended with zeros), then runs of bytes. None if it is long."""
    patch = [] if len(old) == len(new) else [f"length={len(new)}"]
    old = old[:len(new)].ljust(len(new), b"\0")
    differ = []
    for page in range(0, len(new), PAGE):
        if old[page:page + PAGE] != new[page:page + PAGE]:
            differ += [i for i in range(page, min(page + PAGE, len(new))) if old[i] != new[i]]
    while differ:
        run = 1
        while run < len(differ) and differ[run] - differ[run - 1] <= 4:
            run += 1
        patch.append(f"{differ[0]}={new[differ[0]:differ[run - 1] + 1].hex()}")
        differ = differ[run:]
    assert patch
    return " ".join(patch) if sum(map(len, patch)) < 2400 else None


# --- changes of bytes --------------------------------------------------------------------------------------

def put(offset, new):
    """Changes a page, a body or a file at an offset."""
    def change(bytes_):
        changed = bytearray(bytes_)
        changed[offset:offset + len(new)] = new
        if isinstance(bytes_, bytearray):
            bytes_[:] = changed
        return bytes(changed)
    return change


def flip(at):
    return lambda bytes_: put(at, bytes([bytes_[at] ^ 1]))(bytes_)


def change(old, at, byte):
    """Changes a byte of the first place where `old` is."""
    return lambda bytes_: bytes_.replace(old, put(at, bytes([byte]))(old), 1)


def u32(n):
    return struct.pack("<I", n & 0xFFFFFFFF)


def u64(n):
    return struct.pack("<Q", n & M64)


# --- contents ----------------------------------------------------------------------------------------------

START, E4, E4_D5 = 0x463B96181691FC9C, 0x823C9B50FD114196, 0x0756B94461C50FB0  # Polyglot's own test positions
D4_MOVE, E4_MOVE, REPLY, REPLY_D5 = (START, 731), (START, 796), (E4, 3234), (E4, 3299)
H_MAX = unmix(M64)  # the key whose h is 2^64 - 1


def archive(content, games, name):
    return xxhash.xxh3_128_digest(content.encode()), games, name.encode()


def fact(subject, name, value):
    return subject, name.encode(), value.encode()


ONE_SOURCE = [archive("1. e4 1-0\n", 1, "one.pgn")]
SOURCES = [archive("a", 12, "partidas-españolas.pgn"), archive("b", 40_000_000_000, "Партии.pgn.zst"), archive("c", 0, ""),
           archive("d", 7, "定跡-🂡.sgf"), archive("b", 40_000_000_000, "Партии.pgn.zst"), archive("b", 3, "x" * 4096)]
ARCHIVE = ONE_SOURCE[0][0]
FACTS = [fact(WHOLE_BOOK, "counts", "learned"), fact(WHOLE_BOOK, "evals", "engine=Stockfish 17.1; limit=depth 20; unit=centipawns"),
         fact(WHOLE_BOOK, "evals", "engine=Edax 4.6; limit=level 21; unit=discs"), fact(ARCHIVE, "plan.min-rating", "2600"),
         fact(ARCHIVE, "plan.max-ply", "40"), fact(ARCHIVE, "plan.max-ply", "60"), fact(bytes([255]) * 16, "n", ""),
         fact(ARCHIVE, "a.name-of-64-characters." + "x" * 40, "Größe, 定跡 and a tab:\t"), fact(ARCHIVE, "plan.max", "y" * 1000)]


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


def small_columns(moves):
    """Cells of these moves: some as great as they can be, some zero, some missing."""
    ratings, games, years = {}, {}, {}
    for number, (key, row) in enumerate(sorted(moves.items())):
        n = row[0]
        ratings[key] = ((1 << 48) - 1, (1 << 48) - 2, 0xFFFFFFFF, M64) if n > 100 else (2000 * n, 1900 * n, n, 2 * n)
        if number % 3:
            games[key] = (0xFFFF, (1 << 48) - 1) if n > 100 else (4000 + number, mix(number) >> 16)
        years[key] = ((0, 2026), (1851, 0), (2001, 1999), (0xFFFF, 0xFFFF))[number % 4] if number % 5 else (1900 + number, 2000 + number)
    return {"RTNG": ratings, "GAME": games, "YEAR": years}


def many(n):
    return {mix(n + i): (i % 7, i % 5, i % 3, NONE if i % 4 else i, 0 if i % 4 else 9, 0) for i in range(n)}


def many_moves(n):
    """Moves of n positions, one to four of each."""
    return {(mix(n + i), 700 + 9 * j): (i % 7 + j, i % 5, j, 0) for i in range(n) for j in range(1 + i % 4)}


def in_home(home, homes, per_mille):
    """A key with this home in a whole book, and this part of the way to the next one."""
    return unmix(-(-home << 64) // homes + (per_mille << 64) // (1000 * homes) + 1)


def crowded(displacement):
    """Positions of which the first `displacement` + 1 have one home, two more have homes far behind, which the first ones fill,
    and others are elsewhere. Readers that take a tag for greater, of homes that are too far apart, don't find those two."""
    count = displacement + 1 + 2 + 12
    homes = -(-count * 1000 // 800)
    row = lambda i: (i % 9, i % 4, 1, NONE, 0, 0)
    keys = [in_home(2, homes, 3 + 990 * i // count) for i in range(displacement + 1)]
    keys += [in_home(2 + displacement * 7 // 10, homes, 1), in_home(2 + displacement, homes, 999)]
    keys += [in_home(homes - 1 - i, homes, 11 * i) for i in range(12)]
    absent = [in_home(2, homes, 996), in_home(3, homes, 500), in_home(0, homes, 0), in_home(homes - 14, homes, 7)]
    absent += [unmix(mix(key) + 1) for key in keys[:3]]  # with the tag of a row that is there
    return Book({key: row(i) for i, key in enumerate(keys)}, None, ONE_SOURCE, tags=True, absent=absent)
