#!/usr/bin/env bash
# What a position of a static explorer costs: `tabia site` of a packed book, served by Debian's nginx, walked through in headless Chromium by clicks in its table of
# moves (benches/site.mjs). Every move's games have to be those of `tabia explore`; the requests and bytes are those of nginx's log.
# benches/site.sh BOOK [POSITIONS]: a book of chess without a journal; 200 positions by default. nginx and chromium are installed by apt-get, playwright-core from npm.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

book=$(realpath "$1") positions=${2:-200}
for package in nginx chromium nodejs npm; do
    command -v "${package/nodejs/node}" >/dev/null || apt-get install -y --no-install-recommends "$package" >/dev/null 2>&1 || { echo "skipped: $package is not here and can't be installed"; exit 0; }
done
mkdir -p target/page
if ! [ -d target/page/node_modules/playwright-core ]; then
    [ -f target/page/package.json ] || echo '{ "private": true }' >target/page/package.json
    npm install --prefix target/page --silent --no-audit --no-fund playwright-core@1 >/dev/null 2>&1 || { echo "skipped: npm can't install playwright-core"; exit 0; }
fi
cargo build --quiet --release --locked -p tabia-cli
tabia=$(realpath "${CARGO_TARGET_DIR:-target}/release/tabia")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$tabia" -q pack "$book" -o "$folder/packed.tabia"
"$tabia" -q site "$folder/packed.tabia" -o "$folder/site"
node benches/site.mjs "$tabia" "$book" "$folder" "$positions"
