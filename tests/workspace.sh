#!/usr/bin/env bash
# All tests of the workspace, by nextest where it is installed; long proofs are samples, or whole with TABIA_WHOLE=1, which runs ignored tests, too.
# tests/workspace.sh [--no-run]: `--no-run` only builds them, and with them the command.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/tools.sh

# A test of matches asks python-chess.
if python_with chess; then export TABIA_PYTHON=$python; fi

# Tests interrupt what they start, which whatever started this may have ignored.
signals=(env --default-signal=HUP --default-signal=INT --default-signal=TERM)
"${signals[@]}" true 2>/dev/null || signals=()

tests=(--workspace --locked --features tabia-cli/remote --lib --tests)
cargo test "${tests[@]}" --no-run --quiet
# Examples are checked by clippy and not linked, but for the programs that tests start.
cargo build --quiet --workspace --locked --features tabia-cli/remote --example mock-engine --example mock-player
if [ "${1:-}" = --no-run ]; then exit; fi

# Many tests wait for a disk, or for a child process to end: two for each processor keep it busy.
threads=$((2 * $(nproc)))
if command -v cargo-nextest >/dev/null; then
    "${signals[@]}" cargo nextest run "${tests[@]}" --test-threads "$threads" ${TABIA_WHOLE:+--run-ignored all} --no-fail-fast --status-level slow --final-status-level fail
else
    RUST_TEST_THREADS=$threads "${signals[@]}" cargo test "${tests[@]}" --no-fail-fast --quiet -- ${TABIA_WHOLE:+--include-ignored}
fi
