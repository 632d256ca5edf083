#!/usr/bin/env python3
"""chess_keys.py PROGRAM [GAMES]: tabia_chess.h against python-chess (PyPI: chess), over positions of random games, of chess and of chess960.

PROGRAM (chess.c) answers lines `FEN|MOVE` with the key, the move's code, and the code as UCI in both notations. Compared are keys, the codes of all legal
moves, and that each code leads back to its move. Random games are full of captures en passant, promotions and lost rights.
"""
import random
import subprocess
import sys

import chess
import chess.polyglot

PROMOTIONS = {None: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}
WRONG = ["", "8/8/8/8/8/8/8/8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR w KQkq - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
         "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkqx - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "9/8/8/8/8/8/8/8 w - - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1"]


def code(board, move):
    """Polyglot's, from its description: castling is the king taking his rook."""
    to = move.to_square
    if board.is_castling(move) and not board.chess960:
        to = chess.square(7 if to > move.from_square else 0, chess.square_rank(to))
    return to | move.from_square << 6 | PROMOTIONS[move.promotion] << 12


def lines(games):
    """Questions and the answers to them."""
    dice = random.Random(19)
    for game in range(games):
        board = chess.Board.from_chess960_pos(dice.randrange(960)) if game % 3 == 0 else chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            key = f"{chess.polyglot.zobrist_hash(board):016x}"
            fen = board.shredder_fen() if board.chess960 and dice.random() < 0.5 else board.fen(en_passant="fen")
            moves = list(board.legal_moves)
            for move in moves:
                king_takes_rook = board.is_castling(move)
                other = move.uci()
                if king_takes_rook:
                    row, king_side = chess.square_rank(move.from_square), board.is_kingside_castling(move)
                    other = chess.square_name(move.from_square) + chess.square_name(chess.square(6 if king_side else 2, row))
                    if not board.chess960:
                        move_960 = chess.square_name(move.from_square) + chess.square_name(chess.square(7 if king_side else 0, row))
                    else:
                        move_960 = move.uci()
                    yield f"{fen}|{move_960}", f"{key} {code(board, move)} {other} {move_960}"
                    if board.chess960:
                        continue
                yield f"{fen}|{move.uci()}", f"{key} {code(board, move)} {other} {move_960 if king_takes_rook else other}"
            # Checks and captures more often, so that kings and rooks move and pawns meet
            board.push(dice.choice([move for move in moves if board.is_capture(move) or board.is_castling(move)] or moves) if dice.random() < 0.4 else dice.choice(moves))


def main(program, games=60):
    asked = list(lines(int(games)))
    asked += [(fen, "bad") for fen in WRONG]
    start = chess.STARTING_FEN
    asked += [(f"{start}|{move}", "463b96181691fc9c -1  ") for move in ("", "e2", "e2e9", "i2e4", "e7e8k", "e7e8qq")]
    asked += [(f"{start}|e7e5", "463b96181691fc9c 3364  "), (f"{start}|a1a2", "463b96181691fc9c 8  ")]
    done = subprocess.run([program], input="".join(question + "\n" for question, _ in asked), capture_output=True, text=True, check=True)
    answers = done.stdout.split("\n")[:-1]
    wrong = [(question, answer, right) for (question, right), answer in zip(asked, answers) if answer != right]
    for line in wrong[:20]:
        print(*line, sep="\n  ")
    print(f"{len(asked)} positions with a move, {len(wrong)} wrong")
    sys.exit(bool(wrong) or len(answers) != len(asked))


if __name__ == "__main__":
    main(*sys.argv[1:])
