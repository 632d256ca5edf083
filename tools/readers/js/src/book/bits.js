// Bits of a page, from the lowest one of each byte on (section 5 of packed.md).

import { BookError } from "../errors.js";

export class Bits {
  /** The bits of a page that begins at byte `base` of `bytes`, up to its byte `end`. `place` is named in errors. */
  constructor(bytes, base, end, place) {
    this.bytes = bytes;
    this.base = base;
    this.at = 0;
    this.end = 8 * end;
    this.place = place;
  }

  fail(what) {
    throw new BookError("B-32", what, this.place);
  }

  need(at, width) {
    if (at + width > this.end) this.fail("a group goes beyond its page");
  }

  /** At most 24 bits from bit `at` on, without moving. */
  peek(at, width) {
    const byte = this.base + (at >>> 3), bytes = this.bytes;
    const word = bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16) | (bytes[byte + 3] << 24);
    return (word >>> (at & 7)) & ((1 << width) - 1);
  }

  /** How many of `width` bits from bit `at` on are 1. */
  ones(at, width) {
    let count = 0;
    for (; width > 0; at += 24, width -= 24) count += popcount(this.peek(at, width < 24 ? width : 24));
    return count;
  }

  /** A number of at most 53 bits, from bit `at` on, without moving. */
  number(at, width) {
    if (width <= 24) return this.peek(at, width);
    let value = 0;
    for (let scale = 1; width > 0; at += 24, width -= 24, scale *= 0x1000000) value += this.peek(at, width < 24 ? width : 24) * scale;
    return value;
  }

  take(width) {
    this.need(this.at, width);
    const value = this.number(this.at, width);
    this.at += width;
    return value;
  }

  /** A number of up to 64 bits, as a BigInt. */
  takeBig(width) {
    if (width <= 48) return BigInt(this.take(width));
    const low = BigInt(this.take(48));
    return low | (BigInt(this.take(width - 48)) << 48n);
  }

  /** A number that says its own length (section 6 of packed.md). No row holds one of more than 40 bits. */
  gamma() {
    let zeros = 0;
    while (this.take(1) === 0) {
      if (++zeros > 40) this.fail("a number of a record is too large");
    }
    return 2 ** zeros + this.take(zeros);
  }
}

function popcount(word) {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many bits a number of less than 2^53 has. */
export function bitLength(n) {
  return n < 0x100000000 ? 32 - Math.clz32(n) : 64 - Math.clz32(Math.floor(n / 0x100000000));
}
