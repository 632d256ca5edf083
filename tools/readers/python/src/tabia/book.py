"""A book that is one file, with or without its journal: opening it, following it as it changes, verifying it."""

from __future__ import annotations

import errno
import mmap
import os
import stat
import threading
from collections.abc import Iterator
from typing import Any, BinaryIO, Union

import numpy as np
from numpy.typing import NDArray

from ._by_hash import TAGS, ByHash
from ._combine import Rows, laid_over
from ._content import Content, Source
from ._header import PAGE, Header, read_header
from ._journal import Journal, read_journal
from ._packed import PackedContent
from ._plain import PlainContent
from .errors import BookReplaced, ClosedBook, DamagedBook, NoSuchTable
from .keys import mix
from .reader import TableName, Taken, TakenMove, Totals
from .rows import COLUMN_NAMES
from .sources import Fact, Malformed, fact_of, fact_order, section_entries, source_of, source_order
from .sources import Source as Archive

__all__ = ["Book", "open_book"]

PathLike = Union[str, "os.PathLike[str]"]
TRIES = 100


def open_book(path: PathLike | bytes, *, journal: bool = True, verify: bool = False, mapped: bool = True) -> Book:
    """Opens a book for reading: a path, or the bytes of a book.

    `journal`: lay the journal that stands beside the book over it (True), or read the book alone. `verify`: compare the checksum of
    each block or page before it is used for the first time. `mapped`: map the file, or (False) read all of it into memory; a mapped
    file must not be changed in place, which Tabia never does, by anything else.

    Raises `NotABook`, `UnsupportedBook`, `DamagedBook`, or `WrongJournal`; an `OSError` if the file can't be read.

    >>> import tabia
    >>> with tabia.open_book(example) as book:
    ...     book.find(tabia.chess_keys.START).uci
    'e2e4'
    """
    return Book(path, journal=journal, verify=verify, mapped=mapped)


def _open_regular(path: str) -> BinaryIO:
    """Opens a file to be read. A pipe or a device, which might make the process wait for ever, is refused."""
    file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(errno.EINVAL, "this is no regular file", path)


class _Opened:
    """A book as it was at one moment: the file, and what the journal said."""

    def __init__(self, data: bytes | mmap.mmap, path: str | None, verify: bool) -> None:
        self.data = data
        self.header: Header = read_header(bytes(data[:PAGE]), len(data), path)
        self.source = Source(data, self.header, path, verify)
        self.content: Content = PackedContent(self.source) if self.header.packed else PlainContent(self.source)
        self.tables: tuple[TableName, ...] = tuple(name for name, tag in TAGS.items() if tag in self.header.sections)
        self.columns = tuple(COLUMN_NAMES[tag] for tag in self.header.columns)
        self.journal = Journal()
        self.touched: dict[str, set[int]] = {}
        self.counts: dict[str, int] = {}

    def set_journal(self, journal: Journal) -> None:
        self.journal = journal
        self.touched = {tag: set(overlay.rows["h"].tolist()) for tag, overlay in journal.overlays.items()}

    @property
    def version(self) -> tuple[bytes, bytes, int]:
        """What changes whenever the book says something else: its digest, and the checksum of the last frame, which follows from all before it."""
        return self.header.digest, self.journal.proof, self.journal.torn

    def is_book_of(self, path: str) -> bool:
        """Whether the book there has the header of this one, and so its contents. Numbers of files prove nothing: they are used again."""
        with _open_regular(path) as file:
            return file.read(PAGE) == self.data[:PAGE]

    def is_journal_of(self, path: str) -> bool:
        """Whether all of the journal there was taken, and it still ends with the frame that was the last. A torn tail may become a frame."""
        try:
            with _open_regular(path) as file:
                if os.fstat(file.fileno()).st_size != self.journal.end:
                    return False
                file.seek(self.journal.last)
                return file.read(len(self.journal.proof)) == self.journal.proof
        except FileNotFoundError:
            return self.journal == Journal()


class Book(ByHash):
    """A book that is one file. Made by `open_book`.

    It goes on showing what it held when it was opened, whatever is done to the file under its name, until `refresh` is called.
    """

    def __init__(self, path: PathLike | bytes, *, journal: bool = True, verify: bool = False, mapped: bool = True) -> None:
        self.path = None if isinstance(path, bytes) else os.fspath(path)
        self._options = (journal, verify, mapped)
        self._lock = threading.Lock()
        self._now: _Opened | None = None
        if isinstance(path, bytes):
            self._now = _Opened(path, None, verify)
        else:
            self._now = self._open()

    def __repr__(self) -> str:
        state = "closed" if self._now is None else f"{self.game}, {', '.join(self.tables)}"
        return f"<tabia.Book {self.path!r}: {state}>"

    # Opening

    def _open(self) -> _Opened:
        """Section 8 of the format: the book, its journal, and whether the name still leads to the book; if not, again."""
        assert self.path is not None
        journal, verify, mapped = self._options
        for _ in range(TRIES):
            opened = self._open_file(self.path, verify, mapped)
            if not journal:
                return opened
            problem = None
            try:
                self._open_journal(opened, self.path)
            except Exception as error:
                problem = error
            if opened.is_book_of(self.path):
                if problem is not None:
                    raise problem
                return opened
        raise BookReplaced("the book was replaced again and again while it was opened", path=self.path)

    def _open_file(self, path: str, verify: bool, mapped: bool) -> _Opened:
        with _open_regular(path) as file:
            status = os.fstat(file.fileno())
            data: bytes | mmap.mmap
            if mapped and status.st_size >= PAGE:
                data = _mapped(file.fileno())
            else:
                data = file.read()
        try:
            return _Opened(data, path, verify)
        except BaseException:
            _release(data)
            raise

    @staticmethod
    def _open_journal(opened: _Opened, path: str) -> None:
        """Takes the length of the journal once, and reads no further."""
        name = path + "-journal"
        try:
            with _open_regular(name) as file:
                data = file.read(os.fstat(file.fileno()).st_size)
        except FileNotFoundError:
            return
        opened.set_journal(read_journal(data, opened.header, name))

    def refresh(self) -> bool:
        """Looks whether the book was replaced or its journal has changed, and if so goes on with what is there now. Says whether it was so.

        If what is there now can't be opened, raises why, and the book stays as it was.
        """
        with self._lock:
            now = self._state()
            if self.path is None or now.is_book_of(self.path) and (not self._options[0] or now.is_journal_of(self.path + "-journal")):
                return False
            opened = self._open()
            if opened.version == now.version:
                return False
            self._now = opened
            return True

    def close(self) -> None:
        with self._lock:
            now, self._now = self._now, None
        if now is not None:
            data = now.data
            del now
            _release(data)

    def _state(self) -> _Opened:
        now = self._now
        if now is None:
            raise ClosedBook("the book is closed", path=self.path)
        return now

    # What it is

    @property
    def _header(self) -> Header:
        return self._state().header

    @property
    def game(self) -> str:
        return self._header.game

    @property
    def key_scheme(self) -> str:
        return self._header.keys

    @property
    def keyed_by_line(self) -> bool:
        return self._header.by_line

    @property
    def has_results(self) -> bool:
        return self._header.has_results

    @property
    def tables(self) -> tuple[TableName, ...]:
        return self._state().tables

    @property
    def columns(self) -> tuple[str, ...]:
        return self._state().columns

    @property
    def packed(self) -> bool:
        """Whether it is a packed book."""
        return self._header.packed

    @property
    def share(self) -> tuple[int, int]:
        """Share bits and share number: (0, 0) of a whole book."""
        return self._header.share_bits, self._header.share_number

    @property
    def load(self) -> float:
        """How full its tables are, from 0.5 to 0.98; of a packed book those of the plain one."""
        return self._header.load / 1000

    @property
    def digest(self) -> str:
        """The identity of the contents of the book without its journal, as 32 hexadecimal digits."""
        return self._header.digest.hex()

    @property
    def journal_frames(self) -> int:
        """How many batches the journal has."""
        return self._state().journal.frames

    @property
    def torn_bytes(self) -> int:
        """Bytes of a torn tail of the journal: a batch that was never acknowledged, and is not taken notice of."""
        return self._state().journal.torn

    def totals(self, table: TableName) -> Totals:
        section = self._section(table)
        return Totals(section.rows, section.wins, section.draws, section.losses)

    def _section(self, table: TableName) -> Any:
        section = self._header.sections.get(TAGS.get(table, ""))
        if section is None:
            raise NoSuchTable(f"this book has no {table}")
        return section

    @property
    def sources(self) -> tuple[Archive, ...]:
        now = self._state()
        entries = self._entries(now, "SRCS", Archive, "B-19") + list(now.journal.sources)
        return tuple(source_of(entry) for entry in sorted(entries, key=source_order))

    @property
    def facts(self) -> tuple[Fact, ...]:
        now = self._state()
        entries = {*self._entries(now, "FACT", Fact, "B-27"), *now.journal.facts}
        return tuple(fact_of(entry) for entry in sorted(entries, key=fact_order))

    def _entries(self, now: _Opened, tag: str, what: type[Archive] | type[Fact], rule: str) -> list[bytes]:
        try:
            return section_entries(now.source.whole(tag), what)
        except Malformed as error:
            raise DamagedBook(str(error), path=self.path, place=f"section {tag}", rule=rule) from None

    # Rows, with the journal laid over them

    def _position(self, key: int) -> Taken | None:
        now, h = self._state(), mix(key)
        if h not in now.touched.get("POSN", ()):
            return now.content.position(h)
        rows = self._under(now, "POSN", np.array([h], np.uint64))
        return rows.tolist()[0][1:] if len(rows) else None

    def _moves(self, key: int) -> list[TakenMove]:
        now, h = self._state(), mix(key)
        if h not in now.touched.get("MOVE", ()):
            return now.content.moves(h)
        rows = self._under(now, "MOVE", np.array([h], np.uint64))
        return [(row[4], row[1], row[2], row[3], row[5], row[6:]) for row in rows.tolist()]

    def _positions(self, hashes: NDArray[np.uint64]) -> Rows:
        return self._under(self._state(), "POSN", hashes)

    def _moves_of(self, hashes: NDArray[np.uint64]) -> Rows:
        return self._under(self._state(), "MOVE", hashes)

    @staticmethod
    def _under(now: _Opened, tag: str, hashes: NDArray[np.uint64]) -> Rows:
        rows = now.content.positions(hashes) if tag == "POSN" else now.content.moves_of(hashes)
        overlay = now.journal.overlays.get(tag)
        return rows if overlay is None else laid_over(rows, overlay.within(hashes))

    def _scan(self, tag: str) -> Iterator[Rows]:
        now = self._state()
        overlay = now.journal.overlays.get(tag)
        if overlay is None:
            yield from now.content.scan(tag)
            return
        after = -1
        held: Rows | None = None  # the moves of the last position of a piece, more of which may be in the next
        for rows in now.content.scan(tag):
            if held is not None:
                rows = np.concatenate([held, rows])
            cut = int(np.searchsorted(rows["h"], rows["h"][-1]))
            rows, held = rows[:cut], rows[cut:]
            if cut:
                last = int(rows["h"][-1])
                yield laid_over(rows, overlay.between(after, last))
                after = last
        last_rows = held if held is not None else overlay.rows[:0]
        yield laid_over(last_rows, overlay.between(after, (1 << 64) - 1))

    def _count(self, table: TableName) -> int:
        now, tag = self._state(), TAGS[table]
        if tag not in now.journal.overlays:
            rows = now.header.sections[tag].rows
            if isinstance(now.content, PackedContent) and rows > now.content.most_positions():
                # Nothing else bounds it, and `list(book)` makes room for as many.
                raise now.source.damaged("B-17", f"{rows} rows, for which the file has no room", f"entry of {tag}")
            return rows
        if tag not in now.counts:
            now.counts[tag] = sum(len(rows) for rows in self._scan(tag))
        return now.counts[tag]

    # Arrays over the file

    def slots(self, table: TableName) -> Rows:
        """All slots of a table of a plain book as they stand in the file, as a read-only array without a copy; the journal is not in them.

        Its fields are `h wins draws losses` and `eval depth flags`, or `move marks reserved`; a slot whose last field is 255 is empty.
        Raises `NoSuchTable` if there is no such table, also for a packed book, which has no slots.
        """
        now, section = self._state(), self._section(table)
        if not isinstance(now.content, PlainContent):
            raise NoSuchTable("a packed book has no slots")
        return now.content.slots[section.tag]

    # Verifying

    def verify(self) -> None:
        """Reads the whole file, and compares every checksum in it: those of blocks (B-13), pages (B-31) and sections (B-14), and the last page (B-12).

        Raises `DamagedBook` for the first that is wrong. Whether rows obey the rules is not looked at: `tabia check` does.
        """
        now = self._state()
        source, header = now.source, now.header
        for section in header.sections.values():
            source.will_need(section.offset, section.length)
            if section.has_sums:
                source.check_blocks(section, np.arange(-(-section.length // PAGE)))
            elif section.tag == "PAGE":
                assert isinstance(now.content, PackedContent)
                now.content.verify_all()
            else:
                source.whole(section.tag)
        if bytes(source.data[len(source.data) - PAGE :]) != bytes(source.data[:PAGE]):
            raise source.damaged("B-12", "the last page is not a copy of the first", "last page")


def _mapped(file: int) -> mmap.mmap:
    """A file's map, which is not read ahead."""
    data = mmap.mmap(file, 0, access=mmap.ACCESS_READ)
    if hasattr(mmap, "MADV_RANDOM"):
        data.madvise(mmap.MADV_RANDOM)
    return data


def _release(data: bytes | mmap.mmap) -> None:
    """Unmaps a file, unless arrays over it are in use: then the last of them does."""
    if isinstance(data, mmap.mmap):
        try:
            data.close()
        except BufferError:
            pass
