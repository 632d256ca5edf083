#!/usr/bin/env bash
# Whether python-chess counts the same ratings in a real archive: tests/ratings.py, with python-chess from PyPI.
# tests/ratings.sh [GAMES]: of so many games, 20,000 if not said, 0 for all. Skipped, and said so, without the archive or where it can't be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/tools.sh

archive=../shared/data/chess/masters.pgn.zst
[ -r "$archive" ] || { skip "ratings: $archive is not there"; exit 0; }
python_with chess zstandard || exit 0
find_tabia
"$python" tests/ratings.py "$tabia" "$archive" "${1:-20000}"
