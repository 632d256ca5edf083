#!/usr/bin/env bash
# What every change has to pass: format, lock files, lints, all tests of the workspace with samples of the long proofs, documentation tests, golden files.
# Needs Rust and a C compiler. What needs more is skipped where it is missing, and listed at the end; ./proofs.sh shows the rest.
# ./test.sh [--install]: `--install` first installs Debian's packages that tests make use of (tests/install.sh).
# TABIA_ALL=1 makes a skip a failure; TABIA_SEED says what the samples are, the commit if it is not set.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
case ${1:-} in
--install) tests/install.sh || exit ;;
"") ;;
*) sed -n '2,/^set /{/^set /d; s/^# //; p}' "$0" >&2; exit 2 ;;
esac
. tests/steps.sh

# Nothing is compiled twice here, so nothing has to be kept to compile it faster.
export CARGO_INCREMENTAL=0 CARGO_TERM_PROGRESS_WHEN=never
TABIA_SEED=${TABIA_SEED:-$((16#$(git rev-parse --short=8 HEAD 2>/dev/null || echo 1)))}
export TABIA_SEED

step "format" cargo fmt --all --check
step "lock files" tests/locks.sh
step "lints" cargo clippy --workspace --all-targets --features tabia-cli/remote --locked --quiet -- -D warnings
# Python writes and reads them on one core while the other tests are built.
golden() { step "golden files" tests/golden.sh; }
beside golden
step "tests" tests/workspace.sh
step "documentation tests" cargo test --workspace --doc --features tabia-cli/remote --locked --quiet
step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc -p tabia --no-deps --locked --quiet
finish
