// A book whose bytes are in memory. It answers at once.

import { CORE, Core, NO_COLUMNS } from "./core.js";
import { findGroup, checkPage, PAGE } from "./group.js";
import { entries } from "./listing.js";
import { facts, sources } from "./origins.js";
import { tellGames } from "./games.js";
import { groupMissing, largeEntry, probe, verified } from "./probes.js";
import { readCell, readMove, readPosition, ROW } from "./rows.js";
import { findRow, findTag, isRow, Place, TAG } from "./table.js";
import { hashOf, out } from "../numbers/u64.js";

const NO_OPTIONS = {};

export class LocalBook {
  #bytes;
  #view;
  #core;
  #verify;
  #columns;

  constructor(bytes, options) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#core = this.#run(Core.open(bytes.length));
    this.#verify = options.verify ?? false;
    this.#columns = this.#core.columnsWanted(options.columns);
    this.info = this.#core.info();
  }

  static from(bytes, options = NO_OPTIONS) {
    return new LocalBook(plainBytes(bytes), options);
  }

  static async load(blob, options = NO_OPTIONS) {
    return LocalBook.from(await blob.arrayBuffer(), options);
  }

  get [CORE]() {
    return this.#core;
  }

  position(key, options = NO_OPTIONS) {
    hashOf(key);
    return this.#position(out[0], out[1], options);
  }

  moves(key, options = NO_OPTIONS) {
    hashOf(key);
    return this.#moves(out[0], out[1], options);
  }

  probe(key, options = NO_OPTIONS) {
    hashOf(key);
    return this.#probe(out[0], out[1], options);
  }

  positionMany(keys, options = NO_OPTIONS) {
    return Array.from(keys, (key) => this.position(key, options));
  }

  movesMany(keys, options = NO_OPTIONS) {
    return Array.from(keys, (key) => this.moves(key, options));
  }

  probeMany(keys, options = NO_OPTIONS) {
    return Array.from(keys, (key) => this.probe(key, options));
  }

  entries(options = NO_OPTIONS) {
    return entries(this.#core, this.#bytes, this.#wanted(options));
  }

  sources() {
    return this.#run(sources(this.#core));
  }

  facts() {
    return this.#run(facts(this.#core));
  }

  #wanted(options) {
    return {
      verify: options.verify ?? this.#verify,
      columns: options.columns === undefined ? this.#columns : this.#core.columnsWanted(options.columns),
    };
  }

  #position(lo, hi, options) {
    const core = this.#core;
    if (options.verify ?? this.#verify) return this.#asked(lo, hi, { ...this.#wanted(options), moves: false }).position;
    if (!core.header.holds(hi)) return null;
    if (core.pack) return this.#entry(lo, hi, false, NO_COLUMNS)?.position ?? null;
    if (!core.positions) return null;
    const place = new Place(core.header, core.positions.homes, lo, hi);
    const at = core.tags ? this.#rowByTags(place, lo, hi) : this.#row(core.positions, place, lo, hi);
    return at < 0 ? null : readPosition(this.#view, at);
  }

  #moves(lo, hi, options) {
    const core = this.#core;
    if (options.verify ?? this.#verify) return this.#asked(lo, hi, { ...this.#wanted(options), position: false }).moves;
    if (!core.header.holds(hi)) return [];
    const columns = options.columns === undefined ? this.#columns : core.columnsWanted(options.columns);
    if (core.pack) return this.#entry(lo, hi, true, columns)?.moves ?? [];
    return core.moves ? this.#moveRows(lo, hi, columns) : [];
  }

  #probe(lo, hi, options) {
    if (options.verify ?? this.#verify) return this.#asked(lo, hi, this.#wanted(options));
    if (!this.#core.pack) return { position: this.#position(lo, hi, options), moves: this.#moves(lo, hi, options) };
    const nothing = { position: null, moves: [] };
    return (this.#core.header.holds(hi) && this.#entry(lo, hi, true, this.#wanted(options).columns)) || nothing;
  }

  /** Where the first row of a hash is in a table, a negative number if it has none. */
  #row(table, place, lo, hi) {
    const from = table.offset + ROW * place.home;
    return findRow(this.#view, from, from + ROW * (table.maxDisplacement + 1), lo, hi);
  }

  #rowByTags(place, lo, hi) {
    const { tags, positions } = this.#core, last = positions.maxDisplacement;
    for (let slot = 0; ; slot++) {
      slot = findTag(this.#view, tags.offset + TAG * place.home, slot, last, place, last <= 126);
      if (slot < 0) return slot;
      const at = positions.offset + ROW * (place.home + slot);
      if (isRow(this.#view, at, lo, hi)) return at;
    }
  }

  #moveRows(lo, hi, columns) {
    const core = this.#core, table = core.moves, place = new Place(core.header, table.homes, lo, hi), moves = [];
    let at = this.#row(table, place, lo, hi);
    const end = table.offset + ROW * (place.home + table.maxDisplacement + 1);
    for (; at >= 0 && at < end && isRow(this.#view, at, lo, hi); at += ROW) {
      const move = readMove(this.#view, at);
      for (const column of columns) {
        const section = core.header.section(column.tag);
        readCell(move, column, this.#view, section.offset + section.cell * ((at - table.offset) / ROW));
      }
      moves.push(move);
    }
    return moves;
  }

  /** The entry of a hash in a packed book, null if it has none. */
  #entry(lo, hi, wantsMoves, columns) {
    const core = this.#core, { pack } = core, spot = pack.spot(core.header, lo, hi);
    for (let number = spot.page; number < Math.min(spot.page + 3, pack.pages); number++) {
      const group = findGroup(core, this.#bytes, pack.pagesAt + PAGE * number, number, spot);
      if (group === null) continue;
      if (group.isLarge) return this.#run(largeEntry(core, group.largeRows(), lo, hi, { moves: wantsMoves, columns }));
      const i = group.find(spot);
      if (i < 0) return null;
      const entry = group.entry(i, wantsMoves, columns);
      if (group.named.length > 0) this.#run(tellGames(core, group.named));
      return entry;
    }
    throw groupMissing(spot);
  }

  /** The answer to a question that reads whole blocks, to verify them. */
  #asked(lo, hi, wanted) {
    return this.#run(verified(this.#core, probe(this.#core, lo, hi, wanted)));
  }

  #run(question) {
    let step = question.next();
    while (!step.done) step = question.next(step.value.map(({ offset, length }) => this.#bytes.subarray(offset, offset + length)));
    return step.value;
  }
}

/** A Uint8Array of the same memory: node's Buffer has methods that mean something else. */
function plainBytes(bytes) {
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes instanceof ArrayBuffer || (typeof SharedArrayBuffer !== "undefined" && bytes instanceof SharedArrayBuffer)) return new Uint8Array(bytes);
  throw new TypeError("a book in memory is a Uint8Array or an ArrayBuffer");
}
