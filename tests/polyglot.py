#!/usr/bin/env python3
"""Whether python-chess, and Polyglot where it is installed, find in what `tabia export` writes what the book says.

polyglot.py TABIA BOOK-OR-ARCHIVE [POSITIONS]

Polyglot books: of so many positions, breadth-first from the start by the moves of the file, python-chess finds the same moves with the same weights in the
same order as the rows of the book make by the convention (two for a win, one for a draw, scaled to 16 bits). Suites: python-chess reads each line of an EPD and each
game of a PGN, and they are the same positions.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import chess
import chess.pgn
import chess.polyglot

TABIA, SOURCE = sys.argv[1:3]
POSITIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
AT_ONCE = 500


def tabia(*args):
    done = subprocess.run([TABIA, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"tabia {' '.join(args)}: exit code {done.returncode}")
    return done.stdout


def expected(rows):
    """The entries that the rows of a position make: move and weight, in the order of a file."""
    weights = {row["move"]: 2 * row["wins"] + row["draws"] for row in rows}
    most = max(weights.values(), default=0)
    if most > 65535:
        weights = {move: (2 * weight * 65535 + most) // (2 * most) for move, weight in weights.items()}
    return sorted(((move, weight) for move, weight in weights.items() if weight > 0), key=lambda entry: (-entry[1], entry[0]))


def rows_of(book, keys):
    """The moves of positions, by key."""
    found = {}
    for at in range(0, len(keys), AT_ONCE):
        part = [f"{key:016x}" for key in keys[at : at + AT_ONCE]]
        for position in json.loads(tabia("get", book, *part, "--json")):
            found[int(position["key"], 16)] = position["moves"]
    return found


def boards(reader, most):
    """Positions that the moves of the file lead to from the start, each once."""
    queue, seen = [chess.Board()], set()
    for board in queue:
        key = chess.polyglot.zobrist_hash(board)
        if key in seen:
            continue
        seen.add(key)
        yield key, board
        if len(seen) == most:
            return
        for entry in reader.find_all(board):
            if entry.move not in board.legal_moves:
                sys.exit(f"{board.fen()}: {entry.move} is in the file and not legal")
            after = board.copy(stack=False)
            after.push(entry.move)
            queue.append(after)


def check_books(book, file):
    with chess.polyglot.open_reader(file) as reader:
        positions = list(boards(reader, POSITIONS))
        rows = rows_of(book, [key for key, _ in positions])
        entries = 0
        for key, board in positions:
            got = [(entry.raw_move, entry.weight) for entry in reader.find_all(board)]
            if got != expected(rows.get(key, [])):
                sys.exit(f"{board.fen()}: the file has {got}, the book says {expected(rows.get(key, []))}")
            entries += len(got)
    print(f"python-chess finds the same {entries} entries in {len(positions)} positions")


def check_suites(book, folder):
    options = ["--plies", "6", "--min-games", "2", "--count", str(POSITIONS)]
    for kind in "epd", "pgn":
        tabia("export", "suite", book, "-o", f"{folder}/suite.{kind}", *options)
    with open(f"{folder}/suite.epd") as file:
        by_epd = []
        for line in file:
            board, operations = chess.Board.from_epd(line)
            if not board.is_valid() or not operations["c0"].endswith("%"):
                sys.exit(f"{line}: is no valid position")
            by_epd.append(board.fen())
    by_pgn = []
    with open(f"{folder}/suite.pgn") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.errors or game.headers["Result"] != "*":
                sys.exit(f"{game}: {game.errors}")
            by_pgn.append(game.end().board().fen())
    if by_epd != by_pgn or len(set(by_epd)) != len(by_epd) or not by_epd:
        sys.exit(f"{len(by_epd)} positions of the EPD, {len(by_pgn)} of the PGN: they are not the same, or not different")
    print(f"python-chess reads the same {len(by_epd)} positions from EPD and PGN")


def check_polyglot(file, folder):
    """Polyglot as a UCI engine plays one of the heaviest moves of each position (BookRandom = false), without asking the engine behind it."""
    search = os.environ.get("PATH", "") + ":/usr/games"
    polyglot, engine = shutil.which("polyglot", path=search), shutil.which("stockfish", path=search)
    if not polyglot or not engine:
        print("skipped: Polyglot or Stockfish is not here")
        return
    ini = f"{folder}/polyglot.ini"
    with open(ini, "w") as out:
        out.write(f"[PolyGlot]\nEngineCommand = {engine}\nEngineDir = {folder}\nProtocol = uci\nLog = false\n")
        out.write(f"Book = true\nBookFile = {file}\nBookRandom = false\nBookDepth = 256\n[Engine]\n")
    board, played = chess.Board(), []
    with chess.polyglot.open_reader(file) as reader:
        process = subprocess.Popen([polyglot, ini], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ask(process, "uci", "uciok")
        ask(process, "isready", "readyok")
        while entries := list(reader.find_all(board)):
            moves = f" moves {' '.join(played)}" if played else ""
            said = ask(process, f"position startpos{moves}\ngo movetime 100", "bestmove ")
            move = said[-1].split()[1]
            heaviest = [board.uci(entry.move) for entry in entries if entry.weight == entries[0].weight]
            if move not in heaviest or not any(" nodes 0 " in line for line in said):
                sys.exit(f"{board.fen()}: Polyglot says {said}, the file's heaviest moves are {heaviest}")
            board.push_uci(move)
            played.append(move)
        process.stdin.write("quit\n")
        process.stdin.flush()
        process.wait(timeout=20)
    print(f"Polyglot plays {len(played)} moves from it: {' '.join(played)}")


def ask(process, line, end):
    """What is said up to a line that begins so."""
    process.stdin.write(line + "\n")
    process.stdin.flush()
    said = []
    for answer in process.stdout:
        said.append(answer.strip())
        if answer.startswith(end):
            return said
    sys.exit(f"Polyglot ended without saying `{end}`")


with tempfile.TemporaryDirectory() as folder:
    book = SOURCE
    if not SOURCE.endswith(".tabia"):
        book = f"{folder}/book.tabia"
        tabia("build", "-q", "-o", book, SOURCE)
    file = f"{folder}/book.bin"
    tabia("export", "polyglot", "-q", book, "-o", file)
    check_books(book, file)
    check_suites(book, folder)
    check_polyglot(file, folder)
