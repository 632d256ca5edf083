"""The golden packed books: valid ones, and for each of B-29 to B-32 some that break it."""
import struct

from cases import (D4_MOVE, E4, E4_D5, E4_MOVE, H_MAX, ONE_SOURCE, REPLY_D5, START, archive, flip, put, small_columns, small_moves,
                   small_positions, u32, u64)
from packed import PACKED, ROOM, Packed, packed, record
from writer import M64, NONE, PAGE, hash_of, mix, unmix

E5, F5 = 0x662FAFB965DB29D4, 0x22A48B5A8E47FF78  # after 1. e4 d5 2. e5, and after 2... f5: Polyglot's own
E5_MOVE, F5_MOVE = (E4_D5, 1828), (E5, 3429)
GAMES = [archive("1. e4 d5 2. e5 f5 1-0\n1. d4 1/2-1/2\n", 2, "two.pgn")]


def make(cases, basis):
    for some in (valid_books, valid_groups, refused_parameters, refused_sections, found_pages, found_contents):
        some(cases, basis)


# --- valid books -------------------------------------------------------------------------------------------

def valid_books(cases, basis):
    basis.packed = cases.valid("packed-example", Packed(
        {START: (1, 1, 0, NONE, 0, 0), E4: (0, 0, 1, NONE, 0, 0), E4_D5: (1, 0, 0, 25, 20, 0), E5: (0, 0, 1, NONE, 0, 0), F5: (1, 0, 0, -12, 18, 0x10)},
        {D4_MOVE: (0, 1, 0, 0), E4_MOVE: (1, 0, 0, 0x01), REPLY_D5: (0, 0, 1, 0), E5_MOVE: (1, 0, 0, 0), F5_MOVE: (0, 0, 1, 0)}, GAMES),
        "the worked example of a packed book: five positions, five moves")
    cases.valid("packed-empty", Packed({}, {}), "both tables, no rows", "packed-example")
    cases.valid("packed-one-row", Packed({H_MAX: (3, 2, 1, 25, 20, 0x10)}, None, ONE_SOURCE), "one position, whose h is 2^64 - 1", "packed-example")
    cases.valid("packed-small", packed(basis.small.but(sources=ONE_SOURCE)),
                "small, packed: positions without moves, moves without a position, moves of no games, counts up to 2^32 - 1, keys 0 and 2^64 - 1")
    cases.valid("packed-positions", Packed(small_positions(), None, [], 500, game="othello", keys="zobrist-1", keyed=1, tags=True),
                "positions only, with tags, load 0.5, another game, keyed by line")
    cases.valid("packed-moves", Packed(None, small_moves(), ONE_SOURCE, 980), "moves only, load 0.98")
    basis.packed_columns = cases.valid("packed-columns", packed(basis.columns), "columns-example, packed: all columns", "packed-example")
    positions, moves, columns = of_games(40)
    basis.packed_games = cases.valid("packed-games", Packed(positions, moves, ONE_SOURCE, columns=columns),
                                     "cells that games tell, those of a swapped pair of ratings, of several games, and fields that are spelled out")
    for tags in (("GAME",), ("GAME", "YEAR"), ("RTNG", "GAME"), ("RTNG", "YEAR")):
        cases.valid("packed-games-" + "-".join(tags).lower(), Packed(positions, moves, ONE_SOURCE, columns={tag: columns[tag] for tag in tags}),
                    "the same with these columns alone", "packed-games")
    cases.valid("packed-games-none", Packed(positions, moves, ONE_SOURCE, columns={"RTNG": {}, "GAME": {}, "YEAR": {}}),
                "columns without a cell that says anything: no games", "packed-games")
    cases.valid("packed-facts", packed(basis.facts), "facts, packed")
    counts = {START: (0, 4, 0, 31, 9, 0), E4: (0, 4, 0, NONE, 0, 0), E5: (0, 20, 0, NONE, 0, 0)}
    cases.valid("packed-counts", Packed(counts, {E4_MOVE: (0, 4, 0, 0), REPLY_D5: (0, 4, 0, 0x10), (E5, 8): (0, 20, 0, 0)}, ONE_SOURCE, counts=True,
                                        columns={"RTNG": {E4_MOVE: (9900, 9800, 4, 4)}}), "counts without results, ratings", "packed-example")
    whole = packed(basis.whole)
    basis.packed_share = cases.valid("packed-share-1", whole.of_share(2, 1), "share-1, packed")
    cases.valid("packed-share-2", whole.of_share(2, 2), "share-2, packed: no rows", "packed-share-1")
    cases.valid("packed-share-32", Packed({START: (3, 2, 1, 25, 20, 0x10)}, {E4_MOVE: (2, 0, 1, 0), D4_MOVE: (0, 1, 0, 0)}, ONE_SOURCE,
                                          share=(32, mix(START) >> 32)), "share bits 32", "packed-example")


def of_games(n):
    """Positions of few games, with their cells in all columns."""
    known = [(4000 + i, mix(i) >> 16, 1970 + i, 2100 + 3 * i, 2000 + i % 2 * 200) for i in range(6)] + [(0, 77, 0, 0, 0), (0, 78, 1999, 0, 0)]
    positions, moves, columns = {}, {}, {"RTNG": {}, "GAME": {}, "YEAR": {}}
    for i in range(n):
        r = mix(5 << 32 | i)
        key, count = (mix(r), 700 + (r & 31)), 1 if r >> 8 & 7 else 2
        rank, digest, year, mover, opponent = known[(r >> 12) % len(known)]
        if r >> 20 & 1:
            mover, opponent = opponent, mover
        row = (count, 0, 0) if r >> 21 & 1 else (0, count, 0)
        moves[key], positions[key[0]] = row + (0,), row + (NONE, 0, 0)
        if r >> 22 & 7:
            columns["GAME"][key] = (rank, digest)
        if r >> 25 & 7:
            columns["RTNG"][key] = (mover * count, opponent * count, count, 2 * row[0] + row[1]) if mover else (0, 0, 0, 0)
            columns["YEAR"][key] = (year, year)
        else:
            columns["RTNG"][key], columns["YEAR"][key] = (2500 + i, 2400, 1, 1), (1850 + i, 2000 + i)
        if r >> 28 & 7 == 0:
            other = (key[0], 750)
            moves[other], columns["GAME"][other], columns["YEAR"][other] = (1, 0, 0, 4), (rank, digest), (year, year)
    return positions, moves, columns


def archived(n, seed=1):
    """A book like an archive's: most positions of one game and one move, of which some have an eval."""
    positions, moves = {}, {}
    for i in range(n):
        r = mix(seed << 32 | i)
        key, results = mix(r), ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        counts = results[r % 3] if r >> 8 & 15 else (r >> 16 & 63, r >> 24 & 63, r >> 32 & 63)
        evaluation = ((r >> 40 & 0x3FF) - 512, 20 + (r >> 52 & 3), r >> 56 & 1) if r >> 12 & 7 == 0 else (NONE, 0, 0)
        positions[key] = counts + evaluation
        if sum(counts) < 2 or r >> 60 == 0:
            moves[key, 700 + (r >> 20 & 0xFFF) // (1 + (r >> 13 & 255))] = counts + (0,)
        else:
            half = tuple(count // 2 for count in counts)
            moves[key, 731], moves[key, 796] = half + (0,), tuple(a - b for a, b in zip(counts, half)) + ((r >> 14 & 3) // 3,)
        if r >> 57 & 63 == 5:
            del positions[key]
    return positions, moves


def together(count, h=0x4000000000000000):
    """Positions of one bucket."""
    return {unmix(h + i * 3): (i % 4, i % 3, 0, NONE, 0, 0) for i in range(count)}


def moves_of(key, count, step=1):
    """Moves of a position, and the position."""
    moves = {(key, 7 + step * code): (code % 9, code % 4, code % 5, 0) for code in range(count)}
    return {key: tuple(sum(row[i] for row in moves.values()) for i in range(3)) + (NONE, 0, 0)}, moves


def valid_groups(cases, basis):
    """Groups of many entries and of large records, large groups, and more pages than one."""
    cases.valid("packed-254", Packed(together(254), None, ONE_SOURCE), "254 entries of one bucket, the most that a group holds")
    basis.packed_large = cases.valid("packed-255", Packed(together(255), None, ONE_SOURCE), "255 entries of one bucket: a large group")
    cases.valid("packed-700-moves", Packed(*moves_of(START, 700), ONE_SOURCE), "700 moves of one position: a record of more than 255 bytes")
    positions, moves = moves_of(START, 140)
    other = {E4: (1, 0, 0, 30, 9, 0)}, {REPLY_D5: (1, 0, 0, 0x04)}
    columns = small_columns({**moves, **other[1]})
    columns["RTNG"] = {key: ((1 << 48) - 1 - key[1], (1 << 48) - 2, (1 << 32) - 3, M64) for key in moves}
    basis.packed_large_columns = cases.valid("packed-large-columns", Packed({**positions, **other[0]}, {**moves, **other[1]}, ONE_SOURCE, columns=columns),
                                             "a large group of 140 moves with all columns, and an entry elsewhere")
    basis.packed_pages = cases.valid("packed-pages", Packed(*archived(1250), ONE_SOURCE),
                                     "1,250 entries as of an archive: four pages, and groups that stand behind their home page")


def crowded(n, step, count, codes):
    """An archive's entries, and in many groups in a row a position of many moves, so that groups stand up to two pages behind their home."""
    positions, moves = archived(n)
    for i in range(count):
        more = moves_of(unmix((5 << 60) + i * step), codes)
        positions.update(more[0])
        moves.update(more[1])
    return Packed(positions, moves, ONE_SOURCE)


def large(cases):
    """Of many pages; not committed."""
    cases.valid("packed-3000", Packed(*archived(3000), ONE_SOURCE, tags=True), "3,000 entries as of an archive, tags")
    positions, moves = archived(20_000, 2)
    cases.valid("packed-20000", Packed(positions, moves, ONE_SOURCE), "20,000 entries as of an archive")
    cases.valid("packed-20000-moves", Packed(None, moves, ONE_SOURCE, columns=small_columns(moves)), "the moves alone, with all columns")
    book = crowded(10_000, 13 << 50, 100, 200)
    pack, pages, _ = book.packed()
    behind = [number - first // pack.groups for number, (first, _) in enumerate(pages.pages)]
    assert max(behind) == 2
    cases.valid("packed-crowded", book, "groups that stand one and two pages behind their home page, large ones for want of room")


# --- books that are refused --------------------------------------------------------------------------------

def refused_parameters(cases, basis):
    """B-29, and what PACK of these rows is not (B-32)."""
    book, x = basis.packed, "packed-example"
    pack = book.packed()[0]
    body = lambda name, f, about, of=book, base=x: cases.refused("b-29-" + name, of.but(tweak={"PACK": f}), about, base)
    found = lambda name, f, about, of=book, base=x: cases.found("b-32-" + name, of.but(tweak={"PACK": f}), about, base)
    codes = 40 + 12 * ((1 << pack.c) - 1)
    cases.refused("b-29-checksum", book.but(entry={"PACK": dict(checksum=1), "COPY": dict(checksum=1)}), "the checksum of PACK and COPY", x)
    body("short", lambda b: b[:39], "PACK has 39 bytes")
    body("missing", lambda b: b[:-1], "the last byte of PACK is missing")
    body("rest", lambda b: b + bytes(2), "two bytes more in PACK")
    body("share", put(18, b"\1"), "PACK says share bits, the header none")
    body("k", put(0, u32(pack.k + 1)), "more buckets than five entries have")
    body("k-less", put(0, u32(3)), "2^3 buckets, of which 2^4 are the least")
    body("k-huge", put(0, u32(57)), "2^57 buckets")
    found("group-buckets", put(4, u32(31)), "31 buckets of a group, where five entries have 32")
    body("group-buckets-0", put(4, u32(0)), "no buckets of a group")
    body("group-buckets-33", put(4, u32(33)), "33 buckets of a group")
    body("page-buckets", put(8, u32(17)), "17 buckets of a page, where there are 16")
    body("page-buckets-0", put(8, u32(0)), "no buckets of a page")
    body("page-buckets-huge", put(8, u32(M64)), "2^32 - 1 buckets of a page")
    body("class-bits", lambda b: put(12, b"\7")(b[:40] + bytes(12 * 127) + b[codes:]), "classes of seven bits")
    body("class-counts", put(40, u32(16)), "a class of 16 wins")
    found("sum", flip(32), "another sum of the entries")
    found("class-twice", lambda b: put(40, b[52:64])(b), "a class twice")
    body("class-behind", lambda b: b[:40] + b[64:76] + b[40:64] + b[76:], "the class that no triple is left for is the first")
    body("move-bits", put(13, b"\4"), "moves' numbers of four bits, where five codes need three")
    body("eval-bits", put(14, b"\x11"), "evals of 17 bits")
    body("pair-bits", put(15, b"\2"), "pairs' numbers of two bits, where two pairs need one")
    body("codes-huge", put(24, u32(M64)), "2^32 - 1 codes")
    body("codes-twice", lambda b: put(codes, b[codes + 2:codes + 4])(b), "a code twice")
    body("pairs-order", lambda b: b[:-4] + b[-2:] + b[-4:-2], "two pairs are swapped")
    body("pairs-huge", put(20, u32(1 << 31)), "2^31 pairs")
    body("fields", lambda b: put(28, u32(1))(b) + bytes(16), "a field in a book without columns")
    columns = basis.packed_columns
    body("fields-missing", lambda b: put(28, u32(5))(b[:-16]), "a field fewer than the columns have", columns, "packed-columns")
    body("width", lambda b: b[:-8] + u64(65), "a field of 65 bits", columns, "packed-columns")


def refused_sections(cases, basis):
    """B-30."""
    book, x = basis.packed, "packed-example"
    entry = lambda name, tag, about, **fields: cases.refused("b-30-" + name, book.but(entry={tag: fields}), about, x)
    cases.refused("b-30-feature", basis.one.but(incompatible=PACKED), "feature bit 4 without PACK and PAGE", "one-row")
    plain = basis.one.but(order=lambda s: [("PACK", b"", {}), ("PAGE", b"", {})] + s)
    cases.refused("b-30-no-feature", plain, "PACK and PAGE without feature bit 4", "one-row")
    cases.refused("b-30-no-pack", book.but(order=lambda s: s[1:]), "PAGE without PACK", x)
    cases.refused("b-30-no-copy", book.but(order=lambda s: s[:-1]), "no COPY", x)
    cases.refused("b-06-packed-copy", book.but(order=lambda s: s[:-2] + [s[-1], s[-2]]), "COPY in front of FACT (breaks B-30 too)", x)
    cases.refused("b-30-copy-short", book.but(order=lambda s: s[:-1] + [("COPY", s[-1][1][:-1], {})]), "COPY is shorter than PACK", x)
    cases.refused("b-30-copy-other", book.but(order=lambda s: s[:-1] + [("COPY", flip(50)(s[-1][1]), {})]),
                  "COPY has another checksum than PACK", x)
    cases.refused("b-30-no-pages", book.but(order=lambda s: s[:1] + s[2:]), "PACK without PAGE", x)
    cases.refused("b-06-packed-order", book.but(order=lambda s: [s[1], s[0]] + s[2:]), "PAGE in front of PACK (breaks B-30 too)", x)
    cases.refused("b-06-packed-behind", book.but(order=lambda s: s[2:4] + s[:2] + s[4:]), "PACK and PAGE behind POSN (breaks B-30 too)", x)
    tail = lambda n: lambda b: b + n * b[-PAGE:]
    cases.refused("b-30-pages-none", book.but(tweak={"PAGE": lambda b: b""}), "no page, where one is home", x)
    cases.refused("b-30-pages-four", book.but(tweak={"PAGE": tail(3)}), "four pages, where one is home", x)
    cases.refused("b-30-pages-odd", book.but(tweak={"PAGE": lambda b: b + bytes(8)}), "a page and eight bytes", x)
    entry("home-pages", "PAGE", "two home pages, where PACK has one", homes=2)
    entry("home-pages-0", "PAGE", "no home pages", homes=0)
    entry("page-size", "PAGE", "pages of 8,192 bytes", size=8192)
    entry("page-wins", "PAGE", "PAGE has wins", wins=1)
    entry("page-displacement", "PAGE", "PAGE has a max displacement", displacement=1)
    entry("homes", "POSN", "POSN has homes", homes=1)
    entry("displacement", "MOVE", "MOVE has a max displacement", displacement=1)
    large, z = basis.packed_large_columns, "packed-large-columns"
    cases.refused("b-30-length", large.but(entry={"POSN": dict(length=23)}), "23 bytes of POSN", z)
    cases.refused("b-30-column", large.but(tweak={"YEAR": lambda b: b[:-4]}), "a cell of YEAR fewer than MOVE has rows in its body", z)
    cases.refused("b-30-tags", basis.packed.but(tags=True, tweak={"TAGS": lambda b: bytes(2)}), "TAGS has a tag", x)
    games, y = basis.packed_games, "packed-games"
    at = [tag for tag, _, _ in games.sections()].index("DICT")
    cases.refused("b-30-no-games", games.but(order=lambda s: s[:at] + s[at + 2:]), "no DICT, where there is GAME", y)
    cases.refused("b-30-games-column", games.but(order=lambda s: [part for part in s if part[0].upper() != "GAME"]), "DICT without GAME", y)
    cases.refused("b-30-games-length", games.but(tweak={"DICT": lambda b: b + bytes(8)}), "half a game too many", y)
    cases.refused("b-30-games-size", games.but(entry={"DICT": dict(size=8)}), "cells of 8 bytes of DICT", y)
    cases.refused("b-30-games-beside", games.but(entry={"DICT": dict(beside="POSN")}), "DICT beside the positions", y)
    cases.refused("b-06-packed-games", games.but(order=lambda s: s[:at - 2] + s[at:at + 2] + s[at - 2:at] + s[at + 2:]), "DICT in front of YEAR", y)
    plain = basis.columns.but(optional=[("DICT", b"", dict(size=16, beside="MOVE", checksum=0)), ("dict", b"", {})])
    cases.refused("b-30-games-plain", plain, "DICT in a plain book", "columns")
    cases.refused("b-30-unknown-column", book.but(order=lambda s: s[:6] + [("ODDS", b"", dict(size=5, beside="MOVE", checksum=0)), ("odds", b"", {})] + s[6:]),
                  "an unknown column", x)


# --- books in which a check finds something ----------------------------------------------------------------

def found_pages(cases, basis):
    """B-31, and B-14 of PAGE."""
    book, x, pages, y = basis.packed, "packed-example", basis.packed_pages, "packed-pages"
    in_page = lambda number, at: lambda file: flip((2 + number) * PAGE + at)(file)  # header, PACK, PAGE
    cases.found("b-31-bit", book.but(image=in_page(0, 10)), "a bit of a page", x)
    cases.found("b-31-rest", book.but(image=in_page(0, 4000)), "a bit behind the groups of a page", x)
    cases.found("b-31-middle", pages.but(image=in_page(1, 1000)), "a bit of the second page", y)
    cases.found("b-31-checksum", pages.but(tweak={"PAGE": flip(2 * PAGE - 1)}), "the checksum of the second page, PAGE's made to match", y)
    cases.found("b-31-twice", pages.but(pages=lambda p: [p[0], p[0]] + p[2:], placed=lambda n: 0 if n == 1 else n), "the first page in place of the second", y)
    cases.found("b-31-exchanged", pages.but(pages=lambda p: [p[1], p[0]] + p[2:], placed=lambda n: (1, 0, 2, 3)[n]), "two pages are exchanged", y)
    cases.found("b-31-other", book.but(placed=lambda n: n + 77), "the page of another book", x)
    cases.found("b-14-pages", pages.but(entry={"PAGE": dict(checksum=1)}), "the checksum of PAGE in its entry", y)
    large, z = basis.packed_large, "packed-255"
    cases.found("b-13-large", large.but(tweak={"posn": flip(8)}), "the sum of the second block of a large group's rows", z)
    cases.found("b-14-copy", book.but(image=lambda file: flip(len(file) - 2 * PAGE + 40)(file)), "a bit of COPY", x)
    cases.found("b-15-packed", book.but(image=put(2 * PAGE - 1, b"\1")), "the last byte of the page of PACK", x)


def of_entries(f):
    """Changes entries of a book before its groups are written: f(pack, entries)."""
    return dict(packing=lambda pack: f(pack, pack.entries))


def as_long(pack, entry, **wrong):
    entry.number, entry.short = (1 << pack.c) - 1, False
    entry.record = record(entry, pack.tables, pack.numbers, pack.m, pack.games, **wrong)


def found_contents(cases, basis):
    """B-32, and rules of rows in packed books."""
    book, x = basis.packed, "packed-example"
    start = [entry.h for entry in book.packed()[0].entries].index(hash_of(START))
    short = [entry.short for entry in book.packed()[0].entries].index(True)
    page = lambda name, f, about: cases.found("b-32-" + name, book.but(pages=lambda pages: [f(pages[0])] + pages[1:]), about, x)
    wrong = lambda name, f, about: cases.found("b-32-" + name, book.but(**of_entries(f)), about, x)
    page("rest", put(4087, b"\1"), "a byte behind the groups of a page")
    page("back", put(0, b"\1"), "a group in front of the first")
    page("count-0", put(2, b"\0"), "a page without groups")
    page("count-huge", put(2, b"\xff\xff"), "65,535 groups in a page")
    page("count", lambda b: struct.pack("<HHIHH", 0, 2, 0, 12, len(b[10:].rstrip(b"\0")) + 12) + b[10:-2], "a group too many")
    page("gap", lambda b: struct.pack("<HHIH", 0, 1, 0, 12) + bytes(2) + b[10:-2], "a gap in front of a group")
    page("start-huge", put(8, b"\xff\xff"), "a group that begins outside its page")
    page("start-end", put(8, struct.pack("<H", 4087)), "a group that begins in the last byte")
    page("entries-254", put(10, b"\xfe"), "254 entries, of which most would be behind the group")
    page("large", put(10, b"\xff"), "a large group, of numbers that are something else")
    wrong("padding", lambda pack, entries: setattr(entries[start].record, "value", entries[start].record.value | 1 << 8 * entries[start].record.size() - 1),
          "the last bit of a record, which is none")
    wrong("record-long", lambda pack, entries: entries[start].record.put(0, 8), "a byte too many in a record")
    wrong("zero", lambda pack, entries: as_long(pack, entries[start], zero=True), "a record says that there is a move without games")
    wrong("long", lambda pack, entries: as_long(pack, entries[short]), "an entry whose triple is in the class table has a record")
    wrong("class-free", lambda pack, entries: setattr(entries[short], "number", 2), "an entry of the class that no triple was left for")
    wrong("code", lambda pack, entries: pack.numbers.update({entries[short].moves[0][0]: 7}), "a move's number of which there is no code")
    pages = basis.packed_pages
    cases.found("b-32-missing", pages.but(pages=lambda p: p[:-1] + [without_last(p[-1])]), "the last group is missing", "packed-pages")
    wrong("forced", lambda pack, entries: pack.forced.add(0), "a large group that would fit into its page")
    cases.found("b-17-packed-entries", book.but(entry={"PAGE": dict(rows=6)}), "the entry of PAGE counts an entry more", x)
    cases.found("b-17-packed-rows", book.but(entry={"POSN": dict(rows=6)}), "the entry of POSN counts a row more", x)
    cases.found("b-17-packed-wins", book.but(entry={"MOVE": dict(wins=3)}), "wins of the entry of MOVE", x)
    many, y = Packed(together(250), None, ONE_SOURCE), "packed-254"
    swap = lambda pack, entries: entries.insert(0, entries.pop(1))
    cases.found("b-32-order", many.but(**of_entries(swap)), "two entries of a bucket are swapped", y)
    same = [i for i, row in enumerate(together(250).values()) if row == (0, 0, 0, NONE, 0, 0)]
    twice = lambda pack, entries: setattr(entries[same[1]], "h", entries[same[0]].h) or entries.insert(same[0], entries.pop(same[1]))
    cases.found("b-32-twice", many.but(**of_entries(twice)), "an h twice, in place of another", y)
    found_games(cases, basis)
    large_contents(cases, basis)
    depth = lambda pack, entries: setattr(pack, "least_eval", pack.least_eval + 1)
    cases.found("b-32-depth", book.but(**of_entries(depth)), "a depth without an eval, in a page", x)
    cases.refused("b-29-flags", Packed({START: (1, 0, 0, NONE, 0, 0x20)}, None, ONE_SOURCE), "a reserved flag in a pair", x)
    cases.found("b-22-packed", book.but(incompatible=PACKED | 2), "wins and losses in a packed book without results", x)


def found_games(cases, basis):
    """B-32 of DICT, and of what groups say of games."""
    book, y = basis.packed_games, "packed-games"
    pack = book.packed()[0]
    games = lambda name, f, about: cases.found("b-32-games-" + name, book.but(tweak={"DICT": f}), about, y)
    games("order", lambda b: b[16:32] + b[:16] + b[32:], "two games are swapped")
    games("twice", lambda b: b[:16] + b[:16] + b[32:], "a game twice")
    games("none", lambda b: bytes(8) + b[8:], "the first game is none")
    games("other", put(0, b"\xff"), "a game that no cell names")
    games("year", put(8, b"\x01"), "a first year that no cell has")
    games("rating", put(12, b"\x01"), "a rating that no cell has")
    games("more", lambda b: b + b"\xff" * 16, "a game more than cells name")
    games("fewer", lambda b: b[:-16], "the last game is missing")
    cases.found("b-13-games", book.but(tweak={"dict": flip(3)}), "the sum of a block of DICT", y)
    one = [entry for entry in pack.entries if entry.short and entry.coded[0] and entry.coded[1]][0]
    wrong = lambda name, f, about: cases.found("b-32-" + name, book.but(**of_entries(f)), about, y)
    of = lambda entries: [entry for entry in entries if entry.h == one.h][0]
    most = (1 << pack.games.bits) - 1
    wrong("game-number", lambda pack, entries: setattr(of(entries), "coded", (1, most, [])), "the number of a game that isn't there")
    wrong("game-0", lambda pack, entries: setattr(of(entries), "coded", (1, 1 << pack.games.bits, [])), "swapped ratings of no game")
    fields = [0] * len(pack.fields)
    wrong("game-spelled", lambda pack, entries: setattr(of(entries), "coded", (0, of(entries).coded[1] & most, fields)), "fields that are spelled out")


def large_contents(cases, basis):
    large, z = basis.packed_large, "packed-255"
    rows = lambda name, f, about: cases.found("b-32-large-" + name, large.but(tweak={"POSN": f}), about, z)
    page = lambda name, at, new, about: cases.found("b-32-large-" + name, large.but(pages=lambda pages: [in_large(at, new)(pages[0])] + pages[1:]), about, z)
    rows("order", lambda b: b[24:48] + b[:24] + b[48:], "two rows of a large group are swapped")
    rows("bucket", put(0, u64(1)), "a row of another group in a large one")
    rows("flags", put(23, b"\x80"), "a reserved flag in a row of a large group")
    page("first", 1, u64(1), "a large group that begins with the second row of the body")
    page("first-huge", 1, u64(M64), "a large group that begins far outside the body")
    page("first-move", 9, u64(1), "a large group whose moves begin with row 1 of a table that isn't there")
    page("count", 17, u32(254), "a large group of 254 of the body's 255 rows")
    page("count-huge", 17, u32(M64), "a large group of 2^32 - 1 rows")
    page("count-move", 21, u32(1), "a large group that has moves in a book of positions")


def without_last(page):
    """A page without its last group."""
    count = struct.unpack_from("<H", page, 2)[0] - 1
    starts = struct.unpack_from(f"<{count + 1}H", page, 8)
    moved = struct.pack(f"<HHI{count}H", struct.unpack_from("<H", page)[0], count, 0, *(start - 2 for start in starts[:-1]))
    return (moved + page[starts[0]:starts[-1]]).ljust(ROOM, b"\0")


def in_large(at, new):
    """Changes the large group of a page."""
    def change(page):
        starts = struct.unpack_from(f"<{struct.unpack_from('<H', page, 2)[0]}H", page, 8)
        group = [start for start in starts if page[start] == 0xFF][0]
        return put(group + at, new)(page)
    return change
