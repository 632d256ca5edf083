#!/usr/bin/env bash
# Whether @tabia/reader (tools/readers/js) reads what it should: golden files right and wrong, damaged books, random books against `tabia dump`, walks through books of all
# games against `tabia explore`, servers that misbehave, nginx, headless Chromium, Deno, and its types under `tsc --strict`. With master games (TABIA_BOOKS, a folder with
# masters.tabia and masters-packed.tabia) also 100,000 keys of them against `tabia get`, and 200 positions walked through in Chromium; `--figures` prints what it measured.
# What it needs is installed from npm into target/reader-js, and by apt-get. What can't be had is skipped, and said so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

have() { # have COMMAND PACKAGE: by apt-get if it is missing
    command -v "$1" >/dev/null || apt-get install -y --no-install-recommends "$2" >/dev/null 2>&1 || { echo "skipped: $3: $2 is not here and can't be installed"; return 1; }
}
have node nodejs "the reader in JavaScript" || exit 0
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(+(a * 100 + +b < 1909))'; then
    echo "skipped: the reader in JavaScript: its tests need node 19.9 or later, this is $(node --version)"
    exit 0
fi
have nginx nginx "books served by nginx" || true
have chromium chromium "books in Chromium" || true

packages=$PWD/target/reader-js modules=$PWD/target/reader-js/node_modules
mkdir -p "$packages"
[ -f "$packages/package.json" ] || echo '{ "private": true }' >"$packages/package.json"
if have npm npm "types, Chromium and Deno"; then
    for package in typescript@7 playwright-core deno; do
        [ -d "$modules/${package%@*}" ] || npm install --prefix "$packages" --ignore-scripts --no-audit --no-fund "$package" >/dev/null 2>&1 ||
            echo "skipped: what needs $package: it can't be installed from npm"
    done
fi

tabia=${TABIA:-${CARGO_TARGET_DIR:-target}/debug/tabia}
[ -n "${TABIA:-}" ] || cargo build --quiet --locked -p tabia-cli
export TABIA=$(realpath "$tabia") TABIA_BOOKS=${TABIA_BOOKS:-} PLAYWRIGHT=$modules/playwright-core
CHROMIUM=$(command -v chromium || true) DENO=$(find "$modules/@deno" -type f -name deno 2>/dev/null | head -n 1)
export CHROMIUM DENO

cd tools/readers/js
if [ -x "$modules/.bin/tsc" ]; then
    "$modules/.bin/tsc" -p test/types
    echo "types: sound under tsc $("$modules/.bin/tsc" --version)"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
node --test --test-concurrency 2 test/*.test.js >"$log" 2>&1 || code=$?
sed -n 's/^ok .* - \(.*\) # SKIP \(.*\)$/\2/p' "$log" | sort | uniq -c | while read -r count reason; do
    echo "skipped: $count tests of the reader in JavaScript: $reason"
done
if [ "$code" -ne 0 ]; then
    grep -A 40 '^not ok' "$log" || cat "$log"
    echo "the reader in JavaScript: failed"
    exit 1
fi
grep -E '^# (tests|pass|skipped) ' "$log" | paste -sd ' '
if [ "${1:-}" = --figures ]; then sed -n 's/^# \\# //p' "$log"; fi
