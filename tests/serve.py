"""Whether clients of lichess's opening explorer take `tabia serve` for it.

serve.py TABIA ARCHIVE POSITIONS GAMES FILTERS: builds a book of the archive's first GAMES games (0: all) within 24 plies, serves it, and asks for so many positions, drawn
along the book's moves, by berserk: every count must be that of `tabia explore --json`, and that of the games, replayed by python-chess. Then so many filters, by years of a
book, by speeds, ratings and months of a shelf, and of a book that knows nothing of these: each is obeyed, as a replay shows, or refused.
"""

import collections
import contextlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

import berserk
import chess
import chess.pgn
import jsonschema
import referencing
import referencing.jsonschema
import yaml

from serving import GROUPS, MONTHS, SPEEDS, Described, Served, disguised, text_of

SCHEMAS = Path("../shared/data/reference/lichess_explorer")
NAMES = Path("../shared/data/reference/chess_openings")
PLIES = 24


def counts_of(pgn, wanted):
    """For each wanted position (as `key_of`), the games of each of its moves: wins of White, draws, wins of Black. A game counts once for each. Those of games that
    python-chess can't read to their end, of which Tabia may read some, stand apart."""
    found, doubtful = ({key: {} for key in wanted} for _ in range(2))
    place = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
    file = io.StringIO(pgn)
    while (game := chess.pgn.read_game(file)) is not None:
        result = place.get(game.headers.get("Result"))
        if result is None:
            continue
        into = doubtful if game.errors else found
        board, seen = game.board(), set()
        for ply, move in enumerate(game.mainline_moves()):
            if ply == PLIES:
                break
            key = key_of(board)
            if key in found and (key, move) not in seen:
                seen.add((key, move))
                into[key].setdefault(board.uci(move, chess960=True), [0, 0, 0])[result] += 1
            board.push(move)
    return found, doubtful


def key_of(board):
    """What tells positions apart as Polyglot's keys do: en passant counts where an enemy pawn stands beside."""
    square = None
    if board.ep_square is not None:
        pawns = board.pieces(chess.PAWN, board.turn)
        rank = 4 if board.turn == chess.WHITE else 3
        file = chess.square_file(board.ep_square)
        beside = [chess.square(f, rank) for f in (file - 1, file + 1) if 0 <= f < 8]
        square = board.ep_square if any(at in pawns for at in beside) else None
    return board.board_fen(), board.turn, board.clean_castling_rights(), square


def schema_checker():
    """Checks an answer by a schema of the public interface; nothing where they aren't."""
    if not SCHEMAS.is_dir():
        print("skipped: the schemas of lichess's explorer aren't here")
        return lambda name, answer: None
    registry = referencing.Registry()
    for path in SCHEMAS.glob("*.yaml"):
        contents = yaml.safe_load(path.read_text())
        resource = referencing.Resource.from_contents(contents, default_specification=referencing.jsonschema.DRAFT202012)
        registry = registry.with_resource(f"./{path.name}", resource).with_resource(path.name, resource)

    def check(name, answer):
        schema = {"$ref": f"{name}.yaml"}
        jsonschema.Draft202012Validator(schema, registry=registry).validate(answer)

    try:
        check("OpeningExplorerMasters", {"white": 0})
    except jsonschema.ValidationError:
        return check
    raise AssertionError("the schemas refuse nothing")


def explored(tabia, book, board, line):
    """What `tabia explore --json` says, with moves as explorers write them and counts as White sees them."""
    arguments = [tabia, "explore", book, "--json"]
    if line:
        arguments += ["--moves", " ".join(move.uci() for move in line)]
    answer = json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)
    moves = {}
    for move in answer["moves"]:
        counts = [move["wins"], move["draws"], move["losses"]]
        moves[board.uci(board.parse_san(move["san"]), chess960=True)] = counts if board.turn else counts[::-1]
    return moves


def walk(tabia, book, count):
    """Positions of the book: each some random moves of the book from the start."""
    chance, found = random.Random(1), {}
    while len(found) < count:
        board, line = chess.Board(), []
        for _ in range(chance.randrange(12)):
            known = explored_cached(tabia, book, board, tuple(line))
            if not known:
                break
            uci = chance.choices(list(known), [sum(counts) for counts in known.values()])[0]
            move = board.parse_uci(uci) if board.is_legal(chess.Move.from_uci(uci)) else castling(board, uci)
            line.append(move)
            board.push(move)
        before = len(found)
        found.setdefault(key_of(board), (board, tuple(line)))
        walk.idle = 0 if len(found) > before else getattr(walk, "idle", 0) + 1
        if walk.idle > 200:
            break
    return found


def castling(board, uci):
    """A castling move of the king to its own rook, as python-chess has it in usual chess."""
    return next(move for move in board.legal_moves if board.uci(move, chess960=True) == uci)


def explored_cached(tabia, book, board, line, known={}):
    if line not in known:
        known[line] = explored(tabia, book, board, line)
    return known[line]


def main():
    tabia, archive, (positions, games, filters) = sys.argv[1], sys.argv[2], map(int, sys.argv[3:6])
    with tempfile.TemporaryDirectory() as folder:
        pgn = text_of(archive, games)
        part, book = f"{folder}/games.pgn", f"{folder}/masters.tabia"
        Path(part).write_text(pgn, "latin-1")
        subprocess.run([tabia, "-q", "build", "-o", book, "--ratings", "--games", "--max-ply", str(PLIES), part], check=True)
        names = ["--names", str(NAMES)] if NAMES.is_dir() else []
        served = Served(tabia, book, *names, "--player-games", part)
        try:
            found = compare(served, tabia, book, pgn, positions)
            games_behind(served, found)
            own(served, found)
            traps(served)
            player(served, pgn)
            blindbase(served)
        finally:
            served.end()
        filtered(tabia, folder, pgn, filters)


def compare(served, tabia, book, pgn, positions):
    """Every count by three ways."""
    check = schema_checker()
    client = berserk.Client(base_url=served.url, explorer_url=served.url)
    found = walk(tabia, book, positions)
    replayed, doubtful = counts_of(pgn, found)
    certain = 0
    for key, (board, line) in found.items():
        play = [move.uci() for move in line]
        for answer, schema in [
            (client.opening_explorer.get_masters_games(play=play, moves=500), "OpeningExplorerMasters"),
            (client.opening_explorer.get_masters_games(position=board.fen(), moves=500), "OpeningExplorerMasters"),
            (client.opening_explorer.get_lichess_games(play=play, moves=500, history=True), "OpeningExplorerLichess"),
        ]:
            check(schema, answer)
            moves = {move["uci"]: [move["white"], move["draws"], move["black"]] for move in answer["moves"]}
            assert moves == explored_cached(tabia, book, board, line), (board.fen(), moves)
            for uci in moves.keys() | replayed[key].keys():
                least = replayed[key].get(uci, [0] * 3)
                most = map(sum, zip(least, doubtful[key].get(uci, [0] * 3)))
                told = moves.get(uci, [0] * 3)
                assert all(a <= b <= c for a, b, c in zip(least, told, most)), (board.fen(), uci, told, least)
            certain += moves == replayed[key]
            sums = [sum(counts[place] for counts in moves.values()) for place in range(3)]
            assert [answer["white"], answer["draws"], answer["black"]] == sums, board.fen()
            order = [sum(counts) for counts in moves.values()]
            assert order == sorted(order, reverse=True), board.fen()
    assert sum(map(bool, replayed.values())) > len(found) / 2, "hardly any position has moves"
    print(
        f"{len(found)} positions, asked for in three ways each: all counts are those of `tabia explore` and of the games replayed "
        f"({certain} of {3 * len(found)} answers to the game, the others but for games that python-chess can't read)"
    )
    return found


def games_behind(served, found):
    """The games behind positions: each passes it by the move it is told for, and is read by python-chess; single games are told with their move."""
    client = berserk.Client(base_url=served.url, explorer_url=served.url)
    told = single = 0
    for key, (board, line) in list(found.items())[:50]:
        node = client.opening_explorer.get_masters_games(play=[move.uci() for move in line], moves=500, top_games=15)
        for game in node["topGames"]:
            text = client.opening_explorer.get_otb_master_game(game["id"])
            replayed = chess.pgn.read_game(io.StringIO(text))
            assert not replayed.errors and replayed.headers["White"] == (game["white"]["name"] or "?"), text
            passed, at = [], replayed.board()
            for move in replayed.mainline_moves():
                passed.append((key_of(at), at.uci(move, chess960=True)))
                at.push(move)
            assert (key, game["uci"]) in passed, (board.fen(), game)
            told += 1
        for move in node["moves"]:
            alone = move["white"] + move["draws"] + move["black"] == 1
            assert (move["game"] is not None) == alone, move
            if alone:
                assert (move["game"]["winner"] == "white") == (move["white"] == 1), move
                single += 1
    assert told > len(found) / 4 and single, (told, single)
    assert served.get("/masters/pgn/00000000")[0] == 404 and served.get("/master/pgn/nonsense")[0] == 404
    print(f"{told} top games pass their positions, {single} moves of a single game name it")


def own(served, found):
    """Our own interface answers as its own description says."""
    described = Described(served)
    assert [book["name"] for book in described.books()] == ["masters"]
    for board, line in list(found.values())[:30]:
        play = ",".join(move.uci() for move in line)
        described.get(f"/v1/chess/explore?play={play}", "Explored")
        described.get(f"/v1/chess/play?play={play}&rule=lcb", "Decided")
        described.get(f"/v1/chess/games?play={play}", "Games")
        described.get(f"/v1/chess/diff?first=masters&second=masters&play={play}", "Compared")
    described.get("/v1/chess/coverage?book=masters&by=masters", "Covered")
    print("our own interface answers as its description says")


def traps(served):
    """What clients do that is easily got wrong."""
    client = berserk.Client(base_url=served.url, explorer_url=served.url)
    # Underscores, pluses and %20 are spaces.
    fen = chess.STARTING_FEN
    answers = {served.get("/masters?fen=" + fen.replace(" ", space))[2] for space in ["_", "+", "%20"]}
    assert len(answers) == 1
    node = json.loads(answers.pop())
    assert "opening" in node and node["opening"] is None and node["moves"][0]["game"] is None
    # A game that castles: the king takes its own rook, however the client writes it.
    before = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"]
    for castles in ["e1g1", "e1h1"]:
        status, _, _ = served.get("/masters?play=" + ",".join([*before, castles]))
        assert status == 200, castles
    # A trailing comma, an empty list, Accept of something else, an address of old.
    for target in ["/masters?play=", "/lichess?play=&ratings=&speeds=", "/master", "/lichess/history?fen=" + fen.replace(" ", "_")]:
        assert served.get(target, Accept="application/x-chess-pgn")[0] == 200, target
    for target in ["/masters?fen=nonsense", "/masters?play=e2e5", "/lichess?history=perhaps"]:
        status, headers, body = served.get(target)
        assert status == 400 and headers["content-type"].startswith("text/plain") and body.startswith(b"bad request: ")
    try:
        client.analysis.get_cloud_evaluation(fen=fen)
        raise AssertionError("this book has no evals")
    except berserk.exceptions.ResponseError as error:
        assert error.status_code == 404
    print("traps: one line, spaces, nulls, castling, empty lists, errors, as clients expect them")


def words(name):
    """The words of a player's name."""
    return re.findall(r"[^\W_]+", name.lower())


def player(served, pgn):
    """A player's book, made of the archive when berserk asks for it: of the one with the most games with White of those that are spelled in one way."""
    names = collections.Counter(re.findall(r'^\[White "(.+)"\]', pgn, re.M))
    spellings = collections.Counter(frozenset(words(name)) for name in names)
    name = next(name for name, _ in names.most_common() if spellings[frozenset(words(name))] == 1)
    ours = [text for text in re.split(r"^(?=\[Event )", pgn, flags=re.M) if f'[White "{name}"]' in text]
    start = key_of(chess.Board())
    replayed, doubtful = counts_of("".join(ours), {start})
    client = berserk.Client(base_url=served.url, explorer_url=served.url)
    for _ in range(2):
        answer = client.opening_explorer.get_player_games(player=name, color="white")
        # Archives of other sites don't say how fast games were, and whether they were rated.
        whole = [{"speed": "blitz", "mode": "rated", **game} for game in answer["recentGames"]]
        for move in answer["moves"]:
            move["game"] = move["game"] and {"speed": "blitz", "mode": "rated", **move["game"]}
        schema_checker()("OpeningExplorerPlayer", {**answer, "recentGames": whole})
        moves = {move["uci"]: [move["white"], move["draws"], move["black"]] for move in answer["moves"]}
        assert moves == replayed[start] or doubtful[start], (name, moves, replayed[start])
        told = [(game["year"], game["month"]) for game in answer["recentGames"]]
        assert told == sorted(told, reverse=True) and all(game["white"]["name"] == name for game in answer["recentGames"]), told
        # What is there now is one line: berserk takes the last line of a stream, lichess-bot parses all of it at once.
        body = served.get("/player?color=white&player=" + urllib.parse.quote(name), Accept="application/json")[2]
        assert body.count(b"\n") == 1 and json.loads(body)["recentGames"] == answer["recentGames"]
    print(f"the book of {name} is made when it is asked for: {sum(map(sum, moves.values()))} games with White, as replayed")


@contextlib.contextmanager
def quiet():
    """Nothing on standard error: what blindbase plays sounds with complains where there is no sound."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def blindbase(served):
    """A program for blind players, which asks without a token."""
    with quiet():
        from blindbase.core import opening_tree
    opening_tree.API_URL = served.url + "/masters"
    told = opening_tree.get_master_moves(chess.Board())
    node = json.loads(served.get("/masters")[2])
    expected = [(move["san"], move["white"], move["draws"], move["black"]) for move in node["moves"]]
    assert told == expected[: len(told)] and told, (told, expected)
    print(f"blindbase shows {len(told)} moves")


# A position with a move of both is counted game by game if it has so many at most.
MOST_COUNTED = 1000

# A game as a filter sees it, with how it ended: 0 to 2, from White's win to Black's.
Told = collections.namedtuple("Told", "year month speed group ratings ended")


def games_of(texts):
    """Those of these games that python-chess reads to their end and whose moves no other one has."""
    seen = set()
    for text in filter(str.strip, texts):
        game = chess.pgn.read_game(io.StringIO(text))
        moves = tuple(move.uci() for move in game.mainline_moves())
        if game.errors or moves in seen or game.headers.get("FEN") or game.headers.get("Result") not in ENDED:
            continue
        seen.add(moves)
        yield text, game


ENDED = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}


def replay(games):
    """For each position of these games (as `key_of`), its moves with the games that made them; and the lines that lead there."""
    found, lines = {}, {}
    classes = {control: speed for speed, control in SPEEDS.items()}
    for _, game in games:
        headers = game.headers
        date = headers.get("UTCDate", headers.get("Date", "")).split(".")
        year, month = (int(part) if part.isdigit() else None for part in (date + ["", ""])[:2])
        elos = [headers.get(side, "") for side in ("WhiteElo", "BlackElo")]
        ratings = [int(elo) if elo.isdigit() else 0 for elo in elos]
        group = max((least for least in GROUPS if least <= sum(ratings) // 2), default=0)
        told = Told(year or None, month or None, classes.get(headers.get("TimeControl")), group, ratings, ENDED[headers["Result"]])
        board, seen, line = game.board(), set(), []
        for move in list(game.mainline_moves())[:PLIES]:
            key, uci = key_of(board), board.uci(move, chess960=True)
            lines.setdefault(key, ",".join(line))
            if (key, uci) not in seen:
                seen.add((key, uci))
                found.setdefault(key, {}).setdefault(uci, []).append(told)
            line.append(uci)
            board.push(move)
    return found, lines


def counted(games):
    """Counts as they are told."""
    return tuple(sum(game.ended == ended for game in games) for ended in range(3))


def by_years(moves, since, until):
    """What /masters is to tell of moves, and whether that needs a look at each game: a game of unknown year counts where all others of its move do."""
    expected, is_mixed = {}, False
    for uci, games in moves.items():
        known = [game.year for game in games if game.year]
        if not known or since > until or max(known) < since or min(known) > until:
            continue
        is_whole = since <= min(known) and max(known) <= until
        is_mixed |= not is_whole
        told = games if is_whole else [game for game in games if game.year and since <= game.year <= until]
        if told:
            expected[uci] = counted(told)
    return expected, is_mixed


def spelled(month, chance):
    """A month as one client or another writes it."""
    year, number = month.split("-")
    return chance.choice([f"{year}-{number}", f"{year}-{int(number)}", f"{year}/{number}", f"{year}/{int(number)}"])


def ask(served, target):
    """The moves with their counts; nothing if it is refused."""
    status, headers, body = served.get(target)
    # A variant of chess that is known may have no book here.
    assert (status in (200, 400) or status == 404 and "variant=" in target) and "x-tabia-ignored" not in {name.lower() for name in headers}, (target, status, headers, body)
    if status != 200:
        return None, body.decode()
    node = json.loads(body)
    moves = {move["uci"]: (move["white"], move["draws"], move["black"]) for move in node["moves"]}
    assert tuple(node[side] for side in ("white", "draws", "black")) == tuple(map(sum, zip(*moves.values(), (0, 0, 0)))), target
    return moves, node


def filtered(tabia, folder, pgn, filters):
    """So many filters, each of three positions."""
    chance = random.Random(2)
    build = [tabia, "-q", "build", "--max-ply", str(PLIES), "--ratings"]
    sound = list(games_of(re.split(r"(?=^\[Event )", pgn, flags=re.M)))
    Path(f"{folder}/sound.pgn").write_text("".join(text for text, _ in sound), "latin-1")
    dressed = list(games_of(disguised("".join(text for text, _ in sound), chance)))
    Path(f"{folder}/dressed.pgn").write_text("".join(text for text, _ in dressed), "latin-1")
    subprocess.run([*build, "--years", "--games", "-o", f"{folder}/years.tabia", f"{folder}/sound.pgn"], check=True)
    subprocess.run([*build, "-o", f"{folder}/plain.tabia", f"{folder}/sound.pgn"], check=True)
    subprocess.run([*build, "--games", "-o", f"{folder}/shelf", "--shelf", "speed,rating,month", f"{folder}/dressed.pgn"], check=True)
    served = Served(tabia, f"masters={folder}/years.tabia", f"lichess={folder}/shelf")
    plain = Served(tabia, f"{folder}/plain.tabia")
    years, months = replay(sound), replay(dressed)
    played = sorted(game.year for moves in years[0].values() for games in moves.values() for game in games if game.year)
    obeyed, refused, inexact, moves_told = collections.Counter(), collections.Counter(), 0, 0
    try:
        for number in range(filters):
            kind = ("years", "shelf", "plain")[number % 5 // 2]
            for _ in range(3):
                found, lines = months if kind == "shelf" else years
                # Near the start there are games, and far from it few.
                key = chance.choice(list(found)[: chance.choice([20, 300, len(found)])])
                moves, play = found[key], lines[key]
                if kind == "years":
                    since, until = sorted(chance.choice(played) + chance.choice([0, 0, 1, -1]) for _ in range(2))
                    bounds = chance.choice([(since, until), (since, 3000), (1, until), (until, since)])
                    target = f"/masters?play={play}&moves=500&since={bounds[0]}&until={bounds[1]}"
                    expected, is_mixed = by_years(moves, *bounds)
                    told, node = ask(served, target)
                    total = sum(map(len, moves.values()))
                    if told is None:
                        assert is_mixed, (target, node)
                        assert total > MOST_COUNTED or "not just those" in node, (target, node)
                        refused[kind] += 1
                        inexact += total <= MOST_COUNTED
                        continue
                    assert not is_mixed or total <= MOST_COUNTED, target
                    assert all(bounds[0] <= game["year"] <= bounds[1] for game in node["topGames"] if game["year"]), target
                elif kind == "shelf":
                    speeds = chance.sample(list(SPEEDS), chance.randrange(1, 3))
                    groups = chance.sample(GROUPS, chance.randrange(1, 5))
                    first = chance.randrange(len(MONTHS))
                    last = chance.randrange(first, len(MONTHS))
                    target = (
                        f"/lichess?play={play}&moves=500&speeds={','.join(speeds)}&ratings={','.join(str(group + chance.randrange(200)) for group in groups)}"
                        f"&since={spelled(MONTHS[first], chance)}&until={spelled(MONTHS[last], chance)}"
                    )
                    told, node = ask(served, target)
                    mover = play.count(",") % 2 == 0 and play != ""
                    wanted = {
                        uci: [
                            game
                            for game in games
                            if game.speed in speeds and game.group in groups and MONTHS[first] <= f"{game.year}-{game.month:02}" <= MONTHS[last]
                        ]
                        for uci, games in moves.items()
                    }
                    wanted = {uci: games for uci, games in wanted.items() if games}
                    expected = {uci: counted(games) for uci, games in wanted.items()}
                    averages = {uci: int(sum(game.ratings[mover] for game in games) / len(games) + 0.5) for uci, games in wanted.items()}
                    assert {move["uci"]: move["averageRating"] for move in node["moves"]} == averages, target
                    assert all(game["speed"] in speeds for game in node["topGames"] + node["recentGames"]), target
                else:
                    target = chance.choice(
                        [
                            f"/lichess?play={play}&speeds={chance.choice(list(SPEEDS))}",
                            f"/lichess?play={play}&ratings={chance.choice(GROUPS)}",
                            f"/lichess?play={play}&since={spelled(chance.choice(MONTHS), chance)}",
                            f"/lichess/history?play={play}&until={spelled(chance.choice(MONTHS), chance)}",
                            f"/masters?play={play}&since={chance.choice(played)}",
                            f"/masters?play={play}&until={chance.choice(played)}",
                            f"/masters?since={chance.choice(['abc', '2014-05', '0', '3001', '-1'])}",
                            f"/lichess?until={chance.choice(['2014', '2014-13', '2014-0', '2014.05', '14-05-01'])}",
                            f"/lichess?variant={chance.choice(['atomic', 'horde', 'crazyhouse'])}",
                        ]
                    )
                    assert ask(plain, target)[0] is None, target
                    refused[kind] += 1
                    continue
                assert told == expected, (target, told, expected)
                obeyed[kind] += 1
                moves_told += len(told)
    finally:
        plain.end()
        served.end()
    assert min(obeyed["years"], obeyed["shelf"], refused["plain"]) > filters / 3 and inexact <= obeyed["years"] / 20, (obeyed, refused, inexact)
    print(
        f"{filters} filters of three positions each: {obeyed['years']} by years and {obeyed['shelf']} of a shelf were obeyed, {moves_told} moves as replayed, 0 wrong; "
        f"{refused['years']} by years were refused ({inexact} of few games), and all {refused['plain']} that the book can't obey"
    )


main()
