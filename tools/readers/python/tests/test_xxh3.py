"""XXH3 in numpy against the package xxhash, for every length that the format hashes."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tabia import _xxh3

xxhash = pytest.importorskip("xxhash")
LENGTHS = [*range(0, 520), 1023, 1024, 1025, 2048, 4087, 4088, 4095, 4096, 4097, 20000]


def test_without_xxhash_the_hashes_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_xxh3, "_fast", None)
    dice = random.Random(1)
    for length in LENGTHS:
        data = dice.randbytes(length)
        assert _xxh3.xxh3_64(data) == xxhash.xxh3_64_intdigest(data), length
        if length > 240:
            assert _xxh3.xxh3_128_of_page(data) == xxhash.xxh3_128_digest(data), length


@pytest.mark.parametrize("length", [8, 24, 200, 241, 4088, 4096])
@pytest.mark.parametrize("fast", [False, True])
def test_many_at_once(length: int, fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not fast:
        monkeypatch.setattr(_xxh3, "_fast", None)
    pieces = np.random.default_rng(1).integers(0, 256, (50, length), np.uint8)
    assert _xxh3.xxh3_64_each(pieces).tolist() == [xxhash.xxh3_64_intdigest(piece.tobytes()) for piece in pieces]
