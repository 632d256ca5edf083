// Huffman codes of literals (RFC 8878, section 4.2).

import { BackwardBits, highestBit, hold } from "./bits.js";
import { FseState, FseTable } from "./fse.js";

const MOST_BITS = 11;

export class HuffmanTable {
  /** `weights` of all symbols but the last one, whose weight follows from theirs. */
  constructor(weights) {
    const sum = weights.reduce((sum, weight) => sum + (weight > 0 ? 2 ** (weight - 1) : 0), 0);
    hold(sum > 0 && weights.length <= 255, "codes without symbols");
    const log = highestBit(sum) + 1, rest = 2 ** log - sum;
    hold(log <= MOST_BITS && (rest & (rest - 1)) === 0, "codes that don't fill their table");
    const all = [...weights, highestBit(rest) + 1];
    [this.log, this.symbols, this.widths] = [log, new Uint8Array(1 << log), new Uint8Array(1 << log)];
    let at = 0;
    for (let weight = 1; weight <= log; weight++) {
      all.forEach((own, symbol) => {
        if (own !== weight) return;
        const end = at + (1 << (weight - 1));
        this.symbols.fill(symbol, at, end);
        this.widths.fill(log + 1 - weight, at, end);
        at = end;
      });
    }
    hold(at === 1 << log, "codes that don't fill their table");
  }

  /** The table that is described from byte `from` on, and where its description ends. */
  static read(bytes, from, end) {
    hold(from < end, "codes that are cut off");
    const head = bytes[from];
    if (head >= 128) {
      const count = head - 127, next = from + 1 + ((count + 1) >> 1);
      hold(next <= end, "codes that are cut off");
      const weights = Array.from({ length: count }, (_, i) => (bytes[from + 1 + (i >> 1)] >> (i % 2 === 0 ? 4 : 0)) & 15);
      return { table: new HuffmanTable(weights), next };
    }
    const next = from + 1 + head;
    hold(next <= end, "codes that are cut off");
    return { table: new HuffmanTable(readWeights(bytes, from + 1, next)), next };
  }

  /** Decodes one stream, which fills `out` from `at` to `end`. */
  decode(bytes, from, next, out, at, end) {
    const bits = new BackwardBits(bytes, from, next), { log, symbols, widths } = this;
    for (; at < end; at++) {
      const code = bits.peek(log);
      out[at] = symbols[code];
      bits.left -= widths[code];
      hold(bits.left >= 0, "a stream of literals is too short");
    }
    hold(bits.left === 0, "a stream of literals is too long");
  }
}

/** Weights that are compressed themselves: by two states in turn, until the bits end. */
function readWeights(bytes, from, end) {
  const { table, next } = FseTable.read(bytes, from, end, 6, 256), bits = new BackwardBits(bytes, next, end);
  const states = [new FseState(table, bits), new FseState(table, bits)], weights = [];
  for (let turn = 0; ; turn = 1 - turn) {
    hold(weights.length < 255, "too many weights");
    weights.push(states[turn].symbol);
    states[turn].step();
    if (bits.left < 0) return [...weights, states[1 - turn].symbol];
  }
}
