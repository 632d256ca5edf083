#!/usr/bin/env python3
"""Gaudel's matrix (2010, Table 1) on 9 x 9 Go: experiments/mixing.py GAMES [FOLDER]

Rules that choose from the book of two archives play each other as both players, our own Monte-Carlo
search of about GAMES games a move going on where the book ends. `tabia-match mix` makes of it how
often to play which; this mix then plays each rule with other seeds, as both players. Results go to
results.tsv: what the matrix says that the mix gets at least, and what it got. Interrupted, it goes
on in FOLDER, but for a matrix that isn't finished.

Needs cargo, or TABIA as in playing.py; the archives in ../shared/data.
"""

import json
import shlex
import subprocess
import sys
from datetime import date

from playing import DATA, PLANS, SEED, Experiment, prepared

# The paper's default, its lower bound, its leaving the book for good, its strongest prior.
RULES = ["v", "lcb", "nr", "reg2"]
# Of a cell of the matrix, and of the mix as either player against each rule.
GAMES = 300


class Mixing(Experiment):
    script = "mixing.py"

    def __init__(self, level, folder):
        super().__init__("go-9", folder)
        engine = f"tabia engine --game go-9 --monte-carlo --nodes {level * 8 // 10}..{level * 12 // 10}"
        self.level = self.argument = level
        self.plan = {**PLANS["go-9"], "player": engine}

    def mixed(self):
        """The mix's file, and what is known of it."""
        scores, weights = f"scores-{self.level}.tsv", f"weights-{self.level}.json"
        if not (self.folder / weights).exists():
            play = ["tabia-match", "mix", "--book", "go.tabia", "--seed", str(SEED + 40), "--concurrency", "2"]
            play += ["--games-per-pair", str(GAMES), "--scores", scores, "-o", weights, "--force"]
            play += [word for rule in RULES for word in ("--rule", rule)]
            self.run([*play, "--", *self.plan["player"].split()], f"mix-{self.level}")
        print((self.folder / scores).read_text())
        solve = ["tabia-match", "mix", scores, "--json"]
        return weights, json.loads(subprocess.check_output(solve, cwd=self.folder))

    def expected(self, what, value, low, high):
        figures = f"{value:.1f}\t{low:.1f}\t{high:.1f}\t"
        command = f"experiments/{self.script} {self.argument}"
        games = GAMES * len(RULES) ** 2
        self.rows.append(f"{self.game}\t{what}\t{games}\t{figures}\t{date.today()}\t{command}\n")

    def carry_out(self):
        archives = ("go.tabia", "go9", "[co]g*.tar.zst")
        self.build(archives)
        weights, report = self.mixed()
        value, drawn = report["exact"]["first_gets"], report["resampled"]["value"]
        self.expected(f"mix-{self.level}-first-least", value, drawn["least"], drawn["most"])
        self.expected(f"mix-{self.level}-second-least", 100 - value, 100 - drawn["most"], 100 - drawn["least"])
        front = "tabia play -q --protocol gtp go.tabia"
        player = f"{front} --mix {weights} -- {self.plan['player']}"
        for number, rule in enumerate(RULES):
            opponent = f"{front} --rule {shlex.quote(rule)} -- {self.plan['player']}"
            found = self.match(f"mix{self.level}-{rule}", player, (opponent,), 2 * GAMES, SEED + 41 + number)
            for side, wanted in (("first", True), ("second", False)):
                those = [game for game in found.values() if game[0] == wanted]
                moves = sum(game[2] for game in those) / len(those)
                self.row(f"mix-{self.level}-{side}-{rule}", [game[1] for game in those], moves)
        self.keep(f"go-9-mixing-{self.level}")


if __name__ == "__main__":
    if len(sys.argv) < 2 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 5:
        sys.exit(__doc__)
    Mixing(int(sys.argv[1]), prepared(sys.argv)).carry_out()
