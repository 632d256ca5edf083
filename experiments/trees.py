#!/usr/bin/env python3
"""Chen and Zhang's Figure 7 with GNU Go: experiments/trees.py LEVEL [FOLDER]

GNU Go at a level (1 to 10) plays against itself at level 1, which takes half a second a game where
level 10 takes eight: alone, with the solution tree of two archives of games (OGS, CGOS), with that
of Monte-Carlo trees (`tabia grow --method monte-carlo`), and with both, the archives' asked first.
All four play with the same seeds. Results go to results.tsv:
scores, gains over the player alone, book moves a game, and the part of its moves that the book makes,
without any time. Interrupted, it goes on in FOLDER.

Needs cargo, or TABIA as in playing.py; gnugo; the archives in ../shared/data.
"""

import sys
from statistics import mean

from playing import DATA, MORE, PLANS, SEED, Experiment, prepared

# Games of each tree, a two hundredth of the paper's; the start, six moves, five replies, four to these.
GAMES, MAX_PLY = 100_000, 3
# Of a pairing, at the lowest level and at the others, which take longer; the paper had 200.
MATCH = 1000, 400
# "We give up the book move" below 45 %; trimmed below 20 games and 25 %.
RULE = "wilson"
TRIM = ["--solution", "both", "--keep", "2", "--min-games", "20", "--min-score", "25"]
TRIM += ["--min-reply-games", "20", "--min-reply-score", "25"]


def gnugo(level):
    return f"gnugo --mode gtp --level {level}"


class Trees(Experiment):
    script = "trees.py"
    more = MORE["gnugo"]

    def __init__(self, level, folder):
        super().__init__("go-9", folder)
        self.level = self.argument = level
        self.plan = {**PLANS["go-9"], "player": gnugo(level)}

    def books(self):
        if not (self.folder / "archive.tabia").exists():
            archives = [str(DATA / "go9" / f"{name}.tar.zst") for name in ("ogs", "cgos")]
            build = ["tabia", "build", "-q", "--game", "go-9", "--keyed", "line", "-o", "games.tabia"]
            self.run([*build, *archives], "archive")
            self.run(["tabia", "trim", "games.tabia", "-o", "archive.tabia", *TRIM], "archive")
        if not (self.folder / "monte-carlo.tabia").exists():
            grow = ["tabia", "grow", "trees.tabia", "--game", "go-9", "--method", "monte-carlo", "--seed", "1"]
            self.run([*grow, "--nodes", str(GAMES), "--max-ply", str(MAX_PLY), "--workers", "2"], "trees")
            self.run(["tabia", "trim", "trees.tabia", "-o", "monte-carlo.tabia", *TRIM], "trees")

    def carry_out(self):
        self.books()
        players = {
            "none": self.plan["player"],
            "archive": self.with_book("archive.tabia", RULE),
            "monte-carlo": self.with_book("monte-carlo.tabia", RULE),
            "both": self.with_book("monte-carlo.tabia", RULE, "--first", "archive.tabia"),
        }
        found = {}
        for name, player in players.items():
            label = f"trees-{name}-level-{self.level}"
            games = MATCH[self.level > 1]
            found[name] = self.match(label, player, (gnugo(1),), games, SEED + 30)
            numbers = sorted(found[name].keys() & found["none"].keys())
            moves = mean(found[name][game][2] for game in numbers)
            self.row(label, [found[name][game][1] for game in numbers], moves)
            gained = [0.5 + found[name][game][1] - found["none"][game][1] for game in numbers]
            if name == "none":
                continue
            self.row(f"{label}-none", gained, moves)
            # Not its time, which would tell of what else the machine did.
            shares = [found[name][game][2] / max(1, found[name][game][3]) for game in numbers]
            self.row(f"{label}-share", shares, moves)
        self.keep(f"go-9-trees-{self.level}")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in map(str, range(1, 11)):
        sys.exit(__doc__)
    Trees(int(sys.argv[1]), prepared([sys.argv[0], "go-9-trees", *sys.argv[2:]])).carry_out()
