#!/usr/bin/env bash
# tests/coverage.sh [PREFIX...]: runs the engine's tests with counters in the engine's code and prints, for each file of src/, how many of its lines
# were run; its own unit tests are not counted. The lines that were not run are printed for the files whose path begins with a PREFIX (`src` for all).
# Left out, since they take long with counters: flipped bits, pairs of failures, crash states, 2^32 rows, killed processes. Installs llvm-19 if it is missing.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v llvm-cov-19 >/dev/null || { apt-get update && apt-get install -y llvm-19; }
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/coverage
rm -rf "$folder"/*.prof*
mkdir -p "$folder"
# Dependencies are built without counters, so that those of other builds can be used; the engine without optimization, which loses counters.
printf '#!/bin/sh\nexec "$@" -C instrument-coverage\n' >"$folder/rustc"
chmod +x "$folder/rustc"
export CARGO_PROFILE_DEV_OPT_LEVEL=0 RUSTC_WORKSPACE_WRAPPER=$folder/rustc LLVM_PROFILE_FILE=$folder/%p-%m.profraw

cargo test -p tabia --tests --locked -- --skip flips:: --skip states:: --skip then_every_call --skip large:: --skip kills:: >"$folder/log" 2>&1 ||
    { grep -vE '^test .* ok$' "$folder/log" | tail -n 60; exit 1; }
mapfile -t programs < <(cargo test -p tabia --tests --locked --no-run --message-format=json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
llvm-profdata-19 merge -sparse "$folder"/*.profraw -o "$folder/tests.profdata"
rm -f "$folder"/*.profraw
llvm-cov-19 export -format=lcov -instr-profile "$folder/tests.profdata" "${programs[@]/#/-object=}" -sources src >"$folder/lines"

awk -v here="$PWD/" -v wanted="$*" '
    function percent(run, all) { return sprintf("%6.2f %%", all ? 100 * run / all : 100) }
    BEGIN { FS = "[:,]"; prefixes = split(wanted, prefix, " ") }
    /^SF:/ {
        file = substr($2, length(here) + 1)
        for (end = 1; (getline line < file) > 0 && line !~ /^#\[cfg\(test\)\]/; end++) text[end] = line
        close(file)
    }
    /^DA:/ && $2 < end {
        all[file]++
        if ($3) run[file]++
        else for (i = 1; i <= prefixes; i++) if (index(file, prefix[i]) == 1) missed[file] = missed[file] sprintf("%5d %s\n", $2, text[$2])
    }
    END {
        for (file in all) {
            printf "%-26s %4d of %4d lines %s\n", file, run[file], all[file], percent(run[file], all[file]) | "sort"
            allrun += run[file]; total += all[file]
        }
        close("sort")
        printf "%-26s %4d of %4d lines %s\n", "all", allrun, total, percent(allrun, total)
        for (file in missed) printf "\n%s\n%s", file, missed[file]
    }' "$folder/lines"
