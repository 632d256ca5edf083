"""The golden books: valid ones, and for each rule some that break it."""
import xxhash

from cases import (ARCHIVE, D4_MOVE, E4, E4_MOVE, FACTS, ONE_SOURCE, REPLY, SOURCES, START, archive, change, crowded, fact, flip,
                   many, many_moves, put, small_columns, small_moves, small_positions, u32, u64)
from writer import (COLUMNS, COUNTS_ONLY, EMPTY, M64, NONE, PAGE, RETIRED, ROW, SHARE, WHOLE_BOOK, Book, encode_cell, encode_row,
                    fact_entry, list_body,
                    merge, mix, source_entry, unmix)


# --- valid books -------------------------------------------------------------------------------------------

class Basis:
    """The valid books from which invalid ones are made."""


def make(cases):
    basis = Basis()
    for some in (plain_books, books_with_columns, books_with_tags, shares, merged_books, refused_pages, refused_sections, refused_tables,
                 refused_fields, refused_columns, found_sums, found_tables, found_beside, found_lists):
        some(cases, basis)
    return basis


def plain_books(cases, basis):
    cases.valid("empty", Book({}, {}), "both tables, no rows, no sources, no facts")
    basis.one = cases.valid("one-row", Book({START: (3, 2, 1, 25, 20, 0x10)}, None, ONE_SOURCE), "one position, no moves table")
    basis.small = cases.valid("small", Book(small_positions(), small_moves(), SOURCES),
                              "keys 0 and 2^64-1, h 0 and 2^64-1, displaced rows, 70 moves, saturated counts, sources of UTF-8 names, one of them twice")
    cases.valid("positions-load-500", Book(small_positions(), None, [], 500, game="othello", keys="zobrist-1", keyed=1),
                "positions only, load 0.5, another game, keyed by line")
    cases.valid("moves-load-980", Book(None, small_moves(), ONE_SOURCE, 980, game="a234567890-45678", keys="z"),
                "moves only, load 0.98, a game's name of 16 letters")
    basis.blocks = cases.valid("blocks", Book(many(400), None, ONE_SOURCE), "a table of six blocks, the last one short; more than a page of slack")
    optional = basis.one.but(optional=[("NOTE", b"of a later version", {})], behind=[("ZZZZ", b"", {})])
    basis.optional = cases.valid("optional-sections", optional, "two sections of unknown tags: one before SRCS, one behind FACT and of no bytes")
    cases.valid("compatible-features", basis.one.but(compatible=1 << 63 | 1 << 17 | 1), "unknown compatible feature bits 0, 17 and 63", "one-row")
    basis.example = cases.valid("example", Book(
        {START: (2, 1, 1, NONE, 0, 0x10), E4: (1, 0, 2, -30, 18, 0)},
        {D4_MOVE: (0, 1, 0, 0), E4_MOVE: (2, 0, 1, 0x01), REPLY: (1, 0, 2, 0)},
        [archive("1. e4 c5 1-0\n1. e4 c5 1-0\n1. e4 c5 0-1\n1. d4 1/2-1/2\n", 4, "café.pgn")],
        facts=[fact(xxhash.xxh3_128_digest(b"1. e4 c5 1-0\n1. e4 c5 1-0\n1. e4 c5 0-1\n1. d4 1/2-1/2\n"), "plan.max-ply", "2")],
        parent=xxhash.xxh3_128_digest(b"the book before"), sequence=10),
        "the worked example: two positions, three moves, a source, a fact, a parent, sequence 10")
    basis.later = cases.valid("later-release", Book(
        {START: (2, 1, 1, NONE, 0, 0x10)}, {D4_MOVE: (0, 1, 0, 0), E4_MOVE: (2, 0, 1, 0x01)}, ONE_SOURCE, game="shogi", keys="zobrist-2",
        facts=FACTS, compatible=1 << 5, optional=[("EVAL", b"of a later version", {})]),
        "all that a later release may add for readers of this one: a compatible feature, a section, a game, a key scheme, facts")
    basis.facts = cases.valid("facts", Book({START: (3, 2, 1, 25, 20, 0x10)}, None, ONE_SOURCE, facts=FACTS),
                              "facts of the book, of its source and of an archive that is no source, several of one name, an empty value")
    basis.counts = cases.valid("counts", Book({START: (0, 4, 0, 31, 9, 0), E4: (0, 3, 0, NONE, 0, 0)},
                                              {D4_MOVE: (0, 1, 0, 0), E4_MOVE: (0, 3, 0, 0x01)}, ONE_SOURCE, counts=True), "counts without results")


def books_with_columns(cases, basis):
    basis.columns = cases.valid("columns-example", Book(
        {START: (2, 1, 1, NONE, 0, 0)}, {D4_MOVE: (0, 1, 0, 0), E4_MOVE: (2, 0, 1, 0x01)},
        [archive("1. e4 1-0\n1. e4 1-0\n1. e4 0-1\n1. d4 1/2-1/2\n", 4, "club.pgn")],
        columns={"RTNG": {E4_MOVE: (4731, 4590, 2, 2)}, "GAME": {E4_MOVE: (4721, 0x5EED5A2AC0DE)}, "YEAR": {D4_MOVE: (2024, 2024),
                                                                                                            E4_MOVE: (1987, 2025)}}),
        "the worked example of a book with ratings, games and years")
    moves, columns = small_moves(), small_columns(small_moves())
    for tag, name, about in (("RTNG", "ratings", "ratings, saturated sums, ratings of no game"), ("GAME", "games", "best games, some missing"),
                             ("YEAR", "years", "years, unknown ones, a first year after the last")):
        cases.valid(name, Book(None, moves, SOURCES[:1], columns={tag: columns[tag]}), f"moves only, with one column: {about}")
    basis.all = cases.valid("columns", Book(small_positions(), moves, SOURCES, columns=columns, facts=FACTS, tags=True),
                            "both tables with everything that is optional: tags, ratings, games and years in several blocks, facts")
    cases.valid("columns-empty", Book({}, {}, columns={tag: {} for tag in COLUMNS}, tags=True),
                "no rows, all columns, tags: one slot and one cell each")
    cases.valid("columns-load-980", Book(None, moves, ONE_SOURCE, 980, columns=columns), "moves with all columns, load 0.98")
    ratings = {"RTNG": {D4_MOVE: (2410, 2390, 1, 1)}}
    cases.valid("counts-ratings", basis.counts.but(columns=ratings), "counts without results, ratings")
    basis.unknown = basis.columns.but(unknown=[("ODDS", "POSN", 5, {START: b"hello"}), ("WEIT", "MOVE", 3, {E4_MOVE: b"\1\2\3"})])
    cases.book("unknown-columns", "copy-refused", "B-28", "unknown columns of both tables, with cells of 5 and 3 bytes", basis.unknown)
    cases.book("b-28-far", "copy-refused", "B-28", "an unknown column of POSN behind FACT, far from its table", basis.one.but(
        unknown=[("ODDS", "POSN", 5, {START: b"hello"})], order=lambda s: s[:2] + s[4:] + s[2:4]))


def books_with_tags(cases, basis):
    basis.tags = cases.valid("tags-example", basis.example.but(tags=True, parent=bytes(16), sequence=0, moves=None, facts=[]),
                             "the worked example of tags")
    basis.one_tags = cases.valid("tags-one-row", basis.one.but(tags=True), "tags of one row")
    cases.valid("tags-empty", Book({}, {}, tags=True), "tags of no rows: the one slot's tag is 0x200")
    cases.valid("tags", Book(many(400), None, ONE_SOURCE, tags=True), "tags of 400 rows, more than one block of the table, one of tags")
    for displacement, about in ((55, "63 - 8, for a vector of 8"), (63, "one more than a signed comparison may trust"), (64, "where it does not find a row"),
                                (126, "the greatest at which a tag counts as greater"), (127, "one more"), (200, "more than the seven bits of a home tell apart")):
        cases.valid(f"tags-{displacement}", crowded(displacement), f"a max displacement of {displacement}: {about}")


def shares(cases, basis):
    """A set of four shares, one of them without rows, and the whole book that they make."""
    def in_share_2(key):
        return mix(key[0] if isinstance(key, tuple) else key) >> 62 == 2
    positions = {key: row for key, row in many(90).items() if not in_share_2(key)}
    moves = {key: row for key, row in many_moves(40).items() if not in_share_2(key)}
    basis.whole = cases.valid("share-whole", Book(positions, moves, ONE_SOURCE, columns={"RTNG": small_columns(moves)["RTNG"]}, facts=FACTS,
                                                  tags=True),
                              "the whole book that share-0 to share-3 make")
    for number in range(4):
        about = f"share {number} of 2 bits of share-whole" + (", without rows" if number == 2 else "")
        share = cases.valid(f"share-{number}", basis.whole.of_share(2, number), about)
        basis.share = share if number == 1 else basis.__dict__.get("share")
    cases.valid("share-32", Book({START: (3, 2, 1, 25, 20, 0x10)}, {E4_MOVE: (2, 0, 1, 0), D4_MOVE: (0, 1, 0, 0)}, ONE_SOURCE,
                                 share=(32, mix(START) >> 32), tags=True), "share bits 32, the share of the start of chess")

    def alone(name, book, about):
        cases.book(name, "set-refused", "S-1", about + ", in place of share-1", book, "share-1")
    alone("s-01-sources", basis.share.but(sources=[(ARCHIVE, 2, b"one.pgn")]), "other sources")
    alone("s-01-facts", basis.share.but(facts=FACTS[1:]), "other facts")
    alone("s-01-keys", basis.share.but(keys="zobrist-1"), "another key scheme")
    alone("s-01-keyed", basis.share.but(keyed=1), "keyed by line")
    alone("s-01-load", basis.share.but(load=810), "another load")
    alone("s-01-columns", basis.share.but(columns={}), "without the column of the others")
    alone("s-01-bits", basis.whole.of_share(3, 1), "share 1 of 3 bits")


def merged_books(cases, _):
    """Two books and what merging makes of them: M-1 to M-9."""
    a = Book({1: (1, 2, 3, 30, 10, 0x01), 2: (0xFFFFFFFF, 0, 0, -20, 10, 0x10), 3: (1, 0, 0, NONE, 0, 0), 4: (1, 0, 0, 5, 3, 0), 5: (0, 0,
                                                                                                                                     0, 7, 9, 0)},
             {(1, 7): (1, 1, 1, 0x01), (1, 8): (2, 0, 0, 0), (2, 7): (3, 0, 0, 0)}, ONE_SOURCE + SOURCES[:1], facts=FACTS[1:4],
             columns={"RTNG": {(1, 7): ((1 << 48) - 5, 3, 0xFFFFFFFF, M64 - 1), (2, 7): (5000, 4000, 2, 3)}, "YEAR": {(1, 7): (1999, 2003),
                                                                                                                      (1, 8): (0, 1980)}})
    b = Book({1: (10, 20, 30, -30, 10, 0x08), 2: (1, 1, 1, 20, 10, 0x02), 3: (0, 1, 0, -32767, 0, 0x04), 4: (0, 1, 0, 900, 4, 0), 6: (0, 0,
                                                                                                                                      1, NONE, 0, 0),
              5: (0, 0, 0, 6, 9, 0)},
             {(1, 7): (4, 5, 6, 0x82), (1, 9): (0, 0, 9, 0), (2, 7): (0, 0, 1, 0x40)}, ONE_SOURCE, facts=FACTS[2:6],
             columns={"YEAR": {(1, 7): (0, 2004), (1, 9): (1990, 1990)}, "GAME": {(1, 7): (4, 9), (2, 7): (3, 9)}})
    cases.valid("merge-a", a, "merged with merge-b it gives merge-ab, in either order")
    cases.valid("merge-b", b, "merged with merge-a it gives merge-ab: equal depths, saturated sums, columns that only one of them has, a source of both")
    cases.valid("merge-ab", merge(a, b), "what merge-a and merge-b give")
    assert merge(b, a).encode() == merge(a, b).encode()


# --- books that are refused --------------------------------------------------------------------------------

def refused_pages(cases, basis):
    """B-1 to B-5 and B-20."""
    one, x, image = basis.one, "one-row", basis.one.encode()
    wrong_magic = put(0, b"\x89TABIA\n\n")
    cases.refused("b-01-magic", one.but(header=wrong_magic), "line ends of the magic changed, crc made to match")
    cases.refused("b-01-damaged-magic", one.but(sealed=wrong_magic), "the same, with the crc of the right magic", x)
    cases.refused("b-01-empty", b"", "a file of no bytes")
    cases.refused("b-01-text", b"1. e4 e5 2. Nf3 *\n", "a file that is something else")
    cases.refused("b-02-crc", one.but(sealed=put(4092, b"\0\0\0\0")), "the crc", x)
    cases.refused("b-02-flipped-bit", one.but(sealed=put(124, b"\1")), "one bit of `sequence`", x)
    cases.refused("b-03-version", one.but(header=put(8, u32(2))), "version 2", x)
    cases.refused("b-03-page-size", one.but(header=put(12, u32(8192))), "page size 8192", x)
    cases.refused("b-03-block-size", one.but(header=put(72, u32(8192))), "block size 8192", x)
    cases.refused("b-04-incompatible", one.but(header=put(16, u64(32))), "incompatible feature bit 5", x)
    cases.refused("b-04-incompatible-known", basis.counts.but(header=put(16, u64(COUNTS_ONLY | 1 << 40))),
                  "incompatible feature bit 40 beside one that is known", "counts")
    cases.refused("b-04-incompatible-63", one.but(header=put(16, u64(1 << 63))), "incompatible feature bit 63", x)
    cases.refused("b-04-later-release", basis.later.but(header=put(16, u64(32))), "the same with an incompatible feature", "later-release")
    cases.refused("b-05-cut", one.but(image=lambda f: f[:-PAGE]), "the last page is missing", x)
    cases.refused("b-05-cut-in-header", one.but(image=lambda f: f[:1000]), "only the first 1,000 bytes", x)
    cases.refused("b-05-extended", one.but(image=lambda f: f + bytes(PAGE)), "a page too many", x)
    cases.refused("b-05-one-byte", one.but(image=lambda f: f + b"\0"), "a byte too many", x)
    cases.refused("b-05-not-whole-pages", one.but(header=put(80, u64(len(image) + 8)), image=lambda f: f + bytes(8)),
                  "the file is as long as the header says, but that is no multiple of 4096", x)
    old = one.but(entry={"POSN": dict(slack_laid_out=0)}, order=lambda s: [s[0], ("PSUM", s[1][1], {}), s[2]])
    assert old.digest().hex() == "84482c0a841d15a0e31f4e8983917d05"  # the bytes of one-row.tabia before the release
    cases.refused("b-20-old", old, "a book of an unreleased version: PSUM, no slack, no FACT")
    old_moves = basis.example.but(order=lambda s: [s[2], ("MSUM", s[3][1], {}), s[4]])
    cases.refused("b-20-old-moves", old_moves, "MSUM", "example")
    cases.refused("b-20-old-filter", one.but(order=lambda s: [("FILT", bytes(64), {})] + s), "FILT", x)
    cases.refused("b-20-old-ratings", basis.columns.but(incompatible=RETIRED), "incompatible feature bit 0", "columns-example")
    cases.refused("b-20-packed", one.but(incompatible=8), "incompatible feature bit 3, as of packed books whose pages don't say which they are", x)
    cases.refused("b-20-bits", one.but(incompatible=RETIRED | COUNTS_ONLY), "incompatible feature bits 0 and 1", x)


def refused_sections(cases, basis):
    """B-6."""
    one, x, example, y, image = basis.one, "one-row", basis.example, "example", basis.one.encode()
    pick = lambda *numbers: lambda s: [s[n] for n in numbers]
    cases.refused("b-06-order", one.but(order=pick(2, 0, 1, 3)), "SRCS is the first", x)
    cases.refused("b-06-facts-first", one.but(order=pick(0, 1, 3, 2)), "FACT before SRCS", x)
    cases.refused("b-06-no-sources", one.but(order=pick(0, 1, 3)), "no SRCS", x)
    cases.refused("b-06-no-facts", one.but(order=pick(0, 1, 2)), "no FACT", x)
    cases.refused("b-06-no-table", one.but(order=pick(2, 3)), "neither POSN nor MOVE", x)
    cases.refused("b-06-no-sums", one.but(order=pick(0, 2, 3)), "POSN without posn", x)
    cases.refused("b-06-no-sums-end", one.but(order=pick(2, 3, 0)), "POSN is the last, without posn", x)
    cases.refused("b-06-sums-alone", example.but(order=pick(0, 1, 3, 4, 5)), "move without MOVE", y)
    cases.refused("b-06-sums-twice", one.but(order=pick(0, 1, 1, 2, 3)), "posn twice", x)
    cases.refused("b-06-sums-other", example.but(order=pick(0, 3, 2, 1, 4, 5)), "move behind POSN, posn behind MOVE", y)
    cases.refused("b-06-tables-swapped", example.but(order=pick(2, 3, 0, 1, 4, 5)), "MOVE before POSN", y)
    note = ("NOTE", b"", {})
    cases.refused("b-06-unknown-between", one.but(order=lambda s: [s[0], note] + s[1:]), "an unknown section between POSN and posn", x)
    cases.refused("b-06-unknown-sums", one.but(order=lambda s: s[:2] + [note, ("note", b"", {})] + s[2:]),
                  "sums of an unknown section that is no column", x)
    columns, z = basis.columns, "columns-example"  # POSN posn MOVE move RTNG rtng GAME game YEAR year SRCS FACT
    cases.refused("b-06-columns-swapped", columns.but(order=pick(0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11)), "GAME before RTNG", z)
    cases.refused("b-06-column-late", columns.but(order=pick(0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11)), "YEAR behind SRCS", z)
    cases.refused("b-06-column-no-sums", columns.but(order=pick(0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11)), "RTNG without rtng", z)
    cases.refused("b-06-column-twice", columns.but(order=pick(0, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 10, 11)), "RTNG twice", z)
    cases.refused("b-06-tags-late", Book({}, {}, tags=True, order=pick(0, 1, 4, 5, 2, 3, 6, 7)), "TAGS behind MOVE", "empty")
    cases.refused("b-06-tags-no-sums", basis.one_tags.but(order=pick(0, 1, 2, 4, 5)), "TAGS without tags", "tags-one-row")
    far = basis.one.but(unknown=[("ODDS", "POSN", 5, {START: b"hello"})])  # POSN posn ODDS odds SRCS FACT
    cases.refused("b-06-unknown-column-no-sums", far.but(order=pick(0, 1, 2, 4, 5)), "an unknown column without sums", x)
    cases.refused("b-06-unknown-column-sums-late", far.but(order=pick(0, 1, 2, 4, 3, 5)), "SRCS between an unknown column and its sums", x)
    cases.refused("b-06-twice", one.but(order=pick(0, 1, 2, 2, 3)), "two SRCS", x)
    cases.refused("b-06-unknown-twice", one.but(optional=[note], behind=[note]), "the same unknown tag twice", x)
    cases.refused("b-06-tag", one.but(optional=[("Note", b"", {})]), "a tag of large and small letters", x)
    cases.refused("b-06-tag-digit", one.but(optional=[("ABC1", b"", {})]), "a tag with a digit", x)
    cases.refused("b-06-count-0", one.but(header=put(76, u32(0))), "section count 0", x)
    cases.refused("b-06-count-40", one.but(header=put(76, u32(40))), "section count 40", x)
    cases.refused("b-06-count-huge", one.but(header=put(76, u32(0xFFFFFFFF))), "section count 2^32-1", x)
    cases.refused("b-06-offset", one.but(entry={"SRCS": dict(offset=PAGE)}), "SRCS overlaps POSN", x)
    cases.refused("b-06-offset-unaligned", one.but(entry={"SRCS": dict(offset=3 * PAGE + 8)}), "SRCS does not start on a page", x)
    cases.refused("b-06-hole", one.but(entry={"SRCS": dict(offset=4 * PAGE), "FACT": dict(offset=5 * PAGE)}, header=put(80, u64(len(image) + PAGE)),
                                       image=lambda f: f[:3 * PAGE] + bytes(PAGE) + f[3 * PAGE:]), "a page between posn and SRCS belongs to neither", x)
    cases.refused("b-06-length", one.but(entry={"FACT": dict(length=PAGE + 8)}), "FACT reaches into the last page", x)
    cases.refused("b-06-length-overflow", one.but(entry={"FACT": dict(length=-PAGE & M64)}), "offset + length is above 2^64", x)
    cases.refused("b-06-end", one.but(image=lambda f: f[:-PAGE] + bytes(PAGE) + f[-PAGE:], header=put(80, u64(len(image) + PAGE))),
                  "a page between FACT and the last page", x)


def refused_tables(cases, basis):
    """B-7, B-8 and B-23."""
    one, x = basis.one, "one-row"  # two homes, one slot of slack
    table = lambda **fields: one.but(entry={"POSN": fields})
    cases.refused("b-07-size", table(size=48), "cell size 48", x)
    cases.refused("b-07-size-0", table(size=0), "cell size 0", x)
    cases.refused("b-07-odd-length", table(length=74), "POSN is not a whole number of slots", x)
    cases.refused("b-07-homes-0", table(homes=0), "no homes (breaks B-8 and B-23 too)", x)
    cases.refused("b-07-homes", table(homes=4), "more homes than slots (breaks B-8 and B-23 too)", x)
    cases.refused("b-07-homes-huge", table(homes=M64), "2^64-1 homes (breaks B-8 and B-23 too)", x)
    cases.refused("b-07-rows", table(rows=4), "more rows than slots (breaks B-8 and B-23 too)", x)
    cases.refused("b-07-rows-huge", table(rows=M64), "rows 2^64-1, and rows x 1000 overflows (breaks B-8 and B-23 too)", x)
    cases.refused("b-07-no-slots", one.but(tweak={"POSN": lambda b: b""}), "a table without a slot (breaks B-23 too)", x)
    cases.refused("b-07-sums", one.but(entry={"posn": dict(length=16)}), "posn has two sums for one block", x)
    cases.refused("b-07-sums-less", basis.blocks.but(entry={"posn": dict(length=40)}), "posn has five sums for six blocks", "blocks")
    cases.refused("b-07-column-sums", basis.columns.but(tweak={"game": lambda b: b""}), "no sums of a column", "columns-example")
    cases.refused("b-07-tags-sums", basis.one_tags.but(entry={"tags": dict(length=9)}), "tags has nine bytes", "tags-one-row")
    cases.refused("b-08-homes", one.but(entry={"POSN": dict(homes_laid_out=3)}), "3 homes for one row at load 0.8, laid out for 3", x)
    cases.refused("b-08-empty", Book({}, {}, entry={"MOVE": dict(homes_laid_out=2)}), "2 homes for no rows", "empty")
    cases.refused("b-23-more", one.but(entry={"POSN": dict(slack_laid_out=2)}), "two slots of slack for one row, laid out so", x)
    cases.refused("b-23-less", one.but(entry={"POSN": dict(slack_laid_out=0)}), "no slack for one row, laid out so", x)
    cases.refused("b-23-length", table(length=48), "a length without slack", x)
    cases.refused("b-23-empty", Book({}, {}, entry={"POSN": dict(slack_laid_out=1)}), "slack in a table without rows", "empty")
    cases.refused("b-23-1024", basis.blocks.but(entry={"POSN": dict(slack_laid_out=1024)}), "1,024 slots of slack for 400 rows", "blocks")
    cases.refused("b-23-times-4", one.but(entry={"POSN": dict(slack_laid_out=4, displacement=2)}),
                  "slack 4 for one row with a max displacement of 2", x)
    cases.refused("b-23-empty-displacement", Book({}, {}, entry={"POSN": dict(slack_laid_out=1, displacement=1)}),
                  "max displacement 1 without rows, and slack for it", "empty")
    cases.refused("b-23-displacement", table(displacement=2), "a max displacement above the slack", x)
    cases.refused("b-23-displacement-huge", table(displacement=M64), "a max displacement of 2^64-1", x)


def refused_fields(cases, basis):
    """B-9 to B-11."""
    one, x, share, w = basis.one, "one-row", basis.share, "share-1"
    cases.refused("b-09-game", one.but(game="Chess"), "a game's name with a capital letter", x)
    cases.refused("b-09-game-empty", one.but(game=""), "no game", x)
    cases.refused("b-09-game-after-nul", one.but(header=put(40, b"x")), "a letter after the NUL of the game's name", x)
    cases.refused("b-09-keys", one.but(keys="poly glot"), "a space in the name of the keys", x)
    cases.refused("b-09-keyed", one.but(keyed=2), "keyed 2", x)
    cases.refused("b-09-load-low", one.but(load=499), "load 0.499, laid out for it", x)
    cases.refused("b-09-load-high", one.but(load=981), "load 0.981", x)
    cases.refused("b-09-load-0", one.but(header=put(68, u32(0))), "load 0 (B-8 can't be computed)", x)
    cases.refused("b-09-share-33", share.but(header=put(65, bytes([33]))), "33 share bits", w)
    cases.refused("b-09-share-255", share.but(header=put(65, bytes([255]))), "255 share bits", w)
    cases.refused("b-09-share-unsaid", share.but(incompatible=0), "share bits without the feature", w)
    cases.refused("b-09-share-without", one.but(incompatible=SHARE), "the feature of a share, but no share bits", x)
    cases.refused("b-09-share-number", share.but(header=put(128, u32(4))), "share number 4 of 2 bits", w)
    cases.refused("b-09-share-number-whole", one.but(header=put(128, u32(1))), "a share number without share bits", x)
    cases.refused("b-10-reserved-66", one.but(header=put(66, b"\1")), "a reserved byte after share bits", x)
    cases.refused("b-10-reserved-132", one.but(header=put(132, b"\1")), "the reserved byte after the share number", x)
    cases.refused("b-10-reserved-255", one.but(header=put(255, b"\1")), "a reserved byte before the section table", x)
    cases.refused("b-10-after-sections", one.but(header=put(256 + 4 * 96, b"\1")), "a byte after the last entry", x)
    cases.refused("b-10-before-crc", one.but(header=put(4091, b"\1")), "the byte before the crc", x)
    cases.refused("b-10-entry", one.but(header=put(256 + 84, b"\1")), "a reserved byte of POSN's entry", x)
    cases.refused("b-10-entry-end", one.but(header=put(256 + 3 * 96 + 95, b"\1")), "the last byte of FACT's entry", x)
    cases.refused("b-10-table-checksum", one.but(entry={"POSN": dict(checksum=1)}), "a table's entry has a checksum", x)
    cases.refused("b-10-table-beside", one.but(entry={"POSN": dict(beside="POSN")}), "a table is beside itself", x)
    cases.refused("b-10-sources-rows", one.but(entry={"SRCS": dict(rows=1)}), "SRCS has rows", x)
    cases.refused("b-10-sources-size", one.but(entry={"SRCS": dict(size=8)}), "SRCS has a cell size", x)
    cases.refused("b-10-facts-beside", one.but(entry={"FACT": dict(beside="POSN")}), "FACT is beside POSN", x)
    cases.refused("b-10-sums-size", one.but(entry={"posn": dict(size=8)}), "posn has a cell size", x)
    cases.refused("b-10-sums-beside", one.but(entry={"posn": dict(beside="POSN")}), "posn is beside POSN", x)
    cases.refused("b-10-unknown-size", basis.optional.but(entry={"NOTE": dict(size=1)}),
                  "an unknown section that is no column has a cell size", "optional-sections")
    cases.refused("b-10-column-checksum", basis.columns.but(entry={"GAME": dict(checksum=1)}), "a column's entry has a checksum", "columns-example")
    cases.refused("b-10-column-homes", basis.columns.but(entry={"GAME": dict(homes=3)}), "a column's entry has homes", "columns-example")
    cases.refused("b-10-tags-losses", basis.one_tags.but(entry={"TAGS": dict(losses=1)}), "TAGS has losses", "tags-one-row")
    cases.refused("b-11-digest", one.but(digested=put(88, bytes(16))), "a digest of zeros, crc made to match", x)
    cases.refused("b-11-load", basis.example.but(header=put(68, u32(790)), digested=put(88, basis.example.digest())),
                  "the load is another one that gives the same homes, the digest is the old one", "example")
    cases.refused("b-11-share", share.but(header=put(128, u32(3)), digested=put(88, share.digest())),
                  "another share number, the digest is the old one", w)


def refused_columns(cases, basis):
    """B-25."""
    columns, z, tags, t = basis.columns, "columns-example", basis.one_tags, "tags-one-row"
    column = lambda tag, **fields: columns.but(entry={tag: fields})
    cases.refused("b-25-ratings-beside", column("RTNG", beside="POSN"), "RTNG is beside POSN", z)
    cases.refused("b-25-beside-nothing", column("YEAR", beside=""), "YEAR is beside nothing", z)
    cases.refused("b-25-beside-unknown", column("GAME", beside="NOTE"), "GAME is beside a table that no book has", z)
    cases.refused("b-25-size", column("GAME", size=4, length=5 * 4), "cells of 4 bytes in GAME, and a length that fits", z)
    cases.refused("b-25-size-0", columns.but(tweak={"YEAR": lambda b: b""}, entry={"YEAR": dict(size=0)}), "cells of no bytes in YEAR", z)
    cases.refused("b-25-length-short", column("RTNG", length=4 * 24), "a cell is missing", z)
    cases.refused("b-25-length-long", column("YEAR", length=6 * 4), "a cell too many", z)
    cases.refused("b-25-length-odd", column("GAME", length=41), "the cells end within a cell", z)
    cases.refused("b-25-no-table", Book({START: (1, 0, 0, NONE, 0, 0)}, {}, ONE_SOURCE, columns={"YEAR": {}}, order=lambda s: s[:2] + s[4:]),
                  "YEAR without MOVE", z)
    cases.refused("b-25-tags-no-positions", Book({}, {E4_MOVE: (1, 0, 0, 0)}, ONE_SOURCE, tags=True, order=lambda s: s[2:]), "TAGS without POSN", z)
    cases.refused("b-25-tags-beside", tags.but(entry={"TAGS": dict(beside="MOVE")}), "TAGS is beside MOVE", t)
    cases.refused("b-25-tags-size", tags.but(entry={"TAGS": dict(size=1, length=3)}), "tags of one byte", t)
    cases.refused("b-25-tags-length", tags.but(entry={"TAGS": dict(length=4)}), "a tag is missing", t)
    unknown, u = basis.unknown, "unknown-columns"
    cases.refused("b-25-unknown-size-0", unknown.but(entry={"WEIT": dict(size=0)}), "an unknown column with cells of no bytes", u)
    cases.refused("b-25-unknown-length", unknown.but(entry={"ODDS": dict(length=11)}), "an unknown column ends within a cell", u)
    cases.refused("b-25-unknown-size-huge", unknown.but(entry={"WEIT": dict(size=0xFFFFFFFF)}), "cells of 2^32-1 bytes", u)
    cases.refused("b-25-unknown-beside", unknown.but(entry={"ODDS": dict(beside="SRCS")}), "an unknown column beside SRCS", u)
    cases.refused("b-25-unknown-first", unknown.but(order=lambda s: s[:2] + s[12:14] + s[2:12] + s[14:]),
                  "an unknown column of MOVE in front of MOVE", u)


# --- books in which a check finds something ----------------------------------------------------------------

def swapped_moves(body):
    slots = [body[at:at + ROW] for at in range(0, len(body), ROW)]
    for i in range(1, len(slots)):
        if slots[i] != EMPTY and slots[i][:8] == slots[i - 1][:8]:
            slots[i - 1:i + 1] = slots[i], slots[i - 1]
    return b"".join(slots)


def found_sums(cases, basis):
    """B-12 to B-15."""
    one, x, columns, z, pages = basis.one, "one-row", basis.columns, "columns-example", len(basis.one.encode())
    cases.found("b-12-last-page", one.but(image=put(pages - PAGE, bytes(PAGE))), "the last page is zero")
    cases.found("b-12-one-bit", one.but(image=put(pages - PAGE + 120, b"\1")), "one bit of the last page", x)
    cases.found("b-13-sum", one.but(tweak={"posn": flip(3)}), "the sum of the only block", x)
    cases.found("b-13-last-block", basis.blocks.but(tweak={"posn": flip(40)}), "the sum of the short last block", "blocks")
    e4 = encode_row(E4_MOVE, (2, 0, 1, 1))
    cases.found("b-13-row", basis.example.but(image=change(e4, 22, 3)), "the marks of a moves row", "example")
    ratings = encode_cell("RTNG", columns.columns["RTNG"][E4_MOVE])
    cases.found("b-13-ratings", columns.but(image=change(ratings, 0, 1)), "a sum of ratings", z)
    cases.found("b-13-year", columns.but(tweak={"year": flip(0)}), "the sum of YEAR", z)
    cases.found("b-13-tags", basis.one_tags.but(tweak={"tags": flip(7)}), "the sum of TAGS", "tags-one-row")
    cases.found("b-13-unknown", basis.unknown.but(image=change(b"hello", 4, 0x30)), "a cell of an unknown column", "unknown-columns")
    cases.found("b-14-sources", one.but(entry={"SRCS": dict(checksum=1)}), "the checksum of SRCS", x)
    cases.found("b-14-facts", one.but(entry={"FACT": dict(checksum=0)}), "the checksum of FACT", x)
    cases.found("b-14-sums", one.but(entry={"posn": dict(checksum=1)}), "the checksum of posn", x)
    cases.found("b-14-column-sums", columns.but(entry={"rtng": dict(checksum=1)}), "the checksum of rtng", z)
    cases.found("b-14-unknown", one.but(optional=[("NOTE", b"unknown", dict(checksum=1))]), "the checksum of an unknown section", x)
    cases.found("b-15-table", one.but(image=put(PAGE + 3 * ROW, b"\1")), "a byte after POSN", x)
    cases.found("b-15-sources", one.but(image=put(4 * PAGE - 1, b"\1")), "the last byte of the page of SRCS", x)
    at = columns.encode().index(encode_cell("YEAR", (1987, 2025))) // PAGE * PAGE
    cases.found("b-15-year", columns.but(image=put(at + 5 * 4, b"\1")), "a byte after YEAR", z)


def found_tables(cases, basis):
    """B-16 to B-18, B-22 and B-24."""
    one, x, example, y = basis.one, "one-row", basis.example, "example"
    three = Book({unmix(h << 60): (h, 0, 0, NONE, 0, 0) for h in (1, 2, 9)}, None, ONE_SOURCE)  # 4 homes: rows in slots 0, 1, 2
    cases.found("b-16-order", three.but(tweak={"POSN": lambda b: b[24:48] + b[:24] + b[48:]}), "two rows of the same home are swapped")
    rows = "b-16-order"
    cases.found("b-16-late", three.but(tweak={"POSN": lambda b: b[:48] + b[72:96] + b[48:72] + b[96:]}),
                "a row is a slot behind the one it belongs in, after an empty slot", rows)
    far = Book({unmix(h << 60): (h, 0, 0, NONE, 0, 0) for h in (4, 5, 6)}, None, ONE_SOURCE)  # all in home 1
    cases.found("b-16-early", far.but(tweak={"POSN": lambda b: b[24:48] + b[:24] + b[48:]}), "a row is in front of its home", rows)
    twice = encode_row(START, (1, 0, 0, NONE, 0, 0))
    double = Book({START: (1, 0, 0, NONE, 0, 0), START + 1: (1, 0, 0, NONE, 0, 0)}, None, ONE_SOURCE)  # 3 homes, 2 slots of slack
    cases.found("b-16-twice", double.but(tweak={"POSN": lambda b: 2 * twice + 3 * EMPTY}, entry={"POSN": dict(displacement=1)}),
                "the same key twice", rows)
    cases.found("b-16-moves-order", example.but(tweak={"MOVE": swapped_moves}), "two moves of one position are swapped", y)
    cases.found("b-17-wins", one.but(entry={"POSN": dict(wins=4)}), "wins of the entry", x)
    cases.found("b-17-draws", one.but(entry={"POSN": dict(draws=0)}), "draws of the entry", x)
    cases.found("b-17-losses", one.but(entry={"POSN": dict(losses=M64)}), "losses of the entry", x)
    cases.found("b-17-moves", basis.columns.but(entry={"MOVE": dict(draws=7)}), "draws of the entry of a table with columns", "columns-example")
    cases.found("b-17-rows", one.but(extra={"POSN": 1}), "the entry counts a row more than there are, laid out for it", x)
    cases.found("b-17-displacement", one.but(entry={"POSN": dict(displacement=1)}), "the entry has a max displacement that no row has", x)
    cases.found("b-17-displacement-less", example.but(entry={"MOVE": dict(displacement=1)}),
                "the entry has a max displacement less than that of a row", y)
    cases.found("b-18-flags", Book({START: (3, 2, 1, 25, 20, 0x20)}, None, ONE_SOURCE), "a reserved flag", x)
    cases.found("b-18-depth", Book({START: (3, 2, 1, NONE, 20, 0x10)}, None, ONE_SOURCE), "a depth without an eval", x)
    cases.found("b-18-empty", one.but(tweak={"POSN": lambda b: b.replace(EMPTY, b"\xfe" + EMPTY[1:], 1)}),
                "a slot that ends in ff, but is not all ff", x)
    e4 = encode_row(E4_MOVE, (2, 0, 1, 1))
    cases.found("b-18-move-reserved", example.but(tweak={"MOVE": change(e4, 23, 1)}), "the reserved byte of a moves row", y)
    counts, c = basis.counts, "counts"
    cases.found("b-22-wins", counts.but(positions={START: (1, 3, 0, 31, 9, 0), E4: (0, 3, 0, NONE, 0, 0)}), "a win in a book without results", c)
    cases.found("b-22-losses", counts.but(positions={START: (0, 3, 1, 31, 9, 0), E4: (0, 3, 0, NONE, 0, 0)}), "a loss", c)
    cases.found("b-22-moves", counts.but(moves={D4_MOVE: (0, 1, 0, 0), E4_MOVE: (1, 1, 1, 0x01)}), "a win and a loss of a move", c)
    share, w = basis.share, "share-1"
    outside = {key: (1, 0, 0, NONE, 0, 0) if not isinstance(key, tuple) else (1, 0, 0, 0) for key in (unmix(1), (unmix(1), 796))}
    cases.found("b-24-position", share.but(positions={**share.positions, unmix(1): outside[unmix(1)]}), "a position of share 0 in share 1", w)
    cases.found("b-24-move", share.but(moves={**share.moves, (unmix(1), 796): outside[unmix(1), 796]}), "a move of share 0 in share 1", w)
    above = unmix((2 << 62) + 5)
    cases.found("b-24-above", Book({above: (1, 0, 0, NONE, 0, 0)}, None, ONE_SOURCE, share=(2, 1)), "one position, of share 2, in share 1", x)


def found_beside(cases, basis):
    """B-21 and B-26."""
    tags, t = basis.one_tags, "tags-one-row"
    slots = [number is None for number in tags.layout("POSN")[2]]
    row, empty = 2 * slots.index(False), 2 * slots.index(True)
    cases.found("b-21-row", tags.but(tweak={"TAGS": flip(row)}), "the tag of a row: a reader that asks it doesn't find the row", t)
    cases.found("b-21-empty", tags.but(tweak={"TAGS": flip(empty + 1)}), "the tag of an empty slot", t)
    cases.found("b-21-last", tags.but(tweak={"TAGS": flip(2 * len(slots) - 2)}), "the tag of the last slot", t)
    cases.found("b-21-zero", tags.but(tweak={"TAGS": lambda b: bytes(len(b))}), "tags of zeros", t)
    columns, z = basis.columns, "columns-example"
    empty = [number is None for number in columns.layout("MOVE")[2]].index(True)
    for tag, size in COLUMNS.items():
        cases.found(f"b-26-{tag.lower()}", columns.but(tweak={tag: put(empty * size + size - 1, b"\1")}), f"the cell of an empty slot in {tag}", z)
    cases.found("b-26-last", columns.but(tweak={"YEAR": lambda b: b[:-4] + b"\1\0\0\0"}), "the cell of the last slot in YEAR", z)


def found_lists(cases, basis):
    """B-19, B-27 and M-3."""
    one, x = basis.one, "one-row"
    sources = lambda change: one.but(tweak={"SRCS": change})
    two = sorted(SOURCES[:1] + ONE_SOURCE, reverse=True)
    cases.found("b-19-order", one.but(sources=two, tweak={"SRCS": lambda b: list_body([source_entry(s) for s in two])}), "two sources are swapped", x)
    cases.found("b-19-count", sources(put(0, u64(2))), "a source fewer than the count says", x)
    cases.found("b-19-count-huge", sources(put(0, u64(M64))), "count 2^64-1", x)
    cases.found("b-19-empty", sources(lambda b: b""), "not even a count", x)
    cases.found("b-19-rest", sources(lambda b: b + bytes(8)), "8 bytes after the last source", x)
    cases.found("b-19-name-length", sources(put(8 + 24, u32(9))), "a name that ends outside the section", x)
    cases.found("b-19-name-too-long", one.but(sources=[SOURCES[-1][:2] + (b"x" * 4097,)]), "a name of 4,097 bytes")
    cases.found("b-19-not-utf-8", sources(put(8 + 32, b"\xff")), "a name that is not UTF-8", x)
    cases.found("b-19-reserved", sources(put(8 + 28, b"\1")), "the reserved bytes of a source", x)
    cases.found("b-19-padding", sources(lambda b: b[:-1] + b"\1"), "the padding of a source", x)

    max_ply = fact(ARCHIVE, "plan.max-ply", "40")
    base = cases.valid("one-fact", one.but(facts=[max_ply]), "one row, one fact", x)
    facts = lambda change: base.but(tweak={"FACT": change})
    several = lambda *list_: facts(lambda b: list_body([fact_entry(f) for f in list_]))
    other = fact(ARCHIVE, "plan.max-ply", "4")
    cases.found("b-27-order", several(max_ply, other), "two facts are swapped: a value that is the beginning of the other", x)
    cases.found("b-27-order-name", several(max_ply, fact(ARCHIVE, "plan.max", "9")), "a name that is the beginning of the one before it", x)
    cases.found("b-27-order-subject", several(max_ply, fact(WHOLE_BOOK, "z", "")), "a subject that is less than the one before it", x)
    cases.found("b-27-twice", several(max_ply, max_ply), "a fact twice", x)
    cases.found("b-27-count", facts(put(0, u64(2))), "a fact fewer than the count says", x)
    cases.found("b-27-count-huge", facts(put(0, u64(M64))), "count 2^64-1", x)
    cases.found("b-27-empty", facts(lambda b: b""), "not even a count", x)
    cases.found("b-27-rest", facts(lambda b: b + bytes(8)), "8 bytes after the last fact", x)
    cases.found("b-27-name-empty", several(fact(ARCHIVE, "", "40")), "a fact without a name", x)
    cases.found("b-27-name-long", several(fact(ARCHIVE, "x" * 65, "40")), "a name of 65 bytes", x)
    cases.found("b-27-name-letter", several(fact(ARCHIVE, "plan.maxPly", "40")), "a name with a capital letter", x)
    cases.found("b-27-name-underscore", several(fact(ARCHIVE, "plan_x", "40")), "a name with an underscore", x)
    cases.found("b-27-name-length", facts(put(8 + 16, u32(64))), "a name that ends outside the section", x)
    cases.found("b-27-value-length", facts(put(8 + 20, u32(60000))), "a value that ends outside the section", x)
    cases.found("b-27-value-utf-8", several((ARCHIVE, b"plan.max-ply", b"\xc3")), "a value that is not UTF-8", x)
    cases.found("b-27-padding", facts(lambda b: b[:-1] + b"\1"), "the padding of a fact", x)
    cases.found("m-03-conflict", Book({START: (3, 2, 1, 25, 20, 0x05)}, None, ONE_SOURCE),
                "proven win and proven loss in one row: the book reads and merges as any other", x)
