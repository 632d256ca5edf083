#!/usr/bin/env bash
# Whether DuckDB and pyarrow read the Parquet files of `tabia dump`, and `tabia load` theirs: tests/parquet.py, with both from PyPI. Skipped, and said so, where they can't be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

python_with duckdb pyarrow || exit 0
find_tabia
"$python" tests/parquet.py "$tabia" tests/sample.pgn
