// A book on a server.

import { BookError } from "../errors.js";
import { HttpSource } from "./http.js";
import { refuseJournal, startOfJournal } from "./journal.js";
import { FIRST_READ, RangedBook, rangesOf } from "./ranged.js";

const FILE_LENGTH_AT = 80;

export class RemoteBook extends RangedBook {
  #source;
  #options;

  constructor(core, ranges, options, source) {
    super(core, ranges, options);
    this.#source = source;
    this.#options = options;
  }

  static async open(url, options = {}) {
    const { signal, journal = "ignore" } = options;
    if (journal !== "ignore" && journal !== "refuse") throw new RangeError(`journal is "ignore" or "refuse", not ${JSON.stringify(journal)}`);
    const [{ source, ranges, start, length }, beside] = await Promise.all([
      openRemote(String(url), options), journal === "refuse" ? startOfJournal(String(url), options, signal) : null,
    ]);
    const core = await RangedBook.openCore(ranges, start, length, signal);
    if (beside) refuseJournal(beside, core.header);
    return new RemoteBook(core, ranges, { ...options, signal: undefined }, source);
  }

  get url() {
    return this.#source.url;
  }

  get traffic() {
    return { requests: this.#source.requests, bytes: this.#source.bytes };
  }

  /** The book that is there now, with the same options. */
  reopen({ signal } = {}) {
    return RemoteBook.open(this.url, { ...this.#options, signal });
  }
}

/** A file on a server: its first bytes, its length, and the rest by ranges. The places are those where its header says its length and its digest. */
export async function openRemote(url, options, { lengthAt = FILE_LENGTH_AT, digestAt } = {}) {
  const source = new HttpSource(url, options), start = await source.start(FIRST_READ, options.signal);
  const ranges = rangesOf(source, start, options, digestAt);
  return { source, ranges, start, length: source.length ?? (await lengthByHeader(source, start, lengthAt, options.signal)) };
}

/** The length of a file whose server doesn't say it to this page: that in the header, if the file ends just there. */
async function lengthByHeader(source, start, lengthAt, signal) {
  if (start.length < FIRST_READ) return start.length;
  const said = Number(new DataView(start.buffer, start.byteOffset).getBigUint64(lengthAt, true));
  const ends = Number.isSafeInteger(said) && said >= FIRST_READ && (await source.endsAt(said, signal));
  if (!ends) throw new BookError("B-5", `the file is not as long as its header says, ${said} bytes`, `byte ${lengthAt}`);
  return said;
}
