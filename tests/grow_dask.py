"""A book that grows by workers of Dask, one of which is killed again and again: grow_dask.py TABIA FOLDER.

It is the book that grows by two workers here, byte for byte.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from distributed import LocalCluster

WORKER = Path(__file__).parent.parent / "tools" / "cluster" / "dask_worker.py"
KILLS, SEED = 3, 38


def grow(tabia, book, worker):
    words = [tabia, "grow", book, "-q", "--game", "othello", "--nodes", "20000", "--in-flight", "4", "--budget", "40 expansions"]
    return subprocess.Popen([*words, "--worker", worker, "--worker", worker], stdin=subprocess.DEVNULL)


def rows(tabia, book):
    return subprocess.run([tabia, "dump", book], check=True, capture_output=True).stdout


def main():
    tabia, folder = sys.argv[1], Path(sys.argv[2])
    here, there = folder / "here.tabia", folder / "there.tabia"
    assert grow(tabia, here, f"{tabia} grow-worker").wait() == 0
    local = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
    chance, killed = random.Random(SEED), 0
    with LocalCluster(n_workers=2, **local) as cluster:
        growing = grow(tabia, there, f"{sys.executable} {WORKER} {cluster.scheduler_address} {tabia} grow-worker")
        while growing.poll() is None:
            time.sleep(chance.uniform(0.2, 0.8))
            journal = Path(f"{there}-journal")
            # A worker is killed once the book grows by them.
            if killed < KILLS and journal.exists():
                pids = [worker.pid for worker in cluster.workers.values() if worker.pid]
                try:
                    os.kill(chance.choice(sorted(pids)), signal.SIGKILL)
                    killed += 1
                except (ProcessLookupError, IndexError):
                    pass
        assert growing.returncode == 0, growing.returncode
    assert killed > 0, "nothing was killed"
    assert rows(tabia, there) == rows(tabia, here), "the books differ"
    print(f"grow by Dask: the book of two workers here, though {killed} workers were killed")


if __name__ == "__main__":
    main()
