#!/usr/bin/env bash
# The command of this commit, built twice by the README's line: in folders of other names and depths, with other homes of cargo, at other times, with other numbers of
# jobs, time zones, languages, masks of files and SOURCE_DATE_EPOCH; both come to one digest. That is the command that is released.
# tests/reproducible.sh [FOLDER]: keeps the command there, by default in target/reproducible. It takes as long as two builds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kept=$(realpath -m "${1:-target/reproducible}")
line=$(sed -n '/^RUSTFLAGS=.*cargo build --release/p' README.md)
[ -n "$line" ] || { echo "README.md doesn't say how the command is built"; exit 1; }
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p "$kept"
rm -f "$kept/tabia"

# build FOLDER HOME: what is committed, in this folder; crates and settings are those of cargo's home, under another name.
build() {
    local home=${CARGO_HOME:-$HOME/.cargo} start=$SECONDS
    mkdir -p "$work/$1" "$2"
    [ "$2" = "$home" ] || for shared in "$home"/{registry,config.toml}; do [ ! -e "$shared" ] || ln -sfn "$shared" "$2/"; done
    git archive HEAD | tar -x -C "$work/$1"
    (cd "$work/$1" && CARGO_HOME=$2 CARGO_TARGET_DIR=$work/$1/target CARGO_TERM_QUIET=true bash -c "$line") >"$work/${1%%/*}.log" 2>&1 || { cat "$work/${1%%/*}.log"; exit 1; }
    echo "$(sha256sum "$work/$1/target/release/tabia" | cut -d' ' -f1)  $(date -u +%FT%TZ)  $((SECONDS - start)) s"
}
# Side by side: much of a build has use for one core only. Each crate is compiled at another time in either.
build one "${CARGO_HOME:-$HOME/.cargo}" &
first=$!
sleep 5
(umask 077 && TZ=Pacific/Auckland LC_ALL=C SOURCE_DATE_EPOCH=1 CARGO_BUILD_JOBS=6 build another/folder/of/another-name "$work/home") &
second=$!
wait "$first"
wait "$second"
cp "$work/one/target/release/tabia" "$work/first"
cmp "$work/first" "$work/another/folder/of/another-name/target/release/tabia"
cp "$work/first" "$kept/tabia"
# No path of this machine is in it.
! grep -aqF -e "$work" -e "$HOME" "$kept/tabia" || { echo "paths of this machine are in the command: $(grep -aoE "($work|$HOME)[a-zA-Z0-9/._-]*" "$kept/tabia" | sort -u | head -3)"; exit 1; }
(cd "$kept" && sha256sum tabia >tabia.sha256)
echo "one digest, $(stat -c %s "$kept/tabia") bytes"
