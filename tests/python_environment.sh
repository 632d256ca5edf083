#!/usr/bin/env bash
# tests/python_environment.sh FOLDER PACKAGE...: a Python environment in FOLDER with these packages from PyPI. Fails, and says that this is why something is
# skipped, where they can't be installed.
set -euo pipefail

environment=$1
shift
if ! { [ -x "$environment/bin/python" ] || python3 -m venv "$environment"; } >/dev/null 2>&1 ||
    ! "$environment/bin/pip" install --quiet --disable-pip-version-check "$@" >/dev/null 2>&1; then
    echo "skipped: $* can't be installed from PyPI"
    exit 1
fi
