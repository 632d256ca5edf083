#!/usr/bin/env bash
# A book by GNU parallel: the steps of `tabia plan`'s plan, several at a time, here or on machines that ssh reaches.
#     parallel_build.sh PLAN.json BOOK [options of parallel, such as --jobs 8 or --sshlogin a,b,:]
# All machines have to see the plan, the archives and the command under the same names. Calling it again goes on where it was.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,4s/^# \?//p' "$0" >&2; exit 2; }
plan=$(realpath "$1") book=$(realpath -m "$2") tabia=${TABIA:-tabia}
shift 2
read -r parts shares < <(python3 -c 'import json, sys; plan = json.load(open(sys.argv[1])); print(len(plan["parts"]), plan["shares"])' "$plan")
steps() { parallel --retries 4 --halt soon,fail=1 "${@:3}" "$tabia" step --quiet "$plan" "$1-{}" ::: $(seq "$2"); }
steps part "$parts" "$@"
steps share "$shares" "$@"
exec "$tabia" step --quiet "$plan" book -o "$book"
