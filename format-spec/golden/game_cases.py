"""Files of games: valid ones, one for each way in which a rule of ../games.md is broken, and what merging makes of them."""
import struct

from cases import Cases, flip, put, u32, u64
from game_writer import FULL, PAGE, Game, GameFile, answers, archive, merged, zstd, zstd_with_checksum
from writer import mix

START, E4 = 0x463B96181691FC9C, 0x823C9B50FD114196
ONE, TWO, THREE = (archive(name) for name in ("one", "two", "three"))
NO_NAMES = ("",) * 5
TAL = ("Tal, Mikhail", "Botvinnik, Mikhail", "World Championship", "Moscow", "1")


class GameCases(Cases):
    """Cases of games.tsv and games-answers.tsv."""

    suffix, lists, answered = ".tabia-games", ("games.tsv", "games-answers.tsv"), ("file", "line")

    def answer(self, name, _, file, copies=True):
        self.lines.extend((name, line) for line in answers(file))


def end_of(key):
    return mix(key) >> 32


def several():
    """Five games: two of one id and one end, one of which nothing is known, one of which everything is as large as it can be."""
    long = "é" * 127 + "!"
    strange = ("<script>alert(1)</script>", "本因坊 秀策", long, 'a"b\\c', "\u2028")
    return [
        Game(0, TWO),
        Game(0x5EED5A2AC0DE, ONE, end_of(E4), 1, (1960, 3, 15), (0, 0), TAL, 0, "", [796]),
        Game(0x5EED5A2AC0DF, ONE, end_of(E4), 2, (1960, 3, 0), (2700, 2650), TAL[1::-1] + TAL[2:4] + ("2",), 815, "", [796, 3364, 405]),
        Game(0x800000000000, TWO, end_of(START), 3, (2024, 0, 0), (2500, 0), ("Müller", "", "", "", ""), 77, "8/8/8/8/8/8/8/K1k5 w - - 0 1"),
        Game((1 << 48) - 1, THREE, 0xFFFFFFFF, 0, (65535, 12, 31), (65535, 65535), strange, (1 << 64) - 1, "x" * 300, [0, 65535, 0]),
    ]


def change(old, new):
    """Writes other bytes where these are for the first time."""
    def changed(bytes_):
        assert bytes_.count(old) >= 1 and len(old) == len(new)
        return bytes_.replace(old, new, 1)
    return changed


def swap(size, one, other):
    """Swaps two elements of a section."""
    def swapped(body):
        parts = [body[at:at + size] for at in range(0, len(body), size)]
        parts[one], parts[other] = parts[other], parts[one]
        return b"".join(parts)
    return swapped


def repeat(size, one, other):
    """Puts an element of a section over another one."""
    return lambda body: put(size * other, body[size * one:size * (one + 1)])(body)


def make_valid(cases):
    file = GameFile(several())
    cases.valid("games", file, "five games: two of one id and one end, one of which nothing is known, one of extreme values")
    cases.valid("no-games", GameFile([]), "no games")
    cases.valid("games-of-lines", GameFile(several()[1:2], "go-9", "abcdefghijklmnop", 1, 1), "another game, keyed by line, games that moves name; a scheme's name of 16 letters")
    compatible = file.but(header=[put(24, b"\1\0\2"), put(31, b"\x80")])
    cases.valid("games-compatible", compatible, "unknown compatible feature bits 0, 17 and 63", "games")
    cases.valid("games-checksum", file.but(frame=lambda _, content: zstd_with_checksum(content)),
                "the Zstandard frame has a checksum and a window, and doesn't say how long its content is: of the same digest as games", "games")
    short = Game(9, TWO, 7, moves=[1, 2])
    long = Game(3, ONE, 7, moves=[7] * 40000)
    cases.valid("games-frames", GameFile([long, Game(4, ONE, 7, moves=[0] * (1 << 20)), Game(5, TWO, 7, setup="s" * 4096, moves=[9] * (FULL // 2)), short]),
                "four frames; a game of 2^20 moves, a set-up text of 4096 bytes")
    return file


def make_refused(cases, file):
    def refused(name, about, **wrong):
        cases.refused(name, file.but(**wrong), about, "games")

    def header(name, about, *changes):
        refused(name, about, header=changes)

    whole = file.encode()
    cases.refused("g-01-empty", b"", "no bytes", "games")
    cases.refused("g-01-text", b"[Event", "six bytes of text", "games")
    header("g-01-magic", "a bit of the magic", flip(1))
    refused("g-02-bit", "a bit of the digest without its crc; the copy is right", page=flip(120))
    refused("g-02-page", "the first page but for its magic is lost; the copy is right", page=lambda page: page[:8].ljust(PAGE, b"\0"))
    header("g-03-version", "version 2", put(8, u32(2)))
    header("g-03-page", "a page size of 8192", put(12, u32(8192)))
    header("g-04-bit-0", "incompatible feature bit 0", put(16, b"\1"))
    header("g-04-bit-63", "incompatible feature bit 63", put(23, b"\x80"))
    refused("g-05-cut", "the last page is missing", whole=lambda bytes_: bytes_[:-PAGE])
    refused("g-05-short", "cut within the first page", whole=lambda bytes_: bytes_[:PAGE - 1])
    refused("g-05-odd", "the last byte is missing", whole=lambda bytes_: bytes_[:-1])
    refused("g-05-longer", "a page more", whole=lambda bytes_: bytes_ + bytes(PAGE))
    for which, at in (("games", 72), ("names", 88), ("archives", 96), ("frames", 104)):
        header(f"g-06-{which}", f"2^32 {which}", put(at, u64(1 << 32)))
        header(f"g-06-{which}-far", f"2^61 {which}: a product wraps", put(at, u64(1 << 61)))
    header("g-06-more-games", "a game more than INDX has", put(72, u64(6)))
    refused("g-06-more-frames", "more frames than games, as FIDX says", entries=lambda entries: entries * 6)
    header("g-06-start", "INDX begins in the first page", put(136, u64(0)))
    header("g-06-hole", "a page is left out before FIDX", put(136 + 6 * 16, u64(8 * PAGE)))
    header("g-06-wrap", "NAME is so long that its end wraps", put(136 + 3 * 16 + 8, u64(-4 * PAGE)))
    header("g-06-sums", "a sum too few", put(136 + 7 * 16 + 8, u64(48)))
    refused("g-06-rest", "a page more, and the header knows", header=[put(112, u64(len(whole) + PAGE))], whole=lambda bytes_: bytes_ + bytes_[-PAGE:])
    header("g-07-game", "a space in the game's name", put(32, b"ch ss"))
    header("g-07-game-rest", "the game's name goes on behind a zero", put(40, b"x"))
    header("g-07-keys", "the key scheme has no name", put(48, bytes(16)))
    header("g-07-keyed", "keyed is 2", put(64, b"\2"))
    header("g-07-kept", "kept is 2", put(65, b"\2"))
    header("g-07-reserved-66", "a reserved byte behind kept", put(71, b"\1"))
    header("g-07-reserved-264", "the first reserved byte behind the sections", put(264, b"\1"))
    header("g-07-reserved-4091", "the last reserved byte", put(4091, b"\1"))


def make_found(cases, file):
    def found(name, about, file=file, **wrong):
        cases.found(name, file.but(**wrong), about, "games")

    whole = file.encode()
    found("g-08-bit", "a bit of the copy", whole=flip(len(whole) - PAGE + 120))
    found("g-08-lost", "the copy is lost", whole=lambda bytes_: bytes_[:-PAGE] + bytes(PAGE))
    for number, tag in enumerate(("INDX", "ENDS", "NAMX", "NAME", "SRCS", "FRMS", "FIDX")):
        found(f"g-09-{tag.lower()}", f"a bit of {tag} without its sum", whole=flip((1 + number) * PAGE + 3))
    found("g-09-sums", "a bit of a sum", whole=flip(8 * PAGE + 16))

    games = several()
    found("g-10-order", "two games are swapped", GameFile([games[0], games[2], games[1], *games[3:]], sort=False))
    found("g-10-twice", "a game is there twice", GameFile([*games[:2], Game(games[1].digest, ONE, end_of(E4), moves=[796]), *games[2:]], sort=False))
    found("g-11-ends", "ends don't ascend", ENDS=swap(4, 0, 4))
    place = file.bodies()[0]["ENDS"].index(u32(1)) // 4  # of game 1, before game 2 of the same end
    found("g-11-numbers", "numbers of one end don't ascend", ENDS=swap(4, place, place + 1))
    found("g-11-twice", "a game is there twice, another one not at all", ENDS=repeat(4, place, place + 1))
    found("g-11-beyond", "a number that no game has", ENDS=put(16, u32(5)))

    found("g-12-first", "the first name doesn't begin where NAME does", NAMX=put(0, u64(1)))
    found("g-12-order", "two names are swapped", names=lambda names: [names[1], names[0], *names[2:]])
    found("g-12-twice", "a name is there twice", names=lambda names: [*names[:3], names[2], *names[3:]])
    found("g-12-empty", "a name of no bytes", names=lambda names: [b"", *names])
    found("g-12-long", "a name of 256 bytes", names=lambda names: [*names, b"\xf4" + b"\x8f\xbf\xbf" * 85])
    found("g-12-far", "a name begins behind NAME", NAMX=lambda body: body[:-8] + u64(1 << 40))
    found("g-12-back", "a name begins before the one before", NAMX=put(16, u64(0)))
    found("g-12-control", "a control character, U+0085", NAME=change("Müller".encode(), b"M\xc2\x85ller"))
    found("g-12-zero", "a zero byte", NAME=change(b"Moscow", b"Mos\0ow"))
    found("g-12-utf-8", "no UTF-8", NAME=change(b"Moscow", b"Mos\xffow"))
    found("g-12-none", "names without bytes in NAME", GameFile([Game(1, ONE)]), NAME=lambda _: b"Tal")
    beyond = [*games[:3], Game(0x800000000000, TWO, numbers=(99, 0, 0, 0, 0)), games[4]]
    found("g-12-beyond", "a game has a name that isn't there", GameFile(beyond))
    found("g-13-order", "two archives are swapped", archives=lambda archives: [archives[1], archives[0], archives[2]])
    found("g-13-twice", "an archive is there twice", archives=lambda archives: [*archives, archives[2]])
    beyond = [*games[:3], Game(0x800000000000, TWO, archive_number=3), games[4]]
    found("g-13-beyond", "a game has an archive that isn't there", GameFile(beyond))
    make_frames(found, file)
    make_heads(found)
    for tag in ("INDX", "NAME", "FRMS", "FIDX", "SUMS"):
        found(f"g-16-{tag.lower()}", f"padding behind {tag} is not zero, its sum is right", padding=tag)
    found("g-17-digest", "a bit of the digest", digest=flip(5)(file.digest()))
    found("g-17-zero", "no digest", digest=bytes(16))
    found("g-18-plies", "a ply too many", counts={"plies": 8})
    found("g-18-name", "a name of no game", names=lambda names: [b"!", *names])
    found("g-18-archive", "an archive of no game", archives=lambda archives: sorted([*archives, archive("four")]))


def make_frames(found, file):
    """G-14."""
    found("g-14-first-game", "the first frame begins with game 1", entries=lambda entries: [(1, *entries[0][1:])])
    found("g-14-first-offset", "the first frame begins at offset 1", frame=lambda _, content: b"\0" + zstd(content),
          entries=lambda entries: [(*entries[0][:2], 1)])
    found("g-14-none", "no frame, but games", counts={"frames": 0}, FRMS=lambda _: b"", FIDX=lambda _: b"")
    found("g-14-short", "FIDX says a byte less than the content has", entries=lambda entries: [(0, entries[0][1] - 1, 0)])
    found("g-14-long", "FIDX says a byte more than the content has", entries=lambda entries: [(0, entries[0][1] + 1, 0)])
    found("g-14-large", "FIDX says a byte more than any content may have", entries=lambda entries: [(0, FULL + (1 << 21) + 8193, 0)])
    found("g-14-huge", "FIDX says 2^32 - 1 bytes", entries=lambda entries: [(0, (1 << 32) - 1, 0)])
    found("g-14-magic", "no Zstandard frame", frame=lambda _, content: b"\0" + zstd(content)[1:])
    found("g-14-cut", "the Zstandard frame is cut off", frame=lambda _, content: zstd(content)[:-1])
    found("g-14-rest", "bytes behind the Zstandard frame", frame=lambda _, content: zstd(content) + b"\0")
    found("g-14-two", "two Zstandard frames in place of one", frame=lambda _, content: zstd(content[:9]) + zstd(content[9:]))
    found("g-14-skippable", "a skippable frame behind the frame", frame=lambda _, content: zstd(content) + b"\x50\x2a\x4d\x18\1\0\0\0x")
    found("g-14-early", "a frame ends before it is full", at_full=60)
    found("g-14-swapped", "two frames in the order of neither games nor offsets", at_full=60, entries=lambda entries: [entries[1], entries[0], *entries[2:]])
    found("g-14-beyond", "the last frame begins behind the last game", at_full=60, entries=lambda entries: [*entries[:-1], (5, *entries[-1][1:])])
    found("g-14-far", "the last frame begins behind FRMS", at_full=60, entries=lambda entries: [*entries[:-1], (*entries[-1][:2], 1 << 62)])
    found("g-14-full", "a frame goes on though it was full", GameFile([Game(1, ONE, moves=[5] * 40000), Game(2, ONE)]), at_full=FULL << 2)


def make_heads(found):
    """G-15."""
    def game(name, about, **fields):
        found(f"g-15-{name}", about, GameFile([Game(1, ONE), Game(2, ONE, **fields)]))

    game("flags", "bit 3 of the flags", flags=8)
    game("flags-7", "bit 7 of the flags", flags=0x80)
    game("year", "the year 65536", date=(65536, 1, 1))
    game("month", "month 13", date=(2024, 13, 1))
    game("month-without-year", "a month without a year", date=(0, 1, 0))
    game("day-without-month", "a day without a month", date=(2024, 0, 1))
    game("varint-long", "a number in more bytes than it needs", offset_bytes=b"\x80\0")
    game("varint-wide", "a number of 65 bits", offset_bytes=b"\xff" * 9 + b"\2")
    game("varint-cut", "a number that doesn't end", offset_bytes=b"\xff" * 11)
    game("name-wide", "a name's number of 33 bits", numbers=(1 << 32, 0, 0, 0, 0))
    game("plies", "2^20 + 1 moves", plies=(1 << 20) + 1)
    game("plies-wrap", "2^63 moves: twice as many wrap", plies=1 << 63)
    game("moves-cut", "fewer codes than moves", plies=2, moves=[1])
    game("rest", "bytes behind the last code", rest=b"\0\0")
    game("odd", "half a code", rest=b"\0")
    game("setup-empty", "a set-up text of no bytes", setup="x", setup_length=0)
    game("setup-long", "a set-up text of 4097 bytes", setup="x" * 4097)
    game("setup-cut", "a set-up text that isn't there", setup="x", setup_length=4096)
    game("setup-control", "a control character in a set-up text", setup="a\nb")
    game("setup-delete", "U+007F in a set-up text", setup="a\x7fb")
    found("g-15-few", "more games than heads", GameFile([Game(1, ONE), Game(2, ONE)], content=lambda _, content: content[:len(content) // 2]))


def make_merges(cases):
    """Pairs, -a and -b, and what they come to, -ab."""
    def pair(name, about, one, other):
        for end, file in (("a", one), ("b", other)):
            cases.valid(f"{name}-{end}", file, about, "games")
        both = merged(one, other)
        assert both.encode() == merged(other, one).encode() == merged(both, one, other).encode()
        cases.book(f"{name}-ab", "valid", f"G-M{name[3]}", about, both, "games")

    rated = dict(ratings=(2700, 2600))
    named = dict(names=TAL, date=(1960, 3, 15), result=1)
    pair("g-m1-rank", "the greater rank stays, however little is known",
         GameFile([Game(1, ONE, **rated), Game(2, ONE, **named), Game(3, ONE, ratings=(1500, 1400), names=TAL), Game(4, ONE, ratings=(65535, 1))]),
         GameFile([Game(1, ONE, **named), Game(2, ONE, **rated), Game(3, ONE, ratings=(1400, 1501)), Game(4, ONE, ratings=(65535, 65535), date=(1999, 0, 0))]))
    pair("g-m1-known", "of equal ranks the one of which more is known stays; one rating is known, but gives no rank",
         GameFile([Game(1, ONE, result=1), Game(2, ONE, date=(2024, 1, 1)), Game(3, ONE, ratings=(2700, 0)), Game(4, ONE, setup="x")]),
         GameFile([Game(1, ONE), Game(2, ONE, names=TAL[:2] + ("",) * 3, result=1), Game(3, ONE, names=TAL), Game(4, ONE, names=TAL)]))
    low, high = sorted((ONE, TWO))
    differences = [
        (dict(result=1), dict(result=2)), (dict(ratings=(2400, 0)), dict(ratings=(2500, 0))), (dict(ratings=(0, 2400)), dict(ratings=(1, 0))),
        (dict(date=(1999, 0, 0)), dict(date=(2000, 0, 0))), (dict(date=(1999, 2, 0)), dict(date=(1999, 10, 0))), (dict(date=(1999, 2, 9)), dict(date=(1999, 2, 10))),
        *((dict(names=names("Z")), dict(names=names("é"))) for names in (lambda name, at=at: NO_NAMES[:at] + (name,) + NO_NAMES[at + 1:] for at in range(5))),
        (dict(names=("", "b", "", "", "")), dict(names=("a", "", "", "", ""))), (dict(setup=""), dict(setup="a")), (dict(setup="10"), dict(setup="9")),
        (dict(archive=low, offset=9), dict(archive=high)), (dict(offset=255), dict(offset=256)), (dict(end=255), dict(end=256)),
        (dict(moves=[255]), dict(moves=[256])), (dict(moves=[]), dict(moves=[0])), (dict(moves=[1, 9, 9]), dict(moves=[2])),
    ]
    games = [[], []]
    for number, pair_ in enumerate(differences):
        less, more = (Game(number * 3, **dict(archive=ONE) | fields) for fields in pair_)
        assert less.contents() < more.contents() and less.rank() == more.rank() and less.known() == more.known(), number
        games[number % 2].append(less)
        games[1 - number % 2].append(more)
    pair("g-m1-less", "of games of which as much is known the lesser stays: each digest by another field, the lesser now in one, now in the other", *map(GameFile, games))
    pair("g-m2-kept", "games that only one has, and one that both have; one file holds all, the other those that moves name",
         GameFile(several()[:3], kept=1), GameFile(several()[2:]))
    for what, about, file in (("game", "another game", dict(game="othello")), ("keys", "another key scheme", dict(keys="zobrist-8")), ("keyed", "keyed by line", dict(keyed=1))):
        cases.book(f"g-m2-{what}", "merge-refused", "G-M2", about, GameFile(several(), **file), "games")


def make():
    cases = GameCases()
    file = make_valid(cases)
    make_refused(cases, file)
    make_found(cases, file)
    make_merges(cases)
    return cases.finish()
