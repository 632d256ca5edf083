#!/usr/bin/env bash
# Whether each Cargo.lock knows all crates of its project.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
find . -name Cargo.lock -not -path '*/target/*' | while read -r lock; do
    cargo update --quiet --workspace --locked --manifest-path "${lock%.lock}.toml" || { echo "$lock doesn't know all crates" >&2; exit 1; }
done
