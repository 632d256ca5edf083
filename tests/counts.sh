#!/usr/bin/env bash
# Instructions of probes and merges, none 5 % above the baseline (benches/counts), counted by valgrind. Skipped, and said so, without it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/tools.sh
have valgrind "instruction counts" || exit 0
cargo run --release --locked --quiet --manifest-path benches/counts/Cargo.toml
