// What every kind of book has, wherever its bytes are: header, parameters of a packed book, and what a call's options mean.

import { Header, PAGE } from "./header.js";
import { Pack } from "./pack.js";
import { COLUMNS } from "./rows.js";

/** Under which a book of any kind shows its core to the rest of the package. */
export const CORE = Symbol("core");
export const NO_COLUMNS = [];

export class Core {
  constructor(header) {
    this.header = header;
    this.pack = null;
    this.positions = header.section("POSN");
    this.moves = header.section("MOVE");
    this.tags = header.packed ? null : header.section("TAGS");
    this.columns = COLUMNS.filter((column) => header.section(column.tag) !== null);
  }

  /** Reads what is needed to open a book: its header page, and PACK. Yields the ranges it needs (see probes.js). */
  static *open(length) {
    const [page] = yield [{ offset: 0, length: Math.min(PAGE, length) }];
    const core = new Core(new Header(page, length));
    if (core.header.packed) {
      const section = core.header.section("PACK");
      Pack.checkLength(section);
      const [bytes] = yield [{ offset: section.offset, length: section.length }];
      core.pack = new Pack(core.header, bytes);
    }
    return core;
  }

  /** The columns that an option `columns` asks for: true all of them, false none, or their names. */
  columnsWanted(option) {
    if (option === undefined || option === false) return NO_COLUMNS;
    if (option === true) return this.columns;
    for (const name of option) {
      if (!COLUMNS.some((column) => column.name === name)) throw new RangeError(`there is no column ${JSON.stringify(name)}`);
    }
    return this.columns.filter((column) => option.includes(column.name));
  }

  /** What a program may want to know of a book before it asks it anything. */
  info() {
    const { header } = this;
    const totals = (section) => section && { rows: section.rows, ...section.totals };
    return {
      game: header.game,
      keys: header.keys,
      keyed: header.keyed,
      share: { bits: header.shareBits, number: header.shareNumber },
      packed: header.packed,
      results: header.results,
      load: header.load / 1000,
      tags: header.section("TAGS") !== null,
      columns: this.columns.map((column) => column.name),
      positions: totals(this.positions),
      moves: totals(this.moves),
      digest: header.digest,
      parent: header.parent,
      sequence: header.sequence,
      fileLength: header.fileLength,
    };
  }
}
