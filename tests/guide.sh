#!/usr/bin/env bash
# Every command of guide/ runs: page by page, in a folder of its own, the blocks marked `sh` one after the other; what the page shows in blocks marked `text` is what they print.
# The archives come from tests/: the lines of a page's comment `<!-- beforehand` lay them there under the names that the page uses. A server that a page starts gets a free port,
# which what asks it is told; installing is not done again (tests/packages.sh and tests/debian.sh do it), but what is to be installed has to be there.
# tests/guide.sh [PAGE...]: by the command that TABIA names, or by the one that is built here. mdBook, if target/rust has it, makes the pages, without a warning; with TABIA_WHOLE=1
# it is built first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

root=$PWD
work=$(mktemp -d)
trap 'for server in "$work"/*/server; do [ ! -e "$server" ] || kill "$(cat "$server")"; done 2>/dev/null; rm -rf "$work"' EXIT
find_tabia
pages=("$@")
[ $# -gt 0 ] || mapfile -t pages < <(sed -n 's/.*](\([a-z]*\)\.md)$/\1/p' guide/src/SUMMARY.md)

# What a page's shell knows besides: the command, a server that is waited for, and programs that would install something.
cat >"$work/shell" <<'E2'
set -eo pipefail
tabia() {
    [ "$1" = serve ] || { command tabia "$@"; return; }
    command tabia serve --bind 127.0.0.1:0 "${@:2}" 2>server-said &
    echo $! >server
    until grep -qs "serving on" server-said; do kill -0 "$(cat server)" || { cat server-said; return 1; }; sleep 0.05; done
    port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' server-said | head -1)
}
curl() { command curl -sf "${@//127.0.0.1:9002/127.0.0.1:$port}"; }
cargo() { [ "$1 $2 $3" = "install --locked --path" ] && grep -q '^name = "tabia' "$4/Cargo.toml" && grep -q '\[\[bin\]\]' "$4/Cargo.toml"; }
sudo() { case $* in
    "apt install ./tabia_"*.deb) [ -x "$root/tests/debian.sh" ] ;;
    "systemctl enable --now tabia.socket") [ -f "$root/tools/serve/operate/tabia.socket" ] ;;
    "mkdir -p /var/lib/tabia") ;;
    "cp masters.tabia /var/lib/tabia/") grep -q '^ExecStart=/usr/bin/tabia serve /var/lib/tabia ' "$root/tools/serve/operate/tabia.service" && [ -f masters.tabia ] ;;
    *) echo "no command of this guide: sudo $*"; return 1 ;;
esac; }
git() { [ "$1" = clone ]; }
E2

passed=0
for page in "${pages[@]}"; do
    text=$root/guide/src/$page.md
    mkdir -p "$work/$page/home"
    cd "$work/$page"
    ln -s "$root" tabia
    awk '/^<!-- beforehand/ { inside = 1; next } /^-->/ { inside = 0 } inside' "$text" >beforehand
    awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$text" >commands
    [ -s commands ] || { echo "$page: no command"; exit 1; }
    mkdir -p bin
    ln -sf "$tabia" bin/tabia
    for program in $(sed -n 's/^<!-- needs \(.*\) -->$/\1/p' "$text"); do
        PATH=$PATH:/usr/games have "$program" "the page $page of the guide" || continue 2
    done
    PATH="$PWD/bin:$PATH:/usr/games" HOME="$PWD/home" root=$root data=$root/tools/cli/tests/data bash -c '. "$0"; . ./beforehand; . ./commands' "$work/shell" >said 2>&1 </dev/null ||
        { echo "$page failed; it said:"; tail -n 20 said; exit 1; }
    awk '/^```text$/ { inside = 1; next } /^```/ { inside = 0 } inside && NF' "$text" | while IFS= read -r line; do
        grep -qxF -e "$line" <(sed 's/ *$//' said) || { echo "$page shows what its commands don't print: $line"; cat said; exit 1; }
    done
    passed=$((passed + 1))
done
cd "$root"
echo "$passed passed, 0 failed"

# The pages, and every command that isn't run would be in a block without a language, or in another one.
for text in guide/src/*.md; do
    ! grep -nE '^```' "$text" | awk -F: 'NR % 2 { print $2 }' | grep -vxE '```(sh|text|yaml|rust,no_run|ini)' || { echo "$text: a block that isn't sh, text or a file"; exit 1; }
done
if [ "${TABIA_WHOLE:-}" = 1 ] || [ -x target/rust/bin/mdbook ]; then
    cargo_with mdbook@0.5.4 || exit 0
    mdbook build guide --dest-dir "$work/pages" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    ! grep -E 'WARN|ERROR' "$work/log" || exit 1
    # Each link between pages leads somewhere.
    (cd "$work/pages" && grep -oE '(href|src)="[^":#]+["#]' ./*.html | sed -E 's/:(href|src)="(.*)["#]$/ \2/' | while read -r from to; do [ -e "./${to#/}" ] || { echo "$from links to $to, which isn't there"; exit 1; }; done)
    echo "mdBook: $(ls "$work/pages"/*.html | wc -l) pages without a warning"
fi
