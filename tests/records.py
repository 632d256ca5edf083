#!/usr/bin/env python3
"""Whether python-chess finds in a game with variations, as `tabia tree --record` writes it, what the book has.

records.py TABIA BOOK-OR-ARCHIVE [GAMES]

A solution tree for both sides is trimmed out of the book, with the replies that so many games have, and written as one game. python-chess plays all its variations:
their positions and moves are those of the book, by Polyglot's keys and codes. Read by `tabia build --variations` it gives the same positions and moves again.
"""

import os
import subprocess
import sys
import tempfile

import chess
import chess.pgn
import chess.polyglot

TABIA, SOURCE = sys.argv[1:3]
GAMES = sys.argv[3] if len(sys.argv) > 3 else "1"


def tabia(*args):
    done = subprocess.run([TABIA, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"tabia {' '.join(args)}: exit code {done.returncode}")
    return done.stdout


def rows(book, table):
    """The keys of a table of positions, the keys and codes of one of moves."""
    lines = tabia("dump", book, "--table", table).splitlines()
    fields = [line.split() for line in lines if line and not line.startswith("#")]
    return {(row[0],) if table == "positions" else (row[0], row[4]) for row in fields}


def code(board, move):
    """A move as Polyglot has it: castling takes the rook."""
    to = move.to_square
    if board.is_castling(move):
        rank = chess.square_rank(move.from_square)
        to = chess.square(7 if chess.square_file(to) == 6 else 0, rank)
    return to | move.from_square << 6 | (move.promotion - 1 if move.promotion else 0) << 12


def played(game):
    """The positions and moves of all variations, and how many of those there are."""
    positions, moves, variations = {(f"{chess.polyglot.zobrist_hash(game.board()):016x}",)}, set(), 0
    todo = [(game, game.board())]
    while todo:
        node, board = todo.pop()
        key = f"{chess.polyglot.zobrist_hash(board):016x}"
        variations += max(len(node.variations) - 1, 0)
        for child in node.variations:
            moves.add((key, str(code(board, child.move))))
            after = board.copy(stack=False)
            after.push(child.move)
            positions.add((f"{chess.polyglot.zobrist_hash(after):016x}",))
            todo.append((child, after))
    return positions, moves, variations


with tempfile.TemporaryDirectory() as folder:
    file = lambda name: os.path.join(folder, name)
    book = SOURCE
    if not SOURCE.endswith(".tabia"):
        book = file("book.tabia")
        tabia("build", "-q", "-o", book, SOURCE)
    tabia("trim", "-q", book, "-o", file("tree.tabia"), "--solution", "both", "--min-reply-games", GAMES)
    with open(file("tree.pgn"), "w") as record:
        record.write(tabia("tree", file("tree.tabia"), "--record", "--max-ply", "1000", "--min-share", "0", "--max-nodes", "10000000"))
    with open(file("tree.pgn")) as record:
        game = chess.pgn.read_game(record)
        if game.errors or chess.pgn.read_game(record) is not None:
            sys.exit(f"python-chess: {game.errors}")
    positions, moves, variations = played(game)
    tabia("build", "-q", "-o", file("again.tabia"), "--variations", "--results", "unknown", file("tree.pgn"))
    for table, found in [("positions", positions), ("moves", moves)]:
        expected, again = rows(file("tree.tabia"), table), rows(file("again.tabia"), table)
        if found != expected or again != expected:
            sys.exit(f"{table}: {len(expected)} in the book, {len(found)} in its record, {len(again)} read again")
    size = os.path.getsize(file("tree.pgn"))
    print(f"{len(positions)} positions and {len(moves)} moves of the book in a game of {variations + 1} lines, {size} bytes: python-chess has the same, and so has the book made of it")
