"""What the tests of `tabia serve` share: the server, and archives as text."""

import io
import json
import re
import signal
import subprocess
import urllib.error
import urllib.request

import jsonschema
import referencing
import referencing.jsonschema
import zstandard

SPEEDS = {"blitz": "180+2", "rapid": "600+5"}
GROUPS = [1600, 1800, 2000, 2200]
MONTHS = ["2024-01", "2024-02", "2024-03"]


def disguised(pgn, chance):
    """The games, with other tags."""
    games = re.split(r"(?=^\[Event )", pgn, flags=re.M)
    for game in filter(str.strip, games):
        kept = [line for line in game.splitlines() if not re.match(r"\[(TimeControl|WhiteElo|BlackElo|Date|UTCDate) ", line)]
        group = chance.choice(GROUPS)
        # Averages of a half, too: they belong to the lower group.
        low = chance.randrange(group, group + 200)
        high = 2 * group + 399 - low
        ratings = chance.choice([[low, low], [high, low], [low, min(low + 1, group + 199)]])
        tags = [
            f'[TimeControl "{SPEEDS[chance.choice(list(SPEEDS))]}"]',
            f'[WhiteElo "{ratings[0]}"]',
            f'[BlackElo "{ratings[1]}"]',
            f'[UTCDate "{chance.choice(MONTHS).replace("-", ".")}.{chance.randrange(1, 29):02}"]',
        ]
        yield "\n".join([kept[0], *tags, *kept[1:]]) + "\n\n"


def text_of(archive, games):
    """The archive as text, cut after so many games."""
    raw = open(archive, "rb")
    if str(archive).endswith(".zst"):
        raw = zstandard.ZstdDecompressor().stream_reader(raw)
    lines, seen = [], 0
    for line in io.TextIOWrapper(raw, "latin-1"):
        seen += line.startswith("[Event ")
        if games and seen > games:
            break
        lines.append(line)
    return "".join(lines)


class Served:
    """`tabia serve` on a port of its own."""

    def __init__(self, tabia, *arguments):
        self.process = subprocess.Popen(
            [tabia, "serve", *arguments, "--bind", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True
        )
        for line in self.process.stderr:
            if found := re.search(r"http://[0-9.:]+", line):
                self.url = found[0]
                return
        raise SystemExit("tabia serve ended at once")

    def get(self, target, **headers):
        request = urllib.request.Request(self.url + target, headers=headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(30) == 0, "SIGTERM is a good end"


class Described:
    """What a server says of its own interface, to hold its answers against."""

    def __init__(self, served):
        self.served = served
        described = json.loads(served.get("/v1/openapi.json")[2])
        resource = referencing.Resource.from_contents(described, default_specification=referencing.jsonschema.DRAFT202012)
        self.registry = referencing.Registry().with_resource("urn:tabia", resource)

    def check(self, value, name):
        schema = {"$ref": f"urn:tabia#/components/schemas/{name}"}
        jsonschema.Draft202012Validator(schema, registry=self.registry).validate(value)

    def get(self, target, name):
        """An answer, which is as the description says."""
        status, _, body = self.served.get(target)
        assert status == 200, (target, status, body)
        value = json.loads(body)
        self.check(value, name)
        return value

    def books(self):
        books = json.loads(self.served.get("/v1/books")[2])["books"]
        for book in books:
            self.check(book, "Book")
        return books
