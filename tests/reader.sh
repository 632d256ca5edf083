#!/usr/bin/env bash
# Whether the reader in Python, format-spec/reader.py, finds every row of a rated book of master games: tests/reader.py.
# tests/reader.sh [MEGABYTES]: of so much of the archive, 20 if not said (some 30,000 games). Skipped, and said so, without the archive.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/tools.sh

archive=../shared/data/chess/masters.pgn.zst
[ -r "$archive" ] || { skip "the reader on master games: $archive is not there"; exit 0; }
have zstdcat "the reader on master games" || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(zstdcat "$archive" || true) 2>/dev/null | head -c "$((${1:-20} * 1000000))" >"$folder/masters.pgn"
tabia=${TABIA:-${CARGO_TARGET_DIR:-target}/release/tabia}
[ -n "${TABIA:-}" ] || cargo build --quiet --release --locked -p tabia-cli
"$tabia" build --ratings --years --games -o "$folder/masters.tabia" "$folder/masters.pgn" >"$folder/said" 2>/dev/null
"$tabia" dump "$folder/masters.tabia" -o "$folder/masters.tsv" >>"$folder/said" 2>/dev/null
python3 tests/reader.py "$folder/masters.tabia" "$folder/masters.tsv"
