// A book of which only the bytes that a question needs are read, by ranges: what files and servers have in common.

import { CORE, Core } from "./core.js";
import { facts, sources } from "./origins.js";
import { probe, together, verified } from "./probes.js";
import { Ranges } from "./ranges.js";
import { hashOf, out } from "../numbers/u64.js";

/** Bytes that are read when a book is opened: its header, and most often PACK. */
export const FIRST_READ = 1 << 14;
const NO_OPTIONS = {};

/** Where the header of a book has its digest. */
const DIGEST_AT = 88;

/** The ranges of a source, of which `start` are the first bytes. What a store keeps of them it keeps by the digest that is in these. */
export function rangesOf(source, start, { store, ...options }, digestAt = DIGEST_AT) {
  const digest = Array.from(start.subarray(digestAt, digestAt + 16), (byte) => byte.toString(16).padStart(2, "0")).join(""), kept = store?.(digest) ?? null;
  kept?.set({ offset: 0, length: start.length }, start);
  return new Ranges(source, { ...options, store: kept });
}

export class RangedBook {
  #core;
  #ranges;
  #verify;
  #columns;

  /** A book of a source (see ranges.js), opened by `openCore`. */
  constructor(core, ranges, { verify = false, columns }) {
    this.#core = core;
    this.#ranges = ranges;
    this.#verify = verify;
    this.#columns = core.columnsWanted(columns);
    this.info = core.info();
  }

  /** Reads header and PACK; `start` are the first bytes of the file, as far as they were read. */
  static async openCore(ranges, start, length, signal) {
    const within = ({ offset, length: bytes }) => offset + bytes <= start.length && start.subarray(offset, offset + bytes);
    const question = Core.open(length);
    let step = question.next();
    while (!step.done) {
      const [range] = step.value;
      step = question.next([within(range) || (await ranges.read([range], signal))[0]]);
    }
    return step.value;
  }

  get [CORE]() {
    return this.#core;
  }

  async position(key, options) {
    return (await this.#ask([key], { moves: false }, options))[0].position;
  }

  async moves(key, options) {
    return (await this.#ask([key], { position: false }, options))[0].moves;
  }

  async probe(key, options) {
    return (await this.#ask([key], {}, options))[0];
  }

  async positionMany(keys, options) {
    return (await this.#ask(keys, { moves: false }, options)).map((entry) => entry.position);
  }

  async movesMany(keys, options) {
    return (await this.#ask(keys, { position: false }, options)).map((entry) => entry.moves);
  }

  async probeMany(keys, options) {
    return this.#ask(keys, {}, options);
  }

  async sources(options) {
    return this.#run(sources(this.#core), options?.signal);
  }

  async facts(options) {
    return this.#run(facts(this.#core), options?.signal);
  }

  /** What the book holds of keys: their ranges are read together. */
  #ask(keys, parts, options = NO_OPTIONS) {
    const core = this.#core;
    const columns = options.columns === undefined ? this.#columns : core.columnsWanted(options.columns);
    const questions = Array.from(keys, (key) => {
      hashOf(key);
      return probe(core, out[0], out[1], { ...parts, columns });
    });
    const all = together(questions);
    return this.#run(options.verify ?? this.#verify ? verified(core, all) : all, options.signal);
  }

  async #run(question, signal) {
    let step = question.next();
    while (!step.done) step = question.next(await this.#ranges.read(step.value, signal));
    return step.value;
  }
}
