#!/usr/bin/env bash
# Whether python-chess reads the games with variations of `tabia tree --record`, and `tabia build --variations` makes the same book of them: tests/records.py.
# Skipped, and said so, where python-chess can't be installed.
# tests/records.sh [BOOK-OR-ARCHIVE [GAMES]]: the games of tests/sample.pgn by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

environment=target/polyglot-python
if ! { [ -x "$environment/bin/python" ] || python3 -m venv "$environment"; } >/dev/null 2>&1 ||
    ! "$environment/bin/pip" install --quiet --disable-pip-version-check chess >/dev/null 2>&1; then
    echo "skipped: python-chess can't be installed from PyPI"
    exit 0
fi
cargo build --quiet --locked -p tabia-cli
"$environment/bin/python" tests/records.py "${CARGO_TARGET_DIR:-target}/debug/tabia" "${1:-tests/sample.pgn}" "${2:-1}"
