#!/usr/bin/env python3
"""Rollason's curve, score by games learned: experiments/learning.py GAME [FOLDER]

A player with an archive's book loses games and learns from each which of its lines to leave (`tabia
learn --self-play`, Rollason 2007). After every STEP games the overlay so far plays a match with
fresh seeds, as the same player does with the untuned book: against the opponents that it learned
from, and against others that it never met. Results go to results.tsv. Interrupted, it goes on in
FOLDER.

Needs what playing.py needs; GAME is one of playing.py's that has an archive.
"""

import shutil
import sys

from playing import PLANS, SEED, Experiment, prepared

# What the book's side plays: moves drawn by how often they won, as Rollason's program did.
RULE = "random"
STEP, STEPS = 1000, 4


class Curve(Experiment):
    script = "learning.py"

    def learn(self, games):
        """An overlay that has learned so many games, kept under a name of its own."""
        kept = self.folder / f"tuned-{games}.tabia"
        if not kept.exists():
            command = ["tabia", "learn", "tuned.tabia", "--book", self.plan["archive"][0], "--self-play", str(games)]
            command += ["--rule", f"{RULE},explore=5", "--opponent-engine", self.plan["pool"]["search"][0]]
            self.run([*command, "--seed", "1", "--", *self.plan["player"].split()], "learn")
            self.run(["tabia", "compact", "tuned.tabia"], "learn")
            shutil.copy(self.folder / "tuned.tabia", kept)
        return kept.name

    def carry_out(self):
        self.build(self.plan["archive"])
        book = self.plan["archive"][0]
        opponents = {"": self.plan["pool"]["search"], "-x4": self.plan["others"]["x4"]}
        for games in range(STEP, STEP * STEPS + 1, STEP):
            overlay = self.learn(games)
            for number, (label, opponent) in enumerate(opponents.items()):
                if label and games != STEP * STEPS:
                    continue
                count, seed = self.plan["games"] // 4, SEED + 20 + number
                learned = self.with_book(book, RULE, "--overlay", overlay)
                tuned = self.match(f"tuned{games}-learned{label}", learned, opponent, count, seed)
                plain = self.with_book(book, RULE)
                untuned = self.match(f"untuned-learned{label}", plain, opponent, count, seed)
                both = sorted(tuned.keys() & untuned.keys())
                moves = sum(tuned[game][2] for game in both) / len(both)
                if label or games == STEP:
                    self.row(f"untuned{label}", [untuned[game][1] for game in both], moves)
                self.row(f"learned-{games}{label}", [tuned[game][1] for game in both], moves)
                gained = [0.5 + tuned[game][1] - untuned[game][1] for game in both]
                self.row(f"learned-{games}{label}-untuned", gained, moves)
        self.keep(f"{self.game}-learning")


if __name__ == "__main__":
    if len(sys.argv) < 2 or "archive" not in PLANS.get(sys.argv[1], {}):
        sys.exit(__doc__)
    Curve(sys.argv[1], prepared(sys.argv)).carry_out()
