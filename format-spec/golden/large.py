"""Larger golden files, of the sizes at which an implementation reads in pieces. Not committed: `make_golden.py --large FOLDER`."""
import packed_books
from cases import ARCHIVE, ONE_SOURCE, START, fact, flip, in_home, many, many_moves, put, small_columns
from writer import COLUMNS, EMPTY, NONE, ROW, WHOLE_BOOK, Book, Journal, encode_row, mix, part, unmix

RUN = 512  # slots in the least number of whole blocks that are whole rows


def make(cases):
    book = large_books(cases)
    large_damage(cases, book)
    slack_books(cases)
    long_facts(cases)
    packed_books.large(cases)
    base = cases.valid("base", Book(many(1100), many_moves(500), ONE_SOURCE, columns=small_columns(many_moves(500)), tags=True),
                       "1,100 positions, 1,250 moves with all columns: the journals' book")
    long_journals(cases, base)
    long_damage(cases)


def large_books(cases):
    moves = many_moves(9000)
    book = Book(many(21000), moves, ONE_SOURCE, columns=small_columns(moves), tags=True)
    cases.valid("large", book, "21,000 positions with tags, 22,500 moves with all columns: several pieces of each section")
    cases.valid("large-load-980", Book(many(14000), None, ONE_SOURCE, 980, tags=True), "14,000 positions at load 0.98: long runs, rows far from home")
    whole = Book(many(9000), None, ONE_SOURCE, tags=True)
    for number in range(2):
        cases.valid(f"large-share-{number}", whole.of_share(1, number), f"share {number} of 1 bit of 9,000 positions")
    return book


def slots_of(book, table):
    """The encoded slots of a table."""
    keys, _, slots, _ = book.layout(table)
    return [EMPTY if number is None else encode_row(keys[number], book.rows(table)[keys[number]]) for number in slots]


def large_damage(cases, book):
    """What tests that know only small files don't find: far behind, and where pieces may meet."""
    for table in ("POSN", "MOVE"):
        slots = slots_of(book, table)
        together = [at for at in range(RUN, len(slots), RUN) if EMPTY not in (slots[at - 1], slots[at])]
        pieces = [at for at in together if at in (11264, 12288, 2 * 11264, 2 * 12288)]
        for at in sorted({together[0], together[len(together) // 2], *pieces}):
            swap = lambda b, at=at: b[:(at - 1) * ROW] + slots[at] + slots[at - 1] + b[(at + 1) * ROW:]
            cases.found(f"b-16-{table.lower()}-{at}", book.but(tweak={table: swap}),
                        f"{table}: the rows in slots {at - 1} and {at} are swapped" + " (breaks B-21 too)" * (table == "POSN"), "large")
        rows = [at for at in range(20000, len(slots)) if slots[at] != EMPTY]
        cases.found(f"b-18-{table.lower()}", book.but(tweak={table: put(rows[0] * ROW + 23, b"\x40")}),
                    f"{table}: a reserved bit in slot {rows[0]}", "large")
        sum_of = rows[0] * ROW // 4096 * 8
        cases.found(f"b-13-{table.lower()}", book.but(tweak={table.lower(): flip(sum_of)}),
                    f"{table}: the sum of a block behind slot 20,000", "large")
    empty = [at for at, slot in enumerate(slots_of(book, "MOVE")) if slot == EMPTY]
    for tag, size in COLUMNS.items():
        for place, at in (("middle", min(slot for slot in empty if slot > 12288)), ("last", empty[-1])):
            cases.found(f"b-26-{tag.lower()}-{place}", book.but(tweak={tag: put(at * size + size - 1, b"\1")}),
                        f"{tag}: the cell of the empty slot {at}", "large")
        cases.found(f"b-13-{tag.lower()}", book.but(tweak={tag.lower(): lambda b: flip(len(b) - 8)(b)}), f"{tag}: the sum of the last block", "large")
    for at in (13001, 27000):
        cases.found(f"b-21-{at}", book.but(tweak={"TAGS": flip(2 * at)}), f"the tag of slot {at}", "large")
    cases.found("b-13-tags", book.but(tweak={"tags": flip(8)}), "the sum of the second block of TAGS", "large")


def one_home(count):
    """Positions that all have the home 3."""
    homes = -(-count * 1000 // 800)
    return {unmix(mix(in_home(3, homes, 0)) + i): (i % 7, 0, 0, NONE, 0, 0) for i in range(count)}


def slack_books(cases):
    for count, slack in ((1024, 1024), (1025, 1024), (1026, 4096), (4098, 16384)):
        absent = [unmix(mix(max(one_home(count), key=mix)) + 1)]
        cases.valid(f"slack-{count}", Book(one_home(count), None, ONE_SOURCE, tags=True, absent=absent),
                    f"{count} positions of one home: max displacement {count - 1}, slack {slack}")
    moves = {(START, code): (code % 5, 1, 0, 0) for code in range(1300)}
    cases.valid("slack-moves", Book({START: (1, 0, 0, NONE, 0, 0)}, moves, ONE_SOURCE, columns=small_columns(moves)),
                "1,300 moves of one position: slack 4096")
    plain = cases.valid("slack-1100", Book(many(1100), None, ONE_SOURCE), "1,100 positions: slack 1024")
    for slack in (1025, 1100, 4096):
        cases.refused(f"b-23-{slack}", plain.but(entry={"POSN": dict(slack_laid_out=slack)}), f"slack {slack} for 1,100 random positions")
    crowded = Book(one_home(1026), None, ONE_SOURCE)
    cases.refused("b-23-displacement", crowded.but(entry={"POSN": dict(slack_laid_out=1024, displacement=1025)}),
                  "max displacement 1025 with slack 1024")
    cases.refused("b-23-16384", crowded.but(entry={"POSN": dict(slack_laid_out=16384)}), "slack 16384 for max displacement 1025")


def long_facts(cases):
    one = Book({START: (3, 2, 1, 25, 20, 0x10)}, None, ONE_SOURCE)
    cases.valid("facts-long", one.but(facts=[fact(ARCHIVE, "n", "ü" * 32768), fact(WHOLE_BOOK, "n", "x" * 65536)]), "values of 65,536 bytes")
    cases.found("b-27-value-long", one.but(facts=[fact(WHOLE_BOOK, "n", "x" * 65537)]), "a value of 65,537 bytes")


def batches(book, count):
    """Batches of positions and moves, old and new ones, with cells, and now and then sources and facts."""
    keys, moves = sorted(book.positions), sorted(book.moves)
    for sequence in range(1, count + 1):
        r = mix(sequence)
        old = [keys[(r + 7 * i) % len(keys)] for i in range(r % 19)]
        positions = {key: (i % 3, 1, 0, i - 9, sequence % 60, 0) for i, key in enumerate(old + [mix(r + i) for i in range(r % 23)])}
        chosen = {moves[(r + 5 * i) % len(moves)]: (1, i % 2, 0, 1 << i % 8) for i in range(1 + r % 29)}
        cells = {"RTNG": {key: (2500, 2400, 1, 2) for key in chosen}, "GAME": {key: (sequence, r >> 16) for key in chosen},
                 "YEAR": {key: (2000 + sequence % 30, 2026) for key in chosen}}
        removed = [key for key in moves[sequence::97] if key not in chosen]
        parts = [("add", "POSN", positions), ("put" if sequence % 5 == 0 else "add", "MOVE", chosen, cells), ("delete", "MOVE", removed)]
        if sequence % 10 == 0:
            parts += [("sources", None, [(mix(r).to_bytes(16, "big"), sequence, f"week-{sequence}.pgn".encode())]),
                      ("facts", None, [fact(mix(r).to_bytes(16, "big"), "plan.max-ply", str(sequence))])]
        yield sequence, parts


def long_journals(cases, base):
    frames = list(batches(base, 200))
    journal = Journal(base, 1)
    for sequence, parts in frames:
        journal.add(sequence, parts)
    bytes_, starts = journal.bytes, journal.starts
    cases.journal("journal-long", "base", journal, "200 batches of all kinds, several hundred KB", base, frames)
    cases.journal("journal-long-torn", "base", bytes_[:-9], "the last of 200 frames is torn", base, frames[:-1])
    late = [n for n, start in enumerate(starts) if start > 3 * 65536][0]
    zeros = bytes_[:starts[late]] + bytes(len(bytes_) - starts[late])
    cases.journal("journal-long-zeros", "base", zeros, "zeros in place of all frames behind 192 KiB", base, frames[:late])
    rows = {mix(i): (1, 0, 0, NONE, 0, 0) for i in range(9000)}
    large = Journal(base, 1).add(*frames[0])
    body = bytearray(part(base, "add", "POSN", rows))
    foreign = Journal(base, 1, salt=0)
    for at in range(4000, len(body) - 100, 4093):  # at all offsets of a piece
        body[at:at + 40] = foreign.frame(3, [])
    large.raw(large.frame(2, [bytes(body)])[:-8])
    cases.journal("journal-long-planted", "base", large, "a torn frame of 216 KB, full of frame headers with another salt", base, frames[:1])

    def damaged(name, about, new):
        cases.bad_journal(name, "base", new, about)
    damaged("j-05-long-bit", "a bit of a frame behind 192 KiB", put(starts[late] + 50, bytes([bytes_[starts[late] + 50] ^ 1]))(bytes_))
    damaged("j-05-long-inserted", "a byte was put into a frame behind 192 KiB", bytes_[:starts[late] + 50] + b"\0" + bytes_[starts[late] + 50:])
    damaged("j-04-long-gap", "a byte between two frames behind 192 KiB", bytes_[:starts[late]] + b"\0" + bytes_[starts[late]:])
    damaged("j-05-long-zeros", "100 frames of zeros, and one that is whole",
            bytes_[:starts[80]] + bytes(starts[199] - starts[80]) + bytes_[starts[199]:])
    damaged("j-05-long-content", "a frame behind 192 KiB has a row with a reserved flag",
            Journal(base, 1).raw(bytes_[64:starts[-1]]).raw(last_frame(base, journal, bytes_, starts)))


def last_frame(base, journal, bytes_, starts):
    """A frame in place of the last one, with an invalid row."""
    again = Journal(base, 1)
    again.previous = int.from_bytes(bytes_[starts[-2] + 4:starts[-2] + 8], "little")
    return again.frame(len(starts), [("add", "POSN", {START: (1, 0, 0, NONE, 0, 0x80)})])


def long_damage(cases):
    """A damaged frame of 64 KiB and more, and the next one so far behind its beginning that it lies across any step of 64 KiB."""
    book = cases.valid("one-row", Book({START: (3, 2, 1, 25, 20, 0x10)}, None, ONE_SOURCE), "one position: the book of journals with one large frame")
    rows = {mix(i): (1, 0, 0, NONE, 0, 0) for i in range(2650)}
    journal = Journal(book, 1).add(1, [("add", "POSN", rows)]).add(2, [("delete", "POSN", [START])])
    first, second = journal.starts
    for step in (65536, 65536 + first, 65536 + first + 1, 65536 + first + 40):  # from the file's or the frame's beginning
        for before in (39, 20, 8, 7, 4, 1, 0):
            more = step - before - second
            name = f"j-05-step-{step}-{before}"
            middle = first + 5000
            cases.bad_journal(name, "one-row", journal.bytes[:middle] + bytes(more) + journal.bytes[middle:],
                              f"{more} zeros were put into frame 1; frame 2 begins at {step - before}")
