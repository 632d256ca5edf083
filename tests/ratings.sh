#!/usr/bin/env bash
# Whether python-chess counts the same ratings in a real archive: tests/ratings.py, with python-chess from PyPI in an environment in target/.
# tests/ratings.sh [GAMES]: of so many games, 20,000 if not said, 0 for all. Skipped, and said so, without the archive or where it can't be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

archive=../shared/data/chess/masters.pgn.zst
if ! [ -r "$archive" ]; then
    echo "skipped: $archive is not here"
    exit 0
fi
environment=target/ratings-python
tests/python_environment.sh "$environment" chess zstandard || exit 0
cargo build --quiet --locked -p tabia-cli
"$environment/bin/python" tests/ratings.py "${CARGO_TARGET_DIR:-target}/debug/tabia" "$archive" "${1:-20000}"
