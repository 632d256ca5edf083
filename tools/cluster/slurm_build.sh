#!/usr/bin/env bash
# A book by Slurm: the steps of `tabia plan`'s plan as arrays of jobs, shares after all parts, the book after all shares.
#     slurm_build.sh PLAN.json BOOK [options of sbatch, such as --partition=long or --mem=8G]
# All nodes have to see the plan, the archives and the command under the same names; what failed for good is done by calling this again.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,4s/^# \?//p' "$0" >&2; exit 2; }
plan=$1 book=$2 tabia=${TABIA:-tabia}
shift 2
read -r parts shares < <(python3 -c 'import json, sys; plan = json.load(open(sys.argv[1])); print(len(plan["parts"]), plan["shares"])' "$plan")
# A step whose process was killed is done again; Slurm itself requeues those of nodes that fail.
step() { printf 'for try in 1 2 3 4; do %q step --quiet %q %s && exit; done; exit 1' "$tabia" "$plan" "$*"; }
first=$(sbatch --parsable --requeue "$@" --job-name=tabia-parts --array="1-$parts" --wrap "$(step 'part-$SLURM_ARRAY_TASK_ID')")
second=$(sbatch --parsable --requeue "$@" --job-name=tabia-shares --array="1-$shares" --dependency="afterok:$first" --wrap "$(step 'share-$SLURM_ARRAY_TASK_ID')")
sbatch --parsable --requeue "$@" --job-name=tabia-book --dependency="afterok:$second" --wrap "$(step book -o "$(printf %q "$book")")"
