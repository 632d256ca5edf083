#!/usr/bin/env bash
# Each kind of user from packaged files alone, as registries would give them, to a first answer: Rust (a book from an archive, then the library alone), Python,
# JavaScript, C; with the seconds of each. Of this tree nothing else is read but the archive of games and the programs that the READMEs show.
# tests/packages.sh [FOLDER]: keeps the packages there. TABIA_WHOLE=1 also installs the command from its package, in release, and compiles Python's engine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
made=${1:-$work/packages}
mkdir -p "$made"
SECONDS=0
say() {
    printf '%4d s  %s\n' "$SECONDS" "$*"
    SECONDS=0
}

# What is packaged for Rust, and nothing of an earlier version, in the folder of a project's `patch`: as crates.io would give it.
rm -f "${CARGO_TARGET_DIR:-target}"/package/tabia*.crate
cargo package --quiet --workspace --exclude tabia-testing --no-verify --allow-dirty --locked 2>"$work/log" || {
    if grep -qiE "failed to (download|fetch|get|query)|spurious network|could not resolve" "$work/log"; then skip "packages: crates.io can't be reached"; exit 0; fi
    cat "$work/log"
    exit 1
}
crates=()
for crate in "${CARGO_TARGET_DIR:-target}"/package/tabia*-[0-9]*.crate; do
    cp "$crate" "$made"
    tar -xzf "$crate" -C "$work"
    crates+=("$(basename "${crate%-[0-9]*.crate}")")
    ls "$work/$(basename "$crate" .crate)" | grep -E '^(COPYING|LICENSE-MIT)$' >/dev/null || { echo "$crate has no licence"; exit 1; }
    # What crates.io shows of it, and asks for.
    for field in description license readme keywords categories rust-version; do
        grep -q "^$field = " "$work/$(basename "$crate" .crate)/Cargo.toml" || { echo "$crate has no $field"; exit 1; }
    done
    readme=$(sed -n 's/^readme = "\(.*\)"/\1/p' "$work/$(basename "$crate" .crate)/Cargo.toml")
    [ -s "$work/$(basename "$crate" .crate)/$readme" ] || { echo "$crate has no $readme"; exit 1; }
done
# A crate's version, as its package says.
of() { basename "$work/$1"-[0-9]* | sed "s/^$1-//"; }
patches=$(for crate in "${crates[@]}"; do echo "$crate = { path = \"$work/$crate-$(of "$crate")\" }"; done)
say "${#crates[@]} packages for Rust"

# A project with these dependencies, that isn't in the tree, and runs a program.
project() {
    mkdir -p "$work/$1/src"
    { printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n' "$1"
      printf '%s\n' "${@:2}"
      printf '\n[patch.crates-io]\n%s\n' "$patches"
    } >"$work/$1/Cargo.toml"
    # The program of the crate's own README, or the second one of this tree's.
    awk -v n="$1" '/^```rust/ { block++; inside = 1; next } /^```/ { inside = 0 } inside && block == (n == "probing" ? 1 : 2)' \
        "$([ "$1" = probing ] && echo "$work/tabia-$(of tabia)/src/README.md" || echo README.md)" >"$work/$1/src/main.rs"
    CARGO_PROFILE_DEV_DEBUG=0 cargo build --quiet --manifest-path "$work/$1/Cargo.toml" --target-dir "$work/target" 2>"$work/log" || { cat "$work/log"; exit 1; }
}
project building "tabia = \"$(of tabia)\"" "tabia-build = \"$(of tabia-build)\"" "tabia-games = \"$(of tabia-games)\""
cp tests/sample.pgn "$work/games.pgn"
(cd "$work" && target/debug/building | grep 'Nf3: .* games' >/dev/null)
say "Rust: a book from an archive"
project probing "tabia = \"$(of tabia)\""
(cd "$work" && target/debug/probing | grep games >/dev/null)
say "Rust: a position of it, by the library alone"

if [ "${TABIA_WHOLE:-}" = 1 ]; then
    config=()
    for crate in "${crates[@]}"; do config+=(--config "patch.crates-io.$crate.path=\"$work/$crate-$(of "$crate")\""); done
    cargo install --quiet "${config[@]}" --path "$work/tabia-cli-$(of tabia-cli)" --root "$work/installed" --target-dir "$work/target" 2>"$work/log" || { cat "$work/log"; exit 1; }
    "$work/installed/bin/tabia" explore "$work/games.tabia" --moves "e4 c5" | grep '26 games' >/dev/null
    say "the command, installed from its package"
fi

if python_with build hatchling 'maturin>=1.7,<2'; then
    "$python" -m build --no-isolation --outdir "$made" tools/readers/python >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    PATH=$(dirname "$python"):$PATH maturin sdist --manifest-path tools/readers/python/engine/Cargo.toml --out "$made" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    for source in "$made"/tabia*.tar.gz; do tar -tzf "$source" | grep -E '/(COPYING|LICENSE-MIT)$' >/dev/null || { echo "$source has no licence"; exit 1; }; done
    python3 -m venv "$work/python"
    "$work/python/bin/pip" install --quiet --disable-pip-version-check "$made"/tabia-*.whl
    (cd "$work" && python/bin/python -c 'import tabia
with tabia.open_book("games.tabia") as book: assert sum(move.games for move in book.find_all(0x644d4afe02564aeb)) == 26')
    say "Python: a position of it"
    if [ "${TABIA_WHOLE:-}" = 1 ]; then
        "$work/python/bin/pip" install --quiet --disable-pip-version-check "$made"/tabia_engine-*.tar.gz
        (cd "$work" && python/bin/python -c 'import tabia_engine; tabia_engine.check("games.tabia")')
        say "Python: its compiled part, from its sources"
        # A wheel for every Linux since 2014: zig links against its C library. In every Python that is here.
        python_with ziglang && {
            PATH=$(dirname "$python"):$PATH CARGO_TARGET_DIR=$work/target maturin build --release --zig --compatibility manylinux2014 --manifest-path tools/readers/python/engine/Cargo.toml --out "$made" >"$work/log" 2>&1 ||
                { cat "$work/log"; exit 1; }
            say "Python: a wheel of its compiled part, $(basename "$made"/tabia_engine-*.whl)"
            for each in python3.{10..19}; do
                "$each" -m venv "$work/$each" >/dev/null 2>&1 || continue
                "$work/$each/bin/pip" install --quiet --disable-pip-version-check "$made"/tabia-*.whl "$made"/tabia_engine-*.whl
                (cd "$work" && "$each/bin/python" -c 'import tabia, tabia_engine; tabia_engine.check("games.tabia"); assert len(tabia.open_book("games.tabia"))')
                say "Python: that wheel in $("$work/$each/bin/python" --version)"
            done
        }
    fi
fi

if have npm "the package for JavaScript"; then
    (cd tools/readers/js && npm pack --silent --pack-destination "$made" >/dev/null)
    mkdir "$work/js"
    (cd "$work/js" && npm init --yes >/dev/null && npm install --silent --offline --no-audit --no-fund "$made"/tabia-reader-*.tgz >/dev/null
     echo 'import { LocalBook } from "@tabia/reader"; import { readFileSync } from "node:fs";
        const moves = LocalBook.from(readFileSync("../games.tabia")).moves("644d4afe02564aeb");
        if (moves.reduce((sum, { games }) => sum + games, 0) !== 26) throw new Error(JSON.stringify(moves));' >ask.mjs && node ask.mjs)
    say "JavaScript: a position of it"
fi

if have make "the package for C" && have pkg-config "the package for C"; then
    make --silent -C tools/readers/c install PREFIX="$work/c"
    awk '/^```c file=move.c/ { inside = 1; next } /^```/ { inside = 0 } inside' tools/readers/c/README.md >"$work/move.c"
    gcc $(PKG_CONFIG_PATH=$work/c/share/pkgconfig pkg-config --cflags "tabia = $(of tabia-games)") -o "$work/move" "$work/move.c"
    "$work/move" "$work/games.tabia" "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" | grep '^bestmove g1f3$' >/dev/null
    say "C: a move of it"
    if have cmake "C's package by CMake"; then
        printf 'cmake_minimum_required(VERSION 3.13)\nproject(move C)\nfind_package(tabia %s REQUIRED)\nadd_executable(move move.c)\ntarget_link_libraries(move tabia::tabia)\n' "$(of tabia-games)" >"$work/CMakeLists.txt"
        cmake -S "$work" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/c" >"$work/log" 2>&1 && cmake --build "$work/cmake" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
        say "C: by CMake"
    fi
    make --silent -C tools/readers/c uninstall PREFIX="$work/c"
    [ -z "$(find "$work/c" -type f)" ]
fi
