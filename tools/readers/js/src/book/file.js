// A book in a file of the browser or of node (a Blob or File), or in anything else that has a size and can be read in ranges.

import { RequestError } from "../errors.js";
import { FIRST_READ, RangedBook, rangesOf } from "./ranged.js";

export class FileBook extends RangedBook {
  static async open(file, options = {}) {
    const source = fileSource(file), start = await source.read(0, Math.min(FIRST_READ, source.size), options.signal);
    const ranges = rangesOf(source, start, options);
    return new FileBook(await RangedBook.openCore(ranges, start, source.size, options.signal), ranges, options);
  }
}

/** What `Ranges` reads, of a Blob, or of something with a size and ranges. */
export const fileSource = (file) => (typeof file.slice === "function" ? blobSource(file) : otherSource(file));

function blobSource(blob) {
  return reading(blob.name ?? "the file", blob.size, async (offset, length) =>
    new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()));
}

function otherSource(file) {
  if (typeof file.read !== "function" || !Number.isSafeInteger(file.size)) {
    throw new TypeError("a file is a Blob, a File, or has a size and a method read(offset, length, signal)");
  }
  return reading("the file", file.size, (offset, length, signal) => file.read(offset, length, signal));
}

function reading(name, size, read) {
  return {
    size,
    async read(offset, length, signal) {
      const bytes = await read(offset, length, signal).catch((cause) => {
        signal?.throwIfAborted();
        throw new RequestError("file", name, `it can't be read: ${cause.message}`, { cause });
      });
      if (bytes.length !== length) throw new RequestError("short", name, `${bytes.length} bytes came of ${length} from ${offset} on`);
      return bytes;
    },
  };
}
