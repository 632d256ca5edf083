# Steps of test.sh and proofs.sh, sourced from the root of the repository: each is run and timed, all go on after a failure, and a table says at the end what was
# shown and what was skipped.

mkdir -p target
TABIA_SKIPS=$PWD/target/skips
export TABIA_SKIPS
: >"$TABIA_SKIPS"
work=$(mktemp -d)
table=$work/table log=$work/log lanes=()
: >"$table"
trap 'for lane in "${lanes[@]}"; do kill -- "-$(cat "$lane/pid")"; done 2>/dev/null; rm -rf "$work"' EXIT

# step NAME COMMAND...: runs a command, and adds its line to the table.
step() {
    local name=$1 start=$SECONDS outcome=passed before
    before=$(wc -l <"$TABIA_SKIPS")
    printf '\n=== %s\n' "$name"
    if ! "${@:2}" 2>&1 | tee "$log"; then
        outcome=FAILED
    fi
    printf '%-34s %6d s  %-6s  %3d skipped  %s\n' "$name" $((SECONDS - start)) "$outcome" $(($(wc -l <"$TABIA_SKIPS") - before)) "$(counted "$log")" >>"$table"
}

# beside LANE: runs a function whose steps take their turns beside all that follows; what it says is shown at the end.
beside() {
    local lane=$work/$1
    mkdir "$lane"
    # As a job of its own it can be ended with all that it started, and is not deaf to interrupts.
    set -m
    (
        TABIA_SKIPS=$lane/skips table=$lane/table log=$lane/log
        touch "$TABIA_SKIPS" "$table"
        "$1"
    ) >"$lane/said" 2>&1 </dev/null &
    echo $! >"$lane/pid"
    set +m
    lanes+=("$lane")
}

# counted LOG: how much was shown, by the last lines of the test runners.
counted() {
    awk '
        { gsub(/\033\[[0-9;]*m/, "") }
        /^ *Summary \[/ { sub(/^ *Summary \[[^]]*\] */, ""); nextest = $0 }
        /^test result: / { passed += $4 }
        /^[0-9]+ passed/ { if (!match($0, /^[0-9]+ passed, [0-9]+ failed/)) pytest += $1 }
        /^# tests [0-9]+ # pass/ { node = $0 }
        /^# pass [0-9]+/ { node = $3 " passed" }
        /^[a-z_]+ +[0-9]+ past findings, / { gsub(",", "", $5); runs += $5; targets++ }
        END {
            if (nextest) print nextest
            else if (passed) print passed " passed"
            else if (pytest) print pytest " passed"
            else if (node) print node
            else if (targets) print runs " executions of " targets " targets"
        }' "$1"
}

# finish: prints the table, what was skipped and why, and exits.
finish() {
    local failed lane ended=("${lanes[@]}")
    for lane in "${ended[@]}"; do
        wait "$(cat "$lane/pid")" || printf '%-34s %6d s  FAILED  it ended before its steps did\n' "${lane##*/}" "$SECONDS" >>"$lane/table"
        cat "$lane/said"
        cat "$lane/table" >>"$table"
        cat "$lane/skips" >>"$TABIA_SKIPS"
    done
    lanes=()
    failed=$(grep -c ' s  FAILED ' "$table")
    printf '\n=== what was shown, in %d s\n' "$SECONDS"
    cat "$table"
    if [ -s "$TABIA_SKIPS" ]; then
        printf '\n=== skipped: %d (tests/install.sh installs programs; TABIA_ALL=1 makes a skip a failure)\n' "$(wc -l <"$TABIA_SKIPS")"
        # The same reason once, with how many tests it is the reason of.
        sed 's/^[^ ]*: //' "$TABIA_SKIPS" | sort | uniq -c | sort -rn
    fi
    printf '\n%d passed, %d failed, %d skipped\n' $(($(wc -l <"$table") - failed)) "$failed" "$(wc -l <"$TABIA_SKIPS")"
    [ "$failed" -eq 0 ]
    exit
}
