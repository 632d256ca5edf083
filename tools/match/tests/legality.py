"""Replays games of chess that tabia-match wrote, with python-chess: every move is legal, no game went on behind its end, and each ended for the reason it gives.

python3 legality.py GAMES.pgn [GAMES]: prints how many games and plies there were, which must be GAMES games if given; exit code 1 if anything is wrong.
"""

import re
import sys

import chess
import chess.pgn

BY_RULE = {"checkmate", "stalemate", "material", "repetition", "fifty-moves"}


def ends(board):
    """Why the game is over on this board, as tabia-match calls it; nothing if it isn't."""
    reasons = {
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "material": board.is_insufficient_material(),
        "repetition": board.is_repetition(3),
        "fifty-moves": board.halfmove_clock >= 100,
    }
    return {reason for reason, holds in reasons.items() if holds}


def faults(game):
    """What is wrong with a game."""
    yield from (str(error) for error in game.errors)
    node = game.end()
    facts = dict(re.findall(r"(\w+)=(\S+)", node.comment))
    board = game.board()
    moves = list(game.mainline_moves())
    for ply, move in enumerate(moves):
        if ply >= int(facts["from"]) and ends(board):
            yield f"it went on after {ends(board)} at ply {ply}"
        if not board.is_legal(move):
            yield f"{move} is not legal at ply {ply}"
        board.push(move)
    reason, result = facts["reason"], game.headers["Result"]
    if len(moves) != int(facts["plies"]) or str(len(moves)) != game.headers["PlyCount"]:
        yield f"it has {len(moves)} plies, not {facts['plies']}"
    if (reason in BY_RULE and reason not in ends(board)) or (reason not in BY_RULE and ends(board)):
        yield f"it ended by {reason}, but {ends(board)} holds"
    wanted = "1/2-1/2" if reason in BY_RULE else result
    if reason == "checkmate":
        wanted = "0-1" if board.turn == chess.WHITE else "1-0"
    if result != wanted or facts["result"] != wanted:
        yield f"its result is {result}, not {wanted}"


def main():
    games = plies = wrong = 0
    with open(sys.argv[1]) as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games += 1
            plies += sum(1 for _ in game.mainline_moves())
            for fault in faults(game):
                wrong += 1
                print(f"game {game.headers['Round']}: {fault}")
    print(f"{games} games, {plies} plies, {wrong} faults")
    return wrong > 0 or (len(sys.argv) > 2 and games != int(sys.argv[2]))


sys.exit(main())
