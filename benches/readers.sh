#!/usr/bin/env bash
# What a probe costs in Rust, C, Python and JavaScript, of a plain book and the same one packed, beside chess.polyglot and a binary search in C on the exported .bin:
# one table, measured in turns in one run, and the bytes of code that tabia.h adds to an engine.
# benches/readers.sh BOOK [ROUNDS]: a plain book of chess with 3.1 million positions at least; 15 rounds by default. Installs its packages from PyPI into target/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

book=$(realpath "$1") rounds=${2:-15}
. tests/tools.sh
environment=target/python readers=tools/readers
python_with 'numpy>=1.23' 'chess>=1.10' hatchling 'maturin>=1.7,<2' || exit 0
have node "probes in JavaScript" || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cargo build --quiet --release --locked -p tabia-cli
tabia=$(realpath "${CARGO_TARGET_DIR:-target}/release/tabia")
cargo build --quiet --release --locked --manifest-path "$readers/python/benches/rust/Cargo.toml" --target-dir "$PWD/target/reader-python-probes"
for program in asked asked_polyglot; do
    gcc -O2 -std=c99 -o "$folder/$program" "$readers/c/bench/$program.c"
done
PATH=$PWD/$environment/bin:$PATH CARGO_TARGET_DIR=$PWD/target/reader-python-engine "$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall "$readers/python" "$readers/python/engine"

"$tabia" -q pack "$book" -o "$folder/packed.tabia"
"$tabia" -q export polyglot "$book" -o "$folder/book.bin" --weight games --unchecked
"$python" "$readers/python/benches/probes.py" --rounds "$rounds" \
    --program "Rust=$PWD/target/reader-python-probes/release/tabia-probes" --program "C=$folder/asked" --program "JavaScript=node $readers/js/bench/asked.js" \
    --polyglot "$folder/asked_polyglot" "$book" "$folder/packed.tabia" "$folder/book.bin"

# code LEVEL HEADER MACRO: bytes of code and constants of the header's functions.
code() {
    printf '#define %s\n#include "%s"\n' "$3" "$2" | gcc "$1" -std=c99 -I "$readers/c" -x c -c -o "$folder/code.o" -
    size "$folder/code.o" | awk -v name="$2 $1" 'END { print name ": " $1 " bytes" }'
}
for level in -O2 -Os; do
    code "$level" tabia.h TABIA_IMPLEMENTATION
    code "$level" tabia_chess.h TABIA_CHESS_IMPLEMENTATION
done
