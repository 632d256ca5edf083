#!/usr/bin/env python3
"""page.py README FOLDER: does what a page of documentation says. Blocks ```c file=NAME become files in FOLDER, compiled as C99 and as C++17 with all warnings as
errors; then every block ```sh is run there, in order, by bash, and has to succeed."""
import re
import subprocess
import sys
from pathlib import Path

STRICT = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -O2 -c -o /dev/null".split()


def run(*command, **options):
    if subprocess.run(command, **options).returncode:
        sys.exit(f"failed: {' '.join(command)}")


def main(page, folder):
    folder = Path(folder)
    blocks = re.findall(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", Path(page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    sources = [(name, text) for _, name, text in blocks if name]
    steps = [text for language, _, text in blocks if language == "sh"]
    if not sources or not steps or len(sources) + len(steps) != len(blocks):
        sys.exit("a block is neither a file nor a step")
    for name, text in sources:
        (folder / name).write_text(text, encoding="utf-8")
    for number, step in enumerate(steps):
        run("bash", "-euo", "pipefail", "-c", step, cwd=folder, stdout=subprocess.DEVNULL)
        if number == 0:  # now the headers are there
            for name, _ in sources:
                run("gcc", "-std=c99", *STRICT, name, cwd=folder)
                run("g++", "-std=c++17", "-x", "c++", *STRICT, name, cwd=folder)
    print(f"{len(sources)} programs compiled, {len(steps)} steps done")


if __name__ == "__main__":
    main(*sys.argv[1:])
