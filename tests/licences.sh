#!/usr/bin/env bash
# What the command is made of: a bill of materials (CycloneDX 1.5, JSON, by cargo-cyclonedx) and the licences of all crates with their texts in one file (tests/licences.py,
# which fails on a licence that it doesn't list: cargo-about does the same, but takes long to compile, and cargo-bundle-licenses takes what only tests need). Each crate that
# goes into the command is in both.
# Neither is committed: they belong to a build. With ADVISORIES=FOLDER, a copy of RustSec's advisory-db, every Cargo.lock is compared with it (tests/advisories.py); no registry of packages has one.
# tests/licences.sh [FOLDER]: leaves tabia.cdx.json and LICENSES.txt there. cargo-cyclonedx comes from crates.io into target/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

have python3 "the licences" && cargo_with cargo-cyclonedx@0.5.9 || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
made=${1:-$work/made}
mkdir -p "$made" "$work/tree"
target=$(rustc -vV | sed -n 's/^host: //p')

# As the bill is written beside the manifest, it is of a copy of what is committed.
git archive HEAD | tar -x -C "$work/tree"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) cargo cyclonedx --quiet --manifest-path "$work/tree/tools/cli/Cargo.toml" --format json --spec-version 1.5 --target "$target" --no-build-deps --override-filename tabia.cdx
# Where it was made says nothing of it. Procedural macros are in it, too, as they make code.
sed "s|$work/tree|/tabia|g" "$work/tree/tools/cli/tabia.cdx.json" >"$made/tabia.cdx.json"

python3 tests/licences.py "$work/tree/tools/cli/Cargo.toml" tabia-cli "$target" >"$made/LICENSES.txt" 2>"$work/log" || { cat "$work/log"; exit 1; }

# Every crate that is compiled into the command.
crates=0
while read -r name version; do
    version=${version#v}
    grep -q "pkg:cargo/$name@$version" "$made/tabia.cdx.json" || { echo "$name $version is not in the bill of materials"; exit 1; }
    grep -qF "$name $version (" "$made/LICENSES.txt" || { echo "$name $version is not among the licences"; exit 1; }
    crates=$((crates + 1))
done < <(cargo tree --locked -p tabia-cli -e normal,no-proc-macro --target "$target" --prefix none | awk '{ print $1, $2 }' | sort -u)
[ "$crates" -gt 50 ]
echo "$(cat "$work/log"), $(stat -c %s "$made/LICENSES.txt") bytes; bill of materials $(stat -c %s "$made/tabia.cdx.json") bytes"

if [ -n "${ADVISORIES:-}" ]; then
    git ls-files | grep 'Cargo.lock$' | xargs python3 tests/advisories.py "$ADVISORIES"
else
    skip "advisories: ADVISORIES names no copy of RustSec's advisory-db, which is in no registry"
fi
