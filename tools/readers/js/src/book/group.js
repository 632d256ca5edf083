// Pages of a packed book: the group in which a hash has to be (section 4 of packed.md), its entries (5), and their records (6).

import { Bits, bitLength } from "./bits.js";
import { BookError } from "../errors.js";
import { checkCell } from "./games.js";
import { moveOf, NO_EVAL, positionOf, setCell } from "./rows.js";
import { xxh3 } from "../numbers/xxh3.js";

export const PAGE = 4096, ROOM = 4088, LARGE = 255;
const MOST_COUNT = 0xffffffff;
const NO_EVALUATION = { value: NO_EVAL, depth: 0, flags: 0 };

/** Checks the checksum of a page (B-31). */
export function checkPage(bytes, number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, PAGE);
  if (xxh3(bytes.subarray(0, ROOM)) !== view.getBigUint64(ROOM, true)) throw new BookError("B-31", "a page is damaged", placeOf(number));
}

/**
 * The group of a spot in the page `number`, which begins at `base` of `bytes`; null if the group is not in this page. Only the spot's
 * home page and the two behind it can have the group.
 */
export function findGroup(book, bytes, base, number, spot) {
  const { back, count } = readHead(book.pack, bytes, base, number);
  const place = spot.group + back - (number - spot.page) * book.pack.groups;
  if (place < 0 || place >= count) return null;
  return new Group(book, bytes, base, number, startOf(bytes, base, number, place, count), book.pack.bucketsOf(spot.group));
}

/** All groups of a page, in order, as [home page, place there, group]. */
export function* groupsOf(book, bytes, base, number) {
  const { pack } = book, { homes } = book.header.section("PAGE");
  const { back, count } = readHead(book.pack, bytes, base, number);
  for (let i = 0; i < count; i++) {
    const all = number * pack.groups - back + i, home = Math.floor(all / pack.groups), place = all - home * pack.groups;
    if (home < 0 || home >= homes) fail("a group of no home page", number);
    yield [home, place, new Group(book, bytes, base, number, startOf(bytes, base, number, i, count), pack.bucketsOf(place))];
  }
}

function readHead(pack, bytes, base, number) {
  const back = bytes[base] | (bytes[base + 1] << 8), count = bytes[base + 2] | (bytes[base + 3] << 8);
  const place = (bytes[base + 4] | (bytes[base + 5] << 8) | (bytes[base + 6] << 16) | (bytes[base + 7] << 24)) >>> 0;
  if (place !== pack.says(number)) throw new BookError("B-31", "another page stands in a page's place", placeOf(number));
  if (count < 1 || 8 + 2 * count > ROOM) fail("a page can't have so many groups", number);
  return { back, count };
}

function startOf(bytes, base, number, place, count) {
  const start = bytes[base + 8 + 2 * place] | (bytes[base + 9 + 2 * place] << 8);
  if (start < 8 + 2 * count || start >= ROOM) fail("a group begins outside its page", number);
  return start;
}

function placeOf(number) {
  return `page ${number} of PAGE`;
}

function fail(what, number) {
  throw new BookError("B-32", what, placeOf(number));
}

export class Group {
  constructor(book, bytes, base, number, start, buckets) {
    this.book = book;
    this.bits = new Bits(bytes, base, ROOM, placeOf(number));
    this.start = start;
    this.buckets = buckets;
    this.count = bytes[base + start];
    this.bucketsAt = 8 * start + 8;
    this.planesAt = this.bucketsAt + buckets + this.count;
    this.remaindersAt = this.planesAt + book.pack.classBits * this.count;
    this.codesAt = this.remaindersAt + book.pack.remainderBits * this.count;
    this.shorts = -1;
    if (!this.isLarge) this.bits.need(this.bucketsAt, this.count === 0 ? 0 : this.codesAt - this.bucketsAt);
  }

  get isLarge() {
    return this.count === LARGE;
  }

  /** Where the rows of a large group are: the first ones in the bodies of POSN and MOVE, and how many (5.1). */
  largeRows() {
    const { bits, start } = this;
    bits.need(8 * start, 8 * 25);
    bits.at = 8 * start + 8;
    const positionsAt = bits.takeBig(64), movesAt = bits.takeBig(64), positions = bits.take(32), moves = bits.take(32);
    const slots = (table) => BigInt(table?.slots ?? 0);
    if (positionsAt + BigInt(positions) > slots(this.book.positions) || movesAt + BigInt(moves) > slots(this.book.moves)) {
      bits.fail("the rows of a large group are outside the table");
    }
    return { positionsAt: Number(positionsAt), positions, movesAt: Number(movesAt), moves };
  }

  /** The number of the entry of a spot in this group, -1 if there is none. */
  find(spot) {
    if (this.count === 0) return -1;
    if (this.bits.ones(this.bucketsAt, this.buckets + this.count) !== this.count) {
      this.bits.fail("a group has not the entries that it says");
    }
    let at = this.endOfBuckets(spot.bucket);
    for (let i = at - this.bucketsAt - spot.bucket; at < this.planesAt && this.bits.peek(at, 1) === 1; at++, i++) {
      if (this.lowRemainder(i) === spot.low && this.highRemainder(i) === spot.high) return i;
    }
    return -1;
  }

  lowRemainder(i) {
    const w = this.book.pack.remainderBits;
    return this.bits.number(this.remaindersAt + w * i, w < 32 ? w : 32);
  }

  highRemainder(i) {
    const w = this.book.pack.remainderBits;
    return w > 32 ? this.bits.number(this.remaindersAt + w * i + 32, w - 32) : 0;
  }

  /** Where the bits of the first `count` buckets end. */
  endOfBuckets(count) {
    let at = this.bucketsAt, zeros = 0;
    while (zeros + 24 <= count) {
      zeros += 24 - this.bits.ones(at, 24);
      at += 24;
    }
    for (; zeros < count; at++) zeros += 1 - this.bits.peek(at, 1);
    return at;
  }

  /** [bucket, lower and upper part of the remainder] of each entry, in order. */
  *remainders() {
    let i = 0;
    for (let at = this.bucketsAt, bucket = 0; this.count > 0 && at < this.planesAt; at++) {
      if (this.bits.peek(at, 1) === 0) bucket++;
      else if (i === this.count || bucket === this.buckets) this.bits.fail("a group has more entries than it says");
      else yield [bucket, this.lowRemainder(i), this.highRemainder(i++)];
    }
    if (i !== this.count) this.bits.fail("a group has fewer entries than it says");
  }

  /** Finds out where the parts of the group are that lie behind its remainders. */
  layOut() {
    const { pack } = this.book;
    this.shorts = this.count - this.longsBefore(this.count);
    this.flagsAt = this.codesAt + (this.book.moves ? pack.codeBits * this.shorts : 0);
    const flags = pack.pairs.length > 0 ? this.count : 0;
    this.bits.need(this.flagsAt, flags);
    this.evaluationsAt = this.flagsAt + flags;
    const evaluated = this.bits.ones(this.flagsAt, flags);
    this.toldAt = this.evaluationsAt + (pack.evalBits + pack.pairBits) * evaluated;
    this.gamesAt = this.toldAt + pack.toldBits * this.shorts;
    this.cellsAt = this.gamesAt + (pack.numberBits + pack.swapBits) * this.shorts;
    this.bits.need(this.toldAt, this.cellsAt - this.toldAt);
    const told = this.bits.ones(this.toldAt, pack.toldBits * this.shorts);
    this.sizesAt = Math.ceil((this.cellsAt + pack.cellBits * (this.shorts - told)) / 8);
    this.bits.need(8 * this.sizesAt, 0);
  }

  /** How many of the first `count` entries are long: those with all bits of their class set. */
  longsBefore(count) {
    let longs = 0;
    for (let i = 0; i < count; i += 24) {
      const width = Math.min(24, count - i);
      let all = (1 << width) - 1;
      for (let plane = 0; plane < this.book.pack.classBits; plane++) all &= this.bits.peek(this.planesAt + plane * this.count + i, width);
      for (; all !== 0; all &= all - 1) longs++;
    }
    return longs;
  }

  classOf(i) {
    let number = 0;
    for (let plane = 0; plane < this.book.pack.classBits; plane++) number |= this.bits.peek(this.planesAt + plane * this.count + i, 1) << plane;
    return number;
  }

  /**
   * Entry `i`: its position (null if it has none), and its moves with the cells of `columns`, if moves are wanted. Those moves whose games
   * have to be read for that are in `named` then (games.js).
   */
  entry(i, wantsMoves, columns) {
    if (this.shorts < 0) this.layOut();
    this.named = [];
    const { pack, positions, moves } = this.book, longs = this.longsBefore(i), number = this.classOf(i);
    const evaluation = pack.pairs.length === 0 ? NO_EVALUATION : this.evaluation(i);
    if (number === pack.classes.length) return this.longEntry(longs, evaluation, wantsMoves, columns);
    const counts = pack.classes[number], wins = counts[0], draws = counts[1], losses = counts[2];
    if (wins > 15) this.bits.fail("an entry of a class without counts");
    const position = positions ? positionOf(wins, draws, losses, evaluation.value, evaluation.depth, evaluation.flags) : null;
    if (!wantsMoves || !moves) return { position, moves: [] };
    const short = i - longs;
    this.bits.at = this.codesAt + pack.codeBits * short;
    const move = moveOf(this.code(), wins, draws, losses, 0);
    if (columns.length > 0) {
      const told = pack.toldBits > 0 && this.bits.peek(this.toldAt + short, 1) === 1;
      this.bits.at = this.gamesAt + (pack.numberBits + pack.swapBits) * short;
      const game = this.game(told);
      this.bits.at = this.cellsAt + pack.cellBits * (short - this.bits.ones(this.toldAt, pack.toldBits * short));
      this.setCells(move, columns, game, (field) => this.shortValue(field));
    }
    return { position, moves: [move] };
  }

  /** Eval, depth and flags of an entry. */
  evaluation(i) {
    const { pack } = this.book, { bits } = this;
    if (bits.peek(this.flagsAt + i, 1) === 0) return NO_EVALUATION;
    const before = bits.ones(this.flagsAt, i);
    bits.at = this.evaluationsAt + (pack.evalBits + pack.pairBits) * before;
    const number = bits.take(pack.evalBits), pair = bits.take(pack.pairBits);
    const value = number === 0 ? NO_EVAL : pack.leastEval + number - 1;
    if (pair >= pack.pairs.length || value > 32767) bits.fail("an eval or a pair that PACK doesn't have");
    const [depth, flags] = pack.pairs[pair];
    return { value, depth, flags };
  }

  code() {
    const number = this.bits.take(this.book.pack.codeBits);
    if (number >= this.book.pack.codes.length) this.bits.fail("the number of a move that PACK doesn't have");
    return this.book.pack.codes[number];
  }

  shortValue(field) {
    const number = this.bits.takeBig(field.width);
    return number === 0n ? 0n : field.least + number - 1n;
  }

  longValue() {
    const width = this.bits.take(7);
    if (width > 64) this.bits.fail("a field of more than 64 bits");
    return width === 0 ? 0n : (1n << BigInt(width - 1)) | this.bits.takeBig(width - 1);
  }

  /** The game of a move. */
  game(told) {
    const { numberBits, swapBits } = this.book.pack;
    return { told, number: this.bits.take(numberBits), swapped: this.bits.take(swapBits) === 1 };
  }

  /** Reads the fields of a move that are spelled out, all of them, and keeps the cells of `columns`. */
  setCells(move, columns, game, value) {
    const { pack } = this.book, fields = game.told ? [] : pack.fields.map(value);
    if (pack.hasGames) {
      if (columns.length > 0) this.named.push({ move, columns, ...game, fields, place: this.bits.place });
      return;
    }
    for (const column of pack.columns) {
      const values = fields.splice(0, column.fields.length);
      checkCell(column, values, this.bits.place);
      if (columns.includes(column)) setCell(move, column, values);
    }
  }

  /** The entry of the record that `longs` others are in front of. */
  longEntry(longs, evaluation, wantsMoves, columns) {
    const { bits } = this, all = this.count - this.shorts;
    let at = this.sizesAt, before = 0, size = 0;
    for (let i = 0; i < all; i++) {
      bits.at = 8 * at++;
      let bytes = bits.take(8);
      if (bytes === 255) {
        bytes = bits.take(16);
        at += 2;
      }
      if (i < longs) before += bytes;
      else if (i === longs) size = bytes;
    }
    bits.at = 8 * (at + before);
    const end = bits.at + 8 * size;
    bits.need(bits.at, 8 * size);
    const entry = this.record(evaluation, wantsMoves, columns);
    if (bits.at > end) bits.fail("a record is longer than it says");
    return entry;
  }

  record(evaluation, wantsMoves, columns) {
    const { bits, book } = this;
    const hasPosition = book.positions && book.moves ? bits.take(1) === 1 : book.positions !== null;
    const counts = hasPosition ? this.counts(1) : null;
    const position = counts && positionOf(...counts, evaluation.value, evaluation.depth, evaluation.flags);
    return { position, moves: wantsMoves && book.moves ? this.moves(counts, columns) : [] };
  }

  /** Wins, draws and losses whose sum is written as gamma(sum + more). */
  counts(more) {
    const { bits } = this, games = bits.gamma() - more;
    const wins = bits.take(bitLength(games));
    if (wins > games) bits.fail("a record has more wins than games");
    const draws = bits.take(bitLength(games - wins));
    return this.sound([wins, draws, games - wins - draws]);
  }

  sound(counts) {
    for (const count of counts) {
      if (count < 0 || count > MOST_COUNT) this.bits.fail("counts of a record that can't be");
    }
    return counts;
  }

  moves(position, columns) {
    const { bits } = this, { pack } = this.book, count = bits.gamma() - (position ? 1 : 0), moves = [];
    if (count === 0) return moves;
    const within = bits.take(1) === 1, exact = bits.take(1) === 1, marks = bits.take(1) === 1, zero = bits.take(1);
    if (within && !position) bits.fail("moves within a position that isn't there");
    let left = position;
    for (let i = 0; i < count; i++) {
      const code = this.code(), mark = marks ? bits.take(8) : 0;
      const counts = !within ? this.counts(zero) : exact && i + 1 === count ? left : this.countsWithin(zero, left);
      if (within) left = this.sound(left.map((n, j) => n - counts[j]));
      const move = moveOf(code, ...counts, mark);
      const game = this.game(pack.toldBits > 0 && bits.take(1) === 1);
      this.setCells(move, columns, game, () => this.longValue());
      moves.push(move);
    }
    return moves;
  }

  countsWithin(zero, [mostWins, mostDraws]) {
    const { bits } = this, games = bits.gamma() - zero;
    const wins = bits.take(bitLength(Math.min(games, mostWins)));
    if (wins > games) bits.fail("a record has more wins than games");
    const draws = bits.take(bitLength(Math.min(games - wins, mostDraws)));
    return this.sound([wins, draws, games - wins - draws]);
  }
}
