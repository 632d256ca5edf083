#!/usr/bin/env bash
# Everything a change has to pass: format, lock files, lints, tests, documentation tests, golden files, Parquet, ratings and Polyglot books with other tools, clients of explorers, readers in other languages, instruction counts, a minute of fuzzing.
# Needs Rust and a C compiler; installs cargo-nextest, cargo-fuzz and valgrind itself if they are missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

command -v cargo-nextest >/dev/null || cargo install --locked cargo-nextest

cargo fmt --all --check
git ls-files '*Cargo.lock' | while read -r lock; do
    cargo update --quiet --workspace --locked --manifest-path "${lock%.lock}.toml" || { echo "$lock doesn't know all crates" >&2; exit 1; }
done
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo nextest run --workspace --locked
cargo test --workspace --doc --locked
RUSTDOCFLAGS="-D warnings" cargo doc -p tabia --no-deps --locked
tests/golden.sh
tests/parquet.sh
tests/ratings.sh
tests/polyglot.sh
tests/records.sh
tests/serve.sh
tests/page.sh
tests/reader_c.sh
tests/reader_js.sh
tests/reader_python.sh
if command -v valgrind >/dev/null || apt-get install -y valgrind >/dev/null 2>&1; then
    cargo run --release --locked --manifest-path benches/counts/Cargo.toml
else
    echo "skipped: instructions are counted by valgrind, which is not here and can't be installed"
fi
fuzz/run.sh 5
