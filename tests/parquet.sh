#!/usr/bin/env bash
# Whether DuckDB and pyarrow read the Parquet files of `tabia dump`, and `tabia load` theirs: tests/parquet.py, with both from PyPI in an environment in
# target/. Skipped, and said so, where they can't be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

environment=target/parquet-python
tests/python_environment.sh "$environment" duckdb pyarrow || exit 0
cargo build --quiet --locked -p tabia-cli
"$environment/bin/python" tests/parquet.py "${CARGO_TARGET_DIR:-target}/debug/tabia" tests/sample.pgn
