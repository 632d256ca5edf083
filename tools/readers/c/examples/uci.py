#!/usr/bin/env python3
"""uci.py ENGINE TABIA BOOK [--positions N]: whether a UCI engine plays from a book what `tabia play --rule games` plays. Needs python-chess (PyPI: chess).

ENGINE has an option `Tabia File` (--option names another one). It is asked by python-chess in positions of lines drawn from the book, most of them in it and the
last of each line not: there it has to find a legal move by itself. Then it plays a game against itself, and is shown a book that isn't one.
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile

import chess
import chess.engine


def asked(tabia, book, board):
    """What the command plays, and what else it knows; None where it knows nothing."""
    done = subprocess.run([tabia, "play", "--rule", "games", "--json", "--fen", board.fen(en_passant="fen"), book], capture_output=True, text=True)
    if done.returncode != 0:
        assert done.returncode == 1, done.stderr
        return None, []
    answer = json.loads(done.stdout)
    return answer["move"]["uci"], [candidate["uci"] for candidate in answer["candidates"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("tabia")
    parser.add_argument("book")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--option", default="Tabia File")
    args = parser.parse_args()
    dice = random.Random(19)
    in_book = outside = wrong = 0
    with chess.engine.SimpleEngine.popen_uci(args.engine) as engine, tempfile.NamedTemporaryFile(suffix=".tabia") as other:
        engine.configure({args.option: args.book})
        while in_book < args.positions:
            board, line_goes_on = chess.Board(), True
            while line_goes_on and not board.is_game_over():
                move, candidates = asked(args.tabia, args.book, board)
                played = engine.play(board, chess.engine.Limit(depth=1), game=board).move
                line_goes_on = move is not None
                if line_goes_on:
                    in_book += 1
                    wrong += played.uci() != move
                    if played.uci() != move:
                        print(f"{board.fen()}: {played}, not {move}")
                    board.push_uci(move if dice.random() < 0.2 else dice.choice(candidates))
                else:
                    outside += 1
                    wrong += played not in board.legal_moves
        board, booked = chess.Board(), 0
        while not board.is_game_over() and board.ply() < 120:
            move, _ = asked(args.tabia, args.book, board)
            played = engine.play(board, chess.engine.Limit(depth=3), game="own").move
            booked += move == played.uci()
            wrong += move not in (None, played.uci())
            board.push(played)
        other.write(b"no book at all")
        other.flush()
        engine.configure({args.option: other.name})
        wrong += engine.play(chess.Board(), chess.engine.Limit(depth=1)).move not in chess.Board().legal_moves
    print(f"{in_book} book moves and {outside} outside the book, a game of {board.ply()} plies ({booked} from the book): {wrong} wrong")
    sys.exit(bool(wrong) or not outside)


if __name__ == "__main__":
    main()
