"""Keys of positions of the other games: Othello, draughts, Go, Connect Four and tic-tac-toe, as keys.md of the format says.

A position is a text, as keys.md writes it:
- Othello: 64 squares from a1 row by row, `X` Black, `O` White, `-` empty; a space; the side to move, `X` or `O`;
- draughts: PDN's FEN, `B:W18,21,K27:B1,2`;
- Go: rows from the top with `/` between them, `X` a black stone, `O` a white one, numbers of empty points; a space; `b` or `w`;
- Connect Four, tic-tac-toe: rows from the top with `/` between them, `X` the first player's stone, `O` the second's, numbers of empty cells or dots.

>>> f"{key_of('othello', 'zobrist-8', '---------------------------OX------XXX-------------------------- O'):016x}"
'0f29fc1d68dd505b'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import reduce
from operator import xor

from .errors import BadPosition, WrongGame
from .keys import mix

__all__ = ["key_of"]

M64 = (1 << 64) - 1
Stones = dict[tuple[int, int], int]
"""Squares by column and row, and what is on them."""


def number(stream: bytes, i: int) -> int:
    """A number of a stream."""
    return mix(int.from_bytes(stream, "little") + 0x9E3779B97F4A7C15 * (i + 1) & M64)


def _key(stream: bytes, numbers: Iterable[int]) -> int:
    return reduce(xor, (number(stream, i) for i in numbers), 0)


def symmetries(width: int, height: int, which: int) -> list[Callable[[int, int], tuple[int, int]]]:
    """The symmetries of a board with these numbers: the lowest bit mirrors columns, the next rows, the third swaps both."""

    def symmetry(bits: int) -> Callable[[int, int], tuple[int, int]]:
        def image(x: int, y: int) -> tuple[int, int]:
            x, y = width - 1 - x if bits & 1 else x, height - 1 - y if bits & 2 else y
            return (y, x) if bits & 4 else (x, y)

        return image

    return [symmetry(bits) for bits in range(which)]


def key_of(game: str, scheme: str, position: str) -> int:
    """The key of a position in a game and a key scheme, as books name them.

    Raises `BadPosition` for what describes none, `WrongGame` for games and schemes that are not known here.
    """
    text = position.strip()
    go = re.fullmatch(r"go-(\d{1,2})", game)
    four = re.fullmatch(r"connect4-(\d)x(\d)", game)
    if game == "othello" and scheme in ("zobrist", "zobrist-8"):
        return _othello(text, 8 if scheme == "zobrist-8" else 1)
    if game in ("checkers", "draughts-10") and scheme in ("zobrist", "zobrist-2"):
        return _draughts(text, game == "checkers", scheme == "zobrist-2")
    if go and 2 <= int(go[1]) <= 19 and scheme in ("zobrist", "zobrist-8", "zobrist-16"):
        return _go(text, int(go[1]), scheme)
    if four and scheme in ("zobrist", "zobrist-2"):
        return _connect(text, int(four[1]), int(four[2]), 2 if scheme == "zobrist-2" else 1)
    if game == "tic-tac-toe" and scheme in ("zobrist", "zobrist-8"):
        return _tic_tac_toe(text, 8 if scheme == "zobrist-8" else 1)
    raise WrongGame(f"positions of {game} with keys {scheme} can't be read here: give the key")


def _bad(text: str, why: str) -> BadPosition:
    return BadPosition(f"{why}: {text!r}")


def _othello(text: str, images: int) -> int:
    match = re.fullmatch(r"([XO-]{64}) ([XO])", text)
    if not match:
        raise _bad(text, "64 squares of X, O or -, a space, and X or O are wanted")
    mover = match[2]
    discs = {(i % 8, i // 8): 64 * (disc == mover) for i, disc in enumerate(match[1]) if disc != "-"}
    return min(_key(b"othello", (of + 8 * y + x for (x, y), of in _turned(discs, image))) for image in symmetries(8, 8, images))


def _turned(stones: Stones, image: Callable[[int, int], tuple[int, int]]) -> Iterable[tuple[tuple[int, int], int]]:
    return ((image(x, y), of) for (x, y), of in stones.items())


def _draughts(text: str, small: bool, turned: bool) -> int:
    squares = 32 if small else 50
    match = re.fullmatch(r"([WB])((?::[WB][^:]*){2})\.?", text)
    if not match or {part[0] for part in match[2][1:].split(":")} != {"W", "B"}:
        raise _bad(text, "a FEN as of PDN is wanted")
    first = "B" if small else "W"
    pieces: dict[int, int] = {}
    for part in match[2][1:].split(":"):
        for piece in filter(None, part[1:].split(",")):
            found = re.fullmatch(r"(K?)(\d{1,2})", piece)
            if not found or not 1 <= int(found[2]) <= squares or int(found[2]) in pieces:
                raise _bad(text, f"{piece!r} is no piece of this board, or its square is taken")
            pieces[int(found[2])] = 2 * (part[0] != first) + bool(found[1])
    second_moves = match[1] != first
    if turned and second_moves:
        pieces = {squares + 1 - square: piece ^ 2 for square, piece in pieces.items()}
        second_moves = False
    numbers = [4 * (square - 1) + piece for square, piece in pieces.items()] + [4 * squares] * second_moves
    return _key(b"checkers" if small else b"draughts", numbers)


def _rows(text: str, width: int, height: int) -> Stones:
    """Stones, `X` 0 and `O` 1, by column from the left and row from the top."""
    rows, stones = text.split("/"), {}
    if len(rows) != height:
        raise _bad(text, f"{height} rows are wanted")
    for y, row in enumerate(rows):
        x = 0
        for part in re.findall(r"\d+|.", row, re.ASCII | re.DOTALL):
            if part in "XO":
                stones[x, y] = "XO".index(part)
                x += 1
            elif part == ".":
                x += 1
            elif part.isascii() and part.isdigit() and len(part) <= 2:
                x += int(part)
            else:
                raise _bad(text, f"{part!r} in a row")
        if x != width:
            raise _bad(text, f"{row!r} has not {width} places")
    return stones


def _go(text: str, n: int, scheme: str) -> int:
    fields = text.split()
    if len(fields) < 2 or fields[1] not in ("b", "w"):
        raise _bad(text, "rows, a space, and b or w are wanted")
    stones, white = _rows(fields[0], n, n), fields[1] == "w"
    keys = []
    for image in symmetries(n, n, 1 if scheme == "zobrist" else 8):
        for exchanged in (0, 1) if scheme == "zobrist-16" else (0,):
            points = [2 * (19 * y + x) + (of ^ exchanged) for (x, y), of in _turned(stones, image)]
            keys.append(_key(b"go", [*points, 723 + n, *[722] * (white != bool(exchanged))]))
    return min(keys)


def _connect(text: str, width: int, height: int, images: int) -> int:
    stones = {(x, height - 1 - y): of for (x, y), of in _rows(text, width, height).items()}
    keys = []
    for image in symmetries(width, height, images):
        cells = [2 * (8 * y + x) + of for (x, y), of in _turned(stones, image)]
        keys.append(_key(b"connect4", [*cells, 128 + 16 * width + height]))
    return min(keys)


def _tic_tac_toe(text: str, images: int) -> int:
    stones = {(x, 2 - y): of for (x, y), of in _rows(text, 3, 3).items()}
    return min(_key(b"tictac", [18, *(2 * (3 * y + x) + of for (x, y), of in _turned(stones, image))]) for image in symmetries(3, 3, images))
