"""What can be asked of a book, whether it is one file, plain or packed, with or without a journal, or a set of shares.

In the manner of python-chess's readers of opening books.
"""

from __future__ import annotations

import random as _random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from types import TracebackType
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, Union

from numpy.typing import ArrayLike

from . import board_keys, chess_keys
from ._combine import Rows
from .arrow import ArrowTable
from .errors import BadPosition, InvalidData, NoSuchTable, NotInBook, WrongGame
from .rows import COLUMN_NAMES, NO_EVAL, BestGame, Flags, Marks, Move, MoveLists, Position, Ratings, Years
from .sources import Fact, Source

__all__ = ["BookReader", "HasFen", "HasIndex", "PositionLike", "TableName", "Totals"]

Default = TypeVar("Default")
TableName = Literal["positions", "moves"]
TABLES = ("positions", "moves")
Taken = Sequence[int]
"""Wins, draws, losses, eval, depth, flags."""
FLAGS = [Flags(bits) for bits in range(32)]
MARKS = [Marks(bits) for bits in range(256)]
TakenMove = tuple[int, int, int, int, int, tuple[int, ...]]
"""Code, wins, draws, losses, marks, the fields of the cells."""


class HasFen(Protocol):
    """A board: anything that tells its FEN, as python-chess's do."""

    def fen(self) -> str:
        """The position as a FEN."""


class HasIndex(Protocol):
    """A whole number: also those of numpy."""

    def __index__(self) -> int: ...


PositionLike = Union[HasIndex, str, HasFen]
"""What a book can be asked for: a key, a position as text (in chess a FEN), or a board."""


class Totals(NamedTuple):
    """Rows of a table, and the sums of their counts, as the header of the book says them: without a journal."""

    rows: int
    wins: int
    draws: int
    losses: int


class _Asked(NamedTuple):
    """A position that is asked for: its key, and in chess its board, if that is known."""

    key: int
    board: chess_keys.Board | None


class BookReader(ABC):
    """A book that is open for reading. All methods may be called from several threads at once.

    A position is given as its key (an `int`), as text (in chess a FEN; `tabia.board_keys` has the other games), or as any object
    with a method `fen`, as boards of python-chess. In a book keyed by line the key is that of the line (`tabia.keys.line_key`).

    >>> book = tabia.open_book(example)
    >>> book.game, book.tables, len(book)
    ('chess', ('positions', 'moves'), 3)
    >>> book["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"]
    Position(key=9384546495678726550, wins=2, draws=0, losses=2, eval=-30, depth=18, flags=<Flags: 0>)
    >>> [source.name for source in book.sources]
    ['café.pgn', 'new.pgn']
    >>> sum(position.games for position in book)
    10
    """

    # What a kind of book has to tell

    @property
    @abstractmethod
    def game(self) -> str:
        """The game: `chess`, `othello`, `go-9` ..."""

    @property
    @abstractmethod
    def key_scheme(self) -> str:
        """The name of the key scheme: `polyglot`, `zobrist-8` ..."""

    @property
    @abstractmethod
    def keyed_by_line(self) -> bool:
        """Whether rows are those of lines, so that transpositions stay apart."""

    @property
    @abstractmethod
    def has_results(self) -> bool:
        """Whether results of games were known. If not, every game is counted as a draw, and scores have no meaning."""

    @property
    @abstractmethod
    def tables(self) -> tuple[TableName, ...]:
        """The tables that the book has: `positions`, `moves` or both."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """What moves have besides counts: of `ratings`, `game` and `years`."""

    @property
    @abstractmethod
    def sources(self) -> tuple[Source, ...]:
        """The archives that went into the book, those of the journal too."""

    @property
    @abstractmethod
    def facts(self) -> tuple[Fact, ...]:
        """How the book was made."""

    @abstractmethod
    def totals(self, table: TableName) -> Totals:
        """Rows and sums of counts of a table, from the header: without a journal, and without reading a row."""

    @abstractmethod
    def close(self) -> None:
        """Closes the book. Arrays that were taken from it without a copy stay valid."""

    @abstractmethod
    def positions(self, keys: ArrayLike) -> Rows:
        """What the book says of many keys: an array with the fields of `positions_dtype`, one row for each key, in their order.

        `found` says whether there is a row; if not, all else but the key is 0, and the eval none.

        >>> rows = tabia.open_book(example).positions([0x463B96181691FC9C, 0x1234])
        >>> rows["found"].tolist(), rows["wins"].tolist()
        ([True, False], [2, 0])
        """

    @abstractmethod
    def moves(self, keys: ArrayLike) -> MoveLists:
        """All moves of many keys, those of each in the order of their codes: see `MoveLists`.

        >>> lists = tabia.open_book(example).moves([0x1234, 0x463B96181691FC9C])
        >>> lists.offsets.tolist(), lists.of(1)["move"].tolist()
        ([0, 0, 2], [731, 796])
        """

    @abstractmethod
    def batches(self, table: TableName) -> Iterator[Rows]:
        """All rows of a table in the order of the book, as arrays of some thousand rows or more.

        Their fields are those of `positions_dtype` without `found`, or of `moves_dtype` with the book's columns.
        """

    @abstractmethod
    def _position(self, key: int) -> Taken | None: ...

    @abstractmethod
    def _moves(self, key: int) -> list[TakenMove]: ...

    @abstractmethod
    def _count(self, table: TableName) -> int: ...

    # A position

    def key_of(self, position: PositionLike) -> int:
        """The key under which the book has a position.

        Raises `BadPosition` for what describes none, `WrongGame` if texts of the book's game or boards can't be read here: give the key.
        """
        return self._asked(position).key

    def _asked(self, position: PositionLike) -> _Asked:
        if type(position) is int and 0 <= position < 1 << 64:
            return _Asked(position, None)
        index = getattr(position, "__index__", None)
        if index is not None:
            key = index()
            if not 0 <= key < 1 << 64:
                raise BadPosition(f"a key has 64 bits: {key}")
            return _Asked(key, None)
        text = position if isinstance(position, str) else _fen_of(position)
        if self.keyed_by_line:
            raise WrongGame("this book is keyed by line: give the key of the line (tabia.keys.line_key)")
        if self.game in chess_keys.GAMES and self.key_scheme == "polyglot":
            key = chess_keys.polyglot_key(text, self.game)
            return _Asked(key, chess_keys.read_fen(text))
        key = board_keys.key_of(self.game, self.key_scheme, text)
        return _Asked(key, None)

    def get(self, position: PositionLike, default: Default = None) -> Position | Default:  # type: ignore[assignment]
        """What the book says of a position, `default` if it has no row. Raises `NoSuchTable` in a book without positions.

        >>> tabia.open_book(example).get(tabia.chess_keys.START).games
        5
        >>> tabia.open_book(example).get(0x1234) is None
        True
        """
        self._need("positions")
        asked = self._asked(position)
        row = self._position(asked.key)
        return default if row is None else _position(asked.key, row)

    def __getitem__(self, position: PositionLike) -> Position:
        """What the book says of a position; raises `NotInBook`, a `KeyError`, if it has no row."""
        found = self.get(position)
        if found is None:
            raise self._missing(position)
        return found

    def __contains__(self, position: object) -> bool:
        """Whether the book has a row of a position, or a move of it."""
        key = self._asked(position).key  # type: ignore[arg-type]
        tables = self.tables
        return "positions" in tables and self._position(key) is not None or "moves" in tables and bool(self._moves(key))

    def __len__(self) -> int:
        """How many positions have a row. With a journal all rows are read once to know this. Raises `NoSuchTable` without positions."""
        self._need("positions")
        return self._count("positions")

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Position]:
        """All positions, in the order of the book, which is that of hashes. `batches` is much faster. Raises `NoSuchTable` without positions."""
        self._need("positions")
        for rows in self.batches("positions"):
            for key, *row in rows.tolist():
                yield _position(key, row)

    def _need(self, table: TableName) -> None:
        if table not in self.tables:
            raise NoSuchTable(f"this book has no {table}" if table in TABLES else f"tables are positions and moves, not {table!r}")

    def _missing(self, position: PositionLike) -> NotInBook:
        return NotInBook(f"the book has nothing on {position!r}" if isinstance(position, str) else "the book has nothing on this position")

    # Its moves

    def find_all(self, position: PositionLike, *, minimum_games: int = 0, exclude_moves: Collection[str | int] = ()) -> list[Move]:
        """All moves of a position, the most played first, of equally played ones the one with the lesser code.

        Leaves out those of fewer games than `minimum_games`, and `exclude_moves`: codes, in chess also moves as UCI writes them.
        Raises `NoSuchTable` in a book without moves.

        >>> for move in tabia.open_book(example).find_all(tabia.chess_keys.START):
        ...     print(move.uci, move.games, move.score)
        e2e4 4 0.5
        d2d4 1 0.5
        """
        self._need("moves")
        asked = self._asked(position)
        moves = [self._move(asked, row) for row in self._moves(asked.key)]
        if minimum_games or exclude_moves:
            excluded = {str(move) if not isinstance(move, int) else move for move in exclude_moves}
            moves = [move for move in moves if move.games >= minimum_games and move.code not in excluded and move.uci not in excluded]
        return sorted(moves, key=lambda move: (-move.games, move.code))

    def _move(self, asked: _Asked, row: TakenMove) -> Move:
        code, wins, draws, losses, marks, cells = row
        uci = chess_keys.uci_on(code, asked.board) if self.game in chess_keys.GAMES else None
        return Move(asked.key, code, wins, draws, losses, MARKS[marks], *_cells(self.columns, cells), uci)

    def find(self, position: PositionLike, *, minimum_games: int = 1, exclude_moves: Collection[str | int] = ()) -> Move:
        """The most played move of a position; raises `NotInBook`, an `IndexError`, if there is none."""
        moves = self.find_all(position, minimum_games=minimum_games, exclude_moves=exclude_moves)
        if not moves:
            raise self._missing(position)
        return moves[0]

    def candidates(self, position: PositionLike, *, minimum_games: int = 1, exclude_moves: Collection[str | int] = ()) -> list[Move]:
        """The moves to choose from: if some are marked `ALWAYS`, these, in any case none that is marked `NEVER`."""
        moves = self.find_all(position, minimum_games=minimum_games, exclude_moves=exclude_moves)
        moves = [move for move in moves if not move.marks & Marks.NEVER]
        return [move for move in moves if move.marks & Marks.ALWAYS] or moves

    def best(self, position: PositionLike, *, minimum_games: int = 1, exclude_moves: Collection[str | int] = ()) -> Move:
        """The most played of `candidates`; raises `NotInBook` if there is none."""
        return self._choices(position, minimum_games, exclude_moves)[0]

    def choice(
        self,
        position: PositionLike,
        *,
        minimum_games: int = 1,
        exclude_moves: Collection[str | int] = (),
        random: _random.Random | None = None,
    ) -> Move:
        """One of `candidates`, all with the same chance; raises `NotInBook` if there is none."""
        return (random or _random).choice(self._choices(position, minimum_games, exclude_moves))

    def weighted_choice(
        self,
        position: PositionLike,
        *,
        minimum_games: int = 1,
        exclude_moves: Collection[str | int] = (),
        random: _random.Random | None = None,
        weight: Callable[[Move], float] | None = None,
    ) -> Move:
        """One of `candidates`, each with a chance in proportion to its games, or to `weight(move)`.

        Raises `NotInBook` if there is none with a weight above 0, and `InvalidData` for a weight below 0.

        >>> import random
        >>> book, dice = tabia.open_book(example), random.Random(1)
        >>> [book.weighted_choice(tabia.chess_keys.START, random=dice).uci for _ in range(5)]
        ['e2e4', 'd2d4', 'e2e4', 'e2e4', 'e2e4']
        >>> book.weighted_choice(tabia.chess_keys.START, weight=lambda move: move.score == 0.5 and move.draws).uci
        'd2d4'
        """
        moves = self._choices(position, minimum_games, exclude_moves)
        weights = [float(weight(move)) if weight else float(move.games) for move in moves]
        if not all(0 <= one < float("inf") for one in weights):
            raise InvalidData("weights are numbers from 0 on")
        if not any(weights):
            raise self._missing(position)
        return (random or _random).choices(moves, weights)[0]

    def _choices(self, position: PositionLike, minimum_games: int, exclude_moves: Collection[str | int]) -> list[Move]:
        moves = self.candidates(position, minimum_games=minimum_games, exclude_moves=exclude_moves)
        if not moves:
            raise self._missing(position)
        return moves

    def iter_moves(self) -> Iterator[Move]:
        """All moves of all positions, in the order of the book. `batches("moves")` is much faster."""
        self._need("moves")
        for rows in self.batches("moves"):
            for key, wins, draws, losses, code, marks, *cells in rows.tolist():
                yield self._move(_Asked(key, None), (code, wins, draws, losses, marks, tuple(cells)))

    # All of it

    def arrow(self, table: TableName) -> ArrowTable:
        """A table of the book for polars, pyarrow, duckdb and all else that knows the Arrow PyCapsule interface.

        Columns are named and typed as in Parquet files of `tabia dump`; nothing is read before a consumer asks for it, and anew each time.

        >>> tabia.open_book(example).arrow("moves").column_names
        ['key', 'wins', 'draws', 'losses', 'move', 'marks']
        """
        self._need(table)
        tags = tuple(tag for tag, name in COLUMN_NAMES.items() if name in self.columns)
        return ArrowTable(table, tags, lambda: self.batches(table))

    # Use as a context

    def __enter__(self: Reader) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


Reader = TypeVar("Reader", bound=BookReader)


def _fen_of(board: Any) -> str:
    """The FEN of a board: with the en passant square that Polyglot's keys need, if the board can tell it so."""
    if not hasattr(board, "fen"):
        raise BadPosition(f"a position is a key, a text, or an object with a method fen, not {type(board).__name__}")
    try:
        fen = board.fen(en_passant="fen")
    except TypeError:
        fen = board.fen()
    if not isinstance(fen, str):
        raise BadPosition(f"the method fen of {type(board).__name__} does not tell a text")
    return fen


def _position(key: int, row: Taken) -> Position:
    wins, draws, losses, value, depth, flags = row
    return Position(key, wins, draws, losses, None if value == NO_EVAL else value, depth, FLAGS[flags & 31])


def _cells(columns: tuple[str, ...], cells: tuple[int, ...]) -> tuple[Ratings | None, BestGame | None, Years | None]:
    """The columns' objects of the fields of a move's cells."""
    if not columns:
        return None, None, None
    ratings = game = years = None
    at = 0
    if "ratings" in columns:
        ratings = Ratings(*cells[:4])
        at = 4
    if "game" in columns:
        game = BestGame(cells[at] >> 48, cells[at] & (1 << 48) - 1) if cells[at] else None
        at += 1
    if "years" in columns:
        years = Years(cells[at] or None, cells[at + 1] or None)
    return ratings, game, years

