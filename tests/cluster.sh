#!/usr/bin/env bash
# One book by several processes that are killed, by the drivers of tools/cluster: Dask, which also grows one, GNU parallel; with TABIA_WHOLE=1 Spark too, whose package has 500 MB, and
# Slurm, whose daemons have to be there. Each book, with its games and fingerprints, is to be the one of a single build, byte for byte.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. tests/tools.sh

find_tabia
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for n in 1 2 3 4; do awk -v seed=$n -v games=$((n * n * 400)) -f tools/cli/tests/data/games.awk >"$work/$n.pgn"; done
cat "$work/2.pgn" "$work/1.pgn" >"$work/copies.pgn"
cd "$work"
options=(--ratings --years --games --dedup exact ./*.pgn)
"$tabia" build -q -o whole.tabia "${options[@]}"

planned() {
    rm -rf plan* book.tabia*
    "$tabia" plan -q -o plan.json --parts 7 --shares 4 "${options[@]}"
}
same() {
    for end in "" -games -fingerprints; do cmp "whole.tabia$end" "book.tabia$end"; done
    "$tabia" check book.tabia >/dev/null
    echo "$1: the book of a single build, byte for byte"
}

cd "$root"
if python_with distributed; then
    cd "$work"
    planned
    "$python" "$root/tests/cluster.py" dask "$tabia" plan.json book.tabia
    same Dask
    # The first of two workers can't write more than a few kilobytes to a file.
    planned
    cat >full.sh <<END
#!/bin/sh
mkdir full 2>/dev/null && echo \$PPID >full/worker
[ "\$(cat full/worker)" = \$PPID ] && trap '' XFSZ && ulimit -f 16
exec "$tabia" "\$@"
END
    chmod +x full.sh
    "$python" "$root/tools/cluster/dask_build.py" plan.json -o book.tabia --workers 2 --tabia ./full.sh 2>log || { cat log; exit 1; }
    grep -q "gets no more steps" log || { cat log; exit 1; }
    same "Dask, the disk of a worker full"
    "$python" "$root/tests/grow_dask.py" "$tabia" "$work"
fi
if have parallel "GNU parallel"; then
    cd "$work"
    planned
    TABIA=$tabia "$root/tools/cluster/parallel_build.sh" plan.json book.tabia --jobs 2 2>log || { cat log; exit 1; }
    same "GNU parallel"
fi
[ "${TABIA_WHOLE:-}" = 1 ] || exit 0
cd "$root"
if have java Spark && python_with pyspark; then
    cd "$work"
    planned
    "$python" "$root/tests/cluster.py" spark "$tabia" plan.json book.tabia
    same Spark
fi
if have sinfo Slurm && sinfo -h >/dev/null 2>&1; then
    cd "$work"
    planned
    job=$(TABIA=$tabia "$root/tools/cluster/slurm_build.sh" plan.json book.tabia)
    while squeue -h -j "$job" 2>/dev/null | grep -q .; do sleep 1; done
    same Slurm
fi
