"""Reading many positions of a packed book at once: groups, entries and records of packed.md as arrays of numbers of bits.

Every place is a bit's number in the file; what is read has to end within the 4,088 bytes of its page, or it is `BadPage`.
Large groups are left to `_packed`.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._combine import Rows
from ._header import PAGE
from ._pack import Pack
from .rows import CELL_FIELDS, NO_EVAL, POSITION_SLOT, move_row

ROOM = 4088
M32 = (1 << 32) - 1
LARGE = 255
U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]
MASKS = np.array([(1 << width) - 1 for width in range(65)], np.uint64)
GAME_CELL = np.dtype([("value", "<u8"), ("first", "<u2"), ("last", "<u2"), ("greater", "<u2"), ("lesser", "<u2")])
MOST_COUNT = np.int64((1 << 32) - 1)
ONE = np.uint64(1)


class BadPage(Exception):
    """A page, by its number, that is not as packed.md says."""

    def __init__(self, page: int, message: str) -> None:
        super().__init__(message)
        self.page = page


def popcount(x: U64) -> I64:
    if hasattr(np, "bitwise_count"):
        return np.asarray(np.bitwise_count(x), np.int64)
    x = x - ((x >> ONE) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    ones: I64 = ((x * np.uint64(0x0101010101010101)) >> np.uint64(56)).astype(np.int64)
    return ones


def total_ones(words: list[U64], like: I64) -> I64:
    """How many ones there are in all of these words."""
    total = np.zeros_like(like)
    for word in words:
        total += popcount(word)
    return total


def zeros_below(x: U64) -> I64:
    """How many zeros are below the lowest one; 64 of zero."""
    return popcount((x & (~x + ONE)) - ONE)


def bit_length(x: I64) -> I64:
    """Of numbers from 0 to 2^52."""
    return np.frexp(x.astype(np.float64))[1].astype(np.int64)


def select(x: U64, rank: I64) -> I64:
    """The place of the one of this rank (0: the lowest)."""
    place = np.zeros(len(x), np.int64)
    for width in (32, 16, 8, 4, 2, 1):
        low = x & MASKS[width]
        ones = popcount(low)
        up = rank >= ones
        rank = rank - ones * up
        x = np.where(up, x >> np.uint64(width), low)
        place += width * up
    return place


@dataclass
class Groups:
    """Groups of entries: where they stand, and where their parts begin. What follows `of_page` is of groups with entries only; 0 in large ones."""

    start: I64
    page: I64
    buckets: I64
    first_bucket: I64
    n: I64
    end: I64
    classes: I64
    remainders: I64
    codes: I64
    evaluated: I64
    evaluations: I64
    told: I64
    games: I64
    fields: I64
    longs: list[U64]
    with_eval: list[U64]
    all_told: list[U64]
    record: I64
    size: I64


@dataclass
class Entries:
    """Some entries: their group, place in it, and h."""

    group: I64
    place: I64
    h: U64


class ManyGroups:
    """Groups of a packed book, many at a time."""

    def __init__(self, data: bytes | mmap.mmap, pack: Pack, at: int, games: Callable[[I64], NDArray[np.void]]) -> None:
        self.pack, self.at, self.games_of = pack, at, games
        self.bytes = np.frombuffer(data, np.uint8)
        self.words = np.ndarray((len(data) - 7,), "<u8", data, 0, (1,))
        self.class_of = pack.class_array()
        self.code_of = np.array(pack.codes or [0], np.uint16)
        self.pair_of = np.array(pack.pairs or [(0, 0)], np.uint8)
        self.columns = pack.columns

    # Bits

    def take(self, at: I64, width: I64 | int) -> U64:
        """Numbers of at most 64 bits that begin at these bits."""
        byte, shift = at >> 3, (at & 7).astype(np.uint64)
        low = self.words[byte] >> shift
        high = (self.bytes[byte + 8].astype(np.uint64) << (np.uint64(63) - shift)) << ONE
        number: U64 = (low | high) & MASKS[width]
        return number

    def bounded(self, at: I64, width: I64 | int, end: I64, page: I64) -> U64:
        """The same, within an end."""
        self.hold(at + width <= end, page, "a group goes beyond its page, or a record beyond its end")
        return self.take(at, width)

    @staticmethod
    def hold(good: Bools, page: I64, message: str) -> None:
        if not good.all():
            raise BadPage(int(page[np.flatnonzero(~good)[0]]), message)

    # Groups

    def find(self, hashes: U64, verify: Callable[[I64], None] | None) -> tuple[Groups, U64, I64]:
        """The groups that hashes of this share belong to: all groups, hashes, and the group of each. Hashes of no group are left out."""
        pack = self.pack
        bucket = ((hashes & MASKS[pack.hash_bits]) >> np.uint64(pack.w)).astype(np.int64)
        home, bucket = np.divmod(bucket, pack.page_buckets)
        group = bucket // pack.group_buckets
        start, page = np.full(len(hashes), -1), home.copy()
        for i in range(3):
            todo = np.flatnonzero((start < 0) & (home + i < pack.pages))
            if not len(todo):
                break
            here = home[todo] + i
            if verify:
                verify(here)
            back, count = self._heads(here)
            place = group[todo] + back - i * pack.groups
            there = (place >= 0) & (place < count)
            start[todo[there]] = self._starts(here[there], place[there])
            page[todo[there]] = here[there]
        found = start >= 0
        number = home * pack.groups + group
        _, first, of = np.unique(number[found], return_index=True, return_inverse=True)
        which = np.flatnonzero(found)[first]
        groups = self.groups(start[which], page[which], home[which], group[which])
        return groups, hashes[found], of.reshape(-1)

    def _heads(self, pages: I64) -> tuple[I64, I64]:
        heads = self.words[self.at + PAGE * pages]
        back, count = (heads & MASKS[16]).astype(np.int64), ((heads >> np.uint64(16)) & MASKS[16]).astype(np.int64)
        place = (heads >> np.uint64(32)).astype(np.int64)
        self.hold(place == (pages + (self.pack.salt & M32) & M32), pages, "another page stands in the place of a page")
        self.hold((count >= 1) & (8 + 2 * count <= ROOM), pages, "the groups of a page")
        return back, count

    def _starts(self, pages: I64, places: I64) -> I64:
        """Where groups begin, as bytes of the file."""
        at = self.at + PAGE * pages
        start = (self.words[at + 8 + 2 * places] & MASKS[16]).astype(np.int64)
        self.hold(start < ROOM, pages, "a group begins outside its page")
        starts: I64 = at + start
        return starts

    def all_groups(self, pages: I64, number: int) -> tuple[Groups, int]:
        """All groups of consecutive pages, the first of which has to have this number; and the number that comes next."""
        back, count = self._heads(pages)
        of = np.repeat(np.arange(len(pages)), count)
        place = np.arange(len(of)) - (np.cumsum(count) - count)[of]
        numbers = pages[of] * self.pack.groups - back[of] + place
        self.hold(numbers == number + np.arange(len(of)), pages[of], "groups are not in the order of their numbers")
        home, group = np.divmod(numbers, self.pack.groups)
        self.hold(home < self.pack.home_pages, pages[of], "more groups than there are")
        return self.groups(self._starts(pages[of], place), pages[of], home, group), number + len(of)

    def groups(self, start: I64, page: I64, home: I64, group: I64) -> Groups:
        """What stands where in groups that begin at these bytes."""
        pack = self.pack
        first = group * pack.group_buckets
        buckets = np.minimum(pack.group_buckets, pack.page_buckets - first)
        heads = self.bytes[start].astype(np.int64)
        n = np.where(heads == LARGE, 0, heads)
        end = 8 * (self.at + PAGE * page + ROOM)
        classes = 8 * (start + 1) + buckets + n
        remainders = classes + pack.c * n
        codes = remainders + pack.w * n
        self.hold((n == 0) | (codes <= end), page, "a group goes beyond its page")
        longs = self._planes(classes, n, pack.c)
        short = n - total_ones(longs, n)
        evaluated = codes + (pack.m * short if pack.has_moves else 0)
        if pack.pairs:
            evaluations = evaluated + n
            self.hold((n == 0) | (evaluations <= end), page, "a group goes beyond its page")
            with_eval = self._planes(evaluated, n, 1)
            told = evaluations + (pack.e + pack.p) * total_ones(with_eval, n)
        else:
            evaluations, with_eval, told = evaluated, [], evaluated
        games = told + pack.told_bits * short
        self.hold((n == 0) | (games <= end), page, "a group goes beyond its page")
        all_told = self._planes(told, short, 1) if pack.told_bits else []
        fields = games + pack.game_bits * short
        behind = (fields + sum(width for _, width in pack.fields) * (short - total_ones(all_told, n)) + 7) // 8
        self.hold((n == 0) | (8 * behind <= end), page, "a group goes beyond its page")
        record, size = self._records(behind, n - short, end // 8, page)
        return Groups(
            start, page, buckets, home * pack.page_buckets + first, heads, end, classes, remainders, codes, evaluated, evaluations, told, games,
            fields, longs, with_eval, all_told, record, size,
        )  # fmt: skip

    def _planes(self, at: I64, n: I64, planes: int) -> list[U64]:
        """The bits that are set in all of these planes of n bits, 64 to a word."""
        words = []
        for first in range(0, int(n.max(initial=0)), 64):
            width = np.clip(n - first, 0, 64)
            word = MASKS[width]
            for plane in range(planes):
                word = word & self.take(np.where(width > 0, at + plane * n + first, 0), width)
            words.append(word)
        return words

    def _records(self, at: I64, count: I64, end: I64, page: I64) -> tuple[I64, I64]:
        """Where the records of long entries begin, and how many bytes they have: arrays of groups x the most records of one."""
        most = int(count.max(initial=0))
        record, size = np.zeros((len(at), most + 1), np.int64), np.zeros((len(at), most), np.int64)
        at = at.copy()
        for i in range(most):
            on = np.flatnonzero(i < count)
            here = at[on]
            self.hold(here < end[on], page[on], "a group goes beyond its page")
            length = self.bytes[here].astype(np.int64)
            wide = length == LARGE
            length[wide] = (self.words[here[wide] + 1] & MASKS[16]).astype(np.int64)
            size[on, i] = length
            at[on] = here + np.where(wide, 3, 1)
        np.cumsum(size, axis=1, out=record[:, 1:])
        record += at[:, None]
        self.hold((count == 0) | (record[:, -1] <= end), page, "a group goes beyond its page")
        return record[:, :-1], size

    # Entries

    def _bucket_words(self, groups: Groups, which: I64) -> Iterator[tuple[int, U64, U64]]:
        """The buckets' bits of groups, 64 at a time: the first one's number, the bits, which of them count."""
        n = np.where(groups.n[which] == LARGE, 0, groups.n[which])
        length = np.where(n > 0, groups.buckets[which] + n, 0)
        for first in range(0, int(length.max(initial=0)), 64):
            width = np.clip(length - first, 0, 64)
            at = np.where(width > 0, 8 * (groups.start[which] + 1) + first, 0)
            yield first, self.take(at, width), MASKS[width]

    def entries(self, groups: Groups, wanted: U64, of: I64) -> tuple[Entries, Bools]:
        """The entries of hashes, given the group of each: of those that have one. The second is whether an hash has one."""
        pack = self.pack
        bucket = ((wanted & MASKS[pack.hash_bits]) >> np.uint64(pack.w)).astype(np.int64) - groups.first_bucket[of]
        remainder = wanted & MASKS[pack.w]
        start, end = np.zeros(len(wanted), np.int64), np.full(len(wanted), -1)
        zeros_before = np.zeros(len(wanted), np.int64)
        for first, word, mask in self._bucket_words(groups, of):
            zeros = ~word & mask
            count = popcount(zeros)
            for rank, place, more in ((bucket - 1 - zeros_before, start, 1), (bucket - zeros_before, end, 0)):
                here = np.flatnonzero((rank >= 0) & (rank < count))
                place[here] = first + select(zeros[here], rank[here]) + more
            zeros_before += count
        some = (groups.n[of] > 0) & (groups.n[of] < LARGE)
        self.hold(~some | (zeros_before == groups.buckets[of]), groups.page[of], "the buckets of a group")
        place, last = start - bucket, end - bucket
        found = np.full(len(wanted), -1)
        todo = np.flatnonzero(some & (place < last))
        while len(todo):
            same = self.take(groups.remainders[of[todo]] + pack.w * place[todo], pack.w) == remainder[todo]
            found[todo[same]] = place[todo[same]]
            place[todo] += 1
            todo = todo[~same & (place[todo] < last[todo])]
        there = found >= 0
        return Entries(of[there], found[there], wanted[there]), there

    def all_entries(self, groups: Groups) -> tuple[Entries, Bools]:
        """All entries of groups, large ones excepted."""
        pack = self.pack
        words = list(self._bucket_words(groups, np.arange(len(groups.n))))
        if not words:
            none = np.zeros(0, np.int64)
            return Entries(none, none, none.astype(np.uint64)), none.astype(np.bool_)
        bits = np.unpackbits(np.stack([word for _, word, _ in words], 1).astype("<u8").view(np.uint8), axis=1, bitorder="little")
        group, at = np.nonzero(bits)
        n = np.where(groups.n == LARGE, 0, groups.n)
        self.hold(np.bincount(group, minlength=len(n)) == n, groups.page, "the buckets of a group")
        place = np.arange(len(group)) - (np.cumsum(n) - n)[group]
        in_group = at - place
        self.hold(in_group < groups.buckets[group], groups.page[group], "the buckets of a group")
        bucket = (groups.first_bucket[group] + in_group).astype(np.uint64)
        h = (bucket << np.uint64(pack.w)) | self.take(groups.remainders[group] + pack.w * place, pack.w)
        if pack.hash_bits < 64:
            h |= np.uint64(pack.share << pack.hash_bits)
        return Entries(group, place, h), np.ones(len(group), np.bool_)

    @staticmethod
    def _rank(words: list[U64], group: I64, place: I64) -> tuple[I64, Bools]:
        """How many bits are set before these places, and whether they are set themselves."""
        rank, mine = np.zeros(len(group), np.int64), np.zeros(len(group), np.bool_)
        for i, word in enumerate(words):
            here, within = word[group], np.clip(place - 64 * i, 0, 64)
            rank += popcount(here & MASKS[within])
            inside = (place >= 64 * i) & (place < 64 * (i + 1))
            mine |= inside & ((here >> np.where(inside, place - 64 * i, 0).astype(np.uint64)) & ONE).astype(np.bool_)
        return rank, mine

    # Rows

    def no_rows(self, table: str) -> Rows:
        return np.zeros(0, POSITION_SLOT if table == "POSN" else move_row(self.columns))

    def rows(self, table: str, groups: Groups, entries: Entries, there: Bools) -> Rows:
        """The rows that entries have in a table, in their order."""
        group, place = entries.group, entries.place
        if not len(group):
            return self.no_rows(table)
        number = np.zeros(len(group), np.int64)
        for plane in range(self.pack.c):
            n = groups.n[group]
            number |= self.take(groups.classes[group] + plane * n + place, 1).astype(np.int64) << plane
        long = number == self.pack.long_class
        before, _ = self._rank(groups.longs, group, place)
        self.hold(long | (self.class_of[np.where(long, 0, number), 0] <= 15), groups.page[group], "a class that no triple is left for")
        records = _Records(self, groups, group[long], before[long])
        if table == "POSN":
            return self._position_rows(groups, entries, number, long, records)
        return self._move_rows(groups, entries, number, long, place - before, records)

    def _position_rows(self, groups: Groups, entries: Entries, number: I64, long: Bools, records: _Records) -> Rows:
        rows = np.zeros(len(long), POSITION_SLOT)
        rows["h"] = entries.h
        there = ~long
        for i, name in enumerate(("wins", "draws", "losses")):
            rows[name][~long] = self.class_of[number[~long], i]
            rows[name][long] = records.counts[i]
        there[long] = records.has_position
        rows["eval"] = NO_EVAL
        if self.pack.pairs:
            self._put_evaluations(rows, groups, entries)
        return rows[there]

    def _put_evaluations(self, rows: Rows, groups: Groups, entries: Entries) -> None:
        pack = self.pack
        rank, has = self._rank(groups.with_eval, entries.group, entries.place)
        group = entries.group[has]
        at = groups.evaluations[group] + (pack.e + pack.p) * rank[has]
        number = self.take(at, pack.e).astype(np.int64)
        pair = self.take(at + pack.e, pack.p).astype(np.int64)
        value = number + (pack.least - 1)
        self.hold((pair < len(pack.pairs)) & (value <= 32767), groups.page[group], "an evaluation")
        rows["eval"][has] = np.where(number > 0, value, NO_EVAL)
        rows["depth"][has] = self.pair_of[pair, 0]
        rows["flags"][has] = self.pair_of[pair, 1]

    def codes(self, number: U64, page: I64) -> NDArray[np.uint16]:
        self.hold(number < len(self.pack.codes), page, "the number of a move")
        return self.code_of[number.astype(np.int64)]

    def _move_rows(self, groups: Groups, entries: Entries, number: I64, long: Bools, rank: I64, records: _Records) -> Rows:
        pack, short = self.pack, np.flatnonzero(~long)
        group = entries.group[short]
        rows = np.zeros(len(short), move_row(self.columns))
        rows["h"] = entries.h[short]
        for i, name in enumerate(("wins", "draws", "losses")):
            rows[name] = self.class_of[number[short], i]
        rows["move"] = self.codes(self.take(groups.codes[group] + pack.m * rank[short], pack.m), groups.page[group])
        before, told = self._rank(groups.all_told, group, rank[short])
        game = self.take(groups.games[group] + pack.game_bits * rank[short], pack.game_bits)
        self.put_cells(rows, told, game, groups.page[group])
        spelled = np.flatnonzero(~told)
        at = groups.fields[group] + sum(width for _, width in pack.fields) * (rank[short] - before)
        for name, (least, width), size in zip(self.names, pack.fields, pack.sizes):
            of_field = self.take(at, np.where(told, 0, width))
            value = of_field + np.uint64((least - 1) % (1 << 64))
            some = of_field > 0
            wrapped = some & (value < least) if least else some & (of_field > 1) & (value < of_field - ONE)
            self.hold(~wrapped & (~some | (value <= MASKS[size])), groups.page[group], "a cell")
            rows[name][spelled] = np.where(some, value, 0)[spelled]
            at = at + np.where(told, 0, width)
        parts, of = [rows], [short]
        for which, more in records.moves():
            which = np.flatnonzero(long)[which]
            more["h"] = entries.h[which]
            parts.append(more)
            of.append(which)
        return np.concatenate(parts)[np.argsort(np.concatenate(of), kind="stable")]


    @property
    def names(self) -> list[str]:
        """The fields that may be spelled out."""
        return [name for tag in self.columns if tag != "GAME" for name, _, _ in CELL_FIELDS[tag]]

    def put_cells(self, rows: Rows, told: Bools, game: U64, page: I64) -> None:
        """Puts what games tell of the cells of moves, all of them or their own alone: section 5.2."""
        pack = self.pack
        if not pack.has_games:
            return
        number = (game & MASKS[pack.number_bits]).astype(np.int64)
        self.hold(number <= pack.games, page, "the number of a game")
        games = self.games_of(number)
        rows["game"] = games["value"]
        if "YEAR" in self.columns:
            rows["first_year"], rows["last_year"] = games["first"] * told, games["last"] * told
        if "RTNG" in self.columns:
            wins, draws = rows["wins"].astype(np.uint64), rows["draws"].astype(np.uint64)
            count = wins + draws + rows["losses"]
            greater, lesser = games["greater"] * count, games["lesser"] * count
            known = told & ((games["greater"] > 0) | (games["lesser"] > 0))
            swapped = (game >> np.uint64(pack.number_bits)) > 0
            values = np.where(swapped, lesser, greater), np.where(swapped, greater, lesser), count, np.uint64(2) * wins + draws
            for (name, _, size), value in zip(CELL_FIELDS["RTNG"], values):
                self.hold(~known | (value <= MASKS[8 * size]), page, "a cell")
                rows[name] = np.where(known, value, 0)


class _Records:
    """Records of long entries (section 6): the counts of their positions at once, their moves step by step."""

    def __init__(self, many: ManyGroups, groups: Groups, group: I64, rank: I64) -> None:
        self.many, self.page = many, groups.page[group]
        start = groups.record[group, rank] if len(group) else group
        self.at = 8 * start
        self.end = self.at + 8 * (groups.size[group, rank] if len(group) else group)
        pack = many.pack
        both = pack.has_positions and pack.has_moves
        self.has_position = self.take(1).astype(np.bool_) if both else np.full(len(group), pack.has_positions)
        self.counts = [np.zeros(len(group), np.int64) for _ in range(3)]
        which = np.flatnonzero(self.has_position)
        games = self.gamma(which) - 1
        self.put_counts(which, games, games, games)

    def take(self, width: I64 | int, which: I64 | slice = slice(None)) -> U64:
        at = self.at[which]
        number = self.many.bounded(at, width, self.end[which], self.page[which])
        self.at[which] = at + width
        return number

    def gamma(self, which: I64) -> I64:
        """A number of at most 2^41, as gamma writes it."""
        zeros = zeros_below(self.many.take(self.at[which], 64))
        self.many.hold(zeros <= 40, self.page[which], "counts of a record")
        self.take(zeros + 1, which)
        number: I64 = (np.int64(1) << zeros) | self.take(zeros, which).astype(np.int64)
        return number

    def read_counts(self, which: I64, games: I64, most_wins: I64, most_draws: I64) -> tuple[I64, I64, I64]:
        wins = self.take(bit_length(np.minimum(games, most_wins)), which).astype(np.int64)
        self.many.hold(wins <= games, self.page[which], "counts of a record")
        draws = self.take(bit_length(np.minimum(games - wins, most_draws)), which).astype(np.int64)
        losses = games - wins - draws
        good = (losses >= 0) & (np.maximum(np.maximum(wins, draws), losses) <= MOST_COUNT)
        self.many.hold(good, self.page[which], "counts of a record")
        return wins, draws, losses

    def put_counts(self, which: I64, games: I64, most_wins: I64, most_draws: I64) -> None:
        for count, of in zip(self.counts, self.read_counts(which, games, most_wins, most_draws)):
            count[which] = of

    def moves(self) -> Iterator[tuple[I64, Rows]]:
        """The first moves of all records, then all second ones, and so on: which records, and rows without their h."""
        pack, every = self.many.pack, np.arange(len(self.at))
        if not pack.has_moves or not len(every):
            return
        count = self.gamma(every) - self.has_position
        self.many.hold(count <= len(pack.codes), self.page, "more moves than there are codes")
        some = np.flatnonzero(count > 0)
        bits = np.zeros(len(every), np.int64)
        bits[some] = self.take(4, some).astype(np.int64)
        within, exact, marks, zero = ((bits >> i & 1).astype(np.bool_) for i in range(4))
        self.many.hold(self.has_position | ~within, self.page, "the flags of a record")
        left = [of.copy() for of in self.counts]
        for i in range(int(count.max(initial=0))):
            which = np.flatnonzero(count > i)
            rows = np.zeros(len(which), move_row(self.many.columns))
            rows["move"] = self.many.codes(self.take(pack.m, which), self.page[which])
            marked = marks[which]
            rows["marks"][marked] = self.take(8, which[marked])
            is_rest = within[which] & exact[which] & (count[which] == i + 1)
            self._put_move(rows, which, is_rest, within[which], zero[which], left)
            told = self.take(pack.told_bits, which).astype(np.bool_)
            self.many.put_cells(rows, told, self.take(pack.game_bits, which), self.page[which])
            spelled = np.flatnonzero(~told)
            for name, size in zip(self.many.names, pack.sizes):
                width = self.take(7, which[spelled]).astype(np.int64)
                self.many.hold(width <= size, self.page[which[spelled]], "a cell")
                lower = np.maximum(width - 1, 0)
                value = self.take(lower, which[spelled]) | (ONE << lower.astype(np.uint64))
                rows[name][spelled] = np.where(width > 0, value, 0)
            yield which, rows

    def _put_move(self, rows: Rows, which: I64, is_rest: Bools, within: Bools, zero: Bools, left: list[I64]) -> None:
        """The counts of a move: what is left of the position's, or read."""
        counts = [of[which] for of in left]
        told = which[~is_rest]
        games = self.gamma(told) - zero[~is_rest]
        limits = [np.where(within[~is_rest], of[told], games) for of in left[:2]]
        for count, of in zip(counts, self.read_counts(told, games, *limits)):
            count[~is_rest] = of
        for name, count, of in zip(("wins", "draws", "losses"), counts, left):
            rows[name] = count
            of[which] -= count * within
        good = np.minimum(np.minimum(left[0][which], left[1][which]), left[2][which]) >= 0
        self.many.hold(good, self.page[which], "counts of a record")
