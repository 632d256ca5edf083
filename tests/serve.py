"""Whether clients of lichess's opening explorer take `tabia serve` for it.

serve.py TABIA ARCHIVE POSITIONS GAMES: builds a book of the archive's first GAMES games (0: all) within 24 plies, serves it, and asks for so many positions, drawn
along the book's moves, by berserk: every count must be that of `tabia explore --json`, and that of the games, replayed by python-chess.
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

from serving import Described, Served, text_of

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
    tabia, archive, positions, games = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
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
    for target in ["/masters?play=", "/lichess?ratings=&speeds=", "/master", "/lichess/history?fen=" + fen.replace(" ", "_")]:
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
        schema_checker()("OpeningExplorerPlayer", answer)
        moves = {move["uci"]: [move["white"], move["draws"], move["black"]] for move in answer["moves"]}
        assert moves == replayed[start] or doubtful[start], (name, moves, replayed[start])
        # What is there now is one line: berserk takes the last line of a stream, lichess-bot parses all of it at once.
        body = served.get("/player?color=white&player=" + urllib.parse.quote(name), Accept="application/json")[2]
        assert body.count(b"\n") == 1 and json.loads(body) == answer
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


main()
