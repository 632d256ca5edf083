"""The golden journals: valid ones, torn ones, and for each rule some that break it."""
import xxhash

from cases import (D4_MOVE, E4, E4_D5, E4_MOVE, FACTS, H_MAX, ONE_SOURCE, REPLY_D5, SOURCES, START, archive, fact, put, small_columns,
                   small_moves, u32)
from writer import EMPTY, M64, NONE, ROW, WHOLE_BOOK, Book, Journal, encode_row, fact_entry, mix, part, source_entry, unmix


def make(cases, basis):
    for some in (valid_journals, torn_journals, column_journals, refused_journal_headers, refused_frames, refused_parts):
        some(cases, basis)


def games():
    """Batches for example.tabia, whose sequence is 10: the first two are the worked example."""
    digest = archive("1. e4 d5 0-1\n", 1, "new.pgn")
    one = (11, [("add", "POSN", {START: (0, 0, 1, NONE, 0, 0), E4: (1, 0, 0, NONE, 0, 0), E4_D5: (0, 0, 1, 12, 9, 0)}),
                ("add", "MOVE", {E4_MOVE: (0, 0, 1, 0), REPLY_D5: (1, 0, 0, 0)}), ("sources", None, [digest])])
    two = (12, [("put", "POSN", {START: (7, 7, 7, -5, 30, 0x02), 1: (1, 1, 1, NONE, 0, 0)}), ("delete", "MOVE", [D4_MOVE, (5, 5)]),
                ("put", "MOVE", {REPLY_D5: (9, 0, 0, 0x82)})])
    more = [(13, []),
            (14, [("add", "POSN", {START: (0xFFFFFFFF, 0, 0, -9, 30, 0x10), E4: (0, 0, 0, 77, 17, 0)}), ("add", "POSN", {}), ("delete",
                                                                                                                              "POSN", [E4_D5])]),
            (15, [("add", "POSN", {E4_D5: (0, 1, 0, NONE, 0, 0), H_MAX: (1, 0, 0, NONE, 0, 0), 0: (0, 0, 1, 0, 0, 0)}),
                  ("add", "MOVE", {(H_MAX, 0xFFFF): (1, 0, 0, 0)}), ("sources", None, [archive("z", 1, "z.pgn"), archive("y", 2, "y.pgn")])]),
            (16, [("add", "POSN", {START: (0, 0, 0, 5, 30, 0), E4: (0, 0, 0, -30, 18, 0)})])]  # equal depths: 5 and -5 (M-2), the same twice
    return [one, two] + more


def the_example(sequence=12):
    """The second batch of the worked example: it takes a mark back and says how a position was evaluated."""
    return (sequence, [("put", "MOVE", {E4_MOVE: (2, 0, 2, 0)}), ("facts", None, [fact(WHOLE_BOOK, "evals",
                                                                                       "engine=Edax 4.6; limit=level 21; unit=discs")])])


def valid_journals(cases, basis):
    example, y = basis.example, "example"
    several, stale = games(), [(9, games()[0][1]), (10, [("delete", "POSN", [START])])]
    parent = example.more["parent"]

    def begun(*frames, book=example, first=11, **wrong):
        journal = Journal(book, first, **wrong)
        for sequence, parts in frames:
            journal.add(sequence, parts)
        return journal
    worked = [several[0], the_example()]
    cases.journal("example", y, begun(*worked), "the worked example: two frames, a game added, a mark taken back and a fact", example, worked)
    cases.journal("journal-several", y, begun(*several), "add, put, delete and sources in six frames, one of them empty", example, several)
    cases.journal("journal-empty", y, begun(), "no frames", example)
    header = begun().bytes
    for name, bytes_, about in (("0", b"", "no bytes"), ("10", header[:10], "10 bytes"), ("63", header[:63], "63 bytes"), ("zero",
                                                                                                                           bytes(64), "64 zeros"),
                                ("zeros", bytes(4096), "4,096 zeros"), ("half", header[:32] + bytes(32), "the second half is zero")):
        cases.journal(f"journal-unfinished-{name}", y, bytes_, f"creation never finished: {about}", example)
    cases.journal("journal-compatible", y, begun(several[0], compatible=1 << 40), "an unknown compatible feature bit", example, several[:1])
    cases.journal("journal-stale", y, begun(*stale, first=9, base=parent), "stale: extends the parent, last sequence 10 is the book's", example)
    cases.journal("journal-stale-same-digest", y, begun(*stale, first=9), "stale: extends a book of the same contents, last sequence 10", example)
    cases.journal("journal-stale-empty", y, begun(base=parent), "stale: extends the parent, no frames", example)
    cases.journal("journal-stale-torn", y, begun(*stale, first=9, base=parent).raw(b"FRAM"), "stale, with a torn tail", example)
    wide = ("add", "MOVE", {E4_MOVE: (1, 0, 0, 0)})
    unfit = Journal(basis.columns, 10, base=parent).add(10, [wide])
    cases.journal("journal-stale-columns", y, unfit, "stale, of a parent with columns that the book doesn't have", example)
    skipped = stale + several[:2]
    cases.journal("journal-skipped", y, begun(*skipped, first=9), "frames 9 and 10 are in the book already, 11 and 12 are not (J-7)",
                  example, skipped)
    new_facts = [FACTS[1], fact(bytes(range(16)), "plan.side", "white")]
    facts = [(1, [("facts", None, new_facts), ("add", "POSN", {START: (1, 0, 0, NONE, 0, 0)})]), (2, [("facts", None, new_facts[1:] + FACTS[3:5])])]
    cases.journal("journal-facts", "facts", begun(*facts, book=basis.facts, first=1), "facts: new ones, one twice, some that the book has",
                  basis.facts, facts)


def torn_journals(cases, basis):
    """J-6: one frame, and behind it something that is not."""
    example, y = basis.example, "example"
    one, two = games()[:2]

    def torn(name, bytes_, about):
        cases.journal("journal-torn-" + name, y, bytes_, "a torn tail: " + about, example, [one])

    def begun():
        return Journal(example, 11).add(*one)
    whole = begun().frame(*two)
    torn("header", begun().raw(whole[:39]), "39 bytes of a frame header")
    torn("body", begun().raw(whole[:-1]), "the last byte of frame 12 is missing")
    torn("zeros", begun().raw(bytes(len(whole))), "the length was synced, the bytes were not")
    torn("crc", begun().raw(whole[:48] + bytes(8) + whole[56:]), "8 bytes of frame 12 are zero")
    torn("odd", begun().raw(b"\1\2\3"), "3 bytes")
    torn("inserted", begun().raw(whole[:100] + b"\0" + whole[100:]), "a byte was put into the last frame")
    torn("inserted-header", begun().raw(whole[:20] + b"\0" + whole[20:]), "a byte was put into the header of the last frame")
    torn("length", begun().add(12, two[1], length=len(whole) - 40 + 8), "the length of frame 12 ends behind the file")
    torn("length-overflow", begun().add(12, two[1], length=M64 - 7), "the length of frame 12 is 2^64-8")
    torn("previous", begun().add(12, two[1], previous=0x12345678), "frame 12 of the same journal, but behind another frame 11")
    other = Journal(example, 11, base=xxhash.xxh3_128_digest(b"another book"))
    other.previous = begun().previous
    torn("other-journal", begun().raw(other.frame(12, two[1])).raw(other.frame(13, [])),
         "frames 12 and 13 of another journal")
    torn("other-journal-odd", begun().raw(b"\0").raw(other.frame(12, two[1])).raw(other.frame(13, [])), "the same, a byte behind frame 11")
    torn("other-first", begun().raw(Journal(example, 10).frame(12, two[1])).raw(Journal(example, 10).frame(13, [])),
         "frames of a journal of the same book that began with another sequence")
    torn("old-frame", begun().raw(b"rest of frame 12").raw(begun().bytes[64:]),
         "behind 16 bytes a copy of frame 11, whose sequence is below the expected one")

    def planted(header):
        """Frame 12 with rows in which a frame header is, cut off behind it."""
        rows = b"".join(encode_row(key, (1, 0, 0, NONE, 0, 0)) for key in sorted((E4, E4_D5), key=mix))
        body = rows[:8] + (header + bytes(-len(header) % ROW))[:40] + rows[48:]
        return begun().raw(begun().frame(12, [part(example, "add", "POSN", {}, body=body, count=len(body) // ROW)])[:-4])
    sealed = begun()
    torn("planted", planted(Journal(example, 11).frame(13, [], salt=b"")[:40]), "a frame header without the salt, planted in its rows")
    torn("planted-other", planted(other.frame(13, [])[:40]), "a frame header of another journal, planted in its rows")
    torn("planted-next", planted(sealed.frame(13, [], previous=0x12345678)[:40]),
         "a header of frame 13 of this journal that doesn't follow frame 12, planted in its rows")
    torn("planted-same", planted(sealed.frame(12, [], previous=0x12345678)[:40]),
         "a header of frame 12 of this journal that doesn't follow frame 11, planted in its rows")


def column_journals(cases, basis):
    columns, z = basis.columns, "columns-example"
    e4, d4, reply = E4_MOVE, D4_MOVE, REPLY_D5
    frames = [(1, [("add", "POSN", {START: (1, 0, 0, NONE, 0, 0)}),
                   ("add", "MOVE", {e4: (1, 0, 0, 0), reply: (0, 0, 1, 0)},
                    {"RTNG": {e4: (2300, 2400, 1, 2), reply: (2400, 2300, 1, 0)}, "GAME": {e4: (4700, 5), reply: (4700, 5)},
                     "YEAR": {e4: (2026, 2026), reply: (2026, 2026)}})]),
              (2, [("add", "MOVE", {e4: (0, 1, 0, 2)}, {"RTNG": {e4: ((1 << 48) - 1, 5, 0xFFFFFFFF, M64)}, "GAME": {e4: (4721,
                                                                                                                         0x5EED5A2AC0DF)}, "YEAR": {e4: (1986, 0)}})]),
              (3, [("put", "MOVE", {reply: (1, 0, 0, 0)}, {"YEAR": {reply: (0, 1)}}), ("delete", "MOVE", [d4])]),
              (4, [("add", "MOVE", {d4: (1, 0, 0, 0)})])]

    def begun(book, *frames, first=1):
        journal = Journal(book, first)
        for sequence, parts in frames:
            journal.add(sequence, parts)
        return journal
    cases.journal("columns-example", z, begun(columns, frames[0]), "the worked example: a rated game added", columns, frames[:1])
    cases.journal("journal-columns", z, begun(columns, *frames),
                  "all columns: add, put and delete, sums that saturate, rows without cells, padded parts", columns, frames)
    years = {key: (1900 + i, 1950 + i) for i, key in enumerate(sorted(small_moves()))}
    book = Book(None, small_moves(), SOURCES[:1], columns={"YEAR": small_columns(small_moves())["YEAR"]})
    odd = [(1, [("add", "MOVE", {(START, 9): (1, 0, 0, 0)}, {"YEAR": {(START, 9): (1999, 1999)}}), ("add", "MOVE", {(M64, 796): (1, 0, 0,
                                                                                                                                 0)}, {"YEAR": years}),
                ("sources", None, ONE_SOURCE)]), (2, [("put", "MOVE", {(0, 0): (1, 1, 1, 0)})])]
    cases.journal("journal-padding", "years", begun(book, *odd), "parts of 28 bytes, padded to 32, in front of others", book, odd)
    counted = [(1, [("add", "POSN", {START: (0, 1, 0, NONE, 0, 0)}), ("put", "MOVE", {e4: (0, 9, 0, 0)}), ("delete", "MOVE", [d4])])]
    cases.journal("journal-counts", "counts", begun(basis.counts, *counted), "counts without results", basis.counts, counted)
    unknown = [(1, [("add", "POSN", {START: (1, 0, 0, NONE, 0, 0), 5: (0, 0, 1, NONE, 0, 0)}, {"ODDS": {5: b"world"}}),
                    ("add", "MOVE", {e4: (1, 0, 0, 0)}, {"RTNG": {e4: (2000, 2000, 1, 1)}, "WEIT": {e4: b"\7\7\7"}})])]
    cases.journal("journal-unknown-columns", "unknown-columns", begun(basis.unknown, *unknown),
                  "cells of unknown columns in both tables, rows of 29 and 63 bytes",
                  basis.unknown, unknown, "copy-refused")
    inside = [key for key in basis.whole.positions if mix(key) >> 62 == 1]
    shared = [(1, [("add", "POSN", {inside[0]: (1, 0, 0, NONE, 0, 0), unmix(1 << 62): (1, 0, 0, NONE, 0, 0), unmix((2 << 62) - 1): (2, 0, 0,
                                                                                                                                    NONE, 0, 0)}),
                   ("add", "MOVE", {(unmix(1 << 62), 5): (1, 0, 0, 0)}, {"RTNG": {(unmix(1 << 62), 5): (1, 2, 3, 4)}}), ("sources", None,
                                                                                                                         SOURCES[:1])])]
    cases.journal("journal-share", "share-1", begun(basis.share, *shared),
                  "rows of the share, the first and the last of its hashes among them", basis.share, shared)


def refused_journal_headers(cases, basis):
    """J-1 to J-4."""
    example, y = basis.example, "example"
    one, two = games()[:2]
    stale = [(9, one[1]), (10, [("delete", "POSN", [START])])]
    foreign = xxhash.xxh3_128_digest(b"another book")

    def refused(name, about, *frames, first=11, **wrong):
        journal = Journal(example, first, **wrong)
        for frame in frames:
            journal.raw(frame) if isinstance(frame, bytes) else journal.add(*frame)
        cases.bad_journal(name, y, journal, about)
        return journal
    refused("j-01-magic", "the magic of a book", one, magic=b"\x89TABIA\r\n")
    refused("j-01-version", "version 2", one, version=2)
    refused("j-01-version-empty", "version 2, no frames: a later version's journal, not one whose creation never finished", version=2)
    refused("j-01-crc", "the crc", one, crc=1)
    refused("j-01-incompatible", "an unknown incompatible feature bit", one, incompatible=1)
    refused("j-01-incompatible-empty", "an unknown incompatible feature bit, no frames", incompatible=1)
    refused("j-01-salt", "the salt, and all frames are made with it", one, two, salt=12345)
    refused("j-01-salt-old", "a salt of zero, as in journals of unreleased versions", one, salt=0)
    cases.bad_journal("j-01-text", y, b"not a journal at all", "a file of 20 bytes that is something else")
    cases.bad_journal("j-01-version-short", y, b"\x89TABJL\r\n" + u32(2), "12 bytes, of a later version")
    cases.bad_journal("j-01-text-64", y, b"The name of this file looks like a journal's, the rest doesn't. ", "a text of 64 bytes")
    refused("j-02-foreign", "the journal of another book", one, base=foreign)
    refused("j-02-foreign-old", "the journal of another book, sequences 9 and 10", *stale, first=9, base=foreign)
    refused("j-03-parent-not-stale", "extends the parent, but its last sequence is above the book's", (10, []), one, first=10,
            base=example.more["parent"])
    refused("j-04-jump", "sequence 13 after 11, at the end", one, (13, []))
    refused("j-04-back", "sequence 11 twice", one, (11, []))
    refused("j-04-first", "`first` is 11, its first frame 12", two)
    refused("j-04-gap-to-book", "the book holds sequence 10, the journal begins with 12", two, first=12)
    cases.bad_journal("j-04-zero", "one-row", Journal(basis.one, 0).add(0, []).add(1, []),
                      "the first sequence is 0, and the journal goes beyond its book's 0")
    begun = Journal(example, 11).add(*one)
    behind = begun.frame(*two)
    cases.bad_journal("j-04-gap", y, begun.bytes + bytes(8) + behind, "8 zero bytes between two frames")
    cases.bad_journal("j-04-inserted", y, begun.bytes + b"\0" + behind, "a byte was put in front of the last frame")
    cases.bad_journal("j-04-inserted-header", y, begun.bytes[:-1] + b"\0" + begun.bytes[-1:] + behind[:60],
                      "a byte was put in front of the last frame, which is torn")


def refused_frames(cases, basis):
    """J-5: a frame is not good and another one is behind it, or its contents are wrong."""
    example, y = basis.example, "example"
    one, two = games()[:2]
    row = lambda *counts: ("add", "POSN", {START: counts + (NONE, 0, 0)})
    add_start = row(1, 0, 0)

    def damaged(name, about, change, rule="j-05-"):
        """Frames 11, 12 and 13, and what was done to their bytes later."""
        journal = Journal(example, 11).add(*one).add(*two).add(13, [])
        cases.bad_journal(rule + name, y, bytes(change(bytearray(journal.bytes), journal.starts)), about)

    def without(from_, to):
        return lambda b, s: b[:s[from_]] + b[s[to]:]

    def inserted(frame, at):
        return lambda b, s: b[:s[frame] + at] + b"\0" + b[s[frame] + at:]

    def flipped(frame, at):
        return lambda b, s: put(s[frame] + at, bytes([b[s[frame] + at] ^ 0x10]))(b)
    damaged("body-bit", "a bit of the body of frame 12", flipped(1, 70))
    damaged("body-bit-first", "a bit of the body of frame 11", flipped(0, 70))
    damaged("header-bit", "a bit of the header crc of frame 12", flipped(1, 5))
    damaged("magic-bit", "a bit of the magic of frame 12", flipped(1, 0))
    damaged("length-bit", "a bit of the length of frame 12", flipped(1, 8))
    damaged("previous-bit", "a bit of `previous` of frame 12", flipped(1, 33))
    damaged("zeros", "frame 12 is all zeros", lambda b, s: b[:s[1]] + bytes(s[2] - s[1]) + b[s[2]:])
    damaged("inserted-body", "a byte was put into the body of frame 12: frame 13 begins at an odd offset", inserted(1, 77))
    damaged("inserted-header", "a byte was put into the header of frame 12", inserted(1, 30))
    damaged("removed-byte", "a byte of frame 12 is missing", lambda b, s: b[:s[1] + 50] + b[s[1] + 51:])
    damaged("removed-frame", "frame 12 is missing, its neighbours are whole", without(1, 2), "j-04-")
    damaged("removed-first", "frame 11 is missing", without(0, 1), "j-04-")
    damaged("removed-two", "frames 11 and 12 are missing", without(0, 2), "j-04-")
    damaged("swapped", "frames 12 and 13 are swapped", lambda b, s: b[:s[1]] + b[s[2]:] + b[s[1]:s[2]], "j-04-")
    damaged("replaced", "frame 12 is a copy of frame 11", lambda b, s: b[:s[1]] + b[s[0]:s[1]] + b[s[2]:])
    damaged("cut-header", "39 bytes of frame 12, and frame 13", lambda b, s: b[:s[1] + 39] + b[s[2]:])
    long = Journal(example, 11).add(*one).add(12, []).add(13, two[1])
    cases.bad_journal("j-04-removed-torn", y, long.bytes[:long.starts[1]] + long.bytes[long.starts[2]:-1], "frame 12 is missing, frame 13 is torn")
    chained = Journal(example, 11).add(*one).add(12, two[1], previous=7).add(13, [])
    cases.bad_journal("j-05-previous", y, chained, "frame 12 does not follow frame 11, and frame 13 follows it")
    first = Journal(example, 11).add(11, one[1], previous=0).add(*two)
    cases.bad_journal("j-05-previous-first", y, first, "frame 11 does not follow the journal's header, and frame 12 follows it")

    def content(name, about, parts, book=example, base=y, sequence=11, **wrong):
        journal = Journal(book, sequence).add(sequence, parts, **wrong)
        cases.bad_journal("j-05-" + name, base, journal, about)
    long = part(example, *add_start)
    content("reserved", "the reserved bytes of a frame header", [add_start], reserved=1)
    content("length-odd", "the length of a frame is no multiple of 8", [long + b"\0\0\0\0"], number=1)
    content("parts", "two parts instead of one", [add_start], number=2)
    content("parts-fewer", "no parts instead of one", [add_start], number=0)
    content("rest", "8 bytes behind the last part", [long + bytes(8)], number=1)
    content("part-cut", "a part header of 8 bytes", [long + bytes(8)], number=2)
    content("count", "a part of one row says two", [part(example, *add_start, count=2)])
    content("part-length", "a part's length ends behind the frame", [part(example, *add_start, length=48)])
    content("part-length-huge", "a part's length is 2^64-8", [part(example, *add_start, length=M64 - 7)])
    content("operation", "operation 9", [part(example, *add_start, code=9)])
    content("operation-0", "operation 0", [part(example, *add_start, code=0)])
    content("table", "table 3", [part(example, *add_start, of_table=3)])
    content("table-0", "rows of no table", [part(example, *add_start, of_table=0)])
    content("row", "a row with a reserved flag", [("add", "POSN", {START: (1, 0, 0, NONE, 0, 0x80)})])
    content("empty-row", "an empty slot as a row", [part(example, "add", "POSN", {}, body=EMPTY, count=1)])
    content("move-reserved", "the reserved byte of a moves row", [part(example, "add", "MOVE", {}, body=put(23, b"\1")(encode_row(E4_MOVE,
                                                                                                                                  (1, 0, 0,
                                                                                                                                   0))), count=1)])
    rows = [encode_row(key, (1, 0, 0, NONE, 0, 0)) for key in sorted((START, E4), key=mix)]
    rows_part = lambda *which: part(example, "add", "POSN", {}, body=b"".join(rows[i] for i in which), count=len(which))
    content("order", "two rows are swapped", [rows_part(1, 0)])
    content("order-across-parts", "two parts of the same operation and table are not in order", [rows_part(1), rows_part(0)])
    content("same-row", "a row twice in one part", [rows_part(0, 0)])
    content("twice", "add and delete of the same row", [add_start, ("delete", "POSN", [START])])
    content("delete-rest", "a delete with counts", [part(example, "delete", "POSN", [], body=rows[0], count=1)])
    content("delete-eval", "a delete with an eval of -32768", [part(example, "delete", "POSN", [], body=encode_row(START, (0, 0, 0, NONE, 0,
                                                                                                                           0)), count=1)])
    content("source-name", "a source's name is not UTF-8", [part(example, "sources", None, [], body=source_entry((bytes(16), 1, b"\xff")), count=1)])
    content("source-padding", "the padding of a source", [part(example, "sources", None, [], body=source_entry((bytes(16), 1,
                                                                                                                b"x"))[:-1] + b"\1", count=1)])
    content("source-count", "two sources instead of one", [part(example, "sources", None, ONE_SOURCE, count=2)])
    content("source-table", "sources of a table", [part(example, "sources", None, ONE_SOURCE, of_table=1)])
    content("fact-name", "a fact's name has a space", [("facts", None, [fact(WHOLE_BOOK, "a b", "")])])
    content("fact-value", "a fact's value is not UTF-8", [("facts", None, [(WHOLE_BOOK, b"a", b"\xff")])])
    content("fact-count", "two facts instead of one", [part(example, "facts", None, FACTS[:1], count=2)])
    content("fact-rest", "a fact and 8 bytes more", [part(example, "facts", None, [], body=fact_entry(FACTS[0]) + bytes(8), count=1)])
    content("fact-size", "facts with a row size", [part(example, "facts", None, FACTS[:1], size=24)])
    columns, z = basis.columns, "columns-example"
    cells = {"YEAR": {E4_MOVE: (2026, 2026)}}
    wide = part(columns, "add", "MOVE", {E4_MOVE: (1, 0, 0, 0)}, cells)

    def in_columns(name, about, *parts):
        content(name, about, list(parts), columns, z, 1)
    in_columns("padding", "the padding of a part", wide[:-1] + b"\1")
    in_columns("padding-missing", "no padding behind the last part, so the length is no multiple of 8", wide[:-4])
    in_columns("cells-count", "a part of one row with cells says two", part(columns, "add", "MOVE", {E4_MOVE: (1, 0, 0, 0)}, cells, count=2))
    in_columns("cells-delete-rest", "a delete with a year", part(columns, "delete", "MOVE", [E4_MOVE], cells))
    in_columns("cells-twice", "add and delete of the same move with cells", wide, ("delete", "MOVE", [E4_MOVE]))
    in_columns("cells-between", "rows with their cells right behind each of them: the second row is a cell",
               part(columns, "add", "MOVE", {}, body=b"".join(encode_row(k, (1, 0, 0, 0)) + b"\xff" * 36 for k in (D4_MOVE, E4_MOVE)), count=2))


def refused_parts(cases, basis):
    """J-8 to J-10."""
    def refused(name, book, base, about, *parts, first=1):
        cases.bad_journal(name, base, Journal(book, first).add(first, list(parts)), about)
    one, example, columns = basis.one, basis.example, basis.columns
    moves_only = Book(None, small_moves(), ONE_SOURCE, 980, game="a234567890-45678", keys="z")
    plain = ("add", "MOVE", {E4_MOVE: (1, 0, 0, 0)})
    refused("j-08-moves", one, "one-row", "moves for a book without a moves table", plain)
    refused("j-08-positions", moves_only, "moves-load-980", "a delete of positions for a book without a positions table", ("delete", "POSN", [START]))
    refused("j-08-size", example, "example", "row size 40", part(example, *plain, body=bytes(40), count=1, size=40), first=11)
    refused("j-08-size-0", example, "example", "row size 0, no rows", part(example, "add", "MOVE", {}, size=0), first=11)
    refused("j-08-cells", example, "example", "cells for a book without columns", part(columns, *plain), first=11)
    refused("j-08-plain", columns, "columns-example", "rows without cells for a book with columns", part(example, *plain))
    refused("j-08-some-cells", columns, "columns-example", "cells of one column for a book with three",
            part(columns.but(columns={"YEAR": {}}), *plain))
    refused("j-08-positions-cells", columns, "columns-example", "positions with the cells of moves",
            part(columns, "add", "POSN", {}, body=encode_row(START, (1, 0, 0, NONE, 0, 0)) + bytes(36), count=1, size=60))
    refused("j-08-tags", basis.one_tags, "tags-one-row", "rows of 26 bytes for a book with tags, which are no column",
            part(one, "add", "POSN", {}, body=encode_row(START, (1, 0, 0, NONE, 0, 0)) + bytes(2), count=1, size=26))
    refused("j-08-unknown", basis.unknown, "unknown-columns", "rows without the cells of unknown columns", part(columns, *plain))
    refused("j-09-wins", basis.counts, "counts", "a win for a book without results", ("add", "POSN", {E4: (1, 0, 0, NONE, 0, 0)}))
    refused("j-09-losses", basis.counts, "counts", "a loss, put, for a book without results", ("put", "MOVE", {E4_MOVE: (0, 1, 1, 0)}))
    share, outside = basis.share, unmix((1 << 62) - 1)
    refused("j-10-position", share, "share-1", "the last position of share 0 for share 1", ("add", "POSN", {outside: (1, 0, 0, NONE, 0, 0)}))
    refused("j-10-move", share, "share-1", "a move of share 2 for share 1", ("put", "MOVE", {(unmix(2 << 62), 5): (1, 0, 0, 0)}))
    refused("j-10-delete", share, "share-1", "a delete of a row of share 0 for share 1", ("delete", "POSN", [outside]))
