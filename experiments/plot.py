#!/usr/bin/env python3
"""Draws results.tsv: experiments/plot.py writes gains.svg, what books gain with their 95 % intervals.

Needs matplotlib.
"""

import csv
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402 (it must be told first that there is no screen)

HERE = Path(__file__).resolve().parent
GAMES = {"chess": "chess", "othello": "Othello", "go-9": "Go, 9 x 9", "checkers": "English draughts"}
KIND = "playing-none"
LABELS = {
    "": "all games against the pool",
    "-first": "as first player",
    "-second": "as second player",
    "-search": "pool: searches",
    "-people": "pool: openings of people",
    "-x4": "never met: four times the nodes",
    "-nnue": "never met: with the network",
}


def main():
    with open(HERE / "results.tsv", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["what"].startswith(KIND)]
    shown = {game: [row for row in rows if row["game"] == game and row["what"][len(KIND) :] in LABELS] for game in GAMES}
    shown = {game: rows for game, rows in shown.items() if rows}
    plt.rcParams["svg.hashsalt"] = "tabia"
    plt.rcParams["font.size"] = 9
    heights = [len(rows) for rows in shown.values()]
    figure, axes = plt.subplots(
        len(shown), sharex=True, squeeze=False, figsize=(8, 0.28 * sum(heights) + 1), height_ratios=heights
    )
    for (game, rows), axis in zip(shown.items(), axes[:, 0]):
        rows = sorted(rows, key=lambda row: -list(LABELS).index(row["what"][len(KIND) :]))
        gains = [float(row["score"]) - 50 for row in rows]
        bars = [float(row["high"]) - float(row["score"]) for row in rows]
        axis.errorbar(gains, range(len(rows)), xerr=bars, fmt="o", capsize=3, color="#1f5f8b")
        axis.axvline(0, color="#888", linewidth=0.8)
        axis.set_yticks(range(len(rows)), [LABELS[row["what"][len(KIND) :]] for row in rows])
        axis.set_ylim(-0.6, len(rows) - 0.4)
        axis.set_title(GAMES[game], loc="left", fontsize=10)
        axis.grid(axis="x", color="#ddd")
    axes[-1, 0].set_xlabel("points of a hundred that the player with the book has more than without")
    figure.tight_layout()
    figure.savefig(HERE / "gains.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
