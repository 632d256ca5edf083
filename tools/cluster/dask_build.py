#!/usr/bin/env python3
"""A book by Dask: the steps of `tabia plan`'s plan, each on some worker.

On this machine, or by the workers of a scheduler that is there (they have to see the plan, the
archives and the command under the same names):

    dask_build.py lichess.json -o lichess.tabia --workers 8
    dask_build.py lichess.json -o lichess.tabia --scheduler tcp://head:8786

A step that fails, or whose worker dies, is done again; a worker where two steps failed, perhaps as
its disk is full, gets no more of them while there are others. This program itself may be started
again, as steps that are done stay done. Needs `pip install distributed`.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter

import dask
from distributed import Client, LocalCluster, as_completed, get_worker

# So many steps fail on a worker before it gets no more.
MOST_FAILED = 2


def step(command, plan, name, *more):
    """Does a step, as a process of its own: its name, worker and seconds, and what went wrong."""
    begun = time.monotonic()
    words = [command, "step", "--quiet", plan, name, *more]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wrong = f"{name}: {done.stderr.strip()}" if done.returncode else None
    return name, get_worker().address, time.monotonic() - begun, wrong


def build(client, args):
    with open(args.plan) as file:
        plan = json.load(file)
    parts = [f"part-{number + 1}" for number in range(len(plan["parts"]))]
    shares = [f"share-{number + 1}" for number in range(plan["shares"])]
    steps = len(parts) + len(shares) + 1
    (begun, done, tried, failed) = (time.monotonic(), 0, Counter(), Counter())

    def say(what):
        print(f"{time.monotonic() - begun:7.1f} s  {done}/{steps}  {what}", file=sys.stderr)

    for names, more in [(parts, []), (shares, []), (["book"], ["-o", args.output])]:
        more = [*more, "--force"] if more and args.force else more

        def submit(name):
            # Steps are not pure: what a worker has forgotten is done again, and then already done.
            return client.submit(step, args.tabia, args.plan, name, *more, pure=False)

        under_way = as_completed([submit(name) for name in names])
        for future in under_way:
            name, worker, seconds, wrong = future.result()
            if not wrong:
                done += 1
                say(f"{name} took {seconds:.1f} s")
                continue
            tried[name] += 1
            failed[worker] += 1
            if tried[name] > args.retries:
                raise RuntimeError(wrong)
            say(f"{wrong}: once more")
            if failed[worker] == MOST_FAILED and len(client.nthreads()) > 1:
                say(f"{worker} gets no more steps")
                client.retire_workers([worker])
            under_way.add(submit(name))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plan", metavar="PLAN")
    parser.add_argument("-o", "--output", metavar="BOOK", required=True)
    parser.add_argument("--force", action="store_true", help="replace a book of that name")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--workers", type=int, metavar="N", help="processes here, one step each")
    where.add_argument("--scheduler", metavar="ADDRESS")
    parser.add_argument("--retries", type=int, default=3, metavar="N", help="of a step that fails")
    parser.add_argument("--tabia", default="tabia", metavar="COMMAND")
    args = parser.parse_args()
    # A step whose worker was killed was perhaps not what killed it.
    dask.config.set({"distributed.scheduler.allowed-failures": 10})
    try:
        if args.scheduler:
            with Client(args.scheduler) as client:
                build(client, args)
        else:
            local = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
            with LocalCluster(n_workers=args.workers, **local) as cluster, Client(cluster) as client:
                build(client, args)
    except (RuntimeError, OSError, ValueError) as error:
        sys.exit(f"dask_build: {error}")


if __name__ == "__main__":
    main()
