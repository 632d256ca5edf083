"""XXH3, the hash of all sums of the format, in numpy: many blocks of one length at once, or one piece of any length.

Follows the published specification of xxHash (seed 0, the default secret). With the package `xxhash` installed, its C code is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_fast: Any
try:
    import xxhash as _fast
except ImportError:
    _fast = None

U64 = NDArray[np.uint64]
M64 = (1 << 64) - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364ea"
    "c5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
STRIPE, LANES, STRIPES_OF_A_BLOCK = 64, 8, 16
ACCUMULATORS = (P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1)


def _secret(at: int, size: int = 8) -> int:
    return int.from_bytes(SECRET[at : at + size], "little")


def _u(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _swap64(x: int) -> int:
    return int.from_bytes(x.to_bytes(8, "little"), "big")


def _fold(a: int, b: int) -> int:
    """The two halves of a product of 128 bits, one upon the other."""
    product = a * b
    return (product & M64) ^ (product >> 64)


def _avalanche(x: int) -> int:
    x ^= x >> 37
    x = x * 0x165667919E3779F9 & M64
    return x ^ x >> 32


def _avalanche_64(x: int) -> int:
    """The avalanche of XXH64, for short inputs."""
    x = (x ^ x >> 33) * P64_2 & M64
    x = (x ^ x >> 29) * P64_3 & M64
    return x ^ x >> 32


def _upto_16(data: bytes) -> int:
    n = len(data)
    if n > 8:
        low = _u(data, 0, 8) ^ _secret(24) ^ _secret(32)
        high = _u(data, n - 8, 8) ^ _secret(40) ^ _secret(48)
        return _avalanche((n + _swap64(low) + high + _fold(low, high)) & M64)
    if n >= 4:
        x = (_u(data, n - 4, 4) + (_u(data, 0, 4) << 32)) ^ _secret(8) ^ _secret(16)
        x ^= ((x << 49 | x >> 15) ^ (x << 24 | x >> 40)) & M64
        x = x * 0x9FB21C651E98DF25 & M64
        x ^= (x >> 35) + n
        x = x * 0x9FB21C651E98DF25 & M64
        return x ^ x >> 28
    if n:
        x = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return _avalanche_64(x ^ _secret(0, 4) ^ _secret(4, 4))
    return _avalanche_64(_secret(56) ^ _secret(64))


def _mix_16(data: bytes, at: int, secret: int) -> int:
    return _fold(_u(data, at, 8) ^ _secret(secret), _u(data, at + 8, 8) ^ _secret(secret + 8))


def _upto_240(data: bytes) -> int:
    n = len(data)
    x = n * P64_1
    if n <= 128:
        for i in range((n - 1) // 32, -1, -1):
            x += _mix_16(data, 16 * i, 32 * i) + _mix_16(data, n - 16 * (i + 1), 32 * i + 16)
        return _avalanche(x & M64)
    for i in range(8):
        x += _mix_16(data, 16 * i, 16 * i)
    x = _avalanche(x & M64)
    for i in range(8, n // 16):
        x += _mix_16(data, 16 * i, 16 * (i - 8) + 3)
    return _avalanche((x + _mix_16(data, n - 16, 136 - 17)) & M64)


def _secret_lanes(at: int) -> U64:
    return np.frombuffer(SECRET, "<u8", LANES, at).astype(np.uint64)


def _take_stripe(acc: U64, lanes: U64, secret: U64) -> None:
    """Takes a stripe of 64 bytes of each of the pieces into their accumulators: arrays of pieces x 8."""
    keyed = lanes ^ secret
    acc += lanes[:, [1, 0, 3, 2, 5, 4, 7, 6]]
    acc += (keyed & np.uint64(0xFFFFFFFF)) * (keyed >> np.uint64(32))


def _accumulate(pieces: NDArray[np.uint8]) -> U64:
    """The accumulators of pieces of one length above 240: an array of pieces x 8."""
    count, n = pieces.shape
    acc = np.tile(np.array(ACCUMULATORS, np.uint64), (count, 1))
    stripes = (n - 1) // STRIPE
    lanes = np.ascontiguousarray(pieces[:, : stripes * STRIPE]).view("<u8").astype(np.uint64, copy=False)
    scramble = _secret_lanes(len(SECRET) - STRIPE)
    for i in range(stripes):
        _take_stripe(acc, lanes[:, LANES * i : LANES * (i + 1)], _secret_lanes(8 * (i % STRIPES_OF_A_BLOCK)))
        if i % STRIPES_OF_A_BLOCK == STRIPES_OF_A_BLOCK - 1:
            acc ^= acc >> np.uint64(47)
            acc ^= scramble
            acc *= np.uint64(P32_1)
    last = np.ascontiguousarray(pieces[:, n - STRIPE :]).view("<u8").astype(np.uint64, copy=False)
    _take_stripe(acc, last, _secret_lanes(len(SECRET) - STRIPE - 7))
    return acc


def _fold_many(a: U64, b: U64) -> U64:
    low, high = multiply(a, b)
    return low ^ high


def multiply(a: U64, b: U64 | np.uint64) -> tuple[U64, U64]:
    """The products of 128 bits of numbers of 64: their lower and their upper halves."""
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a_low, a_high, b_low, b_high = a & mask, a >> half, b & mask, b >> half
    low, cross_1, cross_2 = a_low * b_low, a_high * b_low, a_low * b_high
    middle = (low >> half) + (cross_1 & mask) + (cross_2 & mask)
    return a * b, a_high * b_high + (cross_1 >> half) + (cross_2 >> half) + (middle >> half)


def _merge(acc: U64, secret: int, start: int) -> U64:
    keyed = acc ^ _secret_lanes(secret)
    total: U64 = np.full(len(acc), start & M64, np.uint64)
    for i in range(0, LANES, 2):
        total += _fold_many(keyed[:, i], keyed[:, i + 1])
    total ^= total >> np.uint64(37)
    total *= np.uint64(0x165667919E3779F9)
    total ^= total >> np.uint64(32)
    return total


def xxh3_64_each(pieces: NDArray[np.uint8]) -> U64:
    """The XXH3-64 of each row of an array of bytes."""
    if _fast is not None:
        return np.array([_fast.xxh3_64_intdigest(piece) for piece in pieces], np.uint64)
    n = pieces.shape[1]
    if n <= 240:
        return np.array([xxh3_64(piece.tobytes()) for piece in pieces], np.uint64)
    return _merge(_accumulate(pieces), 11, n * P64_1)


def xxh3_64(data: Any) -> int:
    """The XXH3-64 of anything that has bytes."""
    if _fast is not None:
        return int(_fast.xxh3_64_intdigest(data))
    data = bytes(data)
    if len(data) <= 16:
        return _upto_16(data)
    if len(data) <= 240:
        return _upto_240(data)
    return int(xxh3_64_each(np.frombuffer(data, np.uint8)[None])[0])


def xxh3_128_of_page(data: bytes) -> bytes:
    """The XXH3-128 of more than 240 bytes, in its canonical form."""
    if _fast is not None:
        return bytes(_fast.xxh3_128_digest(data))
    n = len(data)
    acc = _accumulate(np.frombuffer(data, np.uint8)[None])
    low = int(_merge(acc, 11, n * P64_1)[0])
    high = int(_merge(acc, len(SECRET) - STRIPE - 11, ~(n * P64_2))[0])
    return high.to_bytes(8, "big") + low.to_bytes(8, "big")
