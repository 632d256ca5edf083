"""What the documentation says: doctests, types, the READMEs' code, the example."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from golden import FOLDER
from programs import SAMPLE

import tabia

PACKAGE = Path(__file__).resolve().parents[1]
MODULES = ["tabia", *(f"tabia.{module.name}" for module in pkgutil.iter_modules(tabia.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"example": str(FOLDER / "example.tabia"), "tabia": tabia})
    assert result.failed == 0


def test_there_are_doctests() -> None:
    found = sum(len(test.examples) for name in MODULES for test in doctest.DocTestFinder().find(importlib.import_module(name)))
    assert found > 20


@pytest.mark.parametrize("name", tabia.__all__)
def test_public_items_are_documented(name: str) -> None:
    item = getattr(tabia, name)
    assert getattr(item, "__doc__", None) or name == "PositionLike"
    if isinstance(item, type):
        for method, what in vars(item).items():
            if not method.startswith("_") and (callable(what) or isinstance(what, property)):
                inherited = any(getattr(getattr(base, method, None), "__doc__", None) for base in item.__mro__)
                assert inherited, f"{name}.{method}"


def test_types_are_checked_strictly() -> None:
    pytest.importorskip("mypy")
    places = ["src/tabia", "examples"] + ["engine/python/tabia_engine"] * (PACKAGE / "engine").exists()
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", *places], cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


def halves(folder: Path) -> None:
    """The archives that the READMEs name, made of the sample."""
    games = SAMPLE.read_text(encoding="utf-8", errors="surrogateescape").split("\n\n[Event ")
    parts = {"masters.pgn": games[: len(games) // 2], "club.pgn": games[len(games) // 2 :]}
    for name, some in parts.items():
        text = "\n\n[Event ".join(some)
        text = text if text.startswith("[Event") else "[Event " + text
        (folder / name).write_text(text + "\n", encoding="utf-8", errors="surrogateescape")
    (folder / "this-week.pgn").write_text('[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n')


def test_the_code_of_the_readmes_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    engine = pytest.importorskip("tabia_engine")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [*sys.argv])
    halves(tmp_path)
    reading, whole = blocks(PACKAGE / "README.md")
    assert whole.count("\n") <= 10, "ten lines"
    (tmp_path / "examples").symlink_to(PACKAGE / "examples")
    exec(compile(whole.replace(".pgn.zst", ".pgn"), "README.md", "exec"), {})
    assert (tmp_path / "win_rates.png").stat().st_size > 10_000 and "ply  6" in capsys.readouterr().out
    exec(compile(reading, "README.md", "exec"), {})
    assert "e2e4" in capsys.readouterr().out
    for name in ("masters.tabia", "all.tabia"):
        (tmp_path / name).unlink()
    (rest,) = blocks(PACKAGE / "engine" / "README.md")
    exec(compile(rest.replace(".pgn.zst", ".pgn").replace("max_ply=40, ", "").replace('columns=["ratings", "years"], ', ""), "README.md", "exec"), {})
    assert engine.check("small.tabia").ok


def test_the_example_says_how_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(sys, "argv", ["win_rates.py"])
    with pytest.raises(SystemExit, match="usage"):
        runpy.run_path(str(PACKAGE / "examples" / "win_rates.py"), run_name="__main__")
