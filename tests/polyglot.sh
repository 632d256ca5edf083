#!/usr/bin/env bash
# Whether other programs read the Polyglot books and suites of `tabia export`: tests/polyglot.py, with python-chess from PyPI in an environment in target/,
# and Debian's polyglot and stockfish if they are installed. Skipped, and said so, where python-chess can't be installed.
# tests/polyglot.sh [BOOK-OR-ARCHIVE [POSITIONS]]: the games of tests/sample.pgn by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

environment=target/polyglot-python
tests/python_environment.sh "$environment" chess || exit 0
cargo build --quiet --locked -p tabia-cli
"$environment/bin/python" tests/polyglot.py "${CARGO_TARGET_DIR:-target}/debug/tabia" "${1:-tests/sample.pgn}" "${2:-1000}"
