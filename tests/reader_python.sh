#!/usr/bin/env bash
# The reader in Python (tools/readers/python) and its compiled part: makes both wheels from the tree, installs them in an environment in target/, and runs all
# tests there: golden files right and wrong, damaged books and journals, random books against `tabia dump`, Arrow with polars, pyarrow and duckdb, python-chess
# on exported books, Ctrl-C, types (mypy --strict) and doctests. Then, in a fresh environment, the reader alone with nothing but numpy, and the README's ten lines.
# Large books are read where TABIA_BOOKS (/tmp/books by default) has them, the master games where ../shared/data does. Skipped, and said so, where PyPI can't be
# reached; without the compiled part where its crates can't be had.
# tests/reader_python.sh [FUZZED]: how many damaged books, and how many journals; 4,000 each by default. TABIA names a command that is there
# already; without it the one of this tree is built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

environment=target/python
reader=tools/readers/python
python_with 'numpy>=1.23' 'chess>=1.10' 'duckdb>=1.2' hatchling matplotlib 'maturin>=1.7,<2' 'mypy>=1.11' 'polars>=1.3' 'pyarrow>=15' 'pytest>=8' xxhash || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

find_tabia
export TABIA=$tabia

PATH=$PWD/$environment/bin:$PATH "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$folder" "$reader"
if CARGO_TARGET_DIR=$PWD/target/reader-python-engine PATH=$PWD/$environment/bin:$PATH \
    "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$folder" "$reader/engine" >"$folder/log" 2>&1; then
    wheels=("$folder"/*.whl)
elif grep -qiE "failed to (download|fetch|get)|spurious network|could not resolve" "$folder/log"; then
    skip "the compiled reader in Python: its crates can't be had"
    wheels=("$folder"/tabia-*.whl)
else
    cat "$folder/log"
    exit 1
fi
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "${wheels[@]}"
TABIA_FUZZ=${1:-4000} "$python" -m pytest -q -rs "$reader/tests" --rootdir "$reader" -p no:cacheprovider | tee "$folder/log"
# Large books are for `TABIA_BOOKS=FOLDER tests/reader_python.sh`: every other skip is one.
grep '^SKIPPED' "$folder/log" | grep -v TABIA_BOOKS | while read -r _ tests place reason; do skip "$tests tests of the reader in Python, $place $reason"; done

python3 -m venv "$folder/fresh"
fresh=$folder/fresh/bin
"$fresh/pip" install --quiet --disable-pip-version-check numpy pytest "$folder"/tabia-0*.whl
"$fresh/python" -c 'import importlib.util as u, tabia; assert not any(map(u.find_spec, ("xxhash", "chess", "tabia_engine")))'
"$fresh/python" -m pytest -q "$reader/tests/test_golden.py" --rootdir "$reader" -p no:cacheprovider
if [ ${#wheels[@]} = 2 ]; then
    "$fresh/pip" install --quiet --disable-pip-version-check matplotlib chess "$folder"/tabia_engine-*.whl
    "$fresh/python" -m pytest -q "$reader/tests/test_documentation.py" -k readmes --rootdir "$reader" -p no:cacheprovider
fi
