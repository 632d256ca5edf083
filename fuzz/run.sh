#!/usr/bin/env bash
# fuzz/run.sh SECONDS [TARGET...]: builds the targets, replays every past finding, then fuzzes each
# target for SECONDS, from the seeds of make_seeds.py and the committed corpus. Fails at the first
# finding and prints where its input is. FUZZ_KEEP=FOLDER keeps there what the fuzzer adds to the
# corpora; FUZZ_SANITIZER=address looks for errors of memory too. Installs nothing: skipped without
# a C++ compiler or cargo-fuzz.
set -euo pipefail
shopt -s nullglob

seconds=${1:?how many seconds for each target?}
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/tools.sh
sanitizer=${FUZZ_SANITIZER:-none}
[ "$sanitizer" = none ] || export RUSTC_BOOTSTRAP=1

have c++ fuzzing || exit 0
have cargo-fuzz fuzzing || exit 0
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cargo fuzz list)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if have python3 "fuzzing from seeds"; then python3 fuzz/make_seeds.py "$scratch/corpus"; fi

run() {
    local target=$1
    shift
    if ! cargo fuzz run -s "$sanitizer" "$target" "$@" >"$scratch/log" 2>&1; then
        grep -avE '^(#[0-9]|INFO:|stat::)' "$scratch/log" | head -n 60
        echo "fuzz/run.sh: $target: a finding; its input is under fuzz/artifacts/$target/, or named above" >&2
        exit 1
    fi
}

for target in "${targets[@]}"; do
    if ! cargo fuzz build -s "$sanitizer" "$target" >"$scratch/log" 2>&1; then
        cat "$scratch/log"
        exit 1
    fi
    regressions=(fuzz/regressions/"$target"/*)
    if [ ${#regressions[@]} -gt 0 ]; then
        run "$target" "${regressions[@]}" -- -detect_leaks=0 -timeout=10 -rss_limit_mb=2048
    fi
    work=${FUZZ_KEEP:-$scratch/work}/$target
    corpus=$scratch/corpus/$target
    mkdir -p "$work" "$corpus"
    if [ -e "fuzz/corpus/$target.tar.gz" ]; then tar -xzf "fuzz/corpus/$target.tar.gz" -C "$corpus"; fi
    options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=1048576 -print_final_stats=1)
    # A thread that its scope has waited for may still be on its way out: what it holds then would be taken for a leak.
    options+=(-detect_leaks=0)
    if [ -e "fuzz/$target.dict" ]; then options+=(-dict="fuzz/$target.dict"); fi
    run "$target" "$work" "$corpus" -- "${options[@]}"
    sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log" |
        xargs printf "%-8s %s past findings, %s executions, nothing found\n" "$target" "${#regressions[@]}"
done
