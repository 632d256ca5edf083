"""Whether the sums of a shelf are those of books built with the same filters.

shelf.py TABIA ARCHIVE FILTERS GAMES: takes the archive's first GAMES games (0: all) and gives each, drawn at random, a time control, ratings and a date as lichess's
archives have them: 2 speeds, 4 groups of ratings, 3 months. Builds a shelf of these 24 slices and serves it; for so many random filters every count that /lichess tells
of some positions must be that of a book built with this filter, and all that our own interface tells what it tells of that book.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from serving import GROUPS, MONTHS, SPEEDS, Described, Served, disguised, text_of

def drawn(chance):
    """A filter: as /lichess takes it, and as `tabia build` does."""
    speeds = chance.sample(list(SPEEDS), chance.randrange(1, 3))
    first = chance.randrange(len(GROUPS))
    groups = GROUPS[first : chance.randrange(first, len(GROUPS)) + 1]
    since = chance.randrange(len(MONTHS))
    until = chance.randrange(since, len(MONTHS))
    asked = f"speeds={','.join(speeds)}&ratings={','.join(map(str, groups))}&since={MONTHS[since]}&until={MONTHS[until]}"
    highest = groups[-1] + 199 if groups[-1] < 2200 else 2499
    built = ["--time-control", ",".join(speeds), "--rating-of", "average", "--min-rating", str(groups[0]), "--max-rating", str(highest)]
    return asked, [*built, "--since", MONTHS[since], "--until", MONTHS[until]]


def nameless(answer):
    """What is told, but for what the book is called."""
    return {name: value for name, value in answer.items() if name not in ("book", "by", "books")}


def same(described, book, asked, play):
    """Whether our own interface tells the same of a choice of the shelf as of a book built so; how much was compared."""
    both = [f"book=shelf&{asked}", "book=book"]
    for what, name in [("explore?", "Explored"), ("play?rule=lcb&", "Decided"), ("play?rule=performance&", "Decided"), ("games?top=100&", "Games")]:
        of_shelf, of_book = (
            nameless(one.get(f"/v1/chess/{what}play={play}&{which}", name)) for one, which in zip((described, book), both)
        )
        assert of_shelf == of_book, (what, asked, play, of_shelf, of_book)
    return len(of_shelf["games"])


def walked(described, book, asked):
    """The same of a coverage by all games, and of the differences from them."""
    by = "".join(f"&by_{word}" for word in asked.split("&"))
    of_shelf = described.get(f"/v1/chess/coverage?book=shelf&by=shelf{by}&plies=4&{asked}", "Covered")
    assert nameless(of_shelf) == nameless(book.get("/v1/chess/coverage?book=book&by=book&plies=4", "Covered")), asked
    first = "".join(f"&first_{word}" for word in asked.split("&"))
    compared = described.get(f"/v1/chess/diff?first=shelf&second=shelf{first}", "Compared")
    chosen, whole = (described.get(f"/v1/chess/explore?book=shelf&{words}", "Explored") for words in (asked, ""))
    assert compared["games"] == [chosen["whole"], whole["whole"]], (asked, compared)


def main():
    tabia, archive, filters, games = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        part, shelf = f"{folder}/games.pgn", f"{folder}/shelf"
        Path(part).write_text("".join(disguised(text_of(archive, games), chance)), "latin-1")
        kind = ["--ratings", "--years", "--games", "--max-ply", "12"]
        subprocess.run([tabia, "-q", "build", "-o", shelf, "--shelf", "speed,rating,month", *kind, part], check=True)
        slices = json.loads(Path(shelf, "shelf.json").read_text())["slices"]
        served = Served(tabia, shelf)
        described = Described(served)
        (told_of,) = described.books()
        assert told_of["facets"] == {"speeds": list(SPEEDS), "ratings": GROUPS, "since": MONTHS[0], "until": MONTHS[-1]}, told_of
        assert told_of["slices"] == len(slices) and told_of["games"], told_of
        try:
            compared = months = passing = 0
            for number in range(filters):
                asked, built = drawn(chance)
                book = f"{folder}/{number}/book.tabia"
                Path(book).parent.mkdir()
                subprocess.run([tabia, "-q", "build", "--allow-empty", "-o", book, *kind, *built, part], check=True)
                served_book = Served(tabia, book)
                try:
                    of_book = Described(served_book)
                    for play in ["", "e2e4", "e2e4,c7c5", "g1f3,d7d5", "a2a4,a7a5,a1a2"]:
                        passing += same(described, of_book, asked, play)
                    walked(described, of_book, asked)
                finally:
                    served_book.end()
                for play in ["", "e2e4", "d2d4", "e2e4,c7c5", "g1f3,d7d5"]:
                    status, headers, body = served.get(f"/lichess?play={play}&moves=500&history=true&{asked}")
                    headers = {name.lower() for name in headers}
                    assert status == 200 and "x-tabia-ignored" not in headers, (asked, status, headers)
                    node = json.loads(body)
                    told = {move["uci"]: (move["white"], move["draws"], move["black"], move["averageRating"]) for move in node["moves"]}
                    line = ["--moves", play.replace(",", " ")] if play else []
                    explored = json.loads(subprocess.run([tabia, "explore", book, "--json", *line], check=True, capture_output=True).stdout)
                    turn = -1 if play.count(",") % 2 == 0 and play else 1
                    expected = {
                        move["uci"]: (*[move["wins"], move["draws"], move["losses"]][::turn], int(move["average_rating"] + 0.5))
                        for move in explored["moves"]
                    }
                    castled = {"e1g1": "e1h1", "e8g8": "e8h8", "e1c1": "e1a1", "e8c8": "e8a8"}
                    expected = {castled.get(uci, uci): counts for uci, counts in expected.items()}
                    assert told == expected, (asked, play, told, expected)
                    # Until is given: the last month is told, too, and months add up.
                    total = [sum(month[side] for month in node["history"]) for side in ("white", "draws", "black")]
                    assert total == [node["white"], node["draws"], node["black"]], (asked, node)
                    compared += len(told)
                    months += len(node["history"])
            assert compared and months and passing, "nothing was compared"
            assert served.get("/lichess?speeds=bullet")[2] and json.loads(served.get("/lichess?speeds=bullet")[2])["white"] == 0
            assert served.get("/lichess?ratings=x")[0] == 400
        finally:
            served.end()
        print(
            f"a shelf of {len(slices)} slices: {filters} filters, {compared} moves, {months} months, {passing} best games: "
            "all sums are those of books built so"
        )


main()
