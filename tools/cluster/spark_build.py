#!/usr/bin/env python3
"""A book by Spark: the steps of `tabia plan`'s plan, each a task.

On this machine, or by the workers of a master that is there (they have to see the plan, the archives
and the command under the same names):

    spark_build.py lichess.json -o lichess.tabia --workers 8
    spark_build.py lichess.json -o lichess.tabia --master spark://head:7077

A step that fails, or whose worker dies, is tried again elsewhere; this program itself may be started
again, as steps that are done stay done. Needs `pip install pyspark` and Java.
"""

import argparse
import json
import subprocess
import sys
import threading
import time


def doer(command, plan, more):
    """What does a step, as a process of its own."""

    def do(name):
        begun = time.monotonic()
        words = [command, "step", "--quiet", plan, name, *more]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(f"{name}: {done.stderr.strip()}")
        return name, time.monotonic() - begun

    return do


def watch(context, begun, before, steps, ended):
    """Says how many steps are done, as often as that changes."""
    tracker, said = context.statusTracker(), before
    while not ended.wait(0.5):
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        done = before + sum(stage.numCompletedTasks for stage in stages if stage)
        if done > said:
            said = done
            elapsed = time.monotonic() - begun
            print(f"{elapsed:7.1f} s  {done}/{steps} steps are done", file=sys.stderr)


def build(context, args):
    with open(args.plan) as file:
        plan = json.load(file)
    parts = [f"part-{number + 1}" for number in range(len(plan["parts"]))]
    shares = [f"share-{number + 1}" for number in range(plan["shares"])]
    steps = len(parts) + len(shares) + 1
    begun, done = time.monotonic(), 0
    last = ["-o", args.output, *(["--force"] if args.force else [])]
    for names, more in [(parts, []), (shares, []), (["book"], last)]:
        ended = threading.Event()
        watching = threading.Thread(target=watch, args=(context, begun, done, steps, ended))
        watching.start()
        try:
            do = doer(args.tabia, args.plan, more)
            took = context.parallelize(names, len(names)).map(do).collect()
        finally:
            ended.set()
            watching.join()
        done += len(names)
        elapsed = time.monotonic() - begun
        for name, seconds in took:
            print(f"{elapsed:7.1f} s  {done}/{steps}  {name} took {seconds:.1f} s", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plan", metavar="PLAN")
    parser.add_argument("-o", "--output", metavar="BOOK", required=True)
    parser.add_argument("--force", action="store_true", help="replace a book of that name")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--workers", type=int, metavar="N", help="steps at a time, here")
    where.add_argument("--master", metavar="ADDRESS")
    parser.add_argument("--retries", type=int, default=3, metavar="N", help="of a step that fails")
    parser.add_argument("--tabia", default="tabia", metavar="COMMAND")
    args = parser.parse_args()
    from pyspark import SparkConf, SparkContext

    tries = args.retries + 1
    conf = SparkConf().setAppName(f"tabia {args.plan}").set("spark.task.maxFailures", str(tries))
    conf.set("spark.ui.showConsoleProgress", "false")
    if args.master:
        conf.setMaster(args.master)
    else:
        conf.setMaster(f"local[{args.workers},{tries}]").set("spark.ui.enabled", "false")
        conf.set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1")
    context = SparkContext(conf=conf)
    context.setLogLevel("ERROR")
    try:
        build(context, args)
    except Exception as error:  # Java's are of several kinds
        lines = [line for line in str(error).splitlines() if "RuntimeError: " in line]
        sys.exit(f"spark_build: {lines[0].split('RuntimeError: ', 1)[1] if lines else error}")
    finally:
        context.stop()


if __name__ == "__main__":
    main()
