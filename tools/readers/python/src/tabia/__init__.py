"""Reading Tabia's opening books: what was played in a position of a board game, and how it scored.

    import tabia

    with tabia.open_book("masters.tabia") as book:
        fen = tabia.chess_keys.START
        print(book[fen].games)                     # a key or a board of python-chess will do as well
        for move in book.find_all(fen):
            print(move.uci, move.games, move.score)

See `open_book` and `open_set`, `BookReader` for what can be asked, `Position` and `Move` for the answers, `TabiaError` for what goes wrong.
"""

from . import board_keys, chess_keys, errors, keys
from .arrow import ArrowTable, from_arrow
from .book import Book, open_book
from .errors import (
    BadPosition,
    BookLocked,
    BookReplaced,
    ClosedBook,
    DamagedBook,
    DamagedJournal,
    EngineError,
    InvalidData,
    NoSuchTable,
    NotABook,
    NotASet,
    NotInBook,
    TabiaError,
    UnsupportedBook,
    WrongGame,
    WrongJournal,
)
from .reader import BookReader, HasFen, PositionLike, Totals
from .rows import BestGame, Flags, Marks, Move, MoveLists, Position, Ratings, Years, moves_dtype, positions_dtype
from .shares import BookSet, open_set
from .sources import Fact, Source

__version__ = "0.1.0"
__all__ = [
    "ArrowTable",
    "BadPosition",
    "BestGame",
    "Book",
    "BookReader",
    "BookLocked",
    "BookReplaced",
    "BookSet",
    "ClosedBook",
    "DamagedBook",
    "DamagedJournal",
    "EngineError",
    "Fact",
    "Flags",
    "HasFen",
    "InvalidData",
    "Marks",
    "Move",
    "MoveLists",
    "NoSuchTable",
    "NotABook",
    "NotASet",
    "NotInBook",
    "Position",
    "PositionLike",
    "Ratings",
    "Source",
    "TabiaError",
    "Totals",
    "UnsupportedBook",
    "WrongGame",
    "WrongJournal",
    "Years",
    "board_keys",
    "chess_keys",
    "errors",
    "from_arrow",
    "keys",
    "moves_dtype",
    "open_book",
    "open_set",
    "positions_dtype",
]
