#!/usr/bin/env bash
# Whether other programs read the Polyglot books and suites of `tabia export`: tests/polyglot.py, with python-chess from PyPI,
# and Debian's polyglot and stockfish if they are installed. Skipped, and said so, where python-chess can't be installed.
# tests/polyglot.sh [BOOK-OR-ARCHIVE [POSITIONS]]: the games of tests/sample.pgn by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

python_with chess || exit 0
find_tabia
"$python" tests/polyglot.py "$tabia" "${1:-tests/sample.pgn}" "${2:-1000}"
