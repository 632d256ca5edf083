#!/usr/bin/env bash
# What a position of a static explorer costs: `tabia site` of a packed book, served by Debian's nginx, walked through in headless Chromium by clicks in its table of
# moves (benches/site.mjs). Every move's games have to be those of `tabia explore`; the requests and bytes are those of nginx's log. Where games are beside the book,
# once more with the best games of each position, which have to be among those of `tabia games`.
# benches/site.sh BOOK [POSITIONS]: a book of chess; 200 positions by default. TABIA names a command that is built already.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

book=$(realpath "$1") positions=${2:-200}
. tests/tools.sh
for command in nginx chromium node npm; do have $command "static explorers" || exit 0; done
node_with playwright-core@1 || exit 0
[ -n "${TABIA:-}" ] || cargo build --quiet --release --locked -p tabia-cli
tabia=$(realpath "${TABIA:-${CARGO_TARGET_DIR:-target}/release/tabia}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$tabia" -q pack "$book" -o "$folder/packed.tabia"
"$tabia" -q site "$folder/packed.tabia" -o "$folder/site"
node benches/site.mjs "$tabia" "$book" "$folder" "$positions"
[ ! -e "$book-games" ] || node benches/site.mjs "$tabia" "$book" "$folder" "$positions" games
