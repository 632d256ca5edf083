#!/usr/bin/env python3
"""Which packages of Cargo.lock files have advisories that their versions aren't free of.

tests/advisories.py ADVISORIES LOCK...: ADVISORIES is a copy of RustSec's repository advisory-db, which is in no registry of packages. Exit code 1 if a package of
the locks is affected; what is merely unmaintained is told, and no failure.
"""

import pathlib
import re
import sys
import tomllib


def numbers(version: str) -> tuple[list[int], bool, str]:
    """A version in the order of semantic versions: a version that is no release comes before its release."""
    plain, _, pre = version.partition("+")[0].partition("-")
    parts = [int(part) for part in plain.split(".")]
    return parts + [0] * (3 - len(parts)), not pre, pre


def caret(version: str) -> tuple[list[int], bool, str]:
    """The least version that a caret excludes."""
    parts = [int(part) for part in version.partition("-")[0].split(".")]
    at = next((at for at, part in enumerate(parts) if part), len(parts) - 1)
    return numbers(".".join(map(str, parts[:at] + [parts[at] + 1])))


def meets(version: str, requirement: str) -> bool:
    """Whether a version is within bounds such as `>= 1.2.0, < 2.0.0`."""
    own = numbers(version)
    for bound in requirement.split(","):
        sign, wanted = re.fullmatch(r"\s*(>=|<=|>|<|=|\^)?\s*(\S+)\s*", bound).groups()
        least = numbers(wanted)
        holds = {">=": own >= least, "<=": own <= least, ">": own > least, "<": own < least, "=": own == least}
        if not holds.get(sign, least <= own < caret(wanted)):
            return False
    return True


def main() -> int:
    known = pathlib.Path(sys.argv[1]) / "crates"
    if not known.is_dir():
        sys.exit(f"{known} is not there")
    affected = looked = 0
    for lock in sys.argv[2:]:
        for package in tomllib.loads(pathlib.Path(lock).read_text())["package"]:
            for file in sorted((known / package["name"]).glob("*.md")):
                looked += 1
                told = tomllib.loads(file.read_text().split("```toml")[1].split("```")[0])
                advisory, versions = told["advisory"], told.get("versions", {})
                free = versions.get("patched", []) + versions.get("unaffected", [])
                if advisory.get("withdrawn") or any(meets(package["version"], bound) for bound in free):
                    continue
                kind = advisory.get("informational")
                is_told = kind in ("unmaintained", "notice")
                print(f"{lock}: {package['name']} {package['version']}: {advisory['id']}" + (f" ({kind})" if is_told else ""))
                affected += not is_told
    print(f"{looked} advisories of these packages, {affected} not answered")
    return affected > 0


if __name__ == "__main__":
    sys.exit(main())
