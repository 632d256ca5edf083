// XXH3 of 64 and of 128 bits, seed 0, after the algorithm's specification (https://xxhash.com). Inputs of more than 240 bytes, which blocks and
// pages are, run on halves of 32 bits; what is shorter, and the last steps, on BigInt.

import { multiplyHigh } from "./u64.js";

const MASK = 0xffffffffffffffffn;
const PRIME32_1 = 0x9e3779b1n, PRIME32_2 = 0x85ebca77n, PRIME32_3 = 0xc2b2ae3dn;
const PRIME64_1 = 0x9e3779b185ebca87n, PRIME64_2 = 0xc2b2ae3d27d4eb4fn, PRIME64_3 = 0x165667b19e3779f9n;
const PRIME64_4 = 0x85ebca77c2b2ae63n, PRIME64_5 = 0x27d4eb2f165667c5n;
const SECRET_BYTES = 192, STRIPE = 64, STRIPES_OF_BLOCK = (SECRET_BYTES - STRIPE) / 8;

const secret = new DataView(Uint8Array.from(
  ("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
  + "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
  + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
  + "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e").match(/../g),
  (digits) => Number.parseInt(digits, 16),
).buffer);

function secret64(at) {
  return secret.getBigUint64(at, true);
}

/** The secret from a byte on, as halves. */
function secretWords(at, count) {
  return Uint32Array.from({ length: count }, (_, i) => secret.getUint32(at + 4 * i, true));
}

const STRIPE_SECRET = secretWords(0, SECRET_BYTES / 4);
const SCRAMBLE_SECRET = secretWords(SECRET_BYTES - STRIPE, 16);
const LAST_SECRET = secretWords(SECRET_BYTES - STRIPE - 7, 16);
const START = Uint32Array.from(
  [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1]
    .flatMap((prime) => [Number(prime & 0xffffffffn), Number(prime >> 32n)]),
);

/** One stripe of 64 bytes into the eight lanes. */
function accumulate(lanes, view, at, words, from) {
  for (let i = 0; i < 16; i += 2) {
    const lo = view.getUint32(at + 4 * i, true), hi = view.getUint32(at + 4 * i + 4, true);
    const keyLow = (lo ^ words[from + i]) >>> 0, keyHigh = (hi ^ words[from + i + 1]) >>> 0;
    const other = i ^ 2;
    const sum = lanes[other] + lo;
    lanes[other] = sum;
    lanes[other + 1] += hi + (sum > 0xffffffff ? 1 : 0);
    const product = lanes[i] + (Math.imul(keyLow, keyHigh) >>> 0);
    lanes[i] = product;
    lanes[i + 1] += multiplyHigh(keyLow, keyHigh) + (product > 0xffffffff ? 1 : 0);
  }
}

function scramble(lanes) {
  for (let i = 0; i < 16; i += 2) {
    const hi = lanes[i + 1];
    const lo = (lanes[i] ^ (hi >>> 15) ^ SCRAMBLE_SECRET[i]) >>> 0;
    const high = hi ^ SCRAMBLE_SECRET[i + 1];
    lanes[i] = Math.imul(lo, 0x9e3779b1);
    lanes[i + 1] = multiplyHigh(lo, 0x9e3779b1) + Math.imul(high, 0x9e3779b1);
  }
}

/** The eight lanes after a long input. */
function consume(view, length) {
  const lanes = START.slice();
  const blocks = Math.floor((length - 1) / (STRIPE * STRIPES_OF_BLOCK));
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    for (let stripe = 0; stripe < STRIPES_OF_BLOCK; stripe++, at += STRIPE) accumulate(lanes, view, at, STRIPE_SECRET, 2 * stripe);
    scramble(lanes);
  }
  const rest = Math.floor((length - 1 - at) / STRIPE);
  for (let stripe = 0; stripe < rest; stripe++, at += STRIPE) accumulate(lanes, view, at, STRIPE_SECRET, 2 * stripe);
  accumulate(lanes, view, length - STRIPE, LAST_SECRET, 0);
  return lanes;
}

function fold(a, b) {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
}

function avalanche(h) {
  h ^= h >> 37n;
  h = (h * 0x165667919e3779f9n) & MASK;
  return h ^ (h >> 32n);
}

function avalanche64(h) {
  h = ((h ^ (h >> 33n)) * PRIME64_2) & MASK;
  h = ((h ^ (h >> 29n)) * PRIME64_3) & MASK;
  return h ^ (h >> 32n);
}

function merge(lanes, at, start) {
  let h = start;
  for (let i = 0; i < 4; i++) {
    const lane = (n) => (BigInt(lanes[2 * n + 1]) << 32n) | BigInt(lanes[2 * n]);
    h += fold(lane(2 * i) ^ secret64(at + 16 * i), lane(2 * i + 1) ^ secret64(at + 16 * i + 8));
  }
  return avalanche(h & MASK);
}

function upTo16(view, length) {
  const size = BigInt(length);
  if (length === 0) return avalanche64(secret64(56) ^ secret64(64));
  if (length <= 3) {
    const first = view.getUint8(0), middle = view.getUint8(length >> 1), last = view.getUint8(length - 1);
    const all = ((first << 16) | (middle << 24) | last | (length << 8)) >>> 0;
    return avalanche64(BigInt((all ^ secret.getUint32(0, true) ^ secret.getUint32(4, true)) >>> 0));
  }
  if (length <= 8) {
    const all = BigInt(view.getUint32(length - 4, true)) | (BigInt(view.getUint32(0, true)) << 32n);
    return rotateAndMultiply(all ^ secret64(8) ^ secret64(16), size);
  }
  const lo = view.getBigUint64(0, true) ^ secret64(24) ^ secret64(32);
  const hi = view.getBigUint64(length - 8, true) ^ secret64(40) ^ secret64(48);
  return avalanche((size + swap(lo) + hi + fold(lo, hi)) & MASK);
}

function swap(x) {
  let swapped = 0n;
  for (let i = 0n; i < 64n; i += 8n) swapped |= ((x >> i) & 0xffn) << (56n - i);
  return swapped;
}

function rotateAndMultiply(h, size) {
  const rotated = (by) => ((h << by) | (h >> (64n - by))) & MASK;
  h ^= rotated(49n) ^ rotated(24n);
  h = (h * 0x9fb21c651e98df25n) & MASK;
  h ^= (h >> 35n) + size;
  h = (h * 0x9fb21c651e98df25n) & MASK;
  return h ^ (h >> 28n);
}

function mix16(view, at, key) {
  return fold(view.getBigUint64(at, true) ^ secret64(key), view.getBigUint64(at + 8, true) ^ secret64(key + 8));
}

function upTo128(view, length) {
  let sum = BigInt(length) * PRIME64_1;
  for (let i = Math.floor((length - 1) / 32); i >= 0; i--) {
    sum += mix16(view, 16 * i, 32 * i) + mix16(view, length - 16 * (i + 1), 32 * i + 16);
  }
  return avalanche(sum & MASK);
}

function upTo240(view, length) {
  let sum = BigInt(length) * PRIME64_1;
  for (let i = 0; i < 8; i++) sum += mix16(view, 16 * i, 16 * i);
  sum = avalanche(sum & MASK);
  for (let i = 8; i < Math.floor(length / 16); i++) sum += mix16(view, 16 * i, 16 * (i - 8) + 3);
  return avalanche((sum + mix16(view, length - 16, 136 - 17)) & MASK);
}

/** XXH3-64 of bytes (a Uint8Array), as a BigInt. */
export function xxh3(bytes) {
  const length = bytes.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  if (length <= 16) return upTo16(view, length);
  if (length <= 128) return upTo128(view, length);
  if (length <= 240) return upTo240(view, length);
  return merge(consume(view, length), 11, (BigInt(length) * PRIME64_1) & MASK);
}

/** XXH3-128 of more than 240 bytes, in its canonical form, as 32 hexadecimal digits. */
export function xxh3Of128Bits(bytes) {
  const length = bytes.length;
  const lanes = consume(new DataView(bytes.buffer, bytes.byteOffset, length), length);
  const low = merge(lanes, 11, (BigInt(length) * PRIME64_1) & MASK);
  const high = merge(lanes, SECRET_BYTES - STRIPE - 11, (BigInt(length) * PRIME64_2) & MASK ^ MASK);
  return ((high << 64n) | low).toString(16).padStart(32, "0");
}
