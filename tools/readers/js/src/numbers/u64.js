// 64-bit numbers as two unsigned halves of 32 bits, for the places where BigInt would be too slow: keys, and the bijection `mix` from
// a key to the hash that a book stores (section 2 of the format).
//
// A function that makes a 64-bit number leaves it in `out`: out[0] is the lower half, out[1] the upper one. Take it from there at once.

export const out = new Uint32Array(2);

const MASK = 0xffffffffffffffffn;
const big = new BigUint64Array(1);
const halves = new Uint32Array(big.buffer);
big[0] = 1n;
const LOW = halves[0] === 1 ? 0 : 1;

/** The upper 32 bits of the product of two unsigned numbers of 32 bits. */
export function multiplyHigh(a, b) {
  const al = a & 0xffff, ah = a >>> 16, bl = b & 0xffff, bh = b >>> 16;
  const middle = ah * bl + ((al * bl) >>> 16);
  const other = al * bh + (middle & 0xffff);
  return (ah * bh + (middle >>> 16) + (other >>> 16)) >>> 0;
}

/** x ^= x >> shift, then x *= multiplier, of the number in `out`. `shift` is 1 to 31. */
function shiftAndMultiply(shift, low, high) {
  const lo = (out[0] ^ ((out[0] >>> shift) | (out[1] << (32 - shift)))) >>> 0;
  const hi = out[1] ^ (out[1] >>> shift);
  out[0] = Math.imul(lo, low);
  out[1] = multiplyHigh(lo, low) + Math.imul(lo, high) + Math.imul(hi, low);
}

/** The hash of the key in `out`. */
export function mixHalves() {
  shiftAndMultiply(30, 0x1ce4e5b9, 0xbf58476d);
  shiftAndMultiply(27, 0x133111eb, 0x94d049bb);
  const hi = out[1];
  out[0] ^= (out[0] >>> 31) | (hi << 1);
  out[1] = hi ^ (hi >>> 31);
}

export function mix(key) {
  setBig(key);
  mixHalves();
  return toBig(out[0], out[1]);
}

export function unmix(h) {
  let x = h & MASK;
  x ^= (x >> 31n) ^ (x >> 62n);
  x = (x * 0x319642b2d24d8ec3n) & MASK;
  x ^= (x >> 27n) ^ (x >> 54n);
  x = (x * 0x96de1b173f119089n) & MASK;
  return x ^ (x >> 30n) ^ (x >> 60n);
}

function setBig(value) {
  big[0] = value;
  out[0] = halves[LOW];
  out[1] = halves[1 - LOW];
}

export function toBig(lo, hi) {
  halves[LOW] = lo;
  halves[1 - LOW] = hi;
  return big[0];
}

const HEX = /^[0-9a-f]{16}$/i;

/** Puts the hash of a key into `out`. */
export function hashOf(key) {
  if (typeof key === "bigint") {
    if (BigInt.asUintN(64, key) !== key) throw new RangeError(`a key has 64 bits and no sign: ${key}`);
    setBig(key);
  } else if (typeof key === "string" && HEX.test(key)) {
    out[0] = Number.parseInt(key.slice(8), 16);
    out[1] = Number.parseInt(key.slice(0, 8), 16);
  } else {
    throw new TypeError(`a key is a bigint or a string of 16 hexadecimal digits, not ${describe(key)}`);
  }
  mixHalves();
}

function describe(value) {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : `a value of type ${typeof value}`;
}

export function parseKey(key) {
  if (typeof key === "bigint" && BigInt.asUintN(64, key) === key) return key;
  if (typeof key === "string" && HEX.test(key)) return BigInt(`0x${key}`);
  hashOf(key);
  return 0n;
}

export function formatKey(key) {
  return parseKey(key).toString(16).padStart(16, "0");
}
