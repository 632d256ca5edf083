#!/usr/bin/env python3
"""Draws results.tsv, all gains with their 95 % intervals: experiments/plot.py writes

gains.svg     what books grown by playing gain, by game and opponent
methods.svg   what books of other methods gain at equal work
curves.svg    what an archive's book gains by learning, and GNU Go by solution trees

Needs matplotlib.
"""

import csv
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402 (it must be told first that there is no screen)

HERE = Path(__file__).resolve().parent
GAMES = {"chess": "Chess", "othello": "Othello", "go-9": "Go, 9 x 9", "checkers": "English draughts"}
AGAINST = {
    "": "all games against the pool",
    "-first": "as first player",
    "-second": "as second player",
    "-search": "pool: searches",
    "-people": "pool: openings of people",
    "-x4": "never met: four times the nodes",
    "-nnue": "never met: with the network",
    "-rhino": "never met: gtp-rhino",
    "-gnugo": "never met: GNU Go",
    "-archive": "never met: itself with the archive's book",
    "-random": "from random openings of four plies",
}
METHODS = ["playing", "drop-out", "breadth-first", "best-first", "archive"]
SIDES = {"": "", "-first": ", first player", "-second": ", second player"}
LEARNED = {f"learned-{games}-untuned": f"after {games:,} games" for games in (1000, 2000, 3000, 4000)}
LEARNED["learned-4000-x4-untuned"] = "after 4,000 games, four times the nodes"
TREES = {
    f"trees-{book}-level-{level}-none": f"GNU Go, level {level}, with {book}"
    for level in (1, 5)
    for book in ("archive", "monte-carlo", "both")
}
POINTS = "points of a hundred that the player with the book has more than without"


def draw(name, results, groups, label):
    """Groups of rows below each other: of each its title, its game, and what its lines are called."""
    groups = [(title, [(text, results[key]) for key, text in lines.items() if key in results]) for title, lines in groups]
    groups = [(title, lines) for title, lines in groups if lines]
    heights = [len(lines) for _, lines in groups]
    figure, axes = plt.subplots(
        len(groups), sharex=True, squeeze=False, figsize=(8, 0.28 * sum(heights) + 1), height_ratios=heights
    )
    for (title, lines), axis in zip(groups, axes[:, 0]):
        lines = lines[::-1]
        gains = [float(row["score"]) - 50 for _, row in lines]
        bars = [float(row["high"]) - float(row["score"]) for _, row in lines]
        axis.errorbar(gains, range(len(lines)), xerr=bars, fmt="o", capsize=3, color="#1f5f8b")
        axis.axvline(0, color="#888", linewidth=0.8)
        axis.set_yticks(range(len(lines)), [text for text, _ in lines])
        axis.set_ylim(-0.6, len(lines) - 0.4)
        axis.set_title(title, loc="left", fontsize=10)
        axis.grid(axis="x", color="#ddd")
    axes[-1, 0].set_xlabel(label)
    figure.tight_layout()
    figure.savefig(HERE / name, metadata={"Date": None})
    plt.close(figure)


def main():
    with open(HERE / "results.tsv", newline="") as file:
        results = {(row["game"], row["what"]): row for row in csv.DictReader(file, delimiter="\t")}
    plt.rcParams["svg.hashsalt"] = "tabia"
    plt.rcParams["font.size"] = 9
    of = {title: {(game, f"playing-none{key}"): text for key, text in AGAINST.items()} for game, title in GAMES.items()}
    draw("gains.svg", results, of.items(), POINTS)
    by = {
        title: {(game, f"method-{name}{side}"): name + text for name in METHODS for side, text in SIDES.items()}
        for game, title in GAMES.items()
    }
    draw("methods.svg", results, by.items(), POINTS)
    curves = {
        "Othello: the archive's book after self-play": {("othello", key): text for key, text in LEARNED.items()},
        "English draughts: the archive's book after self-play": {
            ("checkers", key): text for key, text in LEARNED.items()
        },
        "Go, 9 x 9: solution trees": {("go-9", key): text for key, text in TREES.items()},
    }
    draw("curves.svg", results, curves.items(), POINTS)


if __name__ == "__main__":
    main()
