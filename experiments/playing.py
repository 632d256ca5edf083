#!/usr/bin/env python3
"""What books grown by playing win: experiments/playing.py GAME [FOLDER]

Grows a book of one of the games below by games of its player against a pool of opponents, then plays
matches with fresh seeds: the player with the book, and the player without it, against the same pool;
and both against opponents that growing never met. Books and games are in FOLDER
(target/experiments/GAME); an experiment that was interrupted goes on there. The results go to
results.tsv, with the commands that make them in figures/GAME.txt.

Needs: cargo; for chess stockfish (Debian 12's, 15.1); for draughts shared/data/checkers/oca.pdn.
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
# Of a match nothing is known before: other seeds than growing has.
SEED = 20261126

CHESS = ["Use NNUE=false", "Hash=1", "Threads=1"]


def own(game, nodes):
    return f"tabia engine --game {game} --nodes {nodes}"


# budget: of growing, in expansions, so that anybody gets the same book. pool: what the player meets
# while its book grows; unmet: what it never met, by name; games: of a match, both colours together.
GAMES = {
    "chess": {
        "budget": 400,
        "player": "stockfish",
        "options": CHESS,
        "nodes": ("800..1200", "250..4000"),
        "pool": ["stockfish"],
        "unmet": {"x4": ("stockfish", "1000..16000", CHESS), "nnue": ("stockfish", "100..400", CHESS[1:])},
        "games": 3000,
    },
    "othello": {
        "budget": 600,
        "player": own("othello", "800..1200"),
        "pool": [own("othello", "250..4000")],
        "unmet": {"x4": (own("othello", "1000..16000"),), "rhino": ("gtp-rhino -l 2 -b 0 -r 2",)},
        "games": 4000,
    },
    "go-9": {
        "budget": 300,
        "player": own("go-9", "80..120"),
        "pool": [own("go-9", "25..400")],
        "unmet": {"x4": (own("go-9", "100..1600"),)},
        "games": 2400,
    },
    "checkers": {
        "budget": 600,
        "player": own("checkers", "800..1200"),
        "pool": [
            own("checkers", "250..4000"),
            'tabia play -q --protocol gtp oca.tabia --rule "random(games)" --max-ply 12 -- '
            + own("checkers", "250..4000"),
        ],
        "unmet": {"x4": (own("checkers", "1000..16000"),)},
        "games": 4000,
    },
}


def run(command, folder, **options):
    print("$", shlex.join(command), flush=True)
    return subprocess.run(command, cwd=folder, check=True, **options)


def games_of(path):
    """Of each game of a match its number, the side of its first engine, its points, its book moves."""
    text, found = path.read_text(errors="replace"), {}
    for line in re.findall(r"tabia-match 1 [^\])}\n]*", text):
        facts = dict(word.split("=", 1) for word in line.split()[2:])
        is_first = facts["first"] == "first"
        white = {"1-0": 1.0, "0-1": 0.0}.get(facts["result"], 0.5)
        book = facts["book"].split(",")[0]
        found[int(facts["game"])] = (is_first, white if is_first else 1 - white, int(book or 0))
    return found


def interval(values):
    """A mean of percents, and half of its 95 % interval."""
    return mean(values), 1.96 * stdev(values) / sqrt(len(values))


def row(game, what, scores, moves, command):
    middle, half = interval([100 * score for score in scores])
    figures = f"{middle:.1f}\t{middle - half:.1f}\t{middle + half:.1f}\t{moves:.2f}"
    return f"{game}\t{what}\t{len(scores)}\t{figures}\t{date.today()}\t{command}\n"


def main():
    game = sys.argv[1]
    plan = GAMES[game]
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "target/experiments" / game).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    build = ["cargo", "build", "--quiet", "--release", "--locked", "-p", "tabia-cli", "-p", "tabia-match"]
    run(build, ROOT)
    os.environ["PATH"] = f"{ROOT / 'target/release'}:{os.environ['PATH']}:/usr/games"
    if game == "checkers" and not (folder / "oca.tabia").exists():
        archive = str(DATA / "checkers/oca.pdn")
        run(["tabia", "build", "-q", "--game", game, "-o", "oca.tabia", archive], folder)

    is_uci = game == "chess"
    options = plan.get("options", [])
    grow = ["tabia", "grow", "book.tabia", "--game", game, "--method", "playing", "--seed", "1"]
    grow += ["--budget", f"{plan['budget']}expansions", "--workers", "2"]
    if game == "checkers":
        grow.append("oca.tabia")
    if is_uci:
        grow += [word for option in options for word in ("--option", option)] + ["--nodes", "1000"]
        grow += ["--", "stockfish"]
    else:
        nodes = {"go-9": "100"}.get(game, "1000")
        grow += ["--nodes", nodes] + [word for opponent in plan["pool"] for word in ("--opponent", opponent)]
    with open(folder / "grow.log", "a") as log:
        run(grow, folder, stderr=log)

    protocol = "uci" if is_uci else "gtp"
    with_book = f"tabia play -q --protocol {protocol} book.tabia --rule always -- {plan['player']}"
    opponents = {"": [(pool, plan.get("nodes", (None, None))[1], options) for pool in plan["pool"]]}
    opponents |= {f"-{name}": [(*one, None, None)[:3]] for name, one in plan["unmet"].items()}
    rows, commands = [], [shlex.join(grow)]
    for name, members in opponents.items():
        found = {}
        for arm, player in (("book", with_book), ("none", plan["player"])):
            found[arm] = []
            for number, (opponent, nodes, settings) in enumerate(members):
                count = plan["games"] // len(members) // (1 if not name else 3)
                games = folder / f"{arm}{name}-{number}.games"
                match = ["tabia-match", "--game", game, "--first", player, "--second", opponent]
                match += ["--games", str(count // 2 * 2), "--seed", str(SEED + number)]
                if is_uci:
                    match += ["--nodes", plan["nodes"][0], "--second-nodes", nodes]
                    match += [word for option in options for word in ("--first-option", option)]
                    match += [word for option in settings for word in ("--second-option", option)]
                match += ["--concurrency", "2", "--resume", "--output", games.name]
                with open(folder / f"{arm}{name}-{number}.log", "a") as log:
                    run(match, folder, stdout=log, stderr=log)
                found[arm].append(games_of(games))
                commands.append(shlex.join(match))
        pairs = []
        for book, none in zip(found["book"], found["none"]):
            pairs += [(book[at], none[at]) for at in sorted(book.keys() & none.keys())]
        moves = mean(book[2] for book, _ in pairs)
        rows.append(row(game, f"playing{name}", [book[1] for book, _ in pairs], moves, f"playing.py {game}"))
        rows.append(row(game, f"none{name}", [none[1] for _, none in pairs], 0, f"playing.py {game}"))
        for colour, wanted in (("", (True, False)), ("-first", (True,)), ("-second", (False,))):
            those = [(book, none) for book, none in pairs if book[0] in wanted]
            gains = [0.5 + book[1] - none[1] for book, none in those]
            moves = mean(book[2] for book, _ in those)
            rows.append(row(game, f"playing-none{name}{colour}", gains, moves, f"playing.py {game}"))
    others = [HEAD]
    if RESULTS.exists():
        others = [line for line in RESULTS.read_text().splitlines(True) if not line.startswith(f"{game}\t")]
    RESULTS.write_text("".join(others + rows))
    (HERE / "figures").mkdir(exist_ok=True)
    (HERE / "figures" / f"{game}.txt").write_text("\n".join(commands) + "\n")
    print("".join(rows))


if __name__ == "__main__":
    main()
