// The header page of a file of games, and the rules that it has to keep (games.md, G-1 to G-7).

import { hold } from "../errors.js";
import { crc32 } from "../numbers/crc32.js";

export const PAGE = 4096;
/** Where the header says how many bytes the file has, and its digest. */
export const FILE_LENGTH_AT = 112, DIGEST_AT = 120;
const CRC = PAGE - 4, MAGIC = [0x89, 0x54, 0x41, 0x42, 0x47, 0x4d, 0x0d, 0x0a];
const SECTIONS_AT = 136, RESERVED_AT = 264, MOST = 2 ** 52;
/** The sections, in their order, with how many bytes an element has; of those with null it varies. */
const SECTIONS = [["index", 10], ["ends", 4], ["nameStarts", 8], ["names", null], ["sources", 16], ["frames", null], ["frameStarts", 16], ["sums", 8]];
const COUNTS = ["games", "plies", "names", "sources", "frames", "bytes"];

/** What the first page of a file of `length` bytes says. */
export class GameHeader {
  constructor(page, length) {
    hold(MAGIC.every((byte, i) => page[i] === byte), "G-1", "this is no file of games", "bytes 0 to 7");
    hold(page.length === PAGE, "G-5", `the file has ${length} bytes, less than its header`, "its end");
    const view = new DataView(page.buffer, page.byteOffset, PAGE), u32 = (at) => view.getUint32(at, true), u64 = (at) => view.getBigUint64(at, true);
    hold(crc32(page.subarray(0, CRC)) === u32(CRC), "G-2", "the header is damaged: its crc is wrong", `byte ${CRC}`);
    hold(u32(8) === 1 && u32(12) === PAGE, "G-3", `made by another version of Tabia: version ${u32(8)}, pages of ${u32(12)} bytes`, "bytes 8 and 12");
    hold(u64(16) === 0n, "G-4", "made by a newer version of Tabia", "byte 16");
    const counts = Object.fromEntries(COUNTS.map((name, i) => [name, u64(72 + 8 * i)]));
    hold(counts.bytes === BigInt(length) && length % PAGE === 0 && length <= MOST, "G-5", `the file has ${length} bytes, its header says ${counts.bytes}`, "byte 112");
    this.#readIdentity(page);
    this.fileLength = length;
    this.digest = Array.from(page.subarray(DIGEST_AT, DIGEST_AT + 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.#readSections(counts, u64, length);
  }

  #readIdentity(page) {
    const name = (at) => /^([a-z0-9-]+)\0*$/.exec(String.fromCharCode(...page.subarray(at, at + 16)))?.[1];
    [this.game, this.keys] = [name(32), name(48)];
    hold(this.game !== undefined && this.keys !== undefined && page[64] <= 1 && page[65] <= 1, "G-7", "a malformed name, or what it is of", "bytes 32 to 65");
    this.keyed = page[64] === 0 ? "position" : "line";
    this.kept = page[65] === 0 ? "all" : "named";
    const isZero = (from, to) => page.subarray(from, to).every((byte) => byte === 0);
    hold(isZero(66, 72) && isZero(RESERVED_AT, CRC), "G-7", "a reserved byte is not zero", "the header");
  }

  #readSections(counts, u64, length) {
    for (const name of ["games", "names", "sources", "frames"]) {
      hold(counts[name] < 2n ** 32n, "G-6", `${counts[name]} ${name} are too many`, "the counts");
      this[name] = Number(counts[name]);
    }
    hold(this.frames <= this.games, "G-6", "more frames than games", "the counts");
    this.sections = {};
    let at = BigInt(PAGE), pages = 0n;
    SECTIONS.forEach(([name, element], i) => {
      const offset = u64(SECTIONS_AT + 16 * i), size = u64(SECTIONS_AT + 16 * i + 8), place = `the entry of section ${i + 1}`;
      const elements = { index: this.games, ends: this.games, nameStarts: this.names, sources: this.sources, frameStarts: this.frames }[name];
      hold(offset === at && size <= BigInt(length), "G-6", "it begins elsewhere than where the one before ends, or is too long", place);
      hold(element === null || size === BigInt(element) * (name === "sums" ? pages : BigInt(elements)), "G-6", `${size} bytes can't be`, place);
      this.sections[name] = { offset: Number(offset), length: Number(size), tag: name };
      const padded = (size + BigInt(PAGE - 1)) / BigInt(PAGE);
      pages += padded;
      at += padded * BigInt(PAGE);
    });
    hold(at + BigInt(PAGE) === BigInt(length), "G-6", "the file doesn't end behind its sections", "the last section");
  }

  /** What a program may want to know. */
  info() {
    const { game, keys, keyed, kept, games, names, sources, digest, fileLength } = this;
    return { game, keys, keyed, kept, games, names, sources, digest, fileLength };
  }
}
