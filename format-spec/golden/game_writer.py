"""An independent writer of Tabia's files of games, made from ../games.md alone. Needs xxhash from PyPI.

A `GameFile` says what a file holds, and as keyword arguments everything that an invalid one has otherwise. Zstandard frames are made of blocks
that are stored or repeat a byte, so that no compressor decides what the bytes are. `answers` says what a reader finds in a file; `merged` what
several files come to.
"""
import struct
import zlib

import xxhash

PAGE, FULL = 4096, 65536
SECTIONS = ("INDX", "ENDS", "NAMX", "NAME", "SRCS", "FRMS", "FIDX", "SUMS")
NAMES = ("first", "second", "event", "place", "round")
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def xxh3_128(bytes_):
    return xxhash.xxh3_128_digest(bytes_)


def archive(content):
    return xxh3_128(content.encode())


def padded(bytes_, last=0):
    """With zeros to the end of the page, or with this for its last byte."""
    rest = -len(bytes_) % PAGE
    return bytes_ + (bytes(rest - 1) + bytes([last]) if rest else b"")


def varint(n):
    out = b""
    while n >= 128:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


# --- a game ------------------------------------------------------------------------------------------------

class Game:
    """A game. Results: 0 not known, 1 the first player won, 2 a draw, 3 the second player won."""

    def __init__(self, digest, archive, end=0, result=0, date=(0, 0, 0), ratings=(0, 0), names=("",) * 5, offset=0, setup="", moves=(), **wrong):
        self.digest, self.archive, self.end, self.result, self.date, self.ratings = digest, archive, end, result, date, ratings
        self.names, self.offset, self.setup, self.moves, self.wrong = names, offset, setup, list(moves), wrong

    def rank(self):
        return 0 if 0 in self.ratings else min(sum(self.ratings), 65535)

    def known(self):
        return sum(bool(thing) for thing in (self.result, *self.ratings, *self.date, *self.names))

    def contents(self):
        """What is compared last (G-M1): texts as bytes."""
        return (self.result, self.ratings, self.date, [text.encode() for text in (*self.names, self.setup)], self.archive, self.offset, self.end, self.moves)

    def id(self):
        n, out = self.digest >> 1, ""
        for _ in range(8):
            n, out = n // 62, DIGITS[n % 62] + out
        return out

    def head(self, names, archives):
        wrong = self.wrong
        year, month, day = self.date
        out = bytes([wrong.get("flags", self.result | (4 if self.setup else 0))])
        out += struct.pack("<IHH", wrong.get("date", year * 512 + month * 32 + day), *self.ratings)
        numbers = [names.index(name.encode()) + 1 if name else 0 for name in self.names]
        out += b"".join(map(varint, wrong.get("numbers", numbers)))
        out += varint(wrong.get("archive_number", archives.index(self.archive)))
        out += wrong.get("offset_bytes", varint(self.offset)) + varint(wrong.get("plies", len(self.moves)))
        if self.setup:
            setup = self.setup.encode()
            out += varint(wrong.get("setup_length", len(setup))) + setup
        return out + wrong.get("rest", b"")


# --- Zstandard (RFC 8878) ----------------------------------------------------------------------------------

def blocks(content):
    """The content as blocks: a byte and how often it comes, or bytes as they are. At most 2^17 bytes each."""
    at, stored, out = 0, b"", []
    while at < len(content):
        run = len(content[at:at + (1 << 17)]) - len(content[at:at + (1 << 17)].lstrip(content[at:at + 1]))
        if run < 64:
            stored, at = stored + content[at:at + run], at + run
            continue
        out += [(0, len(stored), stored)] if stored else []
        out.append((1, run, content[at:at + 1]))
        stored, at = b"", at + run
    out += [(0, len(stored), stored)] if stored or not out else []
    return b"".join((kind << 1 | size << 3 | (place + 1 == len(out))).to_bytes(3, "little") + bytes_
                    for place, (kind, size, bytes_) in enumerate(out))


def zstd(content):
    """A frame of one segment that says how long its content is."""
    return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(content)) + blocks(content)


def zstd_with_checksum(content):
    """A frame with a window of 4 MiB and a checksum that doesn't say how long its content is."""
    return b"\x28\xb5\x2f\xfd\x04" + bytes([12 << 3]) + blocks(content) + struct.pack("<I", xxhash.xxh64_intdigest(content) & 0xFFFFFFFF)


# --- a file ------------------------------------------------------------------------------------------------

class GameFile:
    """A file of games. Otherwise than in a valid one may be:

    sort=False        games as they are given
    names, archives   those of the file: functions of the right lists
    at_full=N         bytes of content with which a frame ends
    content, frame    functions of (number, right bytes) for a frame's content and its compressed bytes
    entries           a function of the list of FIDX's (first, content, offset)
    INDX=... FIDX=... functions of the section's body
    padding           the section whose padding isn't zero
    counts            {which of games, plies, names, archives, frames: number}
    digest            16 bytes
    header            functions of the header page before its crc
    page, whole       functions of the first page and of the whole file, at last
    """

    def __init__(self, games, game="chess", keys="polyglot", keyed=0, kept=0, **wrong):
        self.games = sorted(games, key=lambda game: game.digest) if wrong.get("sort", True) else list(games)
        self.game, self.keys, self.keyed, self.kept, self.wrong = game, keys, keyed, kept, wrong
        self.names = sorted({name.encode() for game in games for name in game.names if name})
        self.archives = sorted({game.archive for game in games})

    def but(self, **wrong):
        """This file with something otherwise."""
        return GameFile(self.games, self.game, self.keys, self.keyed, self.kept, **self.wrong | wrong)

    def contents(self):
        """The first game of each frame, and its content."""
        full, frames, heads, moves, first = self.wrong.get("at_full", FULL), [], b"", b"", 0
        for number, game in enumerate(self.games):
            heads += game.head(self.all_names(), self.all_archives())
            moves += struct.pack(f"<{len(game.moves)}H", *game.moves)
            if len(heads) + len(moves) >= full or number + 1 == len(self.games):
                frames.append((first, heads + moves))
                heads, moves, first = b"", b"", number + 1
        change = self.wrong.get("content", lambda number, content: content)
        return [(first, change(number, content)) for number, (first, content) in enumerate(frames)]

    def all_names(self):
        return self.wrong.get("names", list)(self.names)

    def all_archives(self):
        return self.wrong.get("archives", list)(self.archives)

    def bodies(self):
        """The bodies of INDX to FIDX, and the contents of all frames."""
        names, contents = self.all_names(), self.contents()
        compress = self.wrong.get("frame", lambda number, content: zstd(content))
        entries, frames = [], b""
        for number, (first, content) in enumerate(contents):
            entries.append((first, len(content), len(frames)))
            frames += compress(number, content)
        entries = self.wrong.get("entries", list)(entries)
        ends = sorted(range(len(self.games)), key=lambda number: (self.games[number].end, number))
        bodies = {
            "INDX": b"".join(game.digest.to_bytes(6, "little") + struct.pack("<I", game.end) for game in self.games),
            "ENDS": struct.pack(f"<{len(ends)}I", *ends),
            "NAMX": struct.pack(f"<{len(names)}Q", *(sum(map(len, names[:number])) for number in range(len(names)))),
            "NAME": b"".join(names),
            "SRCS": b"".join(self.all_archives()),
            "FRMS": frames,
            "FIDX": b"".join(struct.pack("<IIQ", *entry) for entry in entries),
        }
        bodies = {tag: self.wrong.get(tag, bytes)(body) for tag, body in bodies.items()}
        return bodies, b"".join(content for _, content in contents), len(entries)

    def head_of_digest(self):
        return self.game.encode().ljust(16, b"\0") + self.keys.encode().ljust(16, b"\0") + bytes([self.keyed, self.kept])

    def digest(self):
        bodies, contents, _ = self.bodies()
        parts = [bodies[tag] for tag in SECTIONS[:5]] + [contents]
        return self.wrong.get("digest") or xxh3_128(self.head_of_digest() + b"".join(map(xxh3_128, parts)))

    def counts(self):
        right = (len(self.games), sum(len(game.moves) for game in self.games), len(self.all_names()), len(self.all_archives()), self.bodies()[2])
        return [self.wrong.get("counts", {}).get(which, number) for which, number in zip(("games", "plies", "names", "archives", "frames"), right)]

    def encode(self):
        bodies, _, _ = self.bodies()
        extents, pages, padding = [], b"", self.wrong.get("padding")
        for tag, body in bodies.items():
            extents.append((PAGE + len(pages), len(body)))
            pages += padded(body, tag == padding)
        sums = b"".join(struct.pack("<Q", xxhash.xxh3_64_intdigest(pages[at:at + PAGE])) for at in range(0, len(pages), PAGE))
        extents.append((PAGE + len(pages), len(sums)))
        pages += padded(sums, padding == "SUMS")
        header = b"\x89TABGM\r\n" + struct.pack("<IIQQ", 1, PAGE, 0, 0) + self.head_of_digest() + bytes(6)
        header += struct.pack("<6Q", *self.counts(), len(pages) + 2 * PAGE) + self.digest()
        header += b"".join(struct.pack("<QQ", *extent) for extent in extents)
        header = header.ljust(PAGE - 4, b"\0")
        for change in self.wrong.get("header", ()):
            header = change(header)
        header += struct.pack("<I", zlib.crc32(header))
        return self.wrong.get("whole", bytes)(self.wrong.get("page", bytes)(header) + pages + header)


def merged(*files):
    """What these files come to (G-M1, G-M2)."""
    games = {}
    for game in (game for file in files for game in file.games):
        known = games.setdefault(game.digest, [])
        known.append(game)
    best = []
    for same in games.values():
        rank = max(game.rank() for game in same)
        same = [game for game in same if game.rank() == rank]
        known = max(game.known() for game in same)
        best.append(min((game for game in same if game.known() == known), key=Game.contents))
    return GameFile(best, files[0].game, files[0].keys, files[0].keyed, max(file.kept for file in files))


def answers(file):
    """The lines of a file in games-answers.tsv."""
    def escaped(text):
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")

    def runs(moves):
        out, at = [], 0
        while at < len(moves):
            end = at
            while end < len(moves) and moves[end] == moves[at]:
                end += 1
            out.append(f"{moves[at]}x{end - at}" if end - at > 1 else str(moves[at]))
            at = end
        return out

    yield f"digest {file.digest().hex()}"
    yield f"of {file.game} {file.keys} {('position', 'line')[file.keyed]} {('all', 'named')[file.kept]}"
    games, plies, names, archives, frames = file.counts()
    yield f"counts {games} {plies} {names} {archives} {frames}"
    for game in file.games:
        yield f"game {game.digest:012x} {game.id()} {game.end:08x} {game.rank()}"
        yield "told " + " ".join(map(str, (game.result, *game.date, *game.ratings)))
        yield f"from {game.archive.hex()} {game.offset}"
        yield from (f"{what} {escaped(name)}" for what, name in zip(NAMES, game.names) if name)
        yield from [f"setup {escaped(game.setup)}"] if game.setup else []
        yield " ".join(["moves"] + runs(game.moves))
    for end in sorted({game.end for game in file.games}):
        yield " ".join([f"ending {end:08x}"] + [f"{game.digest:012x}" for game in file.games if game.end == end])
    there = {game.digest for game in file.games}
    yield from (f"absent {digest:012x}" for digest in (1, 2, 0x5EED5A2AC0DD, (1 << 48) - 2) if digest not in there)
