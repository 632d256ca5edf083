#!/usr/bin/env bash
# Whether clients of lichess's opening explorer take `tabia serve` for it: tests/serve.py, with berserk, blindbase, python-chess and jsonschema from PyPI, unpatched but for the host. Answers are held against the schemas of the public interface where ../shared/data has them, against
# `tabia explore --json`, and against the games, replayed by python-chess. Skipped, and said so, where the packages can't be installed.
# Then tests/shelf.py: sums of a shelf against books built with the same filters.
# tests/serve.sh [ARCHIVE [POSITIONS [GAMES [FILTERS [REPLAYED]]]]]: the games of tests/sample.pgn, 100 positions, all games, 10 filters against books and 300 against
# a replay by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

python_with 'berserk>=0.14' blindbase chess jsonschema numpy pyyaml referencing scipy zstandard || exit 0
find_tabia
"$python" tests/serve.py "$tabia" "${1:-tests/sample.pgn}" "${2:-100}" "${3:-0}" "${5:-300}"
"$python" tests/shelf.py "$tabia" "${1:-tests/sample.pgn}" "${4:-10}" "${3:-0}"
