"""Whether the ratings that `tabia build --ratings` gathers are those that python-chess counts.

tests/ratings.py TABIA ARCHIVE [GAMES]: the command, a PGN archive, plain or .zst, and how many of its first games are looked at (all, if not said).
Called by tests/ratings.sh. Games are found and their moves played by python-chess; only the sums and the formula are written down here.
"""

import io
import json
import math
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import chess
import chess.pgn

# Ten positions, as the moves that lead there. A game counts wherever it comes to one of them within as many plies as the longest of these.
LINES = ["", "e4", "d4", "e4 e5", "e4 c5", "d4 d5", "d4 Nf6 c4", "e4 e6 d4 d5", "e4 c5 Nf3 d6 d4", "d4 Nf6 c4 e6 Nc3 Bb4"]
PLIES = max(len(line.split()) for line in LINES) + 1
RESULTS = {"1-0": 2, "0-1": 0, "1/2-1/2": 1}
TAG = re.compile(r'^\[(\w+)\s+"(.*)"\]')


def games(archive, most):
    """Tags and text of each game: one starts with the first tag behind moves, and with an Event tag."""
    tags, text, read, has_moves = {}, [], 0, False
    for line in archive:
        tag = TAG.match(line)
        if tag and (has_moves or tag[1] == "Event" and tags):
            yield tags, text
            read += 1
            if read == most:
                return
            tags, text, has_moves = {}, [], False
        if tag:
            tags[tag[1]] = tag[2]
        elif line.strip():
            has_moves = True
        text.append(line)
    yield tags, text


def opened(archive):
    """The archive's text."""
    if archive.suffix == ".zst":
        import zstandard

        return io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(open(archive, "rb")), encoding="latin-1", newline="")
    return open(archive, encoding="latin-1", newline="")


def rating(tags, name):
    value = tags.get(name, "").strip()
    return int(value) if value.isdigit() and 100 <= int(value) <= 9999 else None


def counts(tags, text):
    """Whether a game is decided, and its moves stand together with its tags (as with --join-split off)."""
    return tags.get("Result") in RESULTS and not re.search(r"\]\s*\n\s*\n\s*\n", "".join(text))


def first_moves(text):
    """Position and move of the first plies, as python-chess plays them."""
    moves = re.sub(r"\{[^}]*\}|\d+\.+|\$\d+", " ", "".join(line for line in text if not line.startswith("["))).split()
    board, seen = chess.Board(), []
    for san in moves[:PLIES]:
        if san in RESULTS or san == "*":
            break
        seen.append((board.epd(), board.turn, san))
        board.push_san(san)
    return seen


def sums_of(archive, skipped, most):
    """Games, and sums of ratings, by position and move."""
    known = {}
    for line in LINES:
        board = chess.Board()
        for san in line.split():
            board.push_san(san)
        known[board.epd()] = line
    sums = defaultdict(lambda: [0, 0, 0, 0, 0])
    read = 0
    for tags, text in games(archive, most):
        read += 1
        if not counts(tags, text):
            continue
        if (tags.get("White"), tags.get("Black"), tags.get("Date")) in skipped and chess.pgn.read_game(io.StringIO("".join(text))).errors:
            continue
        white, black, result = rating(tags, "WhiteElo"), rating(tags, "BlackElo"), RESULTS[tags["Result"]]
        done = set()
        for epd, turn, san in first_moves(text):
            if epd not in known or (epd, san) in done:
                continue
            done.add((epd, san))
            row = sums[known[epd], san.rstrip("+#!?")]
            row[0] += 1
            if white and black:
                mover, opponent = (white, black) if turn == chess.WHITE else (black, white)
                score = result if turn == chess.WHITE else 2 - result
                row[1:] = [row[1] + mover, row[2] + opponent, row[3] + 1, row[4] + score]
    return sums, read


def performance(opponents, share):
    if share in (0, 1):
        return opponents + (800 if share else -800)
    return opponents + max(-800, min(800, 400 * math.log10(share / (1 - share))))


def main(tabia, archive, most=0):
    tabia, archive, most = Path(tabia).resolve(), Path(archive).resolve(), int(most)
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "games.pgn"
        with opened(archive) as whole, open(part, "w", encoding="latin-1", newline="") as copy:
            for _, text in games(whole, most):
                copy.writelines(text)
        book, errors = Path(folder) / "book.tabia", Path(folder) / "errors.tsv"
        subprocess.run([tabia, "build", "-q", "--ratings", "--join-split", "off", "--max-ply", str(PLIES), "-o", book, "--errors", errors, part], check=True, capture_output=True)
        illegal = [line.split("\t") for line in errors.read_text().splitlines()[1:]]
        tag = lambda text, name: (re.search(rf'\[{name} "(.*?)"\]', text) or [None, None])[1]
        skipped = {tuple(tag(fields[6], name) for name in ("White", "Black", "Date")) for fields in illegal if fields[2] == "illegal_move"}
        with open(part, encoding="latin-1") as text:
            sums, read = sums_of(text, skipped, most)
        compared = 0
        for line in LINES:
            moves = json.loads(subprocess.run([tabia, "explore", "--json", "--moves", line, book], check=True, capture_output=True).stdout)["moves"]
            ours = {move["san"].rstrip("+#"): move for move in moves}
            theirs = {san: row for (at, san), row in sums.items() if at == line}
            assert set(ours) == set(theirs), (line, set(ours) ^ set(theirs))
            for san, (played, mover, opponent, rated, score) in theirs.items():
                move = ours[san]
                assert (move["games"], move["rated_games"]) == (played, rated), (line, san, move, played, rated)
                if rated:
                    average = mover / rated
                    expected = (average, performance(opponent / rated, score / (2 * rated)))
                    found = (move["average_rating"], move["performance"])
                    assert all(abs(one - other) < 0.06 for one, other in zip(expected, found)), (line, san, expected, found)
                    assert abs(move["gain"] - (expected[1] - expected[0])) < 0.11, (line, san, move)
                compared += 1
    print(f"ratings of {compared} moves of {len(LINES)} positions in {read} games are as python-chess counts them")


main(*sys.argv[1:])
