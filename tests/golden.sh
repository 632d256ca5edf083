#!/usr/bin/env bash
# The golden files against the program that writes them, and larger ones, of several pieces, which are made anew for this and not committed: the engine and the
# readers in C and Python on those. With xxhash from PyPI. Skipped, and said so, where it can't be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

python_with xxhash || exit 0
golden=format-spec/golden
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" "$golden/make_golden.py" --check
"$python" "$golden/make_golden.py" --large "$folder"
cc -std=c99 -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined format-spec/reader.c -o "$folder/reader"
for books in "$golden" "$folder"; do
    "$python" "$golden/check_reader.py" "$folder/reader" --folder "$books"
    "$python" "$golden/check_reader.py" --python --folder "$books"
    "$python" "$golden/check_journals.py" "$books"
done
TABIA_GOLDEN=$folder cargo test --quiet --workspace --locked --test engine -- golden::valid golden::invalid golden::nothing
