#!/usr/bin/env bash
# What ./test.sh leaves out because it takes long or needs more than Rust and a C compiler: the long proofs whole, every feature alone, other programs that read what
# Tabia writes, clients of explorers, the page in Chromium, readers in other languages, books by many processes, books at addresses, packages as registries would give them, the guide's commands, a Debian package, other operating systems, what may not change in the library, instruction counts, fuzzing.
# ./proofs.sh [--install] [--ci]: `--install` first installs Debian's packages for all of it (tests/install.sh); packages of PyPI, npm and crates.io go to target/.
# `--ci` leaves out the whole proofs and the features, which take most of the time, the interface, the Debian package and other systems, and fuzzes for five seconds a target instead of sixty.
# TABIA_ALL=1 makes a skip a failure; TABIA names a command that is built already.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
ci= install=
for option; do
    case $option in
    --install) install=yes ;;
    --ci) ci=yes ;;
    *) sed -n '2,/^set /{/^set /d; s/^# //; p}' "$0" >&2; exit 2 ;;
    esac
done
[ -z "$install" ] || tests/install.sh $([ -n "$ci" ] || echo --whole) || exit
. tests/steps.sh
export CARGO_INCREMENTAL=0 CARGO_TERM_PROGRESS_WHEN=never

if [ -z "$ci" ]; then
    step "long proofs" env TABIA_WHOLE=1 tests/workspace.sh
    step "features" tests/features.sh
elif [ -z "${TABIA:-}" ]; then
    # As ./test.sh has built it, with all tests: another choice of packages would compile it again.
    step "the command" tests/workspace.sh --no-run
fi
[ -n "${TABIA:-}" ] || TABIA=$(realpath "${CARGO_TARGET_DIR:-target}")/debug/tabia
export TABIA
# These compile something of their own first; what follows them seldom needs more than one core. What isn't measured is optimised less where time is short.
less=${ci:+CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off}
compiled() {
    step "reader in Python" env $less tests/reader_python.sh
    step "instruction counts" tests/counts.sh
    step "packages" env TABIA_WHOLE="$([ -n "$ci" ] || echo 1)" tests/packages.sh
    [ -n "$ci" ] || step "the library's interface" tests/semver.sh
    [ -n "$ci" ] || step "Debian package" tests/debian.sh
    [ -n "$ci" ] || step "other systems" tests/systems.sh
    step "fuzzing" env $less fuzz/run.sh "$([ -n "$ci" ] && echo 5 || echo 60)"
}
beside compiled
step "Parquet" tests/parquet.sh
step "ratings" tests/ratings.sh
step "Polyglot books" tests/polyglot.sh
step "records" tests/records.sh
step "clients of explorers" tests/serve.sh
step "an operator's evening" tests/operating.sh
step "no game lost twice alike" env WHICH="${ci:+checkers}" GAMES="${ci:+20}" tests/lost_once.sh
step "the page" tests/page.sh
step "the guide" env TABIA_WHOLE="$([ -n "$ci" ] || echo 1)" tests/guide.sh
step "many processes" tests/cluster.sh
step "books at addresses" tests/remote.sh
step "reader in C" tests/reader_c.sh
step "reader in JavaScript" tests/reader_js.sh
finish
