#!/usr/bin/env bash
# Books at addresses: from nginx, from a server of S3 (moto), and from one that is busy, slow, cuts its answers, or has another book in the middle. What is read there is
# what is read from the files, byte for byte, or one line and nothing changed. TABIA has to be built with the feature `remote`, as the workspace's tests build it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

find_tabia
python_with 'moto[server,s3]' || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for n in 1 2 3; do awk -v seed=$n -v games=$((n * 700)) -f tools/cli/tests/data/games.awk >"$work/$n.pgn"; done
have nginx "books served by nginx" || true
"$python" tests/remote.py "$tabia" "$work"
