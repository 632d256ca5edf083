"""Reading one position of a packed book: sections 4 to 6 of packed.md, by whole numbers of Python.

Many positions, and all of them, are read by `_packed_many`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ._combine import Rows
from ._content import I64, U64, MoveTuple, PositionTuple, Source
from ._header import PAGE, ROW, TABLES, Section
from ._journal import with_cells
from ._pack import GAME, Pack, read_pack
from ._packed_many import GAME_CELL, BadPage, Groups, ManyGroups
from ._xxh3 import xxh3_64, xxh3_64_each
from .rows import CELL_FIELDS, NO_EVAL, SLOTS

ROOM = 4088
LARGE = 255
MOST_COUNT = M32 = (1 << 32) - 1
Entry = tuple[PositionTuple | None, list[MoveTuple]]
NOTHING: Entry = (None, [])
CHUNK = 256
"""Pages that a scan reads at once: a megabyte."""


class _Bad(Exception):
    """A group that is not as packed.md says (B-32)."""


class _Bits:
    """Bits of a record, from the lowest of each byte on."""

    def __init__(self, data: bytes) -> None:
        self.value, self.left = int.from_bytes(data, "little"), 8 * len(data)

    def take(self, width: int) -> int:
        self.left -= width
        if self.left < 0:
            raise _Bad("a record is too short")
        taken = self.value & (1 << width) - 1
        self.value >>= width
        return taken

    def gamma(self) -> int:
        if not self.value:
            raise _Bad("a record is too short")
        zeros = (self.value & -self.value).bit_length() - 1
        self.take(zeros + 1)
        return 1 << zeros | self.take(zeros)

    def counts(self, games: int, most_wins: int, most_draws: int) -> tuple[int, int, int]:
        wins = self.take(min(games, most_wins).bit_length())
        if wins > games:
            raise _Bad("counts of a record")
        draws = self.take(min(games - wins, most_draws).bit_length())
        losses = games - wins - draws
        if losses < 0 or max(wins, draws, losses) > MOST_COUNT:
            raise _Bad("counts of a record")
        return wins, draws, losses


class PackedContent:
    """The pages of a packed book."""

    def __init__(self, source: Source) -> None:
        header = source.header
        self.source, self.header = source, header
        self.pack: Pack = read_pack(source.data, header, source.path)  # type: ignore[arg-type]
        section = header.sections["PAGE"]
        self.at, self.pages = section.offset, section.length // PAGE
        self.tables: dict[str, Section] = {tag: header.sections[tag] for tag in TABLES if tag in header.sections}
        self.bodies: dict[str, Rows] = {tag: source.array(table, SLOTS[tag]) for tag, table in self.tables.items()}
        self.columns = {tag: header.sections[tag] for tag in header.columns}
        self.cells = {
            tag: source.bytes[section.offset : section.offset + section.length].reshape(-1, section.cell_size)
            for tag, section in self.columns.items()
        }
        self.games = header.sections.get("DICT")
        self.many = ManyGroups(source.data, self.pack, self.at, self._games)
        self.good_pages = np.zeros(self.pages, np.bool_)
        self.last: tuple[int, Entry] = (-1, NOTHING)

    def damaged(self, page: int, message: str) -> Exception:
        return self.source.damaged("B-32", message, f"page {page}")

    def verify_pages(self, pages: I64) -> None:
        """Verifies those of these pages that were not verified before (B-31)."""
        todo = np.unique(pages[~self.good_pages[pages]])
        every = self.source.bytes[self.at : self.at + PAGE * self.pages].reshape(-1, PAGE)
        for some in np.array_split(todo, len(todo) // 4096 + 1):
            sums = every[some, ROOM:].copy().view("<u8")[:, 0]
            bad = some[xxh3_64_each(every[some, :ROOM]) != sums]
            if len(bad):
                raise self.source.damaged("B-31", "the checksum of a page does not match", f"page {bad[0]}")
            bad = some[every[some, 4:8].copy().view("<u4")[:, 0] != (some + (self.pack.salt & M32) & M32)]
            if len(bad):
                raise self.source.damaged("B-31", "another page stands in the place of a page", f"page {bad[0]}")
            self.good_pages[some] = True

    def verify_all(self) -> None:
        """Verifies all pages, and the checksum of all their checksums (B-14)."""
        self.verify_pages(np.arange(self.pages))
        every = self.source.bytes[self.at : self.at + PAGE * self.pages].reshape(-1, PAGE)
        if xxh3_64(every[:, ROOM:].tobytes()) != self.header.sections["PAGE"].checksum:
            raise self.source.damaged("B-14", "the checksum does not match", "section PAGE")

    def most_positions(self) -> int:
        """How many positions the file has room for at most: an entry has a bit of its bucket, a class and a remainder, or is a row of 24 bytes."""
        rows = self.tables["POSN"].slots if "POSN" in self.tables else 0
        return 8 * PAGE * self.pages // (1 + self.pack.c + self.pack.w) + rows

    # One position

    def position(self, h: int) -> PositionTuple | None:
        return self.entry(h)[0]

    def moves(self, h: int) -> list[MoveTuple]:
        return list(self.entry(h)[1])

    def entry(self, h: int) -> Entry:
        """All that the book says of an h. The last one is remembered: who asks for a position asks for its moves too."""
        last, entry = self.last
        if last != h:
            entry = self._entry(h) if self.header.holds(h) else NOTHING
            self.last = (h, entry)
        return entry

    def _entry(self, h: int) -> Entry:
        pack = self.pack
        home, group, bucket, remainder = pack.place_of(h)
        page = home
        try:
            for page in range(home, min(home + 3, self.pages)):
                at = self.at + PAGE * page
                if self.source.verify:
                    self.verify_pages(np.array([page]))
                data = self.source.data[at : at + ROOM]
                place = group + int.from_bytes(data[:2], "little") - (page - home) * pack.groups
                count = int.from_bytes(data[2:4], "little")
                if int.from_bytes(data[4:8], "little") != self.pack.says(page):
                    raise _Bad("another page stands in the place of a page")
                if not 1 <= count or 8 + 2 * count > ROOM:
                    raise _Bad("the groups of a page")
                if 0 <= place < count:
                    start = int.from_bytes(data[8 + 2 * place : 10 + 2 * place], "little")
                    if start >= ROOM:
                        raise _Bad("a group begins outside its page")
                    return self._of_group(data[start:], pack.buckets_of(group), bucket, remainder, h)
        except _Bad as error:
            raise self.damaged(page, str(error)) from None
        return NOTHING

    def _of_group(self, data: bytes, buckets: int, bucket: int, remainder: int, h: int) -> Entry:
        """The entry of a group that begins with these bytes: section 5."""
        pack, n = self.pack, data[0]
        if n == 0:
            return NOTHING
        if n == LARGE:
            return self._of_large(data, h)
        bits = int.from_bytes(data[1:], "little")
        runs = f"{bits & (1 << buckets + n) - 1:0{buckets + n}b}"[::-1].split("0")
        if len(runs) != buckets + 1 or runs[-1]:
            raise _Bad("the buckets of a group")
        first = sum(map(len, runs[:bucket]))
        at = buckets + n + pack.c * n
        if at + pack.w * n > 8 * (len(data) - 1):
            raise _Bad("a group goes beyond its page")
        for i in range(first, first + len(runs[bucket])):
            if bits >> at + pack.w * i & (1 << pack.w) - 1 == remainder:
                return self._of_entry(data, bits, n, buckets + n, i, h)
        return NOTHING

    def _of_entry(self, data: bytes, bits: int, n: int, at: int, i: int, h: int) -> Entry:
        """The entry `i` of a group of `n`, whose planes begin at bit `at`."""
        pack, all_ = self.pack, (1 << n) - 1
        number, longs = 0, all_
        for plane in range(pack.c):
            of_plane = bits >> at + plane * n & all_
            number |= (of_plane >> i & 1) << plane
            longs &= of_plane
        short, long_before = n - longs.bit_count(), (longs & (1 << i) - 1).bit_count()
        at += (pack.c + pack.w) * n
        code_at = at + pack.m * (i - long_before)
        at += pack.m * short if pack.has_moves else 0
        evaluation, at = self._evaluation(bits, at, n, i)
        told = bits >> at & (1 << pack.told_bits * short) - 1
        games_at = at + pack.told_bits * short
        fields_at = games_at + pack.game_bits * short
        end = fields_at + sum(width for _, width in pack.fields) * (short - told.bit_count())
        if end > 8 * (len(data) - 1):
            raise _Bad("a group goes beyond its page")
        if number == pack.long_class:
            record = self._record_bytes(data, 1 + (end + 7) // 8, n - short, long_before)
            position, moves = self._record(_Bits(record))
        else:
            if pack.classes[number][0] > 15:
                raise _Bad("a class that no triple is left for")
            counts = pack.classes[number]
            position = counts if pack.has_positions else None
            moves = []
            if pack.has_moves:
                rank = i - long_before
                is_told, before = bool(told >> rank & 1), (told & (1 << rank) - 1).bit_count()
                game = bits >> games_at + pack.game_bits * rank & (1 << pack.game_bits) - 1
                fields = self._cells(counts, is_told, game, () if is_told else self._short_fields(bits, fields_at, rank - before))
                moves = [(self._code(bits >> code_at & (1 << pack.m) - 1), *counts, 0, fields)]  # type: ignore[list-item]
        return None if position is None else (*position, *evaluation), moves

    def _evaluation(self, bits: int, at: int, n: int, i: int) -> tuple[tuple[int, int, int], int]:
        """Eval, depth and flags of an entry, and where what follows begins."""
        pack = self.pack
        if not pack.pairs:
            return (NO_EVAL, 0, 0), at
        which, width = bits >> at & (1 << n) - 1, pack.e + pack.p
        mine = at + n + width * (which & (1 << i) - 1).bit_count()
        end = at + n + width * which.bit_count()
        if not which >> i & 1:
            return (NO_EVAL, 0, 0), end
        number, pair = bits >> mine & (1 << pack.e) - 1, bits >> mine + pack.e & (1 << pack.p) - 1
        if pair >= len(pack.pairs) or pack.least + number - 1 > 32767:
            raise _Bad("an evaluation")
        return (pack.least + number - 1 if number else NO_EVAL, *pack.pairs[pair]), end

    def _code(self, number: int) -> int:
        if number >= len(self.pack.codes):
            raise _Bad("the number of a move")
        return self.pack.codes[number]

    def _short_fields(self, bits: int, at: int, rank: int) -> tuple[int, ...]:
        """The fields of the cells of a short entry's move."""
        values = []
        at += rank * sum(width for _, width in self.pack.fields)
        for (least, width), size in zip(self.pack.fields, self.pack.sizes):
            number = bits >> at & (1 << width) - 1
            values.append(least + number - 1 if number else 0)
            if values[-1] >> size:
                raise _Bad("a cell")
            at += width
        return tuple(values)

    @staticmethod
    def _record_bytes(data: bytes, at: int, longs: int, rank: int) -> bytes:
        """The record of one of the long entries, whose lengths begin at byte `at`."""
        before = size = 0
        for i in range(longs):
            length = data[at] if at < len(data) else LARGE
            at += 1
            if length == LARGE:
                length = int.from_bytes(data[at : at + 2], "little")
                at += 2
            before += length if i < rank else 0
            size = length if i == rank else size
        if at + before + size > len(data):
            raise _Bad("a group goes beyond its page")
        return data[at + before : at + before + size]

    def _record(self, bits: _Bits) -> tuple[tuple[int, ...] | None, list[MoveTuple]]:
        """Section 6."""
        pack, position, moves = self.pack, None, []
        if bits.take(1) if pack.has_positions and pack.has_moves else pack.has_positions:
            games = bits.gamma() - 1
            position = bits.counts(games, games, games)
        count = bits.gamma() - (position is not None) if pack.has_moves else 0
        if count > len(pack.codes):
            raise _Bad("more moves than there are codes")
        within, exact, marks, zero = (bits.take(1) for _ in range(4)) if count else (0, 0, 0, 0)
        if within and position is None:
            raise _Bad("the flags of a record")
        left = position or (0, 0, 0)
        for i in range(count):
            code, mark = self._code(bits.take(pack.m)), bits.take(8) if marks else 0
            if within and exact and i + 1 == count:
                counts = left
            else:
                games = bits.gamma() - zero
                counts = bits.counts(games, left[0] if within else games, left[1] if within else games)
            if within:
                left = (left[0] - counts[0], left[1] - counts[1], left[2] - counts[2])
                if min(left) < 0:
                    raise _Bad("counts of a record")
            told, game = bool(bits.take(pack.told_bits)), bits.take(pack.game_bits)
            moves.append((code, *counts, mark, self._cells(counts, told, game, () if told else self._long_fields(bits))))
        return position, moves

    def _games(self, numbers: I64) -> NDArray[np.void]:
        """Games of the dictionary by their numbers; that of 0 tells nothing."""
        games = np.zeros(len(numbers), GAME_CELL)
        if self.games is not None:
            some = numbers > 0
            places = numbers[some] - 1
            self.source.check_cells(self.games, places, GAME)
            games[some] = np.frombuffer(self.source.data, GAME_CELL, self.pack.games, self.games.offset)[places]
        return games

    def _cells(self, counts: tuple[int, ...], told: bool, game: int, spelled: tuple[int, ...]) -> tuple[int, ...]:
        """The fields of all cells of a move: section 5.2."""
        pack = self.pack
        if not pack.has_games:
            return spelled
        number, swapped = game & (1 << pack.number_bits) - 1, game >> pack.number_bits
        if number > pack.games:
            raise _Bad("the number of a game")
        value, first, last, greater, lesser = self._games(np.array([number]))[0].tolist()
        games, rest = sum(counts), spelled
        cells: list[int] = []
        ratings = (greater * games, lesser * games)[:: -1 if swapped else 1] + (games, 2 * counts[0] + counts[1])
        of = {"RTNG": ratings if greater or lesser else (0, 0, 0, 0), "YEAR": (first, last), "GAME": (value,)}
        for tag in pack.columns:
            fields = CELL_FIELDS[tag]
            cells += of[tag] if told or tag == "GAME" else rest[: len(fields)]
            rest = rest if told or tag == "GAME" else rest[len(fields) :]
            if any(field >> 8 * size for field, (_, _, size) in zip(cells[-len(fields) :], fields)):
                raise _Bad("a cell")
        return tuple(cells)

    def _long_fields(self, bits: _Bits) -> tuple[int, ...]:
        values = []
        for size in self.pack.sizes:
            width = bits.take(7)
            if width > size:
                raise _Bad("a cell")
            values.append(1 << width - 1 | bits.take(width - 1) if width else 0)
        return tuple(values)

    def _of_large(self, data: bytes, h: int) -> Entry:
        """The entry of a large group: section 5.1."""
        positions, moves = self._large_rows(data)
        if positions is not None:
            positions = positions[positions["h"] == h]
        found = None
        if positions is not None and len(positions):
            _, *fields = positions[0].tolist()
            found = tuple(fields)
        if moves is None:
            return found, []
        rows = moves[moves["h"] == h]
        return found, [(r[4], r[1], r[2], r[3], r[5], tuple(r[6:])) for r in rows.tolist()]

    def _large_rows(self, data: bytes) -> tuple[Rows | None, Rows | None]:
        """The rows of a large group, given what stands in its page."""
        if len(data) < 25:
            raise _Bad("a group goes beyond its page")
        numbers = {"POSN": (1, 17), "MOVE": (9, 21)}
        found: dict[str, Rows] = {}
        for tag, (at, size) in numbers.items():
            first, count = int.from_bytes(data[at : at + 8], "little"), int.from_bytes(data[size : size + 4], "little")
            table = self.tables.get(tag)
            if first + count > (table.slots if table else 0):
                raise _Bad("the rows of a large group")
            if table:
                slots = np.arange(first, first + count)
                self.source.check_cells(table, slots, ROW)
                found[tag] = self.bodies[tag][first : first + count]
                if tag == "MOVE":
                    found[tag] = self._with_cells(found[tag], slots)
        return found.get("POSN"), found.get("MOVE")

    def _with_cells(self, rows: Rows, slots: I64) -> Rows:
        for section in self.columns.values():
            self.source.check_cells(section, slots, section.cell_size)
        return with_cells(rows, {tag: self.cells[tag][slots] for tag in self.columns}, tuple(self.columns))

    # Many positions

    def positions(self, hashes: U64) -> Rows:
        return self._join("POSN", list(self._many("POSN", hashes)))

    def moves_of(self, hashes: U64) -> Rows:
        return self._join("MOVE", list(self._many("MOVE", hashes)))

    def _join(self, table: str, parts: list[Rows]) -> Rows:
        return np.concatenate([self.many.no_rows(table), *parts])

    def _many(self, table: str, hashes: U64) -> Iterator[Rows]:
        bits = self.header.share_bits
        if bits:
            hashes = hashes[hashes >> np.uint64(64 - bits) == self.header.share_number]
        for first in range(0, len(hashes), 1 << 14):
            some = hashes[first : first + (1 << 14)]
            try:
                where = self.many.find(some, self.verify_pages if self.source.verify else None)
                yield from self._rows_of(table, *where)
            except BadPage as error:
                raise self.damaged(error.page, str(error)) from None

    def _rows_of(self, table: str, groups: Groups, wanted: U64, group: I64) -> Iterator[Rows]:
        """Rows of hashes, each in one of these groups: in ascending order, although large groups are read apart."""
        large = groups.n[group] == LARGE
        if not large.any():
            yield self.many.rows(table, groups, *self.many.entries(groups, wanted, group))
            return
        small = self.many.rows(table, groups, *self.many.entries(groups, wanted[~large], group[~large]))
        parts = [small]
        for g in np.unique(group[large]):
            rows = self._large_at(groups, int(g))[table == "MOVE"]
            if rows is not None:
                parts.append(rows[np.isin(rows["h"], wanted[large & (group == g)])])
        rows = self._join(table, parts)
        yield rows[np.argsort(rows["h"], kind="stable")]

    def _large_at(self, groups: Groups, g: int) -> tuple[Rows | None, Rows | None]:
        start, page = int(groups.start[g]), int(groups.page[g])
        try:
            return self._large_rows(self.source.data[start : self.at + PAGE * page + ROOM])
        except _Bad as error:
            raise BadPage(page, str(error)) from None

    # All rows

    def scan(self, table: str) -> Iterator[Rows]:
        before, next_group = -1, 0
        large = {"POSN": 0, "MOVE": 0}
        for first in range(0, self.pages, CHUNK):
            pages = np.arange(first, min(first + CHUNK, self.pages))
            self.source.will_need(self.at + PAGE * first, PAGE * CHUNK)
            if self.source.verify:
                self.verify_pages(pages)
            try:
                groups, next_group = self.many.all_groups(pages, next_group)
                rows = self._scan_groups(table, groups, large)
            except BadPage as error:
                raise self.damaged(error.page, str(error)) from None
            if len(rows):
                before = self._check_order(rows, before, first)
                yield rows
        if next_group != self.pack.home_pages * self.pack.groups:
            raise self.damaged(self.pages - 1, "groups are missing behind the last page")
        if large != {tag: self.tables[tag].slots if tag in self.tables else 0 for tag in large}:
            raise self.damaged(self.pages - 1, "there are rows that no large group has")

    def _scan_groups(self, table: str, groups: Groups, large: dict[str, int]) -> Rows:
        parts = [self.many.rows(table, groups, *self.many.all_entries(groups))]
        for g in np.flatnonzero(groups.n == LARGE).tolist():
            start = int(groups.start[g])
            for tag, at, size in (("POSN", 1, 17), ("MOVE", 9, 21)):
                first = int.from_bytes(self.source.data[start + at : start + at + 8], "little")
                if first != large[tag]:
                    raise BadPage(int(groups.page[g]), "large groups are not numbered without gaps")
                large[tag] += int.from_bytes(self.source.data[start + size : start + size + 4], "little")
            rows = self._large_at(groups, g)[table == "MOVE"]
            if rows is not None:
                parts.append(rows)
        joined = self._join(table, parts)
        return joined if len(parts) == 1 else joined[np.argsort(joined["h"], kind="stable")]

    def _check_order(self, rows: Rows, before: int, page: int) -> int:
        """B-32, as far as it is needed to go on: rows ascend. Returns the last h, which the next ones have to exceed."""
        h = rows["h"]
        wrong = h[:-1] > h[1:]
        if "move" in (rows.dtype.names or ()):
            wrong |= (h[:-1] == h[1:]) & (rows["move"][:-1] >= rows["move"][1:])
        else:
            wrong |= h[:-1] == h[1:]
        if wrong.any() or int(h[0]) <= before:
            raise self.damaged(page, "entries are not in ascending order, here or in one of the pages behind")
        return int(h[-1])

