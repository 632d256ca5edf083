// What the keys of games share: numbers of streams, and symmetries of square boards (keys.md, "What all games share").

import { mixHalves, out, toBig } from "../numbers/u64.js";

const MASK = 0xffffffffffffffffn;

/** The first `count` numbers of a stream, as halves: number i has its lower half at 2 i, its upper one behind it. */
export function streamNumbers(name, count) {
  const seed = [...name].reduce((sum, letter, i) => sum | (BigInt(letter.charCodeAt(0)) << BigInt(8 * i)), 0n);
  const numbers = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const input = (seed + 0x9e3779b97f4a7c15n * BigInt(i + 1)) & MASK;
    out[0] = Number(input & 0xffffffffn);
    out[1] = Number(input >> 32n);
    mixHalves();
    numbers.set(out, 2 * i);
  }
  return numbers;
}

/** The exclusive or of numbers of a stream, given by their indices, as a BigInt. */
export function xorOf(numbers, indices) {
  let lo = 0, hi = 0;
  for (const i of indices) {
    lo ^= numbers[2 * i];
    hi ^= numbers[2 * i + 1];
  }
  return toBig(lo >>> 0, hi >>> 0);
}

/** The eight symmetries of a square board of `width`: for each the image of each square. Bit 0 mirrors columns, bit 1 rows, bit 2 swaps both. */
export function squareSymmetries(width) {
  return Array.from({ length: 8 }, (_, symmetry) => Uint16Array.from({ length: width * width }, (_, square) => {
    let x = square % width, y = Math.floor(square / width);
    if (symmetry & 1) x = width - 1 - x;
    if (symmetry & 2) y = width - 1 - y;
    if (symmetry & 4) [x, y] = [y, x];
    return width * y + x;
  }));
}

/** The least of `keys`, and the numbers of all symmetries that have it. */
export function leastOf(keys) {
  const key = keys.reduce((least, one) => (one < least ? one : least));
  return { key, symmetries: keys.flatMap((one, i) => (one === key ? [i] : [])) };
}
