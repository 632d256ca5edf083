"""Books and journals with flipped, overwritten and cut bytes: whatever is asked of them, nothing but errors of the package comes out.

TABIA_FUZZ sets how many are tried (4,000 in tests/reader_python.sh), TABIA_FUZZ_SEED where the dice begin.
"""

from __future__ import annotations

import os
import random
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from golden import START, cases, sealed

import tabia
from tabia._header import read_header
from tabia._xxh3 import xxh3_64, xxh3_64_each

TIMES = int(os.environ.get("TABIA_FUZZ", "1000"))
SEED = int(os.environ.get("TABIA_FUZZ_SEED", "1"))
CASES = [case for case in cases() if case.expect in ("valid", "copy-refused", "check-finds")]
BOOKS = [case for case in CASES if case.journal is None and len(case.book) < 200_000]
JOURNALS = [case for case in cases() if case.journal and case.expect in ("valid", "copy-refused", "journal-refused")]
ASKED = [0, START, 0xCF9A04AFFA6BADC0, (1 << 64) - 1]


def changed(dice: random.Random, data: bytes) -> bytearray:
    """Bytes with a few of them replaced, or cut, or with a piece copied elsewhere."""
    image = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(image))
        image[at] = dice.choice((dice.randrange(256), image[at] ^ 1 << dice.randrange(8), 0, 255))
    if dice.random() < 0.1:
        at, size = dice.randrange(len(image)), dice.randrange(1, 64)
        to = dice.randrange(len(image))
        image[to : to + size] = image[at : at + size]
        del image[len(data) :]
    if dice.random() < 0.05:
        del image[dice.randrange(len(image)) :]
    return image


def damaged_header(dice: random.Random, data: bytes) -> bytearray:
    """A header with a number changed, most often behind a right crc and digest, so that other rules have to find it."""
    image = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        at = dice.choice((dice.randrange(16, 132), 256 + dice.randrange(96 * 17)))
        size = dice.choice((1, 1, 4, 8))
        number = dice.choice((0, 1, 255, (1 << 64) - 1, dice.getrandbits(64), 1 << dice.randrange(64)))
        image[at : at + size] = (number & (1 << 8 * size) - 1).to_bytes(size, "little")
    if dice.random() < 0.9:
        return bytearray(sealed(image))
    return image


def damaged_pages(dice: random.Random, data: bytes) -> bytearray:
    """A packed book with bytes of PACK or of its pages changed, behind right checksums."""
    image = changed_within(dice, data, 4096, len(data) - 4096)
    header = read_header(data[:4096], len(data), None)
    pack, pages = header.sections["PACK"], header.sections["PAGE"]
    checksum = xxh3_64(bytes(image[pack.offset : pack.offset + pack.length]))
    every = np.frombuffer(image, np.uint8, pages.length, pages.offset).reshape(-1, 4096)
    every[:, 4:8] = (np.arange(len(every)) + (checksum & 0xFFFFFFFF) & 0xFFFFFFFF).astype("<u4").view(np.uint8).reshape(-1, 4)
    every[:, 4088:] = xxh3_64_each(every[:, :4088]).astype("<u8").view(np.uint8).reshape(-1, 8)
    del every
    tags = list(header.sections)
    for tag in ("PACK", "COPY"):
        at = 256 + 96 * tags.index(tag) + 24
        image[at : at + 8] = struct.pack("<Q", checksum)
    return bytearray(sealed(image))


def changed_within(dice: random.Random, data: bytes, start: int, end: int) -> bytearray:
    """Bytes in a range changed, most often where something other than zeros and empty slots is."""
    image = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(start, end)
        for _ in range(40):
            if image[at] not in (0, 255):
                break
            at = dice.randrange(start, end)
        at = min(max(at + dice.randint(-2, 2), start), end - 1)
        image[at] = dice.choice((dice.randrange(256), image[at] ^ 1 << dice.randrange(8), 0, 255))
    return image


def damaged_journal(dice: random.Random, data: bytes) -> bytearray:
    """A journal with changed frames, whose crcs are right if the dice say so."""
    if not data or dice.random() < 0.5:
        return changed(dice, data or bytes(64))
    image = bytearray(data)
    if len(image) > 64:
        image = changed_within(dice, data, 64, len(data))
    if dice.random() < 0.3:
        image[16:64] = image[16:56] + xxh3_64(bytes(image[32:56])).to_bytes(8, "little")
        image[12:16] = struct.pack("<I", zlib.crc32(image[16:64]))
    at, previous = 64, image[12:16]
    while at + 40 <= len(image):
        length = int.from_bytes(image[at + 8 : at + 16], "little")
        body = bytes(image[at + 40 : at + 40 + min(length, len(image))])
        image[at + 24 : at + 28] = struct.pack("<I", zlib.crc32(body))
        image[at + 32 : at + 36] = previous
        image[at + 4 : at + 8] = previous = struct.pack("<I", zlib.crc32(image[at + 8 : at + 40], zlib.crc32(image[56:64])))
        at += 40 + length
    return image


def ask_everything(book: tabia.BookReader, keys: list[int], counts: Counter[str]) -> None:
    """All that a book can be asked, each apart: what one can't answer another may."""
    asks = [lambda: book.sources, lambda: book.facts, lambda: book.verify()]  # type: ignore[attr-defined]
    for key in keys:
        asks += [lambda key=key: book.get(key), lambda key=key: book.find_all(key), lambda key=key: key in book]
    asks += [lambda: book.positions(keys), lambda: book.moves(keys), lambda: sum(map(len, book.batches("positions")))]
    asks += [lambda: sum(map(len, book.batches("moves"))), lambda: list(book)[:50], lambda: len(book)]
    for ask in asks:
        try:
            ask()
        except tabia.TabiaError as error:
            assert isinstance(error, (tabia.NoSuchTable, tabia.NotInBook)) or error.rule
            counts[f"{error.rule} when asked"] += 1


def attempt(path: Path | bytes, counts: Counter[str], dice: random.Random, keys: list[int]) -> None:
    try:
        book = tabia.open_book(path, verify=dice.random() < 0.2, mapped=dice.random() < 0.5)
    except tabia.TabiaError as error:
        assert error.rule
        counts[error.rule] += 1
        return
    counts["opened"] += 1
    with book:
        ask_everything(book, keys, counts)


def damaged_books(dice: random.Random, times: int) -> Iterator[tuple[bytes, list[int]]]:
    """Damaged books, and keys to ask each of them for."""
    packed = [case for case in BOOKS if case.name.startswith("packed")]
    known = {case.name: known_keys(case.book) for case in BOOKS}
    for _ in range(times):
        how = dice.random()
        case = dice.choice(packed if how < 0.4 else BOOKS)
        if how < 0.4:
            image = damaged_pages(dice, case.book)
        else:
            image = damaged_header(dice, case.book) if how < 0.7 else changed(dice, case.book)
        some = known[case.name]
        yield bytes(image), ASKED + dice.sample(some, min(len(some), 6))


def test_books(tmp_path: Path) -> None:
    dice, counts = random.Random(SEED), Counter[str]()
    path = tmp_path / "book.tabia"
    for image, keys in damaged_books(dice, TIMES):
        path.write_bytes(image)
        attempt(path if dice.random() < 0.7 else image, counts, dice, keys)
    assert counts["opened"] > TIMES // 4 and len(counts) > 8 and counts["B-32 when asked"] > TIMES // 20, counts
    print(dict(counts))


def known_keys(data: bytes) -> list[int]:
    """Keys that a sound book has."""
    try:
        with tabia.open_book(data) as book:
            return [row for table in book.tables for rows in book.batches(table) for row in rows["key"][:300].tolist()]
    except tabia.TabiaError:
        return []


def test_journals(tmp_path: Path) -> None:
    dice, counts = random.Random(SEED), Counter[str]()
    path = tmp_path / "book.tabia"
    known = {case.name: known_keys(case.book) for case in JOURNALS}
    for _ in range(TIMES):
        case = dice.choice(JOURNALS)
        path.write_bytes(case.book)
        (tmp_path / "book.tabia-journal").write_bytes(damaged_journal(dice, case.journal or b""))
        some = known[case.name]
        attempt(path, counts, dice, ASKED + dice.sample(some, min(len(some), 3)))
    assert counts["opened"] > TIMES // 10 and counts["J-5"] > TIMES // 100, counts
    print(dict(counts))


def test_books_through_the_compiled_reader(tmp_path: Path) -> None:
    """The engine has fuzzing of its own: this is about what stands between it and Python. A panic would be an `EngineError` that says so."""
    engine = pytest.importorskip("tabia_engine")
    dice, counts = random.Random(SEED + 1), Counter[str]()
    path = tmp_path / "book.tabia"
    for image, keys in damaged_books(dice, TIMES // 4):
        path.write_bytes(image)
        try:
            book = engine.open_book(path, verify=dice.random() < 0.3)
        except tabia.TabiaError as error:
            assert not isinstance(error, tabia.EngineError), error
            counts["refused"] += 1
            continue
        counts["opened"] += 1
        with book:
            ask_compiled(book, keys, counts)
    assert counts["opened"] > TIMES // 16 and counts["refused"] > TIMES // 40 and counts["damage when asked"] > TIMES // 80, counts
    print(dict(counts))


def ask_compiled(book: tabia.BookReader, keys: list[int], counts: Counter[str]) -> None:
    """All that the compiled reader can be asked, each apart."""
    asks = [lambda: book.sources, lambda: book.facts, lambda: book.positions(keys), lambda: book.moves(keys), lambda: list(book)[:50]]
    asks += [lambda table=table: sum(map(len, book.batches(table))) for table in ("positions", "moves")]
    for key in keys:
        asks += [lambda key=key: book.get(key), lambda key=key: book.find_all(key)]
    for ask in asks:
        try:
            ask()
        except tabia.TabiaError as error:
            assert not isinstance(error, tabia.EngineError), error
            counts["damage when asked" if isinstance(error, tabia.DamagedBook) else type(error).__name__] += 1
