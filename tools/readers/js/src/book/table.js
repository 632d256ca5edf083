// Where a hash is in a table of a plain book (sections 2 and 5 of the format), and what its tags say (5.2).

import { ROW } from "./rows.js";

export const TAG = 2;
/** What `findRow` and `findTag` return if there is no such row, and if the bytes at hand don't say. */
export const ABSENT = -1, UNDECIDED = -2;

/** The upper 64 bits of (hash << b) * homes, and the tag, which has the next nine. */
export class Place {
  constructor(header, homes, lo, hi) {
    const b = header.shareBits;
    if (b > 0) {
      hi = b === 32 ? lo : ((hi << b) | (lo >>> (32 - b))) >>> 0;
      lo = b === 32 ? 0 : (lo << b) >>> 0;
    }
    if (homes < 2 ** 32) this.multiply(lo, hi, homes & 0xffff, homes >>> 16);
    else this.multiplyWide((BigInt(hi) << 32n) | BigInt(lo), BigInt(homes));
  }

  /** Products of 32 and 16 bits, of which sums are exact numbers. */
  multiply(lo, hi, low16, high16) {
    const carry = Math.floor((lo * high16 + Math.floor((lo * low16) / 65536)) / 65536);
    const upper = hi * high16 + Math.floor((hi * low16 + carry) / 65536);
    this.home = Math.floor(upper / 65536);
    this.tag = ((this.home & 127) << 9) | ((upper - this.home * 65536) >>> 7);
  }

  multiplyWide(hash, homes) {
    const product = hash * homes;
    this.home = Number(product >> 64n);
    this.tag = ((this.home & 127) << 9) | Number((product >> 55n) & 511n);
  }
}

/**
 * Looks for the first row of a hash in the slots from `at` to `end` (bytes of `view`, whole slots). Returns where it is, ABSENT if a
 * greater row or an empty slot comes first, UNDECIDED if all slots are less.
 */
export function findRow(view, at, end, lo, hi) {
  for (; at < end; at += ROW) {
    const high = view.getUint32(at + 4, true);
    if (high < hi) continue;
    if (high > hi) return ABSENT;
    const low = view.getUint32(at, true);
    if (low < lo) continue;
    return low === lo && view.getUint8(at + 23) !== 0xff ? at : ABSENT;
  }
  return UNDECIDED;
}

/** Whether the slot at `at` has a row of the hash. */
export function isRow(view, at, lo, hi) {
  return view.getUint32(at, true) === lo && view.getUint32(at + 4, true) === hi && view.getUint8(at + 23) !== 0xff;
}

/**
 * The first slot, `slot` slots from the home on, whose tag is that of a place; `at` is where the tag of the home is in `view`, `last` the
 * greatest slot that may have the row. ABSENT if there is none.
 */
export function findTag(view, at, slot, last, place, exact) {
  for (; slot <= last; slot++) {
    const more = (view.getUint16(at + TAG * slot, true) - place.tag) & 0xffff;
    if (more === 0) return slot;
    if (exact && more <= (slot + 1) * 512) return ABSENT;
  }
  return ABSENT;
}
