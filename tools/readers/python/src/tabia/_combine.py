"""How rows merge (M-1 to M-7), and how rows of a journal are laid over those of a book: whole arrays at once.

Arrays here are ascending in h, moves in (h, move), and a row is there once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .rows import NO_EVAL

Rows = np.ndarray[tuple[int], np.dtype[np.void]]
Bools = NDArray[np.bool_]
LIMITS = {"mover_rating_sum": (1 << 48) - 1, "opponent_rating_sum": (1 << 48) - 1}


class Overlay(NamedTuple):
    """What a journal says of the rows of one table: `replaces`: the book's own row counts no more; `gone`: there is none now."""

    rows: Rows
    replaces: Bools
    gone: Bools

    def within(self, hashes: NDArray[np.uint64]) -> Overlay:
        """Of these hashes, which ascend."""
        if not len(hashes):
            return Overlay(self.rows[:0], self.replaces[:0], self.gone[:0])
        h = self.rows["h"]
        place = np.minimum(np.searchsorted(hashes, h), len(hashes) - 1)
        return self._those(hashes[place] == h)

    def between(self, after: int, last: int) -> Overlay:
        """Of hashes above `after` (-1: all) up to `last`."""
        h = self.rows["h"]
        first = 0 if after < 0 else int(np.searchsorted(h, np.uint64(after), "right"))
        end = int(np.searchsorted(h, np.uint64(last), "right"))
        return self._those(slice(first, end))

    def _those(self, which: Bools | slice) -> Overlay:
        return Overlay(self.rows[which], self.replaces[which], self.gone[which])


def same_as_next(rows: Rows) -> Bools:
    """Whether a row has the h (and move) of the next one; the last one has not."""
    same = rows["h"][:-1] == rows["h"][1:]
    if "move" in (rows.dtype.names or ()):
        same &= rows["move"][:-1] == rows["move"][1:]
    return np.append(same, False) if len(rows) else np.zeros(0, np.bool_)


def order_of(rows: Rows) -> NDArray[np.intp]:
    """The stable order by h, for moves by (h, move)."""
    if "move" in (rows.dtype.names or ()):
        return np.lexsort((rows["move"], rows["h"]))
    return np.argsort(rows["h"], kind="stable")


def merged(a: Rows, b: Rows) -> Rows:
    """Merges rows pairwise."""
    out: Rows = a.copy()
    for name in a.dtype.names or ():
        if name in ("wins", "draws", "losses", "rated_games", "rated_score", *LIMITS):
            out[name] = _sum(a[name], b[name], LIMITS.get(name, np.iinfo(a.dtype[name]).max))
        elif name in ("flags", "marks"):
            out[name] |= b[name]
        elif name in ("game", "last_year"):
            out[name] = np.maximum(a[name], b[name])
        elif name == "first_year":
            unknown = np.iinfo(np.uint16).max
            first = np.minimum(a[name] - np.uint16(1), b[name] - np.uint16(1))  # 0, unknown, is the greatest here
            out[name] = np.where(first == unknown, 0, first + np.uint16(1))
    if "eval" in (a.dtype.names or ()):
        better = _worth(b) < _worth(a)
        for name in ("eval", "depth"):
            out[name][better] = b[name][better]
    return out


def _sum(a: NDArray[np.unsignedinteger], b: NDArray[np.unsignedinteger], limit: int) -> NDArray[np.uint64]:
    total = a.astype(np.uint64) + b.astype(np.uint64)
    total[total < a] = np.uint64((1 << 64) - 1)
    limited: NDArray[np.uint64] = np.minimum(total, np.uint64(limit))
    return limited


def _worth(rows: Rows) -> NDArray[np.int64]:
    """The order of evals (M-2): the least is taken."""
    value, depth = rows["eval"].astype(np.int64), rows["depth"].astype(np.int64)
    worth: NDArray[np.int64] = (value == NO_EVAL) * (1 << 48) + ((255 - depth) << 40) + (np.abs(value) << 20) + (value + 32768)
    return worth


def merged_runs(rows: Rows) -> Rows:
    """Merges all rows of one h (and move), which stand side by side."""
    while True:
        same = same_as_next(rows)
        if not same.any():
            return rows
        new = np.flatnonzero(~np.append(False, same[:-1]))
        run = np.repeat(np.arange(len(new)), np.diff(np.append(new, len(rows))))
        even = (np.arange(len(rows)) - new[run]) % 2 == 0
        first = np.flatnonzero(even & same)
        pairs = merged(rows[first], rows[first + 1])
        rows = rows.copy()
        rows[first] = pairs
        rows = rows[even]


def overlay_of(rows: Rows, operations: NDArray[np.uint8]) -> Overlay:
    """What operations (1 add, 2 put, 3 delete), in the order in which they were made, come to."""
    order = order_of(rows)
    rows, operations = rows[order], operations[order]
    if not len(rows):
        return Overlay(rows, np.zeros(0, np.bool_), np.zeros(0, np.bool_))
    starts = np.flatnonzero(~np.append(False, same_as_next(rows)[:-1]))
    index = np.arange(len(rows))
    reset = np.maximum.reduceat(np.where(operations > 1, index, -1), starts)
    run = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(rows))))
    kept = (index >= reset[run]) & (operations != 3)
    gone = np.bincount(run[kept], minlength=len(starts)) == 0
    result = rows[starts].copy()
    result[~gone] = merged_runs(rows[kept])
    return Overlay(result, reset >= 0, gone)


def laid_over(rows: Rows, overlay: Overlay) -> Rows:
    """The rows that a book has under a journal, given its own rows and what the journal says of rows in the same range."""
    if not len(overlay.rows):
        return rows
    own = len(rows)
    both = np.concatenate([rows, overlay.rows])
    order = order_of(both)
    first = np.flatnonzero(same_as_next(both[order]))
    mine, theirs = order[first], order[first + 1] - own
    add = ~overlay.replaces[theirs]
    both[own + theirs[add]] = merged(rows[mine[add]], overlay.rows[theirs[add]])
    drop = np.zeros(len(both), np.bool_)
    drop[mine] = True
    drop[own:] = overlay.gone
    return both[order[~drop[order]]]
