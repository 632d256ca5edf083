#!/usr/bin/env python3
"""A worker of `tabia grow` whose searches are done by workers of Dask, wherever these are:

    tabia grow BOOK --in-flight 16 --nodes 100000 \\
        --worker "dask_worker.py tcp://head:8786 tabia grow-worker -- stockfish"     (as many times as searches run at once)

Each search is a task of Dask by itself: if the worker that does it dies, another one does it. On each worker the command behind the address is
started once and asked again and again; it is ended with the book's growing. Needs `pip install distributed`.
"""

import asyncio
import subprocess
import sys
import threading

import dask
from distributed import Client, get_worker

RETRIES = 9
# Processes here, on a worker: by their command, the greeting and the thread that asks them.
RUNNING = "tabia_grow_workers"


def say(process, line):
    process.stdin.write(line)
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer.endswith("\n"):
        process.kill()
        raise RuntimeError(f"{process.args[0]} ended with exit code {process.wait()}")
    return answer


def ask(words, greeting, line):
    """On a worker of Dask: the answer to a line, or to the greeting if there is none."""
    running = get_worker().__dict__.setdefault(RUNNING, {})
    key = (*words, greeting, threading.get_ident())
    process, hello = running.get(key, (None, None))
    if process is None or process.poll() is not None:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        hello = say(process, greeting)
        running[key] = process, hello
    return say(process, line) if line else hello


def end(words, dask_worker):
    """On a worker of Dask: ends the processes of a command."""
    running = dask_worker.__dict__.setdefault(RUNNING, {})
    for key in [key for key in running if key[: len(words)] == tuple(words)]:
        process, _ = running.pop(key)
        process.kill()
        process.wait()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    address, words = sys.argv[1], sys.argv[2:]
    # A search whose worker was killed was perhaps not what killed it.
    dask.config.set({"distributed.scheduler.allowed-failures": RETRIES})
    try:
        with Client(address) as client:
            greeting, line = sys.stdin.readline(), ""
            while True:
                task = client.submit(ask, words, greeting, line, retries=RETRIES, pure=False)
                sys.stdout.write(task.result())
                sys.stdout.flush()
                line = sys.stdin.readline()
                if line.strip() in ("", "quit"):
                    break
            client.run(end, words, on_error="ignore")
    except (RuntimeError, OSError, ValueError, asyncio.TimeoutError) as error:
        sys.exit(f"dask_worker: {error}")


if __name__ == "__main__":
    main()
