// A compressed block of a Zstandard frame (RFC 8878, section 3.1.1.3): literals, and sequences that say where they go, and what is copied between them.

import { BackwardBits, hold } from "./bits.js";
import { FseState, FseTable } from "./fse.js";
import { HuffmanTable } from "./huffman.js";

const MOST_LITERALS = 1 << 17;

/** Bases and additional bits of the codes of lengths, of which the first ones are the lengths themselves. */
const lengths = (plain, first, widths) => {
  const codes = Array.from({ length: plain }, (_, i) => [first + i, 0]);
  let base = first + plain;
  for (const width of widths) {
    codes.push([base, width]);
    base += 2 ** width;
  }
  return codes;
};
const LITERAL_LENGTHS = lengths(16, 0, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const MATCH_LENGTHS = lengths(32, 3, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const MOST_OFFSET = 31;

/** The three kinds of codes: the table that is known from the start, how large others may be, and how many symbols there are. */
const KINDS = [
  { log: 9, symbols: LITERAL_LENGTHS.length, usual: new FseTable([4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1], 6) },
  { log: 8, symbols: MOST_OFFSET + 1, usual: new FseTable([1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1], 5) },
  {
    log: 9,
    symbols: MATCH_LENGTHS.length,
    usual: new FseTable([1, 4, 3, 2, 2, 2, 2, 2, 2, ...Array(37).fill(1), -1, -1, -1, -1, -1, -1, -1], 6),
  },
];

/** What blocks of a frame take over from those before. */
export class Blocks {
  #huffman = null;
  #tables = [null, null, null];
  #offsets = [1, 4, 8];

  /** `out` is what the frame holds, of which `at` bytes are there. */
  constructor(out) {
    [this.out, this.at] = [out, 0];
  }

  /** Decodes the block in the bytes from `from` to `end`. */
  decode(bytes, from, end) {
    const { literals, next } = this.#literals(bytes, from, end);
    this.#sequences(bytes, next, end, literals);
  }

  copy(bytes) {
    hold(this.at + bytes.length <= this.out.length, "more comes out than should");
    this.out.set(bytes, this.at);
    this.at += bytes.length;
  }

  #literals(bytes, from, end) {
    hold(from < end, "a block is empty");
    const kind = bytes[from] & 3, form = (bytes[from] >> 2) & 3;
    // A number of so many bytes, whose lowest four bits are these two.
    const head = (width) => {
      hold(from + width <= end, "literals are cut off");
      return Array.from({ length: width }, (_, i) => bytes[from + i] * 2 ** (8 * i)).reduce((sum, part) => sum + part, 0);
    };
    if (kind < 2) {
      const width = [1, 2, 1, 3][form], size = Math.floor(head(width) / (width === 1 ? 8 : 16)), at = from + width;
      hold(size <= MOST_LITERALS && at + (kind === 0 ? size : 1) <= end, "literals are cut off");
      return kind === 0 ? { literals: bytes.subarray(at, at + size), next: at + size } : { literals: new Uint8Array(size).fill(bytes[at]), next: at + 1 };
    }
    const width = [3, 3, 4, 5][form], bits = [10, 10, 14, 18][form], both = Math.floor(head(width) / 16);
    const size = both % 2 ** bits, next = from + width + Math.floor(both / 2 ** bits);
    hold(size <= MOST_LITERALS && next <= end, "literals are cut off");
    let at = from + width;
    if (kind === 2) ({ table: this.#huffman, next: at } = HuffmanTable.read(bytes, at, next));
    hold(this.#huffman !== null, "literals without codes");
    const literals = new Uint8Array(size);
    if (form === 0) this.#huffman.decode(bytes, at, next, literals, 0, size);
    else this.#fourStreams(bytes, at, next, literals);
    return { literals, next };
  }

  #fourStreams(bytes, at, end, literals) {
    const size = literals.length, part = (size + 3) >> 2;
    hold(at + 6 <= end && 3 * part <= size, "literals are cut off");
    const ends = [0, 2, 4].map((i) => bytes[at + i] | (bytes[at + i + 1] << 8));
    let from = at + 6;
    [...ends, end - from - ends[0] - ends[1] - ends[2]].forEach((length, i) => {
      hold(length > 0 && from + length <= end, "literals are cut off");
      this.#huffman.decode(bytes, from, from + length, literals, i * part, i < 3 ? (i + 1) * part : size);
      from += length;
    });
  }

  #sequences(bytes, at, end, literals) {
    hold(at < end, "sequences are cut off");
    let count = bytes[at++];
    if (count >= 128) {
      hold(at + (count === 255 ? 2 : 1) <= end, "sequences are cut off");
      count = count === 255 ? bytes[at++] + (bytes[at++] << 8) + 0x7f00 : ((count - 128) << 8) + bytes[at++];
    }
    if (count === 0) {
      hold(at === end, "something is behind a block");
      return this.copy(literals);
    }
    hold(at < end && (bytes[at] & 3) === 0, "reserved bits are not zero");
    const modes = bytes[at++];
    KINDS.forEach((kind, i) => {
      at = this.#readTable(i, kind, (modes >> (6 - 2 * i)) & 3, bytes, at, end);
    });
    const bits = new BackwardBits(bytes, at, end), [literalState, offsetState, matchState] = this.#tables.map((table) => new FseState(table, bits));
    let taken = 0;
    for (let i = 0; i < count; i++) {
      const offsetCode = offsetState.symbol, offset = 2 ** offsetCode + bits.take(offsetCode);
      const [matchBase, matchWidth] = MATCH_LENGTHS[matchState.symbol], match = matchBase + bits.take(matchWidth);
      const [literalBase, literalWidth] = LITERAL_LENGTHS[literalState.symbol], length = literalBase + bits.take(literalWidth);
      if (i < count - 1) for (const state of [literalState, matchState, offsetState]) state.step();
      hold(bits.left >= 0 && taken + length <= literals.length, "sequences go beyond their end");
      this.copy(literals.subarray(taken, (taken += length)));
      this.#repeat(this.#offset(offset, length === 0), match);
    }
    hold(bits.left === 0, "sequences are too long");
    this.copy(literals.subarray(taken));
  }

  /** Takes the table for one kind of codes, in one of the four ways; where what follows it begins. */
  #readTable(i, { log, symbols, usual }, mode, bytes, at, end) {
    if (mode === 0) this.#tables[i] = usual;
    else if (mode === 1) {
      hold(at < end && bytes[at] < symbols, "a code that isn't there");
      this.#tables[i] = FseTable.ofOne(bytes[at]);
      return at + 1;
    } else if (mode === 2) {
      const { table, next } = FseTable.read(bytes, at, end, log, symbols);
      this.#tables[i] = table;
      return next;
    }
    hold(this.#tables[i] !== null, "a table that isn't there");
    return at;
  }

  /** How far back a match begins: the number itself, less three, or one of the last three such. */
  #offset(value, withoutLiterals) {
    const last = this.#offsets, which = value > 3 ? 3 : value - 1 + (withoutLiterals ? 1 : 0);
    const offset = value > 3 ? value - 3 : which === 3 ? last[0] - 1 : last[which];
    this.#offsets = which === 0 ? last : which === 1 ? [offset, last[0], last[2]] : [offset, last[0], last[1]];
    return offset;
  }

  #repeat(offset, length) {
    const { out, at } = this;
    hold(offset > 0 && offset <= at && at + length <= out.length, "a match that isn't there");
    if (offset >= length) out.copyWithin(at, at - offset, at - offset + length);
    else for (let i = at; i < at + length; i++) out[i] = out[i - offset];
    this.at += length;
  }
}
