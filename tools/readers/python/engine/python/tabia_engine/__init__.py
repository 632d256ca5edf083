"""Making Tabia's opening books, and reading them at full speed: the compiled part of the package `tabia`.

    import tabia_engine

    tabia_engine.build("masters.tabia", ["masters.pgn.zst"], max_ply=40, progress=print)
    tabia_engine.merge("all.tabia", ["masters.tabia", "club.tabia"])
    with tabia_engine.open_book("all.tabia") as book:
        ...                                        # all that tabia.open_book can be asked

Long work (building, adding, merging, checking, packing) runs without the interpreter's lock. `progress(stage, done, total)` is called in
the thread that called, some twenty times a second at most: `stage` is `reading` (bytes of archives), `sorting`, `counting`, `writing`
(rows), `syncing` or `checking` (bytes); `total` is 0 where it is not known. What it raises stops the work, as Ctrl-C does, and is raised
again; files are then as they were. Errors are those of `tabia.errors`, and `OSError` for what the system refuses. Games are read by rules
from shakmaty, which is GPL: this package is GPL-3.0-or-later, unlike `tabia`.
"""

from __future__ import annotations

from ._files import CheckReport, Finding, check, compact, merge, merge_into, pack, unpack, write_book
from ._games import Built, add, build
from ._reading import EngineBook, open_book
from ._writing import Batch, Writer

__version__ = "0.1.0"
__all__ = [
    "Batch",
    "Built",
    "CheckReport",
    "EngineBook",
    "Finding",
    "Writer",
    "add",
    "build",
    "check",
    "compact",
    "merge",
    "merge_into",
    "open_book",
    "pack",
    "unpack",
    "write_book",
]
