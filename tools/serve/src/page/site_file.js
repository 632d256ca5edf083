// SPDX-License-Identifier: GPL-3.0-or-later
// A file of a static host - a book, or the games beside one - from wherever it can be read: the copy that the browser keeps of this version, the host, or what was kept
// of it when there was a network.

import { BookReplacedError, RequestError } from "../reader/index.js";
import { copyOf, keptOf, noteRanges, rangesOf } from "./keep.js";
import { SourceError } from "./source_error.js";

/** So many milliseconds a host has to answer first, where there is something to fall back on. */
const PATIENCE = 4_000;
/** How many first bytes the reader reads. */
const START = 1 << 14;

export class SiteFile {
  #path;
  #open;
  #options;
  #opened = null;
  /** Where it is read from: copy, host or kept (without a network). */
  from = null;
  /** Whether a new version took the place of the one that was read before. */
  isNew = false;
  /** Whether the copy that is kept is of an earlier version. */
  hasOldCopy = false;

  /** `open`: { url(address, options), file(file, options), digestOf(opened) } of the reader. */
  constructor(path, open, options) {
    [this.#path, this.#open, this.#options] = [path, open, options];
  }

  get path() {
    return this.#path;
  }

  /** The file, opened. */
  opened() {
    this.#opened ??= this.#find().catch((problem) => {
      this.#opened = null;
      throw problem;
    });
    return this.#opened;
  }

  /** Opens it anew: another version may be there, or a copy. */
  reopen() {
    this.#opened = null;
    return this.opened();
  }

  /** What `question` makes of the file; once more if it was replaced meanwhile, or if there is a network again. */
  async ask(question) {
    const opened = await this.opened();
    try {
      return await question(opened);
    } catch (problem) {
      const isReplaced = problem instanceof BookReplacedError;
      if (!isReplaced && !(this.from === "kept" && problem instanceof RequestError)) throw problem;
      const again = await this.reopen();
      if (isReplaced) this.isNew = true;
      if (this.from === "kept") throw new SourceError("There is no network, and this isn't among what was looked at before.");
      return question(again);
    }
  }

  async #find() {
    const kept = keptOf(this.#path),
      patience = kept.copy || kept.ranges ? AbortSignal.timeout(PATIENCE) : undefined;
    let found;
    try {
      found = await this.#open.url(this.#path, { ...this.#options, store: rangesOf, signal: patience });
    } catch (problem) {
      const isOut = patience?.aborted || (problem instanceof RequestError && problem.kind === "network");
      const fallback = isOut ? await this.#withoutNetwork(kept) : null;
      if (fallback === null) throw new SourceError(`${this.#path}: ${problem.message}`);
      return fallback;
    }
    const digest = this.#open.digestOf(found),
      copy = await copyOf(this.#path, digest);
    this.isNew = (await noteRanges(this.#path, digest, found.info.fileLength)) || this.isNew;
    this.hasOldCopy = kept.copy !== undefined && kept.copy.digest !== digest;
    this.from = copy ? "copy" : "host";
    return copy ? this.#open.file(copy, { ...this.#options, verify: true }) : found;
  }

  /** The copy, or what was kept of it; null if there is nothing. */
  async #withoutNetwork({ copy, ranges }) {
    const file = copy && (await copyOf(this.#path, copy.digest));
    this.from = file ? "copy" : "kept";
    if (file) return this.#open.file(file, { ...this.#options, verify: true });
    const store = ranges && rangesOf(ranges.digest),
      [start] = store ? await store.get([{ offset: 0, length: Math.min(START, ranges.length) }]).catch(() => []) : [];
    if (!start) return null;
    const nothing = () => Promise.reject(new Error("there is no network"));
    return this.#open.file(
      {
        size: ranges.length,
        read: (offset, length) => (offset + length <= start.length ? Promise.resolve(start.subarray(offset, offset + length)) : nothing()),
      },
      { ...this.#options, verify: false, store: () => store },
    );
  }
}
