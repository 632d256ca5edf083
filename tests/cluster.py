"""A book by Dask or Spark, while its processes are killed: cluster.py dask|spark TABIA PLAN BOOK.

Kills a process of a worker or a step five times, at moments drawn by a seed, and the driver once; the
driver is then started again. What it says goes to standard error if it fails in the end.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

DRIVER = Path(__file__).parent.parent / "tools" / "cluster"
KILLS, SEED = 5, 37


def descendants(of):
    """All processes below one, with their command lines."""
    children, found = {}, []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name in brackets may have spaces.
            parent = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    waiting = [of]
    while waiting:
        below = children.get(waiting.pop(), [])
        waiting += below
        found += below
    return found


def command_of(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def main():
    engine, tabia, plan, book = sys.argv[1:]
    chance = random.Random(SEED)
    words = [sys.executable, str(DRIVER / f"{engine}_build.py"), plan, "-o", book]
    words += ["--workers", "2", "--retries", "9", "--tabia", tabia]
    # What of the engine may die: Dask's workers, but neither Java nor Spark's daemon that forks workers.
    mortal = ["spawn_main", " step "] if engine == "dask" else [" step "]
    for is_last in (False, True):
        said = open("driver.log", "w+")
        driver = subprocess.Popen(words, stderr=said, start_new_session=True)
        killed, has_begun = 0, False
        while driver.poll() is None:
            time.sleep(chance.uniform(0.1, 0.6))
            commands = {one: command_of(one) for one in descendants(driver.pid)}
            # Before the first step the engine itself is starting.
            has_begun |= any(" step " in command for command in commands.values())
            below = [one for one in commands if any(m in commands[one] for m in mortal)]
            if killed < KILLS and has_begun and below:
                # Those that end by themselves meanwhile don't count.
                try:
                    os.kill(chance.choice(sorted(below)), signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
            if killed == KILLS and not is_last:
                os.killpg(driver.pid, signal.SIGKILL)
                driver.wait()
                break
        if driver.returncode == 0 and Path(book).exists():
            print(f"{engine}: {killed} processes of the last driver were killed, and {int(is_last)} drivers")
            return
    said.seek(0)
    sys.exit(f"{engine}: {said.read()[-3000:]}")


if __name__ == "__main__":
    main()
