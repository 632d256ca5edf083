#!/usr/bin/env bash
# How many requests a second `tabia serve` answers, beside a plain axum server that says a word (tools/serve/examples/hello.rs): Debian's wrk with 2 threads and 16
# connections on loopback, in turns, medians of 5; and while the book is replaced again and again, how many answers were wrong.
# benches/serve.sh BOOK [SECONDS [SWAPS]]: a book of chess; 5 seconds a run and 1,000 swaps by default. OLDER=COMMAND measures that tabia, too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

book=$1 seconds=${2:-5} swaps=${3:-1000}
. tests/tools.sh
have wrk "requests a second" || exit 0
cargo build --quiet --release --locked -p tabia-cli
cargo build --quiet --release --locked -p tabia-serve --example hello
programs=$(realpath "${CARGO_TARGET_DIR:-target}/release")
folder=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT

"$programs/examples/hello" 127.0.0.1:9013 &
started+=($!)
# serve NAME BOOK PORT [COMMAND]: serves it, and waits until it can be asked.
serve() {
    "${4:-$programs/tabia}" serve "$2" --bind "127.0.0.1:$3" 2>"$folder/$1" &
    started+=($!)
    until grep -q "serving on" "$folder/$1"; do sleep 0.1; done
}
serve tables "$book" 9012
[ -z "${OLDER:-}" ] || serve older "$book" 9015 "$OLDER"

# What is asked: 200 positions that the book's own moves lead to, one after the other.
cat >"$folder/ask.lua" <<'END'
local lines = {}
for line in io.lines(os.getenv("LINES_FILE")) do lines[#lines + 1] = line end
local at = 0
request = function()
    at = at % #lines + 1
    return wrk.format("GET", os.getenv("TARGET") .. lines[at])
end
done = function(summary, latency)
    local bad = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
    io.write(string.format("%.0f %.2f %.2f %d\n", summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000, bad))
end
END
python3 - "$folder/lines" <<'END'
import json, random, sys, urllib.request
chance, lines = random.Random(1), []
while len(lines) < 200:
    play = []
    for _ in range(chance.randrange(12)):
        node = json.load(urllib.request.urlopen("http://127.0.0.1:9012/masters?play=" + ",".join(play)))
        if not node["moves"]:
            break
        weights = [move["white"] + move["draws"] + move["black"] for move in node["moves"]]
        play.append(chance.choices(node["moves"], weights)[0]["uci"])
    lines.append(",".join(play))
open(sys.argv[1], "w").write("\n".join(lines) + "\n")
END

# measure PORT TARGET: requests a second, median and 99th percentile in milliseconds, failures.
measure() {
    LINES_FILE=$3 TARGET=$2 wrk -t2 -c16 -d"${seconds}s" -s "$folder/ask.lua" "http://127.0.0.1:$1" | tail -1
}
echo >"$folder/nothing"
for run in 1 2 3 4 5; do
    echo "hello $(measure 9013 / "$folder/nothing")"
    echo "masters $(measure 9012 '/masters?play=' "$folder/lines")"
    echo "explore $(measure 9012 '/v1/chess/explore?play=' "$folder/lines")"
    [ -z "${OLDER:-}" ] || echo "older-masters $(measure 9015 '/masters?play=' "$folder/lines")"
    [ -z "${OLDER:-}" ] || echo "older-explore $(measure 9015 '/v1/chess/explore?play=' "$folder/lines")"
done | tee "$folder/runs"
python3 - "$folder/runs" <<'END'
import statistics, sys
runs = {}
for line in open(sys.argv[1]):
    name, *figures = line.split()
    runs.setdefault(name, []).append([float(figure) for figure in figures])
hello = None
for name, rows in runs.items():
    rate, half, last, bad = (statistics.median(column) for column in zip(*rows))
    hello = hello or rate
    print(f"{name:13} {rate:9,.0f} requests/s  {rate / hello:5.2f} of hello  median {half:.2f} ms  p99 {last:.2f} ms  {bad:.0f} failed")
END

# Swaps: two books of other plies, by turns, under load. Each answer must be of one of them.
"$programs/tabia" -q build --force -o "$folder/one.tabia" tests/sample.pgn
"$programs/tabia" -q build --force -o "$folder/two.tabia" --max-ply 1 tests/sample.pgn
cp "$folder/one.tabia" "$folder/swapped.tabia"
serve swapped "$folder/swapped.tabia" 9014
python3 - "$folder" "$swaps" <<'END'
import os, shutil, sys, threading, urllib.request
folder, swaps = sys.argv[1], int(sys.argv[2])
target = "http://127.0.0.1:9014/masters?play=e2e4"
def ask():
    with urllib.request.urlopen(target, timeout=30) as answer:
        return answer.read()
def put(name):
    shutil.copy(f"{folder}/{name}.tabia", f"{folder}/next")
    os.replace(f"{folder}/next", f"{folder}/swapped.tabia")
right = set()
for name in ["one", "two"]:
    put(name)
    right.add(ask())
assert len(right) == 2, "both books say the same"
ends, asked, wrong, failed = threading.Event(), [0], [0], [0]
def load():
    while not ends.is_set():
        try:
            wrong[0] += ask() not in right
        except OSError:
            failed[0] += 1
        asked[0] += 1
threads = [threading.Thread(target=load) for _ in range(4)]
for thread in threads:
    thread.start()
for swap in range(swaps):
    put(["one", "two"][swap % 2])
ends.set()
for thread in threads:
    thread.join()
print(f"{swaps:,} swaps: {asked[0]:,} requests meanwhile, {wrong[0]} wrong, {failed[0]} failed")
END
