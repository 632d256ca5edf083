#!/usr/bin/env python3
"""What books grown by playing win: experiments/playing.py GAME [FOLDER]

Grows a book of one of the games below by games of its player against a pool of opponents, then plays
matches with other seeds: the player with the book, and the player without it, against the same pool,
and against opponents that growing never met. Books and games are in FOLDER
(target/experiments/GAME); an experiment that was interrupted goes on there. The results go to
results.tsv, with the commands that make them in commands/GAME.txt.

Needs: cargo, or TABIA as a command that is built with tabia-match beside it; for chess stockfish
(Debian 12's, 15.1), for Othello and draughts the archives in ../shared/data.
"""

import os
import re
import shlex
import subprocess
import sys
from datetime import date
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DATA = ROOT.parent / "shared" / "data"
RESULTS = HERE / "results.tsv"
HEAD = "game\twhat\tgames\tscore\tlow\thigh\tbook moves a game\tdate\tcommand\n"
# Growing has seed 1; each opponent of a match has one of its own.
SEED = 20261126
# More words of matches by this name: who counts games of an engine that passes with dead stones on the
# board, and knows which they are.
MORE = {
    "gnugo": ["--referee", "gnugo --mode gtp --chinese-rules"],
}
# Classical evaluation, as the machine that is to be won against is: NNUE is another player.
CLASSICAL = ["Use NNUE=false", "Hash=1", "Threads=1"]


def own(game, nodes):
    return f"tabia engine --game {game} --nodes {nodes}"


def people(game, archive, nodes="250..4000"):
    """Plays as people did for twelve plies, then by our own search."""
    rule = f'tabia play -q --protocol gtp {archive} --rule "random(games)" --max-ply 12'
    return f"{rule} -- {own(game, nodes)}"


def best_of_people(protocol, archive, player):
    """The player itself, with a book of what people won with."""
    rule = f'tabia play -q --protocol {protocol} {archive} --rule "wilson,margin=3,min-games=20"'
    return f"{rule} -- {player}"


# player: whose book it is, with its nodes, 20 % more or less by dice. pool: what it meets while the
# book grows. others: what it never met. An opponent is a command, with its nodes and options if it
# speaks UCI. budget: of growing, in expansions, so that anybody grows the same book. games: of a match.
PLANS = {
    "chess": {
        "budget": 50,
        "nodes": 1000,
        "player": "stockfish",
        "pool": {"pool": ("stockfish", "250..4000", CLASSICAL)},
        "others": {
            "x4": ("stockfish", "1000..16000", CLASSICAL),
            "nnue": ("stockfish", "100..400", CLASSICAL[1:]),
            "archive": (best_of_people("uci", "masters.tabia", "stockfish"), "800..1200", CLASSICAL),
            "random": ("stockfish", "800..1200", CLASSICAL),
        },
        # The book of the opponent "archive", which growing had not.
        "played": ("masters.tabia", "chess", "masters.pgn.zst"),
        "games": 2400,
    },
    "othello": {
        "budget": 150,
        "nodes": 1000,
        "player": own("othello", "800..1200"),
        "archive": ("wthor.tabia", "othello/wthor", "*.wtb"),
        "pool": {
            "search": (own("othello", "250..4000"),),
            "people": (people("othello", "wthor.tabia"),),
        },
        "others": {
            "x4": (people("othello", "wthor.tabia", "1000..16000"),),
            "archive": (best_of_people("gtp", "wthor.tabia", own("othello", "800..1200")),),
            "random": (own("othello", "800..1200"),),
            "rhino": ("gtp-rhino --level 1 --book 0 --rand 3",),
        },
        "games": 4000,
        # Plies by chance: four of Othello lead to too few positions.
        "random": 6,
    },
    "go-9": {
        "budget": 30,
        "nodes": 100,
        "player": own("go-9", "80..120"),
        "pool": {"pool": (own("go-9", "25..400"),)},
        "others": {
            "x4": (own("go-9", "100..1600"),),
            "random": (own("go-9", "80..120"),),
            "gnugo": ("gnugo --mode gtp --level 1",),
        },
        "games": 1200,
    },
    "checkers": {
        "budget": 27,
        "nodes": 1000,
        "player": own("checkers", "800..1200"),
        "archive": ("oca.tabia", "checkers", "oca.pdn"),
        "pool": {
            "search": (own("checkers", "250..4000"),),
            "people": (people("checkers", "oca.tabia"),),
        },
        "others": {
            "x4": (people("checkers", "oca.tabia", "1000..16000"),),
            "archive": (best_of_people("gtp", "oca.tabia", own("checkers", "800..1200")),),
            "random": (own("checkers", "800..1200"),),
        },
        "games": 4000,
    },
}


class Experiment:
    script = "playing.py"
    # More words of all its matches.
    more = []

    def __init__(self, game, folder):
        self.game, self.folder, self.plan = game, folder, PLANS[game]
        # What the command says behind its name.
        self.argument = game
        self.commands, self.rows = [], []
        self.is_uci = game == "chess"

    def run(self, command, name):
        """Runs a command in the folder, whose words go to a log, and remembers it."""
        print("$", shlex.join(command), flush=True)
        self.commands.append(shlex.join(command))
        with open(self.folder / f"{name}.log", "a") as log:
            subprocess.run(command, cwd=self.folder, check=True, stdout=log, stderr=log)

    def build(self, archive):
        """The archive's book: its name, the folder of its files, and which of them."""
        if not (self.folder / archive[0]).exists():
            files = sorted(str(path) for path in (DATA / archive[1]).glob(archive[2]))
            self.run(["tabia", "build", "-q", "--game", self.game, "-o", archive[0], *files], "archive")

    def grow(self):
        plan, archive = self.plan, self.plan.get("archive")
        if archive:
            self.build(archive)
        grow = ["tabia", "grow", "book.tabia", "--game", self.game, "--method", "playing", "--seed", "1"]
        grow += ["--budget", f"{plan['budget']}expansions", "--workers", "2"]
        grow += [archive[0]] if archive else []
        if self.is_uci:
            grow += [word for option in CLASSICAL for word in ("--option", option)]
        grow += ["--nodes", str(plan["nodes"])]
        if self.is_uci:
            grow += ["--", plan["player"]]
        else:
            grow += [word for opponent in plan["pool"].values() for word in ("--opponent", opponent[0])]
        self.run(grow, "grow")

    def match(self, name, player, opponent, games, seed):
        """The games of a match by number: whether the player is first, its points, book moves, moves."""
        path = self.folder / f"{name}.games"
        match = ["tabia-match", "--game", self.game, "--first", player, "--second", opponent[0]]
        match += ["--games", str(games // 2 * 2), "--seed", str(seed), "--concurrency", "2"]
        kind = name.split("-", 1)[1]
        match += [*self.more, *MORE.get(kind, [])]
        match += ["--openings", f"random:{self.plan.get('random', 4)}"] if kind == "random" else []
        if self.is_uci:
            match += ["--nodes", f"{self.plan['nodes'] * 8 // 10}..{self.plan['nodes'] * 12 // 10}"]
            match += [word for option in CLASSICAL for word in ("--first-option", option)]
            match += ["--second-nodes", opponent[1]]
            match += [word for option in opponent[2] for word in ("--second-option", option)]
        self.run([*match, "--resume", "--output", path.name], name)
        found = {}
        for line in re.findall(r"tabia-match 1 [^\])}\n]*", path.read_text(errors="replace")):
            facts = dict(word.split("=", 1) for word in line.split()[2:])
            is_first = facts["first"] == "first"
            points = {"1-0": 1.0, "0-1": 0.0}.get(facts["result"], 0.5)
            points = points if is_first else 1 - points
            book, moves = (int(facts[name].split(",")[0]) for name in ("book", "moves"))
            found[int(facts["game"])] = (is_first, points, book, moves)
        return found

    def with_book(self, book, rule, *options):
        """The player behind a book."""
        protocol = "uci" if self.is_uci else "gtp"
        front = ["tabia", "play", "-q", "--protocol", protocol, book, "--rule", rule, *options]
        return f"{shlex.join(front)} -- {self.plan['player']}"

    def compare(self, name, opponent, games, seed):
        """Pairs of games with the same seeds: with the book, and without it."""
        book = self.match(f"book-{name}", self.with_book("book.tabia", "always"), opponent, games, seed)
        none = self.match(f"none-{name}", self.plan["player"], opponent, games, seed)
        return [(book[number], none[number]) for number in sorted(book.keys() & none.keys())]

    def sides(self, pairs):
        """All pairs, and those of either side, with the book's moves a game."""
        for side, wanted in (("", (True, False)), ("-first", (True,)), ("-second", (False,))):
            those = [(book, none) for book, none in pairs if book[0] in wanted]
            yield side, those, mean(book[2] for book, _ in those)

    def tell(self, name, pairs):
        for side, those, moves in self.sides(pairs):
            self.row(f"playing{name}{side}", [book[1] for book, _ in those], moves)
            self.row(f"none{name}{side}", [none[1] for _, none in those], 0)
            self.row(f"playing-none{name}{side}", [0.5 + book[1] - none[1] for book, none in those], moves)

    def row(self, what, scores, moves):
        middle, half = 100 * mean(scores), 196 * stdev(scores) / sqrt(len(scores))
        figures = f"{middle:.1f}\t{middle - half:.1f}\t{middle + half:.1f}\t{moves:.2f}"
        command = f"experiments/{self.script} {self.argument}"
        self.rows.append(f"{self.game}\t{what}\t{len(scores)}\t{figures}\t{date.today()}\t{command}\n")

    def carry_out(self):
        self.grow()
        if "played" in self.plan:
            self.build(self.plan["played"])
        pool, together = self.plan["pool"], []
        for number, (name, opponent) in enumerate(pool.items()):
            pairs = self.compare(name, opponent, self.plan["games"] // len(pool), SEED + number)
            together += pairs
            if len(pool) > 1:
                self.tell(f"-{name}", pairs)
        self.tell("", together)
        for number, (name, opponent) in enumerate(self.plan["others"].items()):
            self.tell(f"-{name}", self.compare(name, opponent, self.plan["games"] // 3, SEED + 10 + number))
        self.keep(self.game)

    def keep(self, name):
        """Rows of the same name are replaced, and the commands kept under a name."""
        others = [HEAD]
        if RESULTS.exists():
            lines = RESULTS.read_text().splitlines(True)
            told = {tuple(row.split("\t")[:2]) for row in [HEAD, *self.rows]}
            others = [HEAD, *(line for line in lines if tuple(line.split("\t")[:2]) not in told)]
        RESULTS.write_text("".join(others + self.rows))
        (HERE / "commands").mkdir(exist_ok=True)
        (HERE / "commands" / f"{name}.txt").write_text("\n".join(self.commands) + "\n")
        print("".join(self.rows))


def prepared(words):
    """The folder of an experiment, with the commands that it needs on the PATH."""
    folder = Path(words[2] if len(words) > 2 else ROOT / "target/experiments" / words[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if "TABIA" in os.environ:
        programs = Path(os.environ["TABIA"]).resolve().parent
    else:
        build = "cargo build --quiet --release --locked -p tabia-cli -p tabia-match"
        subprocess.run(build.split(), cwd=ROOT, check=True)
        programs = ROOT / "target/release"
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}:/usr/games"
    return folder


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in PLANS:
        sys.exit(__doc__)
    Experiment(sys.argv[1], prepared(sys.argv)).carry_out()
