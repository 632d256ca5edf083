"""An operator's evening: tests/operating.py TABIA."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from prometheus_client.openmetrics.parser import text_string_to_metric_families

TABIA = sys.argv[1]
ROOT = Path(__file__).resolve().parent.parent
OPERATE = ROOT / "tools/serve/operate"


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def soon(what, is_so):
    """Waits until it is so; a minute is for ever."""
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError(f"not so after a minute: {what}")


class Local(http.client.HTTPConnection):
    """A connection to a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def ask(connection, target, **headers):
    connection.request("GET", target, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body.decode()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def nginx(folder, sock):
    """nginx as it is told in the documents, with paths and a port of its own; its port, and its process."""
    port = free_port()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=book.example",
        "-addext", "subjectAltName=DNS:book.example", "-keyout", key, "-out", certificate)
    text = (OPERATE / "nginx.conf").read_text()
    for told, here in [
        ("unix:/run/tabia.sock", f"unix:{sock}"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/book.example.pem", str(certificate)),
        ("/etc/ssl/book.example.key", str(key)),
    ]:
        assert told in text, told
        text = text.replace(told, here)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    )
    configuration = folder / "nginx.conf"
    # Its workers look into a folder of this test alone.
    who = "user root;" if os.getuid() == 0 else ""
    configuration.write_text(
        f"{who} daemon off; pid {folder}/nginx.pid; error_log stderr; events {{}} http {{ access_log off; {temporary}\n{text}\n}}\n"
    )
    process = subprocess.Popen(["nginx", "-e", "stderr", "-c", configuration], stderr=subprocess.DEVNULL)
    trusted = ssl.create_default_context(cafile=certificate)

    class Outside(http.client.HTTPSConnection):
        def connect(self):
            self.sock = trusted.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="book.example")

    def is_up():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    soon("nginx listens", is_up)
    return process, lambda: Outside("book.example")


def started(sock, *arguments):
    """The server on a socket that it is handed, as by systemd."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sock)
    listener.listen(64)

    command = f'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@" 3<&{listener.fileno()}'
    told = open(sock + ".log", "wb")
    process = subprocess.Popen(
        ["/bin/sh", "-c", command, TABIA, "serve", *arguments],
        stderr=told, stdin=subprocess.DEVNULL, pass_fds=[listener.fileno()],
    )
    listener.close()
    return process, lambda: Path(sock + ".log").read_text()


def main(folder):
    books = folder / "books"
    books.mkdir()
    masters = books / "masters.tabia"
    run(TABIA, "build", ROOT / "tests/sample.pgn", "-o", masters)
    draughts = folder / "draughts.tabia"
    run(TABIA, "build", ROOT / "tools/cli/tests/data/draughts.pdn", "-o", draughts)
    good = masters.read_bytes()
    sock = str(folder / "tabia.sock")
    options = re.search(r"^ExecStart=\S+ serve \S+ (.*)$", (OPERATE / "tabia.service").read_text(), re.M)[1].split()
    served, log = started(sock, str(books), *options)
    front = None
    try:
        inside = lambda target, **headers: ask(Local(sock), target, **headers)
        soon("it listens", lambda: "serving on" in log())
        front, connect = nginx(folder, sock)
        outside = lambda target, **headers: ask(connect(), "/book" + target, **headers)

        # What people and programs see from outside.
        status, headers, body = outside("/masters", Origin="https://a.example")
        assert (status, headers["access-control-allow-origin"]) == (200, "*"), (status, headers)
        expected = json.loads(subprocess.run([TABIA, "explore", masters, "--json"], check=True, capture_output=True).stdout)
        whole = {move["uci"]: move["wins"] + move["draws"] + move["losses"] for move in expected["moves"]}
        seen = {move["uci"]: move["white"] + move["draws"] + move["black"] for move in json.loads(body)["moves"]}
        assert seen and all(whole[uci] == games for uci, games in seen.items()), (seen, whole)
        status, _, page = outside("/")
        script = re.search(r'src="(page/[^"]*/main\.js)"', page)[1]
        assert status == 200 and outside("/" + script)[0] == 200
        assert outside("/metrics")[0] == 403
        assert re.search(r'^127\.0\.0\.1 - - \[.*\] "GET /masters HTTP/1\.1" 200 \d+ \d+\.\d+$', log(), re.M), log()
        assert outside("/masters", X_Forwarded_For="203.0.113.9")[0] == 200
        assert '\n203.0.113.9 ' not in log()

        # A bad book in the place of a good one, twice.
        before = json.loads(body)
        spare = folder / "spare"
        for bad in [b"no book", draughts.read_bytes()]:
            spare.write_bytes(bad)
            spare.rename(masters)
            status, headers, body = inside("/masters")
            assert (status, headers["x-tabia-stale"], json.loads(body)) == (200, "true", before), (status, headers)
            health = inside("/healthz")
            assert health[0] == 200 and health[2].startswith("stale: masters: "), health
            assert metric(inside, "tabia_book_stale", book="masters") == 1
            assert metric(inside, "tabia_book_failed_timestamp_seconds", book="masters") > 1e9
            spare.write_bytes(good)
            spare.rename(masters)
            soon("the good book is served again", lambda: inside("/healthz")[2] == "ok\n")
            assert inside("/masters")[1]["x-tabia-stale"] is None
        assert log().count("the book of before is served on") == 2, log()

        # A folder's books come and go.
        names = lambda: [book["name"] for book in json.loads(inside("/v1/books")[2])["books"]]
        masters.unlink()
        soon("what is gone is dropped", lambda: "masters" not in names())
        masters.write_bytes(good)
        shutil.copy(draughts, books / "other.tabia")
        soon("what came is served", lambda: names() == ["masters", "other"])
        (books / "third.tabia").write_bytes(good[: len(good) // 2])
        soon("what is no book is told", lambda: "third.tabia" in log())
        assert names() == ["masters", "other"] and inside("/masters")[0] == 200
        (books / "third.tabia").unlink()

        # A reload takes up names of openings.
        is_named = lambda: json.loads(inside("/v1/books")[2])["books"][0]["named"]
        assert not is_named()
        (books / "chess-openings.tsv").write_text("eco\tname\tpgn\nB00\tKing's Pawn\t1. e4\n")
        served.send_signal(signal.SIGHUP)
        soon("names are read", is_named)
        assert metric(inside, "tabia_requests_total", route="/masters", status="200") >= 4
        assert metric(inside, "process_resident_memory_bytes") > 1e6

        served.send_signal(signal.SIGTERM)
        assert served.wait(60) == 0
    finally:
        for process in filter(None, [front, served]):
            process.terminate()
            process.wait(60)
    print("an operator's evening: socket, nginx, bad books, a folder, metrics, a reload, the end: as told")


def metric(inside, name, **labels):
    """The value that /metrics has, read by somebody else's parser."""
    for family in text_string_to_metric_families(inside("/metrics")[2]):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return sample.value
    raise AssertionError(f"no {name} {labels}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(Path(name))
