#!/usr/bin/env bash
# Whether clients of lichess's opening explorer take `tabia serve` for it: tests/serve.py, with berserk, blindbase, python-chess and jsonschema from PyPI in an
# environment in target/, unpatched but for the host. Answers are held against the schemas of the public interface where ../shared/data has them, against
# `tabia explore --json`, and against the games, replayed by python-chess. Skipped, and said so, where the packages can't be installed.
# tests/serve.sh [ARCHIVE [POSITIONS [GAMES]]]: the games of tests/sample.pgn, 100 positions and all games by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

environment=target/serve-python
tests/python_environment.sh "$environment" 'berserk>=0.14' blindbase chess jsonschema numpy pyyaml referencing scipy zstandard || exit 0
cargo build --quiet --locked -p tabia-cli
"$environment/bin/python" tests/serve.py "${CARGO_TARGET_DIR:-target}/debug/tabia" "${1:-tests/sample.pgn}" "${2:-100}" "${3:-0}"
