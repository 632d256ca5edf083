#!/usr/bin/env bash
# Every feature of every library and of the command compiles alone, and so does none, without warnings; and brings in no
# crate that only another one needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/features RUSTFLAGS="-D warnings"

# The crates that a feature of the command is the only one to need.
# (Files of games are compressed by zstd, so that the command has it in any case.)
declare -A crate=([chess]=shakmaty [bzip2]=bzip2 [gzip]=flate2 [tar]=tar [parquet]=parquet)

# The features of a package, but for `default`.
features() {
    cargo metadata --format-version 1 --no-deps --locked |
        python3 -c 'import json, sys
package = next(package for package in json.load(sys.stdin)["packages"] if package["name"] == sys.argv[1])
print(*(name for name in package["features"] if name != "default"))' "$1"
}

checked=0
for package in tabia-games tabia-archives tabia-build tabia-interop tabia-engines tabia-search tabia-play tabia-serve tabia-proxy tabia-match tabia-cli; do
    for feature in "" $(features "$package"); do
        cargo check --quiet --locked --package "$package" --no-default-features --features "$feature" ||
            { echo "$package does not compile with nothing but [$feature]" >&2; exit 1; }
        checked=$((checked + 1))
    done
done

# Tests that need all features are left out where one is off; what is not built in is refused by the others.
cargo test --quiet --locked --package tabia-games --package tabia-archives --lib --tests --no-default-features --features tabia-archives/chess

for feature in "" $(features tabia-cli); do
    tree=$(cargo tree --locked --package tabia-cli --no-default-features --features "$feature" --edges normal --prefix none --format '{p}' | cut -d' ' -f1 | sort -u)
    for other in "${!crate[@]}"; do
        # What is sent over HTTP is compressed by gzip.
        if [ "$other" = "$feature" ] || [ "$feature-$other" = serve-gzip ]; then
            continue
        fi
        if grep -qx "${crate[$other]}" <<<"$tree"; then
            echo "the command with nothing but [$feature] has the crate ${crate[$other]}, which is for $other" >&2
            exit 1
        fi
    done
done
echo "$checked combinations of features compile; without its feature no crate is needed that is for it alone"
