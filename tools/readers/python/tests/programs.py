"""What tests need from outside: the command `tabia`, archives, and large books, and saying loudly that they are not there."""

from __future__ import annotations

import os
import subprocess
import warnings
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[4]
SAMPLE = REPOSITORY / "tests" / "sample.pgn"
COMMAND = os.environ.get("TABIA")
BOOKS = Path(os.environ.get("TABIA_BOOKS", "/tmp/books"))


def skip(why: str) -> None:
    """Skips a test so that it is seen."""
    warnings.warn(f"skipped: {why}", stacklevel=2)
    pytest.skip(why)


def tabia_command(*arguments: object, given: str | None = None) -> str:
    """What the command `tabia`, which TABIA names, prints when it is given that as input."""
    if COMMAND is None:
        skip("the command tabia is not there: name it by TABIA")
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, input=given)  # type: ignore[list-item]
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def large_book(name: str) -> Path:
    """A large book, if it is there."""
    path = BOOKS / name
    if not path.exists():
        skip(f"the large book {path} is not there: TABIA_BOOKS names the folder")
    return path
