// Tables of finite state entropy (RFC 8878, section 4.1): of each state its symbol, and how the next state is read.

import { ForwardBits, highestBit, hold } from "./bits.js";

export class FseTable {
  /** `counts`: of each symbol how many of the 2^log states it has; -1 for one of less than one. */
  constructor(counts, log) {
    const size = 1 << log, next = counts.map((count) => Math.abs(count));
    let high = size;
    [this.log, this.symbols, this.widths, this.bases] = [log, new Uint8Array(size), new Uint8Array(size), new Uint16Array(size)];
    counts.forEach((count, symbol) => {
      if (count === -1) this.symbols[--high] = symbol;
    });
    const step = (size >> 1) + (size >> 3) + 3;
    let at = 0;
    counts.forEach((count, symbol) => {
      for (let i = 0; i < count; i++) {
        this.symbols[at] = symbol;
        do at = (at + step) & (size - 1);
        while (at >= high);
      }
    });
    hold(at === 0, "the counts of a table don't fill it");
    for (let state = 0; state < size; state++) {
      const number = next[this.symbols[state]]++;
      this.widths[state] = log - highestBit(number);
      this.bases[state] = (number << this.widths[state]) - size;
    }
  }

  /** A table with one symbol alone. */
  static ofOne(symbol) {
    const table = new FseTable([1], 0);
    table.symbols[0] = symbol;
    return table;
  }

  /** The table that is described from byte `from` on, and where its description ends. */
  static read(bytes, from, end, mostLog, mostSymbols) {
    const bits = new ForwardBits(bytes, from, end), log = bits.take(4) + 5, counts = [];
    hold(log <= mostLog, "a table is too large");
    for (let left = 1 << log; left > 0;) {
      hold(counts.length < mostSymbols, "a table has too many symbols");
      const width = highestBit(left + 1) + 1, short = (1 << (width - 1)) - 1, threshold = (1 << width) - 2 - left;
      let value = bits.take(width);
      if ((value & short) < threshold) {
        bits.giveBack(1);
        value &= short;
      } else if (value > short) value -= threshold;
      const count = value - 1;
      left -= Math.abs(count);
      counts.push(count);
      if (count !== 0) continue;
      for (let zeros = 3; zeros === 3;) {
        zeros = bits.take(2);
        for (let i = 0; i < zeros; i++) counts.push(0);
      }
    }
    hold(counts.length <= mostSymbols, "a table has too many symbols");
    return { table: new FseTable(counts, log), next: bits.next };
  }
}

/** A state that goes through a table. */
export class FseState {
  constructor(table, bits) {
    [this.table, this.bits] = [table, bits];
    this.at = bits.take(table.log);
  }

  get symbol() {
    return this.table.symbols[this.at];
  }

  /** Goes on to the next state. */
  step() {
    const { table, bits, at } = this;
    this.at = table.bases[at] + bits.take(table.widths[at]);
  }
}
