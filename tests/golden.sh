#!/usr/bin/env bash
# The golden files against the program that writes them, and larger ones, of several pieces, which are made anew for this and not committed: the engine and the
# readers in C and Python on those. With xxhash from PyPI in an environment in target/. Skipped, and said so, where it can't be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

environment=target/golden-python
tests/python_environment.sh "$environment" xxhash || exit 0
golden=format-spec/golden
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$environment/bin/python" "$golden/make_golden.py" --check
"$environment/bin/python" "$golden/make_golden.py" --large "$folder"
cc -std=c99 -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined format-spec/reader.c -o "$folder/reader"
for books in "$golden" "$folder"; do
    "$environment/bin/python" "$golden/check_reader.py" "$folder/reader" --folder "$books"
    "$environment/bin/python" "$golden/check_reader.py" --python --folder "$books"
    "$environment/bin/python" "$golden/check_journals.py" "$books"
done
TABIA_GOLDEN=$folder cargo nextest run --locked -p tabia --test engine golden::valid golden::invalid golden::nothing
