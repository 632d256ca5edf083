// The journal beside a book on a server (section 8 of the format): whether there is one that says more than the book. It is not read.

import { JournalError, RequestError } from "../errors.js";
import { HttpSource } from "./http.js";

const HEADER = 64, SEQUENCE_AT = 80, START = 104;
const MAGIC = [0x89, 0x54, 0x41, 0x42, 0x4a, 0x4c, 0x0d, 0x0a];

/** The first bytes of the journal of the book at a URL; null if the server has none to show. */
export async function startOfJournal(url, options, signal) {
  const address = new URL(url, globalThis.location?.href);
  address.pathname += "-journal";
  try {
    return { url: address.href, bytes: await new HttpSource(address.href, options).start(START, signal) };
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}

/** Throws a JournalError if a journal, of which these are the first bytes, has batches that the book does not have. */
export function refuseJournal({ url, bytes }, { digest, parent, sequence }) {
  if (!MAGIC.every((byte, i) => bytes[i] === byte) || bytes.length <= HEADER) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const base = Array.from(bytes.subarray(32, 48), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const isTakenIn = bytes.length >= SEQUENCE_AT + 8 && view.getBigUint64(SEQUENCE_AT, true) <= sequence;
  if (isTakenIn && (base === digest || (base === parent && /[^0]/.test(parent)))) return;
  throw new JournalError(url);
}
