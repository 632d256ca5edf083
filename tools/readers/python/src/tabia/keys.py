"""Keys as the format stores them: `h = mix(key)`, a bijection, one by one and for whole arrays; and keys of lines.

>>> hex(mix(0x463B96181691FC9C))
'0x3aa0f82ca23c21ea'
>>> hex(unmix(0x3AA0F82CA23C21EA))
'0x463b96181691fc9c'
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["line_key", "line_next", "line_start", "mix", "mix_array", "unmix", "unmix_array"]

M64 = (1 << 64) - 1
U64 = NDArray[np.uint64]


def mix(key: int) -> int:
    """The `h` of a key of 64 bits, under which a book stores it."""
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 & M64
    key = (key ^ key >> 27) * 0x94D049BB133111EB & M64
    return key ^ key >> 31


def unmix(h: int) -> int:
    """The key of an `h`: the inverse of `mix`."""
    h = (h ^ h >> 31 ^ h >> 62) * 0x319642B2D24D8EC3 & M64
    h = (h ^ h >> 27 ^ h >> 54) * 0x96DE1B173F119089 & M64
    return h ^ h >> 30 ^ h >> 60


def mix_array(keys: U64) -> U64:
    """`mix` of each key of an array.

    >>> [hex(h) for h in mix_array(np.array([0, 1], np.uint64)).tolist()]
    ['0x0', '0x5692161d100b05e5']
    """
    x: U64 = keys ^ (keys >> np.uint64(30))
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x


def unmix_array(hashes: U64) -> U64:
    """`unmix` of each `h` of an array."""
    x: U64 = hashes ^ (hashes >> np.uint64(31)) ^ (hashes >> np.uint64(62))
    x *= np.uint64(0x319642B2D24D8EC3)
    x ^= (x >> np.uint64(27)) ^ (x >> np.uint64(54))
    x *= np.uint64(0x96DE1B173F119089)
    x ^= (x >> np.uint64(30)) ^ (x >> np.uint64(60))
    return x


def line_start(key: int) -> int:
    """The key of a line without moves from the position with this key, in a book keyed by line."""
    return mix(key)


def line_next(line: int, code: int) -> int:
    """The key of a line after one move more, given the move's code."""
    return mix(line + 0x9E3779B97F4A7C15 * (code + 1) & M64)


def line_key(key: int, codes: Iterable[int]) -> int:
    """The key of the line of these moves' codes from the position with this key.

    >>> hex(line_key(0x463B96181691FC9C, [0x31C, 0xD24, 0x195]))
    '0xf08796549f5afa13'
    """
    line = line_start(key)
    for code in codes:
        line = line_next(line, code)
    return line
