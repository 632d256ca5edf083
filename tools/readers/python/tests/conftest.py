"""Tests run against the installed package, or, where it isn't installed, against the tree."""

import sys
from pathlib import Path

try:
    import tabia  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
