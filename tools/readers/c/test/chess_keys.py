#!/usr/bin/env python3
"""chess_keys.py PROGRAM [GAMES]: tabia_chess.h and tabia_variants.h against python-chess (PyPI: chess), over positions of random games, of chess, of chess960
and of lichess's variants; what their keys have more than Polyglot's is computed from keys.md.

PROGRAM (chess.c) answers lines `FEN|MOVE` with the key, the move's code, and the code as UCI in both notations. Compared are keys, the codes of all legal
moves, and that each code leads back to its move. Random games are full of captures en passant, promotions and lost rights.
"""
import random
import subprocess
import sys

import chess
import chess.polyglot
import chess.variant

PROMOTIONS = {None: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4, chess.KING: 5}
GAMES = ["crazyhouse", "antichess", "atomic", "king-of-the-hill", "three-check", "horde", "racing-kings"]
VARIANTS = [chess.variant.find_variant(game.replace("-", "")) for game in GAMES]
MASK = (1 << 64) - 1
WRONG = ["", "8/8/8/8/8/8/8/8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR w KQkq - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
         "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkqx - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "9/8/8/8/8/8/8/8 w - - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1"]
WRONG_VARIANTS = ["4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[N w - - 0 1", "4k3/8/8/8/8/8/8/4K3[N]] w - - 0 1", "~4k3/8/8/8/8/8/8/4K3 w - - 0 1",
                  "4k3/8/8/8/8/8/8/4K3 w - - 4+3 0 1", "4k3/8/8/8/8/8/8/4K3[" + "Q" * 256 + "] w - - 0 1", "4k3/8/8/8/8/8/8/4K3/Q] w - - 0 1", "4k3/8/8/8/8/8/8/4K3" + "P" * 99 + " w - - 0 1", "["]


def number(stream, i):
    """Number `i` of a stream of keys.md."""
    n = (int.from_bytes(stream, "little") + 0x9E3779B97F4A7C15 * (i + 1)) & MASK
    n = (n ^ n >> 30) * 0xBF58476D1CE4E5B9 & MASK
    n = (n ^ n >> 27) * 0x94D049BB133111EB & MASK
    return n ^ n >> 31


def key_of(board):
    """Polyglot's key, and what variants have more."""
    key = chess.polyglot.zobrist_hash(board)
    for color, side in ((chess.WHITE, 0), (chess.BLACK, 1)):
        if isinstance(board, chess.variant.ThreeCheckBoard) and board.remaining_checks[color] < 3:
            key ^= number(b"checks", 3 * side + board.remaining_checks[color])
        if isinstance(board, chess.variant.CrazyhouseBoard):
            for kind in range(5):
                if held := board.pockets[color].count(kind + 1):
                    key ^= number(b"pockets", 256 * (6 * side + kind) + held)
    if isinstance(board, chess.variant.CrazyhouseBoard):
        for square in chess.SquareSet(board.promoted & board.occupied):
            key ^= number(b"promoted", square)
    return key


def code(board, move):
    """Polyglot's, from its description: castling is the king taking his rook, a drop a move from a square to itself."""
    if move.drop:
        return move.to_square | move.to_square << 6 | move.drop - 1 << 12
    to = move.to_square
    if board.is_castling(move) and not board.chess960:
        to = chess.square(7 if to > move.from_square else 0, chess.square_rank(to))
    return to | move.from_square << 6 | PROMOTIONS[move.promotion] << 12


def lines(games):
    """Questions and the answers to them."""
    dice = random.Random(19)
    for game in range(games):
        kinds = [lambda: chess.Board.from_chess960_pos(dice.randrange(960)), chess.Board, VARIANTS[game // 3 % len(VARIANTS)]]
        board = kinds[game % 3]()
        name = GAMES[game // 3 % len(GAMES)] if game % 3 == 2 else "chess"
        v = f"v {name}|" if name != "chess" or game % 2 == 0 else ""
        while not board.is_game_over() and board.ply() < 120:
            key = f"{key_of(board):016x}"
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
                    yield f"{v}{fen}|{move_960}", f"{key} {code(board, move)} {other} {move_960}"
                    if board.chess960:
                        continue
                yield f"{v}{fen}|{move.uci()}", f"{key} {code(board, move)} {other} {move_960 if king_takes_rook else other}"
            # Checks and captures more often, so that kings and rooks move and pawns meet
            board.push(dice.choice([move for move in moves if board.is_capture(move) or board.is_castling(move)] or moves) if dice.random() < 0.4 else dice.choice(moves))


def main(program, games=60):
    asked = list(lines(int(games)))
    asked += [(fen, "bad") for fen in WRONG] + [(f"v crazyhouse|{fen}", "bad") for fen in WRONG + WRONG_VARIANTS]
    start = chess.STARTING_FEN
    wrong = ("", "e2", "e2e9", "i2e4", "e7e8p", "e7e8qq", "K@e4", "N@e9", "N@e44", "N@")
    asked += [(f"{v}{start}|{move}", "463b96181691fc9c -1  ") for move in wrong for v in ("", "v crazyhouse|")] + [(f"{start}|e7e8k", "463b96181691fc9c -1  ")]
    asked += [(f"{start}|e7e5", "463b96181691fc9c 3364  "), (f"{start}|a1a2", "463b96181691fc9c 8  "), (f"v crazyhouse|{start}|N@e4", "463b96181691fc9c 5916  ")]
    bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    base = chess.polyglot.zobrist_hash(chess.Board(bare))
    asked += [(f"v three-check|{fen}", f"{base ^ number(b'checks', 2):016x}") for fen in (bare.replace("0 1", "2+3 0 1"), f"{bare} +1+0")]
    asked += [(f"v antichess|{start}", f"{chess.polyglot.zobrist_hash(chess.Board(start.replace('KQkq', '-'))):016x}"), (f"v horde|{bare}{' x' * 50}", f"{base:016x}")]
    held = f"{base ^ number(b'pockets', 1) ^ number(b'pockets', 256 * 10 + 1):016x}"
    asked += [(f"v crazyhouse|{bare.replace(' w', hands + ' w')}", held) for hands in ("[Pq]", "/Pq")]
    pawn = bare.replace(" w", "[P] w")
    asked += [(f"v crazyhouse|{pawn}|P@e1", f"{base ^ number(b'pockets', 1):016x} 260  "), (f"v crazyhouse|{pawn}|e1e2k", f"{base ^ number(b'pockets', 1):016x} 20748  ")]
    done = subprocess.run([program], input="".join(question + "\n" for question, _ in asked), capture_output=True, text=True, check=True)
    answers = done.stdout.split("\n")[:-1]
    wrong = [(question, answer, right) for (question, right), answer in zip(asked, answers) if answer != right]
    for line in wrong[:20]:
        print(*line, sep="\n  ")
    print(f"{len(asked)} positions with a move, {len(wrong)} wrong")
    sys.exit(bool(wrong) or len(answers) != len(asked))


if __name__ == "__main__":
    main(*sys.argv[1:])
