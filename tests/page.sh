#!/usr/bin/env bash
# Plays through the page of `tabia serve` in a real browser (tests/page.mjs), with small books of each game that are built here. Needs Debian's chromium, and
# playwright-core and axe-core from npm. Skipped, and said so, where they can't be had.
# tests/page.sh [BOOK]: also prints how long a move takes in a large book of chess. TABIA names a command that is built already,
# ONLY a pattern of the names of the tests to run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh
for command in node npm chromium; do have $command "the page" || exit 0; done
mkdir -p target/page
node_with playwright-core@1 axe-core@4 || exit 0
find_tabia

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$work"' EXIT
data=tools/cli/tests/data
build() { "$tabia" build --quiet -o "$work/$1.tabia" "${@:2}"; }
# Part of it is in its journal.
build club --ratings --years --games tests/sample.pgn
"$tabia" add --quiet "$work/club.tabia" "$data/players.pgn"
head -900 tests/sample.pgn > "$work/rival.pgn"
build rival "$work/rival.pgn"
build othello --game othello "$data/othello.pgn"
build go --game go-9 "$data/go.sgf"
build draughts --game checkers "$data/checkers.pdn"
build international --game draughts-10 "$data/draughts.pdn"
printf '%s\n' '4 4 4 1-0' '3 4 0-1' > "$work/four.lines"
build four --game connect4-7x6 "$work/four.lines"
printf '%s\n' 'b2 a1 c3 1-0' 'b2 a3 1/2-1/2' > "$work/three.lines"
build three --game tic-tac-toe "$work/three.lines"
build house --game crazyhouse "$data/variants.pgn"
build checks --game three-check "$data/variants.pgn"
build hill --game king-of-the-hill "$data/variants.pgn"
"$tabia" grow --quiet "$work/grown.tabia" --game othello --nodes 500 --budget 12expansions
# A shelf: of each line its speed, its players' rating, its month, how many games, and their moves.
games=0
while read -r speed rating month count moves; do
    for _ in $(seq "$count"); do
        games=$((games + 1))
        printf '[Event "e"]\n[Site "%s"]\n[White "w"]\n[Black "b"]\n[Result "1-0"]\n[WhiteElo "%s"]\n[BlackElo "%s"]\n[TimeControl "%s"]\n[UTCDate "%s.01"]\n\n%s 1-0\n\n' \
            "$games" "$rating" "$rating" "$speed" "$month" "$moves"
    done
done > "$work/online.pgn" << 'GAMES'
180+2 1650 2024.01 30 1. e4 e5 2. Nf3
180+2 1850 2024.01 12 1. e4 c5 2. Nf3
180+2 1850 2024.03 5 1. d4 d5 2. c4
600+5 1650 2024.03 25 1. d4 Nf6 2. c4
600+5 1850 2024.03 3 1. c4 e5 2. Nc3
GAMES
"$tabia" build --quiet -o "$work/online" --shelf speed,rating,month --ratings --games "$work/online.pgn"
# A name as no honest file has it: it must be shown as the text that it is.
printf 'eco\tname\tpgn\nB00\t<script>alert(1)</script> Opening\t1. e4\nC20\tOpen Game\t1. e4 e5\n' > "$work/names.tsv"

books=()
for name in club rival othello go draughts international four three house checks hill grown; do books+=("$work/$name.tabia"); done
books+=("$work/online")
[ $# -eq 0 ] || books+=("large=$1")
"$tabia" serve "${books[@]}" --names "$work/names.tsv" --edit --bind 127.0.0.1:0 2> "$work/log" &
server=$!
for _ in $(seq 100); do
    grep -q 'serving on' "$work/log" && break
    sleep 0.1
done
address=$(sed -n 's/.*serving on \(http:[^ ]*\).*/\1/p' "$work/log")
token=$(sed -n 's/.*token \([0-9a-f]*\).*/\1/p' "$work/log")
[ -n "$address" ] || { cat "$work/log" >&2; exit 1; }
site=
if "$tabia" site --help > /dev/null 2>&1; then
    site=$work/site
    "$tabia" site "$work/club.tabia" "$work/othello.tabia" --names "$work/names.tsv" -o "$site"
    "$tabia" site "$work/house.tabia" "$work/checks.tabia" "$work/hill.tabia" -o "$work/variants-site"
    "$tabia" site "$work/online" -o "$work/shelf-site" > /dev/null 2> "$work/site-note"
    grep -q 'this is a shelf' "$work/site-note" || { echo "tests/page.sh: tabia site says nothing of a shelf" >&2; exit 1; }
fi
# What the page saves is read by the command, and PGN by python-chess, where that is.
python_with chess || python=
TABIA=$tabia PYTHON=$python RIVAL=$work/rival.tabia VARIANTS=$work/variants-site node tests/page.mjs "$address" "$token" "$site" "${ONLY:-}"
