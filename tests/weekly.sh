#!/usr/bin/env bash
# A year of weekly archives makes the book of all of them: the master games in 52 parts, each with the last tenth of the part before it again under other
# bytes. The first part is built with filters and without copies, the others are added one by one, and the book is compacted; it has the positions, moves and
# facts of one build of all parts, as many games, and the same counts, but for copies that differ in what they say of the result: of these the first one
# counts where games are added, and where all are read at once the one that says most.
# tests/weekly.sh [COMMAND]: with this `tabia`, or target/release/tabia. Skipped, and said so, without the archive.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
archive=../shared/data/chess/masters.pgn.zst
[ -e "$archive" ] || { echo "skipped: $archive is not there"; exit 0; }
tabia=${1:-}
[ -n "$tabia" ] || { cargo build --quiet --release --locked -p tabia-cli; tabia=${CARGO_TARGET_DIR:-target}/release/tabia; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

zstd -dc "$archive" | python3 -c '
import re, sys
folder, text = sys.argv[1], sys.stdin.buffer.read()
starts = [found.start() for found in re.finditer(rb"^\[Event ", text, re.M)] + [len(text)]
games = len(starts) - 1
week = -(-games // 52)
for number in range(52):
    first, end = number * week, min((number + 1) * week, games)
    again = first - week // 10 if number else first
    part = text[starts[again]:starts[first]].replace(b"[Event \"", b"[Event \"Again: ") + text[starts[first]:starts[end]]
    open(f"{folder}/week{number:02}.pgn", "wb").write(part)
' "$folder"

options=(--dedup exact --min-rating 2300 --max-ply 60)
start=$(date +%s.%N)
"$tabia" build -q -o "$folder/weekly.tabia" "${options[@]}" "$folder/week00.pgn" >/dev/null
for week in $(seq -w 1 51); do
    "$tabia" add -q "$folder/weekly.tabia" "$folder/week$week.pgn" >/dev/null
done
added=$(date +%s.%N)
journal=$(stat -c %s "$folder/weekly.tabia-journal")
"$tabia" compact -q "$folder/weekly.tabia" >/dev/null
compacted=$(date +%s.%N)
"$tabia" build -o "$folder/whole.tabia" "${options[@]}" "$folder"/week*.pgn >"$folder/said" 2>/dev/null
built=$(date +%s.%N)

"$tabia" diff "$folder/weekly.tabia" "$folder/whole.tabia" >"$folder/diff" || true
tail -4 "$folder/diff"
for table in positions moves; do
    grep -q "^$table .*, 0 only in the first, 0 only in the second" "$folder/diff" || { echo "other $table" >&2; exit 1; }
done
# Where results don't count, nothing differs: that the first copy counts shows in results only.
for book in weekly whole; do
    "$tabia" build -q -o "$folder/$book-unknown.tabia" "${options[@]}" --results unknown "$folder"/week00.pgn $([ $book = whole ] && ls "$folder"/week*.pgn | tail -n +2) >/dev/null
done
for week in $(seq -w 1 51); do
    "$tabia" add -q "$folder/weekly-unknown.tabia" "$folder/week$week.pgn" >/dev/null
done
"$tabia" diff "$folder/weekly-unknown.tabia" "$folder/whole-unknown.tabia" >"$folder/diff" || true
tail -4 "$folder/diff"
for table in positions moves; do
    grep -q "^$table .* the same, 0 changed, 0 only in the first, 0 only in the second" "$folder/diff" || { echo "other $table without results" >&2; exit 1; }
done
for book in weekly whole; do "$tabia" info "$folder/$book.tabia" | grep -E "^(digest|copies|sources)"; done
grep -E "games in|left out" "$folder/said"
games() { "$tabia" info "$folder/$1.tabia" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["games"])'; }
[ "$(games weekly)" = "$(games whole)" ] || { echo "$(games weekly) and $(games whole) games" >&2; exit 1; }
python3 -c '
import sys
start, added, compacted, built, journal = map(float, sys.argv[1:])
print(f"52 weeks {added - start:.1f} s, compact {compacted - added:.1f} s, at once {built - compacted:.1f} s; journal {journal / 1e6:.0f} MB")
' "$start" "$added" "$compacted" "$built" "$journal"
