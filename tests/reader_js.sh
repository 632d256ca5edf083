#!/usr/bin/env bash
# Whether @tabia/reader (tools/readers/js) reads what it should: golden files right and wrong, damaged books, random books against `tabia dump`, walks through books of all
# games against `tabia explore`, servers that misbehave, nginx, headless Chromium, Deno, and its types under `tsc --strict`. With master games (TABIA_BOOKS, a folder with
# masters.tabia and masters-packed.tabia) also 100,000 keys of them against `tabia get`, and 200 positions walked through in Chromium; `--figures` prints what it measured.
# Its packages of npm go to target/node. What is not here is skipped, and said so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh
have node "the reader in JavaScript" || exit 0
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(+(a * 100 + +b < 1909))'; then
    skip "the reader in JavaScript: its tests need node 19.9 or later, this is $(node --version)"
    exit 0
fi
have nginx "books served by nginx" || true
have chromium "books in Chromium" || true

if have npm "types, Chromium and Deno"; then
    for package in typescript@7 playwright-core@1 deno; do node_with $package || true; done
fi
modules=$PWD/target/node/node_modules

find_tabia
export TABIA=$tabia TABIA_BOOKS=${TABIA_BOOKS:-} PLAYWRIGHT=$modules/playwright-core
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
    [[ $reason == *TABIA_BOOKS* ]] || skip "$count tests of the reader in JavaScript: $reason"
done
if [ "$code" -ne 0 ]; then
    grep -A 40 '^not ok' "$log" || cat "$log"
    echo "the reader in JavaScript: failed"
    exit 1
fi
grep -E '^# (tests|pass|skipped) ' "$log" | paste -sd ' '
if [ "${1:-}" = --figures ]; then sed -n 's/^# \\# //p' "$log"; fi
