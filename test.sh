#!/usr/bin/env bash
# Everything a change has to pass: format, lints, tests, documentation tests, the C reader, a minute of fuzzing.
# Needs Rust and a C compiler; installs cargo-nextest and cargo-fuzz itself if they are missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

command -v cargo-nextest >/dev/null || cargo install --locked cargo-nextest

cargo fmt --all --check
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo nextest run --workspace --locked
cargo test --workspace --doc --locked
fuzz/run.sh 12
