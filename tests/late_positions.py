#!/usr/bin/env python3
"""Books grown from late positions of Connect Four 7 x 6 prove what a plain solver finds.

late_positions.py TABIA [COUNT]: draws positions with 14 to 17 empty squares whose end isn't seen
within six plies, grows a book from each by searches of one ply and of six, and compares what it
proves with the value by full search. A slow proof, named in CONTRIBUTING.md.
"""

import random
import re
import subprocess
import sys
import tempfile

WIDTH, HEIGHT = 7, 6
ORDER = (3, 2, 4, 1, 5, 0, 6)
NAMES = {1: "win", 0: "draw", -1: "loss"}


def fallen(cells, column):
    """Where a stone in a column comes to lie; none if the column is full."""
    return next((at for at in range(column, WIDTH * HEIGHT, WIDTH) if cells[at] == "."), None)


def is_won(cells, at):
    stone, (row, column) = cells[at], divmod(at, WIDTH)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            y, x = row + sign * down, column + sign * right
            while 0 <= y < HEIGHT and 0 <= x < WIDTH and cells[y * WIDTH + x] == stone:
                length, y, x = length + 1, y + sign * down, x + sign * right
        if length >= 4:
            return True
    return False


def value(cells, stone, known, plies=None):
    """What the position is worth to the side to move; none if it isn't seen within some plies."""
    if "." not in cells:
        return 0
    if plies == 0:
        return None
    if (cells, plies) in known:
        return known[cells, plies]
    other = "O" if stone == "X" else "X"
    values = []
    for column in ORDER:
        at = fallen(cells, column)
        if at is None:
            continue
        after = cells[:at] + stone + cells[at + 1 :]
        below = None if plies is None else plies - 1
        found = -1 if is_won(after, at) else value(after, other, known, below)
        values.append(None if found is None else -found)
        if values[-1] == 1:
            break
    worth = 1 if 1 in values else None if None in values else max(values)
    known[cells, plies] = worth
    return worth


def late_position(draw):
    """Columns of a game to a position that isn't decided at sight, its cells and the side to move."""
    while True:
        cells, stone, columns = "." * (WIDTH * HEIGHT), "X", []
        length = WIDTH * HEIGHT - draw.randint(14, 17)
        while len(columns) < length:
            column = draw.choice([c for c in range(WIDTH) if fallen(cells, c) is not None])
            at = fallen(cells, column)
            cells = cells[:at] + stone + cells[at + 1 :]
            if is_won(cells, at):
                break
            columns.append(column)
            stone = "O" if stone == "X" else "X"
        if len(columns) == length and value(cells, stone, {}, 6) is None:
            return columns, cells, stone


def main():
    tabia, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    draw, expansions = random.Random(7), 0
    for number in range(count):
        columns, cells, stone = late_position(draw)
        wanted = f"{NAMES[value(cells, stone, {})]} for {stone}"
        moves = " ".join(str(column + 1) for column in columns)
        for depth in ("1", "6"):
            with tempfile.TemporaryDirectory() as folder:
                command = [tabia, "grow", folder + "/late.tabia", "--game", "connect4-7x6"]
                command += ["--moves", moves, "--depth", depth]
                told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            found = re.search(r"solved: (\w+ for \w)", told)
            grown = re.search(r"([\d,]+) expansions", told)
            if not found or found[1] != wanted:
                sys.exit(f"{moves}, depth {depth}: {wanted} expected:\n{told}")
            expansions += int(grown[1].replace(",", ""))
        print(f"{number + 1}: {moves}: {wanted}", flush=True)
    print(f"{count} positions, {2 * count} books, {expansions} expansions: all proofs are right")


if __name__ == "__main__":
    main()
