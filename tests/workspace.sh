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

# Examples are checked by clippy and not linked, but for the programs that tests start.
cargo build --quiet --workspace --locked --features tabia-cli/remote --example mock-engine --example mock-player
tests=(--workspace --locked --features tabia-cli/remote --lib --bins --tests)
if [ "${1:-}" = --no-run ]; then
    cargo test "${tests[@]}" --no-run --quiet
elif command -v cargo-nextest >/dev/null; then
    "${signals[@]}" cargo nextest run "${tests[@]}" ${TABIA_WHOLE:+--run-ignored all} --no-fail-fast --status-level slow --final-status-level fail
else
    "${signals[@]}" cargo test "${tests[@]}" --no-fail-fast --quiet -- ${TABIA_WHOLE:+--include-ignored}
fi
