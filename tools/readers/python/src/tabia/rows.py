"""What a book says of a position and of its moves, as small objects and as fields of numpy arrays.

>>> from tabia import Move, Position
>>> Position(key=1, wins=3, draws=2, losses=1, eval=None, depth=0, flags=Flags(0)).games
6
>>> Move(key=1, code=0x31C, wins=1, draws=1, losses=0).score
0.75
"""

from __future__ import annotations

import math
from enum import IntFlag
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

__all__ = ["BestGame", "Flags", "Marks", "Move", "MoveLists", "Position", "Ratings", "Years", "moves_dtype", "positions_dtype"]

NO_EVAL = -32768


class Flags(IntFlag):
    """What is proven or known of a position."""

    PROVEN_WIN = 1
    PROVEN_DRAW = 2
    PROVEN_LOSS = 4
    PUBLIC_DRAW = 8
    EXPANDED = 16


class Marks(IntFlag):
    """Annotations seen on a move, and the book maker's own word on it."""

    GOOD = 1
    MISTAKE = 2
    BRILLIANT = 4
    BLUNDER = 8
    INTERESTING = 16
    DUBIOUS = 32
    NEVER = 64
    ALWAYS = 128


def score_of(wins: int, draws: int, losses: int) -> float | None:
    """A win as 1, a draw as a half: the average over all games, None without games."""
    games = wins + draws + losses
    return (wins + draws / 2) / games if games else None


class Position(NamedTuple):
    """What a book says of a position, however it was reached. Counts are games, seen from the side to move.

    `eval` is for the side to move too, in the game's own unit (centipawns, discs ...), None if there is none; `depth` is what it is worth.
    """

    key: int
    wins: int
    draws: int
    losses: int
    eval: int | None = None
    depth: int = 0
    flags: Flags = Flags(0)

    @property
    def games(self) -> int:
        """All games that reached the position."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The average score of the side to move, from 0 to 1; None without games. Without meaning in books without results."""
        return score_of(self.wins, self.draws, self.losses)


class Ratings(NamedTuple):
    """Ratings of those who made a move and of their opponents, as sums over the games in which both are known.

    `score` is 2 for each of these games that was won and 1 for each that was drawn.
    """

    mover_sum: int
    opponent_sum: int
    games: int
    score: int

    @property
    def average(self) -> float | None:
        """The average rating of those who made the move; None without rated games."""
        return self.mover_sum / self.games if self.games else None

    @property
    def performance(self) -> float | None:
        """The performance rating: that of the opponents, and at most 800 more or less for the score; None without rated games."""
        if not self.games:
            return None
        p = min(self.score / (2 * self.games), 1.0)
        gain = 400 * math.log10(p / (1 - p)) if 0 < p < 1 else math.copysign(800, p - 0.5)
        return self.opponent_sum / self.games + max(-800.0, min(800.0, gain))


class BestGame(NamedTuple):
    """The best game in which a move was made: how much it is worth showing (in Tabia's books the sum of both ratings), and 48 bits that identify it."""

    rank: int
    digest: int


class Years(NamedTuple):
    """The first and the last year in which a move was made; None: not known."""

    first: int | None
    last: int | None


class Move(NamedTuple):
    """What a book says of a move of a position. Counts are games, seen from the side that makes the move.

    `code` is the game's code of the move. In chess, `uci` is the move as UCI writes it: castling as e1g1 if the position was given as
    a FEN or a board of standard chess; if only its key was given, as the king takes the rook (e1h1), which is how books store it.
    In other games `uci` is None. `ratings`, `game` and `years` are None in a book without that column; `game` also if no game is known.
    """

    key: int
    code: int
    wins: int
    draws: int
    losses: int
    marks: Marks = Marks(0)
    ratings: Ratings | None = None
    game: BestGame | None = None
    years: Years | None = None
    uci: str | None = None

    @property
    def games(self) -> int:
        """All games in which the move was made."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The average score of those who made the move, from 0 to 1; None without games. Without meaning in books without results."""
        return score_of(self.wins, self.draws, self.losses)

    @property
    def squares(self) -> tuple[int, int]:
        """In chess the squares the move leads from and to, as stored (castling: to the rook's), numbered a1 0, b1 1, to h8 63."""
        return self.code >> 6 & 63, self.code & 63

    @property
    def promotion(self) -> int:
        """In chess the piece a pawn becomes: 0 none, 1 knight, 2 bishop, 3 rook, 4 queen."""
        return self.code >> 12 & 7


RATINGS_FIELDS = ("mover_rating_sum", "opponent_rating_sum", "rated_games", "rated_score")
COLUMN_NAMES = {"RTNG": "ratings", "GAME": "game", "YEAR": "years"}
"""What the columns are called in rows as text, and here."""

POSITION_SLOT = np.dtype(
    [("h", "<u8"), ("wins", "<u4"), ("draws", "<u4"), ("losses", "<u4"), ("eval", "<i2"), ("depth", "u1"), ("flags", "u1")]
)
MOVE_SLOT = np.dtype(
    [("h", "<u8"), ("wins", "<u4"), ("draws", "<u4"), ("losses", "<u4"), ("move", "<u2"), ("marks", "u1"), ("reserved", "u1")]
)
SLOTS = {"POSN": POSITION_SLOT, "MOVE": MOVE_SLOT}
CELL_FIELDS: dict[str, list[tuple[str, str, int]]] = {
    "RTNG": [("mover_rating_sum", "<u8", 6), ("opponent_rating_sum", "<u8", 6), ("rated_games", "<u4", 4), ("rated_score", "<u8", 8)],
    "GAME": [("game", "<u8", 8)],
    "YEAR": [("first_year", "<u2", 2), ("last_year", "<u2", 2)],
}
"""The fields of a cell of each known column: name, type in an array, bytes in the file."""


def move_fields(columns: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name, type_) for tag in columns for name, type_, _ in CELL_FIELDS[tag]]


def move_row(columns: tuple[str, ...]) -> np.dtype[np.void]:
    """Moves rows with the fields of their cells, as this package holds them."""
    fields: list[tuple[str, str]] = [("h", "<u8"), ("wins", "<u4"), ("draws", "<u4"), ("losses", "<u4"), ("move", "<u2"), ("marks", "u1")]
    return np.dtype(fields + move_fields(columns))


def positions_dtype() -> np.dtype[np.void]:
    """The fields of arrays of positions: `key wins draws losses eval depth flags`, an eval of -32768 being none, and `found`.

    >>> positions_dtype().names
    ('key', 'wins', 'draws', 'losses', 'eval', 'depth', 'flags', 'found')
    """
    fields: list[tuple[str, str]] = [("key", "<u8"), ("wins", "<u4"), ("draws", "<u4"), ("losses", "<u4"), ("eval", "<i2"), ("depth", "u1")]
    return np.dtype([*fields, ("flags", "u1"), ("found", "?")])


def moves_dtype(columns: tuple[str, ...] = ()) -> np.dtype[np.void]:
    """The fields of arrays of moves: `key wins draws losses move marks`, and those of the columns `ratings`, `game` and `years`.

    >>> moves_dtype(("years",)).names
    ('key', 'wins', 'draws', 'losses', 'move', 'marks', 'first_year', 'last_year')
    """
    tags = tuple(tag for tag, name in COLUMN_NAMES.items() if name in columns)
    return with_keys(move_row(tags))


def with_keys(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """The same fields, the first one being the key."""
    assert dtype.names is not None and dtype.fields is not None
    fields: list[tuple[str, DTypeLike]] = [("key" if name == "h" else name, dtype.fields[name][0]) for name in dtype.names]
    return np.dtype(fields)


class MoveLists(NamedTuple):
    """The moves of many positions: those of the position `i` are `rows[offsets[i]:offsets[i + 1]]`, which is also `lists[i]` of `of(i)`.

    `rows` has the fields of `moves_dtype`; `offsets` one number more than there are positions.
    """

    offsets: np.ndarray[tuple[int], np.dtype[np.int64]]
    rows: np.ndarray[tuple[int], np.dtype[np.void]]

    def of(self, index: int) -> np.ndarray[tuple[int], np.dtype[np.void]]:
        """The moves of one of the positions."""
        return self.rows[self.offsets[index] : self.offsets[index + 1]]
