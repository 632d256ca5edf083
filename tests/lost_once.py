#!/usr/bin/env python3
"""Counts how many games of a match the first player lost, and how many of these alike: by the games
file of tabia-match (PGN, SGF, GGF, PDN, lines). Prints `games won drawn lost alike`."""
import re
import sys

text = open(sys.argv[1]).read()
facts = re.compile(
    r"tabia-match 1 contest=\S+ game=(\d+) opening=\d+ first=(\w+) result=(\S+) reason=\S+ plies=\d+"
)
games, begin = [], 0
for found in facts.finditer(text):
    body = text[begin : found.start()]
    # The rest of the facts is another one in each game.
    begin = text.index("\n", found.end())
    if "(;" in body:
        moves = re.findall(r"([BW])\[([^\]]*)\]", body.split("(;")[-1])
        moves = [side + move.split("/")[0].lower() for side, move in moves]
    else:
        # Without tags, comments, numbers and results.
        body = re.sub(r"(?m)^\[.*$|^#.*$", " ", body)
        body = re.sub(r"\{[^}]*\}|\{$", " ", body)
        moves = [word for word in body.split() if not re.fullmatch(r"\d+\.+|1-0|0-1|1/2-1/2", word)]
    won_by = {"1-0": "first", "0-1": "second"}.get(found[3])
    result = "drawn" if won_by is None else "won" if won_by == found[2] else "lost"
    games.append((result, found[2], tuple(moves)))
lost = [(side, moves) for result, side, moves in games if result == "lost"]
assert all(moves for _, _, moves in games), "a game without moves"
count = lambda result: sum(1 for one in games if one[0] == result)
print(len(games), count("won"), count("drawn"), count("lost"), len(lost) - len(set(lost)))
