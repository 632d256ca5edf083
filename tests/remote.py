"""Books at addresses, by the command: remote.py TABIA FOLDER, a folder with archives 1.pgn, 2.pgn, 3.pgn."""

import http.server
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import boto3

TABIA, FOLDER = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
# Of an account that isn't there; nothing else is asked for credentials.
S3 = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}


def tabia(*words, fails=False):
    """Runs it; a failure has to be one line and exit code 2."""
    done = subprocess.run([TABIA, *map(str, words)], cwd=FOLDER, capture_output=True, text=True, env=os.environ | S3)
    said = [line for line in done.stderr.splitlines() if "bytes from addresses" not in line]
    if fails:
        assert done.returncode == 2 and len(said) == 1, (words, done)
        return said[0]
    assert done.returncode == 0, (words, done)
    return done.stdout


class Faults(http.server.BaseHTTPRequestHandler):
    """Serves FOLDER by ranges; what goes wrong is the first part of an address."""

    protocol_version = "HTTP/1.1"
    asked = {}
    lock = threading.Lock()

    def do_GET(self):
        _, fault, name = self.path.split("/", 2)
        with self.lock:
            number = self.asked[fault] = self.asked.get(fault, 0) + 1
        path = FOLDER / name
        if fault in ("never", "denied", "unmeasured"):
            return self.say({"never": 503, "denied": 403, "unmeasured": 416}[fault])
        if fault == "busy" and number % 9 == 0:
            return self.say(503)
        if fault == "silent":
            self.close_connection = True
            return
        tag = '"one"'
        if fault == "replaced" and name == "whole.tabia" and number > 3:
            path, tag = FOLDER / "other.tabia", '"two"'
        if not path.is_file() or fault == "gone" and name == "whole.tabia" and number > 3:
            return self.say(404)
        body = path.read_bytes()
        first, last = map(int, re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"]).groups())
        part = body[first : last + 1]
        if fault == "whole":
            return self.say(200, body, {"ETag": tag})
        headers = {"ETag": tag, "Content-Range": f"bytes {first}-{first + len(part) - 1}/{len(body)}"}
        if fault == "slow":
            time.sleep(0.02)
        if fault == "short":
            part = part[: len(part) // 2]
        if fault == "damaged" and first:
            part = bytes(len(part))
        is_cut = fault == "cut" and number % 9 == 0
        self.say(206, part, headers, len(part) // 2 if is_cut else len(part))

    def say(self, status, body=b"", headers={}, there=None):
        self.send_response(status)
        for name, value in (headers | {"Content-Length": len(body)}).items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body[:there])
        self.close_connection = there not in (None, len(body))

    def log_message(self, *_):
        pass


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(address):
    for _ in range(300):
        try:
            return urllib.request.urlopen(address, timeout=10).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{address} isn't answered")


def same(one, other):
    for end in ("", "-games", "-fingerprints"):
        left, right = Path(f"{one}{end}"), Path(f"{other}{end}")
        assert left.exists() == right.exists() and (not left.exists() or left.read_bytes() == right.read_bytes()), left


def reads(base, name):
    """What is read at an address is what is read from the file."""
    for words in (["explore"], ["info"], ["check"], ["dump"], ["stats"]):
        verb, *rest = words
        here = tabia(verb, "-q", f"{name}", *rest).replace(str(FOLDER), "")
        assert tabia(verb, "-q", f"{base}/{name}", *rest) == here.replace(name, f"{base}/{name}"), verb
    assert tabia("diff", "-q", f"{base}/{name}", name)


def lacks(base):
    """That games beside a book aren't its own is found there, too."""
    said = []
    for name in ("lacking.tabia", f"{base}/lacking.tabia"):
        done = subprocess.run([TABIA, "check", "-q", name], cwd=FOLDER, capture_output=True, text=True)
        assert done.returncode == 1, done
        said.append(done.stdout.replace(f"{base}/", ""))
    assert said[0] == said[1] != "", said


def merges(base, what):
    """Shares of remote parts, and the book of remote shares, are those of files."""
    for share in (1, 2):
        tabia("step", "-q", "copy.json", f"share-{share}", "--inputs", f"{base}/plan-steps/")
        same(FOLDER / f"copy-steps/share-{share}.tabia", FOLDER / f"plan-steps/share-{share}.tabia")
    tabia("step", "-q", "copy.json", "book", "-o", "book.tabia", "--inputs", f"{base}/plan-steps/")
    same(FOLDER / "book.tabia", FOLDER / "whole.tabia")
    for left in [*FOLDER.glob("book.tabia*"), *FOLDER.glob("copy-steps/*")]:
        left.unlink()
    print(f"{what}: the book of remote parts is that of one build, byte for byte")


def main():
    options = ["--ratings", "--years", "--games", "--dedup", "exact", "1.pgn", "2.pgn", "3.pgn"]
    tabia("build", "-q", "-o", "whole.tabia", *options)
    tabia("build", "-q", "-o", "other.tabia", "3.pgn")
    tabia("pack", "-q", "-o", "packed.tabia", "whole.tabia")
    tabia("build", "-q", "-o", "third.tabia", "--games", "3.pgn")
    for end, of in ("", "whole"), ("-games", "third"), ("-fingerprints", "whole"):
        shutil.copy(FOLDER / f"{of}.tabia{end}", FOLDER / f"lacking.tabia{end}")
    tabia("plan", "-q", "-o", "plan.json", "--parts", 3, "--shares", 2, *options)
    tabia("step", "-q", "plan.json", *(f"part-{n}" for n in (1, 2, 3)), "share-1", "share-2")
    shutil.copy(FOLDER / "plan.json", FOLDER / "copy.json")

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Faults)
    # Who reads ahead hangs up.
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    faults = f"http://127.0.0.1:{server.server_port}"
    for fault in ("none", "busy", "cut", "slow"):
        for name in ("whole.tabia", "packed.tabia"):
            reads(f"{faults}/{fault}", name)
        merges(f"{faults}/{fault}", f"a server of ours, {fault}")
    lacks(f"{faults}/none")
    tabia("merge", "-q", "-o", "there.tabia", "other.tabia")
    before = (FOLDER / "there.tabia").read_bytes()
    for fault, says in {
        "denied": "403", "never": "503", "unmeasured": "416", "silent": "error sending request", "missing": "nothing is there",
        "short": "bytes", "whole": "", "replaced": "another file has come in its place", "gone": "nothing is there",
        "damaged": "",
    }.items():  # fmt: skip
        name = "nothing.tabia" if fault == "missing" else "whole.tabia"
        verbs = [["dump", "-q"], ["merge", "-q", "-o", "there.tabia", "--force"]]
        # Of a server that may come back it takes some seconds to say that it doesn't.
        for verb in verbs[1:] if fault in ("never", "silent") else verbs:
            Faults.asked.clear()
            said = tabia(*verb, f"{faults}/{fault}/{name}", fails=True)
            assert says in said and str(faults) in said, (fault, said)
        assert (FOLDER / "there.tabia").read_bytes() == before and not (FOLDER / "there.tabia-games").exists(), fault
        print(f"a server of ours, {fault}: {said}")
    # What is written to isn't an address; a part of another plan is none of this one.
    assert "address" in tabia("merge", "-o", f"{faults}/none/new.tabia", "whole.tabia", fails=True)
    tabia("build", "-q", "--force", "-o", "plan-steps/part-2.tabia", "3.pgn")
    assert "part-2" in tabia("step", "copy.json", "share-1", "--inputs", f"{faults}/none/plan-steps/", fails=True)
    for left in FOLDER.glob("plan-steps/part-2*"):
        left.unlink()
    tabia("step", "-q", "plan.json", "part-2")

    if shutil.which("nginx"):
        port = free_port()
        (FOLDER / "nginx.conf").write_text(
            f"daemon off; pid {FOLDER}/nginx.pid; error_log {FOLDER}/nginx.err; events {{}}\n"
            f"http {{ access_log off; server {{ listen 127.0.0.1:{port}; root {FOLDER}; }} }}\n"
        )
        FOLDER.chmod(0o755)
        served = subprocess.Popen(["nginx", "-c", FOLDER / "nginx.conf"], stderr=subprocess.DEVNULL)
        try:
            base = f"http://127.0.0.1:{port}"
            wait_for(base)
            reads(base, "whole.tabia")
            merges(base, "nginx")
        finally:
            served.terminate()
            served.wait()
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    os.environ.update({"AWS_ENDPOINT": base, "AWS_ALLOW_HTTP": "true"})
    moto = Path(sys.executable).parent / "moto_server"
    served = subprocess.Popen([moto, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"{base}/moto-api/")
        client = boto3.client(
            "s3", endpoint_url=base, region_name=S3["AWS_REGION"],
            aws_access_key_id=S3["AWS_ACCESS_KEY_ID"], aws_secret_access_key=S3["AWS_SECRET_ACCESS_KEY"],
        )  # fmt: skip
        client.create_bucket(Bucket="books")
        put = lambda name, body: client.put_object(Bucket="books", Key=name, Body=body)
        for path in ["whole.tabia", "whole.tabia-games", "whole.tabia-fingerprints", *(f"plan-steps/{p.name}" for p in FOLDER.glob("plan-steps/*"))]:
            put(path, (FOLDER / path).read_bytes())
        reads("s3://books", "whole.tabia")
        # A folder is the books in it.
        shares = [f"plan-steps/share-{n}.tabia" for n in (1, 2)]
        for share in shares:
            put(share.replace("plan-steps", "set"), (FOLDER / share).read_bytes())
        assert tabia("explore", "-q", "s3://books/set/") == tabia("explore", "-q", "whole.tabia")
        merges("s3://books", "S3 (moto)")
    finally:
        served.terminate()
        served.wait()


main()
