#!/usr/bin/env bash
# fuzz/run.sh SECONDS [TARGET...]: builds the targets, replays every past finding, then fuzzes each target for so many seconds, from the committed
# corpus, which stays as it is. Fails at the first finding and says where its input is. With FUZZ_KEEP=FOLDER what the fuzzer adds to the corpora is
# kept there; with FUZZ_SANITIZER=address it looks for errors of memory too.
set -euo pipefail
shopt -s nullglob

seconds=${1:?how many seconds for each target?}
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
sanitizer=${FUZZ_SANITIZER:-none}
[ "$sanitizer" = none ] || export RUSTC_BOOTSTRAP=1

command -v c++ >/dev/null || { apt-get update && apt-get install -y g++; }
command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --version '^0.13' --locked
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cargo fuzz list)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

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
    work=${FUZZ_KEEP:-$scratch}/$target
    mkdir -p "$work"
    options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=1048576 -print_final_stats=1)
    # A thread that its scope has waited for may still be on its way out: what it holds then would be taken for a leak.
    options+=(-detect_leaks=0)
    if [ -e "fuzz/$target.dict" ]; then options+=(-dict="fuzz/$target.dict"); fi
    run "$target" "$work" "fuzz/corpus/$target" -- "${options[@]}"
    sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log" |
        xargs printf "%-8s %s past findings, %s executions, nothing found\n" "$target" "${#regressions[@]}"
done
