#!/usr/bin/env python3
"""The book of chess in the hands of a player that searches ten times as deep: experiments/deeper.py [FOLDER]

The book that playing.py grew for a player of 1,000 nodes is played by one of 10,000, against a pool
of ten times the nodes, as the same player does without it: growing for that player itself would take
four hours. Fresh seeds. Results go to results.tsv. Interrupted, it goes on in FOLDER, which has to be
playing.py's (target/experiments/chess).
"""

import sys

from playing import CLASSICAL, PLANS, SEED, Experiment, prepared


class Deeper(Experiment):
    script = "deeper.py"

    def __init__(self, folder):
        super().__init__("chess", folder)
        self.argument = ""
        self.plan = {**PLANS["chess"], "nodes": 10_000}

    def carry_out(self):
        pool = ("stockfish", "2500..40000", CLASSICAL)
        self.tell("-deeper", self.compare("deeper", pool, 600, SEED + 40))
        self.keep("chess-deeper")


if __name__ == "__main__":
    folder = prepared([sys.argv[0], "chess", *sys.argv[1:]])
    if not (folder / "book.tabia").exists():
        sys.exit(f"{folder} has no book: experiments/playing.py chess comes first")
    Deeper(folder).carry_out()
