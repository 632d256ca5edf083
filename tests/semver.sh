#!/usr/bin/env bash
# The interface of the crate `tabia` against that of its last release, by cargo semver-checks: nothing public has gone or changed. So that this can fail, the same is asked of a copy that
# lacks one name: that has to be found.
# The baseline is a commit, named below; its sources are in the repository. A file of rustdoc's JSON would be of one compiler's form, and a package of the sources a third of a megabyte more.
# tests/semver.sh [COMMIT]: against that commit. cargo-semver-checks comes from crates.io into target/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

# Until there is a release, the interface that 1.0 begins from; a release names its own commit here.
baseline=${1:-bd52d215}
git cat-file -e "$baseline^{commit}" 2>/dev/null || { skip "semver: the commit $baseline isn't in this copy of the repository"; exit 0; }
cargo_with cargo-semver-checks@0.51.0 || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{baseline,now,broken}
git archive "$baseline" | tar -x -C "$work/baseline"
git ls-files -z | while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done | tar --null -T - -c | tee >(tar -x -C "$work/broken") | tar -x -C "$work/now"
checked() {
    CARGO_TARGET_DIR=$PWD/target/semver cargo semver-checks --manifest-path "$work/$1/Cargo.toml" --package tabia --baseline-root "$work/baseline" --release-type minor --color never >"$work/said" 2>&1
}
checked now || { cat "$work/said"; exit 1; }
grep -E '^ +(Checked|Summary)' "$work/said"

# One name less: every program that names it would not compile any more.
sed -i 's/^pub use book::{Book, View};/pub use book::Book;/' "$work/broken/src/lib.rs"
! cmp -s "$work/now/src/lib.rs" "$work/broken/src/lib.rs" || { echo "src/lib.rs has another form: nothing was broken"; exit 1; }
if checked broken; then
    echo "a name has gone, and it was not found:"
    cat "$work/said"
    exit 1
fi
grep -q 'tabia::View' "$work/said" || { echo "what was found is something else:"; cat "$work/said"; exit 1; }
echo "a name less is found: $(grep -E 'tabia::View' "$work/said" | head -1 | sed 's/^ *//; s/, previously.*//')"
