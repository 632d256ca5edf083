#!/usr/bin/env bash
# Whether python-chess reads the games with variations of `tabia tree --record`, and `tabia build --variations` makes the same book of them: tests/records.py.
# Skipped, and said so, where python-chess can't be installed.
# tests/records.sh [BOOK-OR-ARCHIVE [GAMES]]: the games of tests/sample.pgn by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

environment=target/polyglot-python
tests/python_environment.sh "$environment" chess || exit 0
cargo build --quiet --locked -p tabia-cli
"$environment/bin/python" tests/records.py "${CARGO_TARGET_DIR:-target}/debug/tabia" "${1:-tests/sample.pgn}" "${2:-1}"
