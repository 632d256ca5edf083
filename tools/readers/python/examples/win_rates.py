"""How well White scores, ply by ply: along the most played line of a book, and over all games that are in it at each ply.

    python win_rates.py masters.tabia win_rates.png [PLIES]

Needs matplotlib and python-chess beside the package tabia. The cells, between the lines of `# %%`, run in a notebook as they stand.
"""

# %% What is read, and where to
from __future__ import annotations

import sys
from typing import NamedTuple

import chess
import matplotlib
import numpy as np

import tabia

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


class Ply(NamedTuple):
    """All positions of a book that are so many plies from the start: how many, their games, and White's results."""

    positions: int
    games: int
    wins: int
    draws: int
    losses: int


# %% The most played line: one probe a ply
def main_line(book: tabia.BookReader, plies: int) -> tuple[list[str], list[float]]:
    """The moves of the most played line, and White's score after each of them."""
    board = chess.Board()
    moves: list[str] = []
    scores: list[float] = []
    while len(moves) < plies and book.find_all(board):
        move = chess.Move.from_uci(book.best(board).uci or "")
        moves.append(board.san(move))
        board.push(move)
        position = book.get(board)
        if position is None or position.score is None:
            break
        scores.append(position.score if board.turn == chess.WHITE else 1 - position.score)
    return moves, scores


# %% All games: every position is looked up together with all others of its ply
def all_plies(book: tabia.BookReader, plies: int, least: int) -> list[Ply]:
    """What White won, drew and lost in the positions of each ply that at least so many games reached."""
    boards = {book.key_of(chess.Board()): chess.Board()}
    found = []
    for ply in range(plies + 1):
        keys = np.fromiter(boards, np.uint64, len(boards))
        rows = book.positions(keys)
        wins, draws, losses = (int(rows[name].sum()) for name in ("wins", "draws", "losses"))
        white = (wins, losses) if ply % 2 == 0 else (losses, wins)
        found.append(Ply(int(rows["found"].sum()), wins + draws + losses, white[0], draws, white[1]))
        boards = next_boards(book, boards, least)
    return found


def next_boards(book: tabia.BookReader, boards: dict[int, chess.Board], least: int) -> dict[int, chess.Board]:
    """The positions that the moves of these lead to, each once, if at least so many games made the move."""
    following = {}
    for board in boards.values():
        for move in book.find_all(board, minimum_games=least):
            after = board.copy(stack=False)
            after.push(chess.Move.from_uci(move.uci or ""))
            following[book.key_of(after)] = after
    return following


# %% The picture
def plot(path: str, name: str, line: tuple[list[str], list[float]], plies: list[Ply]) -> None:
    """Two curves and the shares of wins, draws and losses beneath them."""
    figure, (above, below) = plt.subplots(2, sharex=True, figsize=(9, 7), layout="constrained")
    moves, scores = line
    above.plot(range(1, len(scores) + 1), scores, marker="o", label="the most played line")
    games = [max(ply.games, 1) for ply in plies]
    above.plot(range(len(plies)), [(ply.wins + ply.draws / 2) / n for ply, n in zip(plies, games)], label="all positions of the ply")
    for i, move in enumerate(moves[: len(scores)]):
        above.annotate(move, (i + 1, scores[i]), fontsize=7, rotation=60)
    above.set(ylabel="White's score", title=f"{name}: results by ply")
    above.legend()
    shares = [[getattr(ply, what) / n for ply, n in zip(plies, games)] for what in ("wins", "draws", "losses")]
    below.stackplot(range(len(plies)), shares, labels=("White wins", "draws", "Black wins"), colors=("#e8e4d8", "#a0a0a0", "#303030"))
    below.set(xlabel="ply", ylabel="share of games", ylim=(0, 1))
    below.legend(loc="lower left")
    figure.savefig(path)
    plt.close(figure)


# %% All of it
def main(path: str, picture: str, plies: int = 8, least: int = 20) -> None:
    """Reads a book and draws the picture."""
    with tabia.open_book(path) as book:
        line, levels = main_line(book, 2 * plies), all_plies(book, plies, least)
    for number, ply in enumerate(levels):
        print(f"ply {number:2}: {ply.positions:7,} positions, {ply.games:9,} games, White {ply.wins:,} wins, {ply.draws:,} draws, {ply.losses:,} losses")
    plot(picture, path, line, levels)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(f"usage: {sys.argv[0]} BOOK PICTURE [PLIES]")
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) == 4 else 8)
