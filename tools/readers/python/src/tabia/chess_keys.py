"""Keys and moves of chess and lichess's variants of it, without python-chess: the Polyglot key of a FEN, and move codes as UCI writes moves.

>>> hex(polyglot_key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
'0x463b96181691fc9c'
>>> code_of("e2e4"), uci_of(0x31C)
(796, 'e2e4')
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ._polyglot_numbers import NUMBERS
from .board_keys import number
from .errors import BadPosition

__all__ = ["GAMES", "START", "code_of", "polyglot_key", "uci_of"]

GAMES = frozenset(("chess", "crazyhouse", "antichess", "atomic", "king-of-the-hill", "three-check", "horde", "racing-kings"))
"""Chess and its variants, as books name them."""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The FEN of the start of chess."""
PIECES = "pPnNbBrRqQkK"
CASTLING, EN_PASSANT, TURN = 768, 772, 780
PROMOTIONS = ("", "n", "b", "r", "q", "k")
DROPPED = "PNBRQ"
UCI = re.compile("([a-h][1-8])([a-h][1-8])([nbrqk]?)")


class Board(NamedTuple):
    """What of a FEN counts for a key: pieces by square (a1 0, h8 63), whether White is to move, castling rights as a set of `KQkq`,
    the file of the pawn that may be taken en passant as the FEN says it (None: none). Of Crazyhouse the pieces in hand, and the squares
    of pieces that were pawns; of Three-check how many checks White and Black may still give.
    """

    pieces: dict[int, str]
    white: bool
    castling: frozenset[str]
    en_passant: int | None
    hands: str = ""
    promoted: frozenset[int] = frozenset()
    checks: tuple[int, int] = (3, 3)


def read_fen(fen: str) -> Board:
    """The board of a FEN, or of its first four fields; raises `BadPosition` if it is none.

    Castling rights may be written `KQkq` or by the rooks' files, as in Shredder-FEN. Whether the position could come from a game is not looked at.
    """
    fields = fen.split()
    # Checks that may be given stand before the counters, checks that were given behind them.
    extra = [field for field in fields[4:] if re.fullmatch(r"\+?[0-3]\+[0-3]", field)]
    checks = extra[0] if extra else "3+3"
    left = tuple(3 - int(given) for given in checks[1:].split("+")) if checks[0] == "+" else tuple(int(more) for more in checks.split("+"))
    if not 2 <= len(fields) - len(extra) <= 6 or len(extra) > 1:
        raise BadPosition(f"not a FEN: {fen!r}")
    placement, turn, castling, en_passant = [*fields, "-", "-"][:4] if len(fields) < 4 else fields[:4]
    if turn not in ("w", "b"):
        raise BadPosition(f"not a FEN, its side to move is {turn!r}: {fen!r}")
    held = re.fullmatch(r"([^[\]]*)(?:\[([PNBRQpnbrq-]*)\])?", placement)
    if not held:
        raise BadPosition(f"not a FEN, in {placement!r}: {fen!r}")
    pieces, promoted = _pieces(held[1], fen)
    if not re.fullmatch("-|[a-h][36]", en_passant):
        raise BadPosition(f"not a FEN, its en passant square is {en_passant!r}: {fen!r}")
    file = None if en_passant == "-" else "abcdefgh".index(en_passant[0])
    return Board(pieces, turn == "w", _castling(castling, pieces, fen), file, (held[2] or "").strip("-"), promoted, (left[0], left[1]))


def _pieces(placement: str, fen: str) -> tuple[dict[int, str], frozenset[int]]:
    ranks = placement.split("/")
    pieces, promoted = {}, set()
    for row, rank in enumerate(ranks):
        file = 0
        for letter in rank:
            if letter in PIECES and file < 8:
                pieces[8 * (7 - row) + file] = letter
                file += 1
            elif letter in "12345678":
                file += int(letter)
            elif letter == "~" and 8 * (7 - row) + file - 1 in pieces:
                if pieces[8 * (7 - row) + file - 1] not in "PpKk":
                    promoted.add(8 * (7 - row) + file - 1)
            else:
                raise BadPosition(f"not a FEN, in {rank!r}: {fen!r}")
        if file != 8:
            raise BadPosition(f"not a FEN, {rank!r} has not eight squares: {fen!r}")
    if len(ranks) != 8:
        raise BadPosition(f"not a FEN, it has not eight ranks: {fen!r}")
    return pieces, frozenset(promoted)


def _castling(text: str, pieces: dict[int, str], fen: str) -> frozenset[str]:
    if text == "-":
        return frozenset()
    rights = set()
    for letter in text:
        if letter in "KQkq":
            rights.add(letter)
            continue
        king = next((square for square, piece in pieces.items() if piece == ("K" if letter.isupper() else "k")), None)
        if letter.lower() not in "abcdefgh" or king is None:
            raise BadPosition(f"not a FEN, its castling rights are {text!r}: {fen!r}")
        side = "K" if "abcdefgh".index(letter.lower()) > king % 8 else "Q"
        rights.add(side if letter.isupper() else side.lower())
    return frozenset(rights)


def polyglot_key(fen: str, game: str = "chess") -> int:
    """The Polyglot key of a FEN of chess, or of one of its variants (`GAMES`), which have more numbers for what chess hasn't. A pawn that may be taken
    en passant counts if an opponent's pawn stands beside it, be the capture legal or not. Castling rights that the game doesn't know count nowhere.

    Raises `BadPosition` if it is no FEN.
    """
    board = read_fen(fen)
    key = NUMBERS[TURN] if board.white else 0
    for square, piece in board.pieces.items():
        key ^= NUMBERS[64 * PIECES.index(piece) + square]
    for right in board.castling if game not in ("antichess", "racing-kings") else ():
        key ^= NUMBERS[CASTLING + "KQkq".index(right)]
    if board.en_passant is not None:
        rank, pawn = (32, "P") if board.white else (24, "p")
        beside = [file for file in (board.en_passant - 1, board.en_passant + 1) if 0 <= file < 8]
        if any(board.pieces.get(rank + file) == pawn for file in beside):
            key ^= NUMBERS[EN_PASSANT + board.en_passant]
    for square in board.promoted:
        key ^= number(b"promoted", square)
    for kind in set(board.hands):
        key ^= number(b"pockets", 256 * (6 * kind.islower() + DROPPED.index(kind.upper())) + board.hands.count(kind))
    for black, left in enumerate(board.checks):
        if left < 3:
            key ^= number(b"checks", 3 * black + left)
    return key


def _square(number: int) -> str:
    return "abcdefgh"[number & 7] + "12345678"[number >> 3]


def uci_of(code: int, fen: str | None = None) -> str:
    """A move's code as UCI writes it. With the FEN of the position castling is e1g1, not e1h1 as codes have it.

    >>> uci_of(code_of("e1h1"), "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    'e1g1'
    """
    return uci_on(code, None if fen is None else read_fen(fen))


def uci_on(code: int, board: Board | None) -> str:
    start, end, promotion = code >> 6 & 63, code & 63, code >> 12 & 7
    if start == end and promotion < 5:
        return f"{DROPPED[promotion]}@{_square(end)}"
    if board is not None and board.pieces.get(start) in ("K", "k") and start & 7 == 4 and start >> 3 in (0, 7):
        rook = "R" if board.pieces[start] == "K" else "r"
        if end >> 3 == start >> 3 and end & 7 in (0, 7) and board.pieces.get(end) == rook:
            end = start + (2 if end > start else -2)
    return _square(start) + _square(end) + (PROMOTIONS[promotion] if promotion < 6 else "?")


def code_of(uci: str) -> int:
    """The code of a move that UCI writes so. Castling is told as the king takes the rook: `e1h1`; `e1g1` is an ordinary move here.

    >>> uci_of(code_of("N@f3"))
    'N@f3'
    """
    if re.fullmatch("[PNBRQ]@[a-h][1-8]", uci):
        square = "abcdefgh".index(uci[2]) + 8 * (int(uci[3]) - 1)
        return DROPPED.index(uci[0]) << 12 | square << 6 | square
    match = UCI.fullmatch(uci)
    if not match:
        raise BadPosition(f"not a move: {uci!r}")
    start, end = ("abcdefgh".index(text[0]) + 8 * (int(text[1]) - 1) for text in match.group(1, 2))
    return PROMOTIONS.index(match.group(3)) << 12 | start << 6 | end
