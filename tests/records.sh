#!/usr/bin/env bash
# Whether python-chess reads the games with variations of `tabia tree --record`, and `tabia build --variations` makes the same book of them: tests/records.py.
# Skipped, and said so, where python-chess can't be installed.
# tests/records.sh [BOOK-OR-ARCHIVE [GAMES]]: the games of tests/sample.pgn by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

python_with chess || exit 0
find_tabia
"$python" tests/records.py "$tabia" "${1:-tests/sample.pgn}" "${2:-1}"
