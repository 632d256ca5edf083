#!/usr/bin/env python3
"""What books of different methods win that cost an engine equally much: experiments/methods.py GAME [FOLDER]

Grows a book by each method with as many nodes as growing by playing took (playing.py GAME comes
first, in the same folder), and plays each of them against the same pool with the same seeds as the
player without a book. What openings lead to is told by a search a hundred times as deep as the
player's, after twelve plies. Results go to results.tsv. Interrupted, it goes on in FOLDER.

Needs what playing.py needs; GAME is chess or checkers.
"""

import json
import re
import shlex
import subprocess
import sys
from statistics import mean

from playing import CLASSICAL, PLANS, SEED, Experiment, prepared

# As deep as the prototype's moves: two hundred times the player's nodes.
DEEP = 200
# After so many plies the deep search tells what an opening led to.
PLY = 12
# Fierz's constant so high that only the number of plies counts, and errors between equals.
BREADTH = ["--method", "drop-out", "--cost", "30000"]
METHODS = {
    "best-first": (["--method", "best-first"], "negamax"),
    "drop-out": (["--method", "drop-out"], "negamax"),
    "breadth-first": (BREADTH, "negamax"),
    "archive": (None, "wilson,margin=3,min-games=20"),
}
# Books of these games have positions of so many games that an archive's move is worth taking.
ARCHIVES = {"chess": ("masters.tabia", "chess", "masters.pgn.zst"), "checkers": PLANS["checkers"]["archive"]}


class Comparison(Experiment):
    script = "methods.py"

    def __init__(self, game, folder):
        super().__init__(game, folder)
        self.evals = {}

    def spent(self):
        """The nodes of growing by playing: each of its games' moves at the mean of its limit."""
        text = next(self.folder.glob("book.tabia-games*")).read_text(errors="replace")
        moves = [tuple(map(int, found)) for found in re.findall(r"moves=(\d+),(\d+) ", text)]
        # All magnitudes of 250..4000 are alike: their mean is 3750 / ln 16.
        return sum(own * self.plan["nodes"] + others * self.plan["nodes"] * 1.3525 for own, others in moves)

    def grow_by(self, name, options, nodes):
        """Grows a book in steps until they have taken so many nodes; what each took is in a file."""
        took = self.folder / f"{name}.nodes"
        done = sum(map(int, took.read_text().split())) if took.exists() else 0
        command = ["tabia", "grow", f"{name}.tabia", "--game", self.game, *options, "--workers", "2", "--json"]
        command += ["--nodes", str(DEEP * self.plan["nodes"]), "--budget"]
        engine = [word for option in CLASSICAL for word in ("--option", option)] + ["--", "stockfish"]
        while done < nodes:
            step = [*command, "20expansions", *(engine if self.is_uci else [])]
            print("$", shlex.join(step), f"# {done / nodes:.0%}", flush=True)
            told = subprocess.run(step, cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True).stdout
            told = json.loads(told.splitlines()[-1])
            if not told["nodes"]:
                break
            done += told["nodes"]
            with open(took, "a") as file:
                file.write(f"{told['nodes']}\n")
        self.commands.append(shlex.join([*command, "20expansions", *(engine if self.is_uci else [])]))

    def openings(self, name):
        """The first plies of each game, and whether the player is first."""
        text = (self.folder / f"{name}.games").read_text(errors="replace")
        found = []
        for moves, facts in re.findall(r"\n\n(1\. .*?)\{tabia-match 1 ([^}]*)\}", text, re.S):
            words = re.sub(r"\{[^}]*\}|\d+\.+|;[^\n]*", " ", moves).split()
            facts = dict(word.split("=", 1) for word in facts.split())
            found.append((tuple(words[:PLY]), facts["first"] == "first"))
        return found

    def judged(self, name):
        """What the first plies led to, for the player, in centipawns: the mean of its games."""
        lines = self.openings(name)
        with Judge(self) as judge:
            for line, _ in lines:
                if len(line) == PLY and line not in self.evals:
                    self.evals[line] = judge.ask(line)
        # The first player is to move after an even number of plies.
        mine = [self.evals[line] * (1 if first else -1) for line, first in lines if line in self.evals]
        return mean(max(-1000, min(1000, value)) for value in mine)

    def carry_out(self):
        nodes = self.spent()
        print(f"growing by playing took {nodes / 1e6:,.0f} million nodes", flush=True)
        books = {"playing": ("book.tabia", "always")}
        for name, (options, rule) in METHODS.items():
            if options:
                self.grow_by(name, options, nodes)
                books[name] = (f"{name}.tabia", rule)
            elif self.game in ARCHIVES:
                self.build(ARCHIVES[self.game])
                books[name] = (ARCHIVES[self.game][0], rule)
        for name, (book, rule) in books.items():
            with_book = self.with_book(book, rule)
            pairs, evals, without = [], [], []
            for number, (pool, opponent) in enumerate(self.plan["pool"].items()):
                # Those of playing.py are there already; the other books play half as many.
                whole = self.plan["games"] // len(self.plan["pool"])
                games = whole if name == "playing" else whole // 2
                label = "book" if name == "playing" else name
                mine = self.match(f"{label}-{pool}", with_book, opponent, games, SEED + number)
                none = self.match(f"none-{pool}", self.plan["player"], opponent, whole, SEED + number)
                pairs += [(mine[game], none[game]) for game in sorted(mine.keys() & none.keys())]
                evals.append(self.judged(f"{label}-{pool}"))
                without.append(self.judged(f"none-{pool}"))
            for side, those, moves in self.sides(pairs):
                self.row(f"method-{name}{side}", [0.5 + book[1] - none[1] for book, none in those], moves)
            print(f"{name}: {mean(evals):+.0f} after {PLY} plies ({mean(without):+.0f} without)")
            print("".join(self.rows[-3:]), flush=True)
        self.keep(f"{self.game}-methods")


class Judge:
    """A search a hundred times as deep as the player's: what the side to move has, in centipawns."""

    def __init__(self, experiment):
        self.is_uci, self.nodes = experiment.is_uci, 100 * experiment.plan["nodes"]
        command = "stockfish" if self.is_uci else f"tabia engine -q --game {experiment.game} --nodes {self.nodes}"
        self.process = subprocess.Popen(command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.is_uci:
            import chess  # python-chess, from PyPI

            self.chess = chess
            for option in CLASSICAL:
                self.send("setoption name {} value {}".format(*option.split("=")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self):
        lines = []
        while (line := self.process.stdout.readline()).strip():
            lines.append(line)
        return lines

    def ask(self, line):
        return self.ask_uci(line) if self.is_uci else self.ask_gtp(line)

    def ask_uci(self, line):
        board, moves = self.chess.Board(), []
        for san in line:
            moves.append(board.push_san(san).uci())
        self.send("ucinewgame")
        self.send("position startpos moves " + " ".join(moves))
        self.send(f"go nodes {self.nodes}")
        value = 0
        while not (told := self.process.stdout.readline()).startswith("bestmove"):
            if found := re.search(r"score (cp|mate) (-?\d+)", told):
                value = int(found[2]) if found[1] == "cp" else (1000 if int(found[2]) > 0 else -1000)
        return value

    def ask_gtp(self, line):
        self.send("clear_board")
        for ply, move in enumerate(line):
            self.send(f"play {('black', 'white')[ply % 2]} {move}")
        for _ in range(len(line) + 1):
            self.answer()
        self.send("kata-search_analyze black 1")
        told = "".join(self.answer())
        return 100 * float(re.search(r"scoreLead (-?[\d.]+)", told)[1])


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("chess", "checkers"):
        sys.exit(__doc__)
    Comparison(sys.argv[1], prepared(sys.argv)).carry_out()
