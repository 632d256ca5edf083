#!/usr/bin/env python3
"""A book by Dask: the steps of `tabia plan`'s plan, each on some worker.

On this machine, or by the workers of a scheduler that is there (they have to see the plan, the
archives and the command under the same names):

    dask_build.py lichess.json -o lichess.tabia --workers 8
    dask_build.py lichess.json -o lichess.tabia --scheduler tcp://head:8786

A worker that dies, or a step that fails, is tried again elsewhere; this program itself may be
started again, as steps that are done stay done. Needs `pip install distributed`.
"""

import argparse
import json
import subprocess
import sys
import time

import dask
from distributed import Client, LocalCluster, as_completed


def step(command, plan, name, *more):
    """Does a step, as a process of its own; its name and seconds."""
    begun = time.monotonic()
    words = [command, "step", "--quiet", plan, name, *more]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr.strip()}")
    return name, time.monotonic() - begun


def build(client, args):
    with open(args.plan) as file:
        plan = json.load(file)
    parts = [f"part-{number + 1}" for number in range(len(plan["parts"]))]
    shares = [f"share-{number + 1}" for number in range(plan["shares"])]
    steps = len(parts) + len(shares) + 1
    (begun, done) = (time.monotonic(), 0)
    for names, more in [(parts, []), (shares, []), (["book"], ["-o", args.output])]:
        more = [*more, "--force"] if more and args.force else more
        # Steps are not pure: what a worker has forgotten is done again, and then already done.
        futures = [
            client.submit(step, args.tabia, args.plan, name, *more, retries=args.retries, pure=False)
            for name in names
        ]
        for future in as_completed(futures):
            name, seconds = future.result()
            done += 1
            elapsed = time.monotonic() - begun
            print(f"{elapsed:7.1f} s  {done}/{steps}  {name} took {seconds:.1f} s", file=sys.stderr)


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
