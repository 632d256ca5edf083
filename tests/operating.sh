#!/usr/bin/env bash
# An operator's evening with `tabia serve`: tests/operating.py starts it by a socket as systemd does, behind nginx with TLS and a prefix (by tools/serve/operate), puts a bad book in the place of a good one, reads the metrics, reloads, and ends it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

what="an operator's evening"
have nginx "$what" && have openssl "$what" || exit 0
python_with prometheus-client || exit 0
find_tabia
"$python" tests/operating.py "$tabia"
