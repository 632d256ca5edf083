#!/usr/bin/env bash
# Whether DuckDB and pyarrow read the Parquet files of `tabia dump`, and `tabia load` theirs: tests/parquet.py, with both from PyPI in an environment in
# target/. Skipped, and said so, where they can't be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

environment=target/parquet-python
if ! { [ -x "$environment/bin/python" ] || python3 -m venv "$environment"; } >/dev/null 2>&1 ||
    ! "$environment/bin/pip" install --quiet --disable-pip-version-check duckdb pyarrow >/dev/null 2>&1; then
    echo "skipped: DuckDB and pyarrow can't be installed from PyPI"
    exit 0
fi
cargo build --quiet --locked -p tabia-cli
"$environment/bin/python" tests/parquet.py "${CARGO_TARGET_DIR:-target}/debug/tabia" tests/sample.pgn
