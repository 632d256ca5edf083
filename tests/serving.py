"""What the tests of `tabia serve` share: the server, and archives as text."""

import io
import re
import signal
import subprocess
import urllib.error
import urllib.request

import zstandard


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
