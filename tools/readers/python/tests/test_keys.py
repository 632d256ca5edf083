"""Keys: those of the format, of chess against python-chess, and of the other games against the vectors of keys.md."""

from __future__ import annotations

import random
import re

import chess
import chess.polyglot
import numpy as np
import pytest
from golden import REPOSITORY

import tabia
from tabia import board_keys, chess_keys, keys
from tabia._xxh3 import multiply

SPECIFICATION = REPOSITORY / "format-spec"
VECTORS = [line.split("|")[1:-1] for line in (SPECIFICATION / "keys.md").read_text(encoding="utf-8").split("\n") if line.startswith("|")]
HEX = re.compile("[0-9a-f]{16}")


def test_mix_as_the_specification_says() -> None:
    table = re.findall(r"\| ([0-9a-f]{16})\b[^|]*\| ([0-9a-f]{16}) \|", (SPECIFICATION / "README.md").read_text(encoding="utf-8"))
    assert len(table) >= 7
    for key, h in table:
        assert keys.mix(int(key, 16)) == int(h, 16) and keys.unmix(int(h, 16)) == int(key, 16)


def test_arrays_are_as_single_keys() -> None:
    dice = np.random.default_rng(1)
    some = dice.integers(0, 1 << 64, 1000, np.uint64, endpoint=False)
    assert keys.mix_array(some).tolist() == [keys.mix(key) for key in some.tolist()]
    assert keys.unmix_array(some).tolist() == [keys.unmix(key) for key in some.tolist()]
    others = dice.integers(0, 1 << 64, 1000, np.uint64, endpoint=False)
    low, high = multiply(some, others)
    assert [a * b for a, b in zip(some.tolist(), others.tolist())] == [h << 64 | x for h, x in zip(high.tolist(), low.tolist())]


def test_keys_of_lines() -> None:
    assert keys.line_key(0x463B96181691FC9C, [0x195, 0xD24, 0x31C]) == 0x97D0AFE5BC63AA3A


def test_chess_keys_are_those_of_python_chess() -> None:
    """Random games of chess and chess960, with en passant squares as FENs and Shredder-FENs have them."""
    dice = random.Random(1)
    compared = 0
    for game in range(60):
        board = chess.Board() if game % 3 else chess.Board.from_chess960_pos(dice.randrange(960))
        while not board.is_game_over() and board.ply() < 100:
            fen = board.shredder_fen(en_passant="fen") if game % 2 else board.fen(en_passant="fen")
            assert chess_keys.polyglot_key(fen) == chess.polyglot.zobrist_hash(board), fen
            compared += 1
            board.push(dice.choice(list(board.legal_moves)))
    assert compared > 3000


def test_variants_of_chess() -> None:
    vectors = [row for row in ([cell.strip().strip("`") for cell in row] for row in VECTORS) if row[0] in chess_keys.GAMES and len(row) == 6]
    assert len(vectors) == 12
    for _, _, fen, key, _, code in vectors:
        assert chess_keys.polyglot_key(fen) == int(key, 16), fen
        assert chess_keys.code_of(chess_keys.uci_of(int(code))) == int(code)
    given = "r1bq1bnr/pppp1kpp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1K1NR b KQ - 1 4 +2+0"
    assert chess_keys.polyglot_key(given) == 0xDF7EC81AB779EBD6
    start = chess_keys.START
    assert chess_keys.polyglot_key(start, "antichess") == chess_keys.polyglot_key(start.replace("KQkq", "-"))
    for wrong in ("8/8/8/8/8/8/8/8[x] w - - 0 1", "~7/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 4+4 0 1"):
        with pytest.raises(tabia.BadPosition):
            chess_keys.polyglot_key(wrong)


def test_a_pinned_pawn_counts_for_en_passant() -> None:
    board = chess.Board("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1")
    assert not board.has_legal_en_passant()
    with tabia.open_book((SPECIFICATION / "golden" / "example.tabia").read_bytes()) as book:
        assert book.key_of(board) == chess.polyglot.zobrist_hash(board)


def test_othello() -> None:
    vectors = [row for row in ([cell.strip().strip("`") for cell in row] for row in VECTORS) if len(row) > 3 and re.fullmatch("[XO-]{64} [XO]", row[1])]
    assert len(vectors) >= 11
    for row in vectors:
        assert board_keys.key_of("othello", "zobrist", row[1]) == int(row[2], 16)
        assert board_keys.key_of("othello", "zobrist-8", row[1]) == int(row[3], 16)


def test_draughts() -> None:
    vectors = [row for row in ([cell.strip().strip("`") for cell in row] for row in VECTORS) if re.match("[WB]:[WB]", row[0])]
    assert len(vectors) >= 14
    for row in vectors:
        squares = [int(square) for square in re.findall(r"\d+", row[0])]
        game = "checkers" if vectors.index(row) < 8 else "draughts-10"
        assert game == "draughts-10" or max(squares) <= 32
        assert board_keys.key_of(game, "zobrist", row[0]) == int(row[1], 16)
        assert board_keys.key_of(game, "zobrist-2", row[0]) == int(row[2], 16)


def test_go() -> None:
    vectors = [row for row in ([cell.strip().strip("`") for cell in row] for row in VECTORS) if row[0].isdigit() and len(row) > 9 and HEX.fullmatch(row[3])]
    assert len(vectors) >= 12
    for size, _, position, *wanted in (row[:6] for row in vectors):
        for scheme, key in zip(("zobrist", "zobrist-8", "zobrist-16"), wanted):
            assert board_keys.key_of(f"go-{size}", scheme, position) == int(key, 16), (size, position, scheme)


def test_connect_four_and_tic_tac_toe() -> None:
    vectors = [row for row in ([cell.strip().strip("`") for cell in row] for row in VECTORS) if len(row) > 4 and HEX.fullmatch(row[3]) and HEX.fullmatch(row[4])]
    vectors = [row for row in vectors if row[0].startswith(("connect4", "tic"))]
    assert len(vectors) >= 11
    for game, _, position, apart, together in (row[:5] for row in vectors):
        assert board_keys.key_of(game, "zobrist", position) == int(apart, 16)
        assert board_keys.key_of(game, "zobrist-8" if game.startswith("tic") else "zobrist-2", position) == int(together, 16)


@pytest.mark.parametrize(
    ("game", "scheme", "position"),
    [("othello", "zobrist-8", "X"), ("othello", "zobrist-8", "-" * 64), ("checkers", "zobrist-2", "B:W33:B1"), ("checkers", "zobrist-2", "B:W1:B1"),
     ("checkers", "zobrist-2", "B:W1:W2"), ("checkers", "zobrist-2", "W"), ("go-9", "zobrist-8", "9/9 b"), ("go-9", "zobrist-8", "9/9/9/9/9/9/9/9/9"),
     ("go-9", "zobrist-8", "9/9/9/9/9/9/9/9/8Z b"), ("go-9", "zobrist-8", "9/9/9/9/9/9/9/9/99 b"), ("connect4-7x6", "zobrist-2", "7/7/7/7/7"),
     ("connect4-7x6", "zobrist-2", "7/7/7/7/7/X"), ("tic-tac-toe", "zobrist-8", ".../.../")],
)  # fmt: skip
def test_texts_that_are_no_positions(game: str, scheme: str, position: str) -> None:
    with pytest.raises(tabia.BadPosition):
        board_keys.key_of(game, scheme, position)


@pytest.mark.parametrize(("game", "scheme"), [("chess", "polyglot"), ("go-9", "other"), ("go-20", "zobrist"), ("shogi", "zobrist"), ("othello", "zobrist-16")])
def test_games_and_schemes_that_are_not_known(game: str, scheme: str) -> None:
    with pytest.raises(tabia.WrongGame):
        board_keys.key_of(game, scheme, "")
