// The header page of a book: what is in it, and the rules that it has to keep (section 3 of the format, packed.md for packed books).
//
// Fields of 64 bits are read as BigInt, as a hostile file may hold any value. They become numbers once the rules have bounded them by
// the file's length.

import { crc32 } from "../numbers/crc32.js";
import { BookError, hold } from "../errors.js";
import { Section, KNOWN, PACKED, TABLES } from "./sections.js";
import { formatKey } from "../numbers/u64.js";
import { xxh3Of128Bits } from "../numbers/xxh3.js";

export const PAGE = 4096;
const ENTRY = 96, ENTRIES = 256, MOST_SECTIONS = 39, CRC = PAGE - 4;
const MAGIC = [0x89, 0x54, 0x41, 0x42, 0x49, 0x41, 0x0d, 0x0a];
const RETIRED_BITS = 9n, COUNTS_BIT = 2n, SHARE_BIT = 4n, PACKED_BIT = 16n, KNOWN_BITS = 31n;
const RETIRED_TAGS = ["FILT", "PSUM", "MSUM"];
const MOST_BYTES = 2 ** 52;

export class Header {
  /** The header of a book of `length` bytes, of which `start` are the first 4,096 or, if it has fewer, all. */
  constructor(start, length) {
    const page = start.subarray(0, PAGE);
    const view = new DataView(page.buffer, page.byteOffset, page.length);
    checkKind(page, view, length);
    checkVersion(page, view, length);
    this.fileLength = length;
    this.features = view.getBigUint64(16, true);
    this.packed = (this.features & PACKED_BIT) !== 0n;
    this.results = (this.features & COUNTS_BIT) === 0n;
    this.readIdentity(page, view);
    this.sections = readSections(page, view, this);
    checkDigest(page, this.digest);
  }

  readIdentity(page, view) {
    this.game = readName(page, 32, "game");
    this.keys = readName(page, 48, "keys");
    hold(page[64] <= 1, "B-9", `keyed is ${page[64]}, neither 0 nor 1`, "byte 64");
    this.keyed = page[64] === 0 ? "position" : "line";
    this.shareBits = page[65];
    this.shareNumber = view.getUint32(128, true);
    const isShare = (this.features & SHARE_BIT) !== 0n;
    hold(this.shareBits <= 32 && this.shareNumber < 2 ** this.shareBits && isShare === this.shareBits > 0, "B-9",
      `share ${this.shareNumber} of ${this.shareBits} bits can't be`, "bytes 65 and 128");
    this.load = view.getUint32(68, true);
    hold(this.load >= 500 && this.load <= 980, "B-9", `a load of ${this.load} thousandths is not from 500 to 980`, "byte 68");
    holdZero(page, 66, 68, "B-10", "the header");
    holdZero(page, 132, ENTRIES, "B-10", "the header");
    this.digest = hex(page, 88, 104);
    this.parent = hex(page, 104, 120);
    this.sequence = view.getBigUint64(120, true);
  }

  /** The section with a tag, or null. */
  section(tag) {
    return this.sections.get(tag) ?? null;
  }

  /** Whether a hash with these upper 32 bits can be in the book: every one in a whole book, one of the share's in a share. */
  holds(hi) {
    return this.shareBits === 0 || hi >>> (32 - this.shareBits) === this.shareNumber;
  }
}

function checkKind(page, view, length) {
  const magic = MAGIC.every((byte, i) => page[i] === byte);
  if (!magic && page.length === PAGE) {
    const mended = new Uint8Array(page);
    mended.set(MAGIC);
    const damaged = crc32(mended.subarray(0, CRC)) === view.getUint32(CRC, true);
    throw new BookError("B-1", damaged ? "the first bytes of the book are damaged" : "this is not a Tabia book", "bytes 0 to 7");
  }
  hold(magic, "B-1", "this is not a Tabia book", "bytes 0 to 7");
  hold(page.length === PAGE, "B-5", `the file has ${length} bytes, less than its header`, "its end");
  hold(crc32(page.subarray(0, CRC)) === view.getUint32(CRC, true), "B-2", "the header is damaged: its crc is wrong", `byte ${CRC}`);
}

function checkVersion(page, view, length) {
  const version = view.getUint32(8, true), pageSize = view.getUint32(12, true), block = view.getUint32(72, true);
  hold(version === 1 && pageSize === PAGE && block === PAGE, "B-3",
    `made by another version of Tabia: version ${version}, pages of ${pageSize} and blocks of ${block} bytes`, "bytes 8, 12 and 72");
  const features = view.getBigUint64(16, true);
  hold((features & ~KNOWN_BITS) === 0n, "B-4",
    `made by a newer version of Tabia: it needs features ${formatKey(features & ~KNOWN_BITS)}`, "byte 16");
  const tags = Array.from({ length: Math.min(view.getUint32(76, true), MOST_SECTIONS) }, (_, i) => tagAt(page, ENTRIES + ENTRY * i));
  hold((features & RETIRED_BITS) === 0n && !tags.some((tag) => RETIRED_TAGS.includes(tag)), "B-20",
    "made by an unreleased version of Tabia: it has to be built again", "byte 16, or a section's tag");
  const said = view.getBigUint64(80, true);
  hold(said === BigInt(length) && length % PAGE === 0 && length >= 2 * PAGE, "B-5",
    `the file has ${length} bytes, its header says ${said}, in pages of ${PAGE}`, "byte 80");
  hold(length <= MOST_BYTES, "B-5", "the file is larger than this reader can address", "byte 80");
}

function checkDigest(page, digest) {
  const copy = new Uint8Array(page);
  copy.fill(0, 88, 128).fill(0, CRC);
  hold(xxh3Of128Bits(copy) === digest, "B-11", "the digest is not that of the header", "byte 88");
}

function readSections(page, view, header) {
  const count = view.getUint32(76, true);
  hold(count >= 1 && count <= MOST_SECTIONS, "B-6", `${count} sections can't be`, "byte 76");
  const end = header.fileLength - PAGE, sections = new Map();
  let at = PAGE, before = null;
  for (let i = 0; i < count; i++) {
    const entry = ENTRIES + ENTRY * i;
    const section = new Section(tagAt(page, entry), new DataView(page.buffer, page.byteOffset + entry, ENTRY));
    hold(!sections.has(section.tag), "B-6", "two sections have the same tag", section.tag);
    section.place(at, end);
    at += Math.ceil(section.length / PAGE) * PAGE;
    holdZero(page, entry + 84, entry + ENTRY, "B-10", `the entry of ${section.tag}`);
    if (before?.hasSums) section.beSumsOf(before);
    else section.open(sections, header);
    sections.set(section.tag, section);
    before = section;
  }
  hold(!before.hasSums, "B-6", "its sums are missing", before.tag);
  hold(at === end, "B-6", `the sections end at ${at}, not at ${end}, where the last page begins`, before.tag);
  holdZero(page, ENTRIES + ENTRY * count, CRC, "B-10", "the header behind the sections");
  checkTogether(sections, header);
  return sections;
}

/** What holds of all sections together: which are there, and their order. */
function checkTogether(sections, header) {
  const order = header.packed ? PACKED : KNOWN, tags = [...sections.keys()];
  if (!header.packed) {
    for (const tag of ["PACK", "PAGE", "DICT", "COPY"]) hold(!sections.has(tag), "B-30", "it is only in packed books", tag);
  }
  const known = tags.filter((tag) => order.includes(tag));
  known.forEach((tag, i) => hold(i === 0 || order.indexOf(tag) > order.indexOf(known[i - 1]), "B-6", "it is out of order", tag));
  for (const tag of ["SRCS", "FACT"]) hold(sections.has(tag), "B-6", "a section is missing", tag);
  hold(TABLES.some((tag) => sections.has(tag)), "B-6", "a section is missing", "POSN or MOVE");
  if (!header.packed) return;
  hold(tags[0] === "PACK" && tags[1] === "PAGE", "B-30", "PACK and PAGE are not the first sections", tags[0]);
  hold(tags.at(-1) === "COPY", "B-30", "COPY is not the last section", tags.at(-1));
  hold(sections.has("DICT") === sections.has("GAME"), "B-30", "one of GAME and DICT is missing", "DICT");
  const pack = sections.get("PACK"), copy = sections.get("COPY");
  hold(pack.length === copy.length && pack.checksum === copy.checksum, "B-30", "its length or checksum is not that of PACK", "COPY");
}

function readName(page, at, what) {
  const text = String.fromCharCode(...page.subarray(at, at + 16));
  const match = /^([a-z0-9-]+)\0*$/.exec(text);
  hold(match !== null, "B-9", `the name of the ${what} is malformed`, `byte ${at}`);
  return match[1];
}

function tagAt(page, at) {
  return String.fromCharCode(...page.subarray(at, at + 4));
}

function holdZero(page, from, to, rule, place) {
  const at = page.subarray(from, to).findIndex((byte) => byte !== 0);
  hold(at < 0, rule, "a reserved byte is not zero", `byte ${from + at}, ${place}`);
}

function hex(page, from, to) {
  return Array.from(page.subarray(from, to), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
