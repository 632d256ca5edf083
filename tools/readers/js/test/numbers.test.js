// Keys, hashes, checksums: vectors of the specification, and of xxHash's own implementation.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { crc32 as zlibCrc } from "node:zlib";
import { formatKey, parseKey } from "../src/index.js";
import { crc32 } from "../src/numbers/crc32.js";
import { hashOf, mix, out, toBig, unmix } from "../src/numbers/u64.js";
import { xxh3, xxh3Of128Bits } from "../src/numbers/xxh3.js";
import { Header } from "../src/book/header.js";
import { Place } from "../src/book/table.js";
import { goldenBook } from "./support/golden.js";
import { Random } from "./support/random.js";

const specification = readFileSync(new URL("../../../../format-spec/README.md", import.meta.url), "utf8");

test("mix has the vectors of section 2, and unmix takes it back", () => {
  const vectors = [...specification.matchAll(/^\| ([0-9a-f]{16})[^|]* \| ([0-9a-f]{16}) \|$/gm)];
  assert.equal(vectors.length, 7);
  for (const [, key, h] of vectors) {
    assert.equal(formatKey(mix(parseKey(key))), h);
    assert.equal(formatKey(unmix(parseKey(h))), key);
  }
  const random = new Random(1);
  for (let i = 0; i < 10_000; i++) {
    const key = random.bits();
    assert.equal(unmix(mix(key)), key);
    hashOf(formatKey(key));
    assert.equal(toBig(out[0], out[1]), mix(key));
  }
});

/** A place by the formulas of sections 2 and 5.2, in BigInt. */
function place(h, b, homes) {
  const product = BigInt.asUintN(64, h << BigInt(b)) * BigInt(homes), home = product >> 64n, low = BigInt.asUintN(64, product);
  return { home: Number(home), tag: Number(((home & 127n) << 9n) | (low >> 55n)) };
}

function placeByHalves(h, b, homes) {
  const { home, tag } = new Place({ shareBits: b }, homes, Number(h & 0xffffffffn), Number(h >> 32n));
  return { home, tag };
}

test("homes and tags are those of section 2 and 5.2", () => {
  for (const [b, home] of [[0, 229], [2, 916], [32, 633]]) assert.equal(placeByHalves(0x3aa0f82ca23c21ean, b, 1000).home, home);
  assert.equal(placeByHalves(0x5692161d100b05e5n, 0, 1000).tag, 0xa455);
  assert.equal(placeByHalves(0x5692161d100b05e5n, 2, 1000).tag, 0xc155);
  const random = new Random(2), edges = [0n, 1n, (1n << 64n) - 1n, 1n << 63n, (1n << 32n) - 1n];
  for (let i = 0; i < 20_000; i++) {
    const h = i < 500 ? random.pick(edges) : random.bits(), b = random.below(33);
    const homes = 1 + random.below(2 ** (1 + random.below(47)));
    assert.deepEqual(placeByHalves(h, b, homes), place(h, b, homes), `${h} ${b} ${homes}`);
  }
});

/** Bytes as xxHash's own tests make them, and XXH3-64 of so many of them; made by xxHash 0.8 (PyPI's xxhash). */
const generated = Uint8Array.from({ length: 6000 }, (_, i) => (((i * 2654435761) % 2 ** 32) >>> 11) ^ (i * i));
const vectors64 = {
  0: "2d06800538d394c2",
  1: "c44bdff4074eecdb",
  2: "e525dd9e0c4e23e8",
  3: "2c920c54d7886ba0",
  4: "87c7fb02496d9312",
  5: "db8fbb0c76e44dbc",
  7: "1f7a01b665c954ef",
  8: "0d2e325c489e72b0",
  9: "df14f918ca41b004",
  12: "3d82733447e46c5f",
  15: "5316df1d33acbe5f",
  16: "3eb46a4dee683453",
  17: "aaf21d33f810acf0",
  31: "bedbf7c5e364d4fc",
  32: "465ac01b110a1794",
  33: "d54c28469e94bd4b",
  63: "497b9ad01801a47c",
  64: "6ed969452e927ce8",
  65: "c5c789c5c0610b1d",
  95: "e7bb64ebd444decc",
  96: "2c8e696fcb5f7c31",
  97: "26ce4de883d24955",
  127: "3594b2a4b5529a7d",
  128: "a2efc85bcc8f3f3c",
  129: "3aa80913e17806fd",
  144: "ea0e9f365a428254",
  145: "b071863bb9c8d843",
  192: "a5aa7afdc527ba0e",
  239: "9edd58af7f03ed7d",
  240: "85d18fffeb10a924",
  241: "29acc84b9161f9b5",
  255: "469fe1d4f0d0627f",
  256: "090dbedf9c44666b",
  512: "00c885b533ac5dbd",
  1000: "96ff4b80f7560dc1",
  1023: "d9e79929fe05f264",
  1024: "2ab59b0c1930d054",
  1025: "5037bda1915894e8",
  2048: "5100bc56775dd7e0",
  4088: "eb24076b508402f7",
  4095: "2a4649a14c198ba1",
  4096: "fb9afb1f6e489565",
  4097: "0ee7af980a907f5d",
  5999: "c01601b517640d0f",
};
const vectors128 = {
  241: "151104bcaf102c3329acc84b9161f9b5",
  255: "f7ff2c6ebf628691469fe1d4f0d0627f",
  256: "23c23ef66a4b0ee5090dbedf9c44666b",
  512: "40df13c9ec87e8ba00c885b533ac5dbd",
  1000: "5f81d82218095cc896ff4b80f7560dc1",
  1023: "c350a2e10a644abbd9e79929fe05f264",
  1024: "8e0706655f2daf722ab59b0c1930d054",
  1025: "7b6f1432492b81bc5037bda1915894e8",
  2048: "b7ebd3b387cb21cd5100bc56775dd7e0",
  4088: "757723b75f511e34eb24076b508402f7",
  4095: "7a29209e9e38120b2a4649a14c198ba1",
  4096: "55b422c9d416798dfb9afb1f6e489565",
  4097: "0b1625d56a9839350ee7af980a907f5d",
  5999: "176d66db8bd87c47c01601b517640d0f",
};

test("XXH3 of all kinds of lengths", () => {
  for (const [length, sum] of Object.entries(vectors64)) assert.equal(formatKey(xxh3(generated.subarray(0, Number(length)))), sum, length);
  for (const [length, sum] of Object.entries(vectors128)) assert.equal(xxh3Of128Bits(generated.subarray(0, Number(length))), sum, length);
});

test("crc32 is that of zlib", { skip: zlibCrc === undefined && "this node has no zlib.crc32" }, () => {
  for (const length of [0, 1, 2, 4092]) assert.equal(crc32(generated.subarray(0, length)), zlibCrc(generated.subarray(0, length)));
});

test("crc32 is that of a golden header", () => {
  const page = goldenBook("example.tabia").subarray(0, 4096);
  assert.equal(crc32(page.subarray(0, 4092)), 0x2719d977);
  assert.equal(new Header(page, 32768).digest, "8413951d87d6af60e1c517a232b6d32c");
});

test("keys are read and written", () => {
  assert.equal(parseKey("463b96181691fc9c"), 0x463b96181691fc9cn);
  assert.equal(formatKey(1n), "0000000000000001");
  assert.equal(formatKey("463B96181691FC9C"), "463b96181691fc9c");
  for (const wrong of ["463b", 5, null, {}, "zzzzzzzzzzzzzzzz"]) assert.throws(() => parseKey(wrong), TypeError);
  for (const wrong of [-1n, 2n ** 64n]) assert.throws(() => formatKey(wrong), RangeError);
});
