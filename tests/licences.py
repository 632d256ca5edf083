#!/usr/bin/env python3
"""The licences of all crates that are compiled into a command, with their texts, in one file.

tests/licences.py MANIFEST PACKAGE TARGET > LICENSES.txt: by `cargo metadata` and `cargo tree`, from the files that crates bring along; where a crate brings none, its licence is
named. Exit code 1 if a crate has no licence, or one that isn't accepted here.
"""

import json
import pathlib
import re
import subprocess
import sys

# All go into a program under the GPL, version 3 or later.
ACCEPTED = {"GPL-3.0-or-later", "GPL-3.0", "GPL-3.0+", "MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "Unicode-3.0", "CC0-1.0", "0BSD", "Unlicense", "BSL-1.0", "MIT-0", "bzip2-1.0.6"}
NAMES = re.compile(r"(licen[cs]e|copying|notice|unlicense)", re.IGNORECASE)


def accepted(expression: str) -> bool:
    """Whether an SPDX expression is met by accepted licences: of OR one, of AND all."""
    expression = expression.replace("/", " OR ").strip()
    while expression.startswith("(") and expression.endswith(")") and ")" not in expression[:-1]:
        expression = expression[1:-1]
    for word, every in ((" OR ", False), (" AND ", True)):
        parts, depth, start = [], 0, 0
        for at, letter in enumerate(expression):
            depth += (letter == "(") - (letter == ")")
            if depth == 0 and expression.startswith(word, at):
                parts.append(expression[start:at])
                start = at + len(word)
        if parts:
            return (all if every else any)(accepted(part) for part in [*parts, expression[start:]])
    return expression.strip("() ") in ACCEPTED


def main() -> int:
    manifest, package, target = sys.argv[1:]
    cargo = ["cargo", "tree", "--locked", "--manifest-path", manifest, "-p", package, "-e", "normal", "--target", target, "--prefix", "none", "--format", "{p}"]
    wanted = {tuple(line.split()[:2]) for line in subprocess.run(cargo, check=True, capture_output=True, text=True).stdout.splitlines() if line}
    told = subprocess.run(["cargo", "metadata", "--locked", "--manifest-path", manifest, "--format-version", "1"], check=True, capture_output=True, text=True).stdout
    crates = [crate for crate in json.loads(told)["packages"] if (crate["name"], "v" + crate["version"]) in wanted]
    texts: dict[str, list[str]] = {}
    bad = without = 0
    for crate in sorted(crates, key=lambda crate: (crate["name"], crate["version"])):
        name = f"{crate['name']} {crate['version']} ({crate['license']})"
        if not crate["license"] or not accepted(crate["license"]):
            print(f"{name}: this licence isn't accepted", file=sys.stderr)
            bad += 1
        folder = pathlib.Path(crate["manifest_path"]).parent
        found = [file for file in sorted(folder.iterdir()) if file.is_file() and NAMES.match(file.name)]
        for file in found:
            texts.setdefault(file.read_text(errors="replace").strip(), []).append(name)
        if not found:
            without += 1
            texts.setdefault(f"No file in the package: the licence is {crate['license']}, by {', '.join(crate['authors']) or 'its authors'}.", []).append(name)
    print(f"The command {package}: licences of the {len(crates)} crates that are compiled into it, and of those that make code for it.\n")
    for text, names in sorted(texts.items(), key=lambda item: (-len(item[1]), item[1])):
        print("=" * 100 + "\n" + "\n".join(sorted(set(names))) + "\n" + "-" * 100 + "\n" + text + "\n")
    print(f"{len(crates)} crates, {len(texts)} texts, {without} crates without a file, {bad} licences not accepted", file=sys.stderr)
    return bad > 0 or len(crates) < 50


if __name__ == "__main__":
    sys.exit(main())
