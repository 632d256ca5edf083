// PACK, the parameters and code tables of a packed book (section 3 of packed.md), and where a hash is in its pages (4.2).

import { hold } from "../errors.js";
import { COLUMNS } from "./rows.js";
import { bitLength } from "./bits.js";
import { xxh3 } from "../numbers/xxh3.js";

const FIXED = 40, MOST_BYTES = 1 << 20, FREE = 0xffffffff;

export class Pack {
  /** PACK of a book, from its bytes. */
  constructor(header, bytes) {
    const section = header.section("PACK");
    check(xxh3(bytes) === section.checksum, "PACK is damaged");
    check(bytes.length >= FIXED, `PACK has ${bytes.length} bytes`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.salt = Number(section.checksum & 0xffffffffn);
    this.readParameters(view, header);
    this.readTables(view, header);
    this.countPages(header);
  }

  /** Checks what has to be known before PACK is read: its length. */
  static checkLength(section) {
    check(section.length <= MOST_BYTES, `PACK has ${section.length} bytes`);
  }

  readParameters(view, header) {
    this.k = view.getUint32(0, true);
    this.groupBuckets = view.getUint32(4, true);
    this.pageBuckets = view.getUint32(8, true);
    this.classBits = view.getUint8(12);
    this.codeBits = view.getUint8(13);
    this.evalBits = view.getUint8(14);
    this.pairBits = view.getUint8(15);
    this.leastEval = view.getInt16(16, true);
    const allBits = 64 - header.shareBits;
    check(this.k >= 4 && this.k <= Math.min(56, allBits), `2^${this.k} buckets`);
    check(this.groupBuckets >= 4 && this.groupBuckets <= 32, `${this.groupBuckets} buckets of a group`);
    check(this.pageBuckets >= 1 && this.pageBuckets <= Math.min(2 ** this.k, 150 * this.groupBuckets), `${this.pageBuckets} buckets of a page`);
    check(this.classBits <= 6 && this.evalBits <= 16, "bits of a class or an eval");
    check(view.getUint16(18, true) === header.shareBits, "share bits that are not the header's");
    this.remainderBits = allBits - this.k;
    this.groups = Math.ceil(this.pageBuckets / this.groupBuckets);
  }

  readTables(view, header) {
    const pairs = view.getUint32(20, true), codes = view.getUint32(24, true), fields = view.getUint32(28, true);
    const classes = 2 ** this.classBits - 1;
    check(view.byteLength === FIXED + 12 * classes + 2 * codes + 2 * pairs + 16 * fields, `PACK has ${view.byteLength} bytes`);
    check(this.codeBits === widthOf(codes) && this.pairBits === widthOf(pairs), "bits of a move or a pair");
    let at = FIXED;
    this.classes = readMany(classes, () => [0, 4, 8].map((by) => view.getUint32(at + by, true)), () => (at += 12));
    this.codes = Uint16Array.from(readMany(codes, () => view.getUint16(at, true), () => (at += 2)));
    this.pairs = readMany(pairs, () => [view.getUint8(at), view.getUint8(at + 1)], () => (at += 2));
    this.columns = COLUMNS.filter((column) => header.section(column.tag) !== null);
    const spelled = this.columns.filter(({ tag }) => tag !== "GAME");
    check(fields === spelled.flatMap((column) => column.fields).length, `${fields} fields of columns`);
    this.readGames(header.section("DICT"), spelled);
    this.fields = readMany(fields, () => readField(view, at), () => (at += 16));
    this.cellBits = this.fields.reduce((sum, field) => sum + field.width, 0);
    this.checkTables();
  }

  /** Bits of what is said of a move's game: whether it tells all cells, its number, whether the lesser rating is the mover's. */
  readGames(section, spelled) {
    this.hasGames = section !== null;
    this.toldBits = this.hasGames && spelled.length > 0 ? 1 : 0;
    this.numberBits = this.hasGames ? bitLength(section.length / 16) : 0;
    this.swapBits = this.hasGames && spelled.some(({ tag }) => tag === "RTNG") ? 1 : 0;
  }

  checkTables() {
    const used = this.classes.filter((counts) => counts.some((count) => count !== FREE)).length;
    const good = this.classes.slice(0, used).every((counts) => counts.every((count) => count <= 15));
    check(good && this.classes.slice(used).every((counts) => counts.every((count) => count === FREE)), "classes");
    check(new Set(this.codes).size === this.codes.length, "a code is there twice");
    const ascending = this.pairs.every(([depth, flags], i) => i === 0 || depth * 256 + flags > this.pairs[i - 1][0] * 256 + this.pairs[i - 1][1]);
    check(ascending && this.pairs.every(([, flags]) => flags < 32), "pairs of depth and flags");
  }

  countPages(header) {
    const section = header.section("PAGE");
    const homes = (2n ** BigInt(this.k) + BigInt(this.pageBuckets) - 1n) / BigInt(this.pageBuckets);
    check(homes === BigInt(section.homes), `${homes} home pages, where PAGE has ${section.homes}`);
    this.pages = section.pages;
    this.pagesAt = section.offset;
  }

  /** What a page says of its place. */
  says(page) {
    return (this.salt + page) % 2 ** 32;
  }

  /** Where the group of a hash stands, and the hash in it. */
  spot(header, lo, hi) {
    return new Spot(this, header.shareBits, lo, hi);
  }

  /** How many buckets the group at a place of its home page has. */
  bucketsOf(place) {
    return Math.min(this.groupBuckets, this.pageBuckets - place * this.groupBuckets);
  }
}

/** A hash in a packed book: its home page, the place of its group there, its bucket in the group, its remainder. */
class Spot {
  constructor(pack, shareBits, lo, hi) {
    const upper = shareBits === 0 ? hi : shareBits === 32 ? 0 : hi & (2 ** (32 - shareBits) - 1);
    const w = pack.remainderBits;
    const bucket = shiftRight(lo, upper >>> 0, w);
    this.page = Math.floor(bucket / pack.pageBuckets);
    const inPage = bucket - this.page * pack.pageBuckets;
    this.group = Math.floor(inPage / pack.groupBuckets);
    this.bucket = inPage - this.group * pack.groupBuckets;
    this.low = w >= 32 ? lo : (lo & (2 ** w - 1)) >>> 0;
    this.high = w > 32 ? (upper & (2 ** (w - 32) - 1)) >>> 0 : 0;
  }
}

function shiftRight(lo, hi, by) {
  return by >= 32 ? hi >>> (by - 32) : hi * 2 ** (32 - by) + (lo >>> by);
}

function readField(view, at) {
  const width = view.getBigUint64(at + 8, true);
  check(width <= 64n, `a field of ${width} bits`);
  return { least: view.getBigUint64(at, true), width: Number(width) };
}

function readMany(count, read, next) {
  const all = [];
  for (; all.length < count; next()) all.push(read());
  return all;
}

function widthOf(count) {
  return count === 0 ? 0 : bitLength(count - 1);
}

function check(good, what) {
  hold(good, "B-29", what, "PACK");
}
