// Where a book comes from, and how it was made: the sections SRCS and FACT (section 7 of the format), each verified when it is read.

import { BookError } from "../errors.js";
import { xxh3 } from "../numbers/xxh3.js";

/** The most bytes of a section that are read into memory: those of some millions of archives. */
const MOST_BYTES = 1 << 28;

/** The sources of a book. Yields the ranges it needs (see probes.js). */
export function* sources(core) {
  const reader = yield* open(core, "SRCS", "B-19");
  return reader.all((before) => {
    const digest = reader.bytes(16), games = reader.u64(), length = reader.u32();
    reader.hold(length <= 4096, "a name of more than 4,096 bytes");
    reader.hold(reader.u32() === 0, "reserved bytes of a source are not zero");
    const name = reader.bytes(length);
    reader.pad();
    const order = before && (compare(before.order[0], digest) || sign(before.order[1] - games) || compare(before.order[2], name));
    reader.hold(!before || order <= 0, "sources are out of order");
    return { order: [digest, games, name], value: { digest: hex(digest), games, name: reader.text(name) } };
  });
}

/** The facts of a book, likewise. */
export function* facts(core) {
  const reader = yield* open(core, "FACT", "B-27");
  return reader.all((before) => {
    const subject = reader.bytes(16), nameLength = reader.u32(), valueLength = reader.u32();
    reader.hold(nameLength >= 1 && nameLength <= 64 && valueLength <= 65536, "the length of a name or a value");
    const name = reader.bytes(nameLength), value = reader.bytes(valueLength);
    reader.pad();
    const order = before && (compare(before.order[0], subject) || compare(before.order[1], name) || compare(before.order[2], value));
    reader.hold(!before || order < 0, "facts are out of order");
    const nameText = reader.text(name);
    reader.hold(/^[a-z0-9.-]+$/.test(nameText), "the name of a fact");
    const about = subject.some((byte) => byte !== 0) ? hex(subject) : null;
    return { order: [subject, name, value], value: { subject: about, name: nameText, value: reader.text(value) } };
  });
}

function* open(core, tag, rule) {
  const section = core.header.section(tag);
  if (section.length > MOST_BYTES) throw new BookError(rule, `${section.length} bytes of ${tag} are more than this reader takes`, `byte ${section.offset}`);
  const [bytes] = yield [{ offset: section.offset, length: section.length }];
  if (xxh3(bytes) !== section.checksum) throw new BookError("B-14", `${tag} is damaged: its checksum is wrong`, `byte ${section.offset}`);
  return new Reader(bytes, tag, rule, section.offset);
}

class Reader {
  constructor(bytes, tag, rule, offset) {
    this.body = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = 0;
    this.tag = tag;
    this.rule = rule;
    this.offset = offset;
  }

  hold(good, what) {
    if (!good) throw new BookError(this.rule, what, `${this.tag}, byte ${this.offset + this.at}`);
  }

  need(length) {
    this.hold(this.at + length <= this.body.length, "it ends within an entry");
    this.at += length;
    return this.at - length;
  }

  u32() {
    return this.view.getUint32(this.need(4), true);
  }

  u64() {
    return this.view.getBigUint64(this.need(8), true);
  }

  bytes(length) {
    const from = this.need(length);
    return this.body.subarray(from, from + length);
  }

  pad() {
    this.hold(this.bytes((8 - (this.at % 8)) % 8).every((byte) => byte === 0), "padding that is not zero");
  }

  text(bytes) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      this.hold(false, "a text that is not UTF-8");
    }
  }

  /** All entries, as many as the count in front of them says, each read by `next`, which gets the one before it. */
  all(next) {
    const values = [];
    let before = null;
    for (let left = this.u64(); left > 0n; left--) {
      before = next(before);
      values.push(before.value);
    }
    this.hold(this.at === this.body.length, "bytes behind the last entry");
    return values;
  }
}

function compare(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return a[i] - b[i];
  }
  return a.length - b.length;
}

function sign(difference) {
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
