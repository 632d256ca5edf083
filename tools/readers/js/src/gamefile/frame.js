// What a frame of a file of games holds: heads, then the codes of all moves (games.md, "A game").

import { BookError, hold } from "../errors.js";
import { FrameError, decompress } from "../zstd/frame.js";

/** The most bytes of a frame's content, moves of a game, and bytes of a set-up text. */
const MOST_CONTENT = 65536 + 2 ** 21 + 8192, MOST_PLIES = 2 ** 20, LONGEST_SETUP = 4096;
const RESULTS = ["*", "1-0", "1/2-1/2", "0-1"];
export const CONTROL = /\p{Cc}/u;

/** The content, of so many bytes, of the frame in these bytes. */
export function unpack(bytes, length, place) {
  hold(length <= MOST_CONTENT, "G-14", `a frame of ${length} bytes is too large`, place);
  try {
    return decompress(bytes, length);
  } catch (error) {
    if (error instanceof FrameError) throw new BookError("G-14", error.message, place);
    throw error;
  }
}

/** The games of a frame that holds so many: { result, year, month, day, ratings, names, source, offset, setup, moves }, of names and archive their numbers. */
export function readFrame(content, count, place) {
  const reader = new Reader(content, place), games = Array.from({ length: count }, () => reader.head());
  for (const game of games) game.moves = reader.moves(game.plies);
  reader.hold(reader.at === content.length, "something follows the last game of a frame");
  return games;
}

class Reader {
  at = 0;

  constructor(bytes, place) {
    [this.bytes, this.view, this.place] = [bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), place];
  }

  hold(good, what) {
    hold(good, "G-15", what, this.place);
  }

  need(length) {
    this.hold(this.at + length <= this.bytes.length, "a game is cut off");
    this.at += length;
    return this.at - length;
  }

  head() {
    const flags = this.bytes[this.need(1)], date = this.view.getUint32(this.need(4), true);
    this.hold((flags & ~7) === 0, "a game has unknown flags");
    const [year, month, day] = [date >>> 9, (date >>> 5) & 15, date & 31];
    this.hold(year <= 65535 && month <= 12 && (year > 0 || date === 0) && (month > 0 || day === 0), "a game has a date that is none");
    const ratings = [this.view.getUint16(this.need(2), true), this.view.getUint16(this.need(2), true)];
    const names = Array.from({ length: 5 }, () => this.varint()), source = this.varint(), offset = this.longVarint(), plies = this.varint();
    this.hold(plies <= MOST_PLIES, "a game has too many moves");
    const setup = (flags & 4) === 0 ? "" : this.setup();
    return { result: RESULTS[flags & 3], year, month, day, ratings, names, source, offset, plies, setup };
  }

  /** A number of at most 64 bits. */
  longVarint() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.need(1)];
      value |= BigInt(byte & 127) << shift;
      this.hold(value < 2n ** 64n && !(byte === 0 && shift > 0n), "a number is too large, or longer than it has to be");
      if (byte < 128) return value;
    }
  }

  /** One that counts something: of at most 53 bits. */
  varint() {
    const value = this.longVarint();
    this.hold(value <= BigInt(Number.MAX_SAFE_INTEGER), "a number is too large");
    return Number(value);
  }

  setup() {
    const length = this.varint();
    this.hold(length >= 1 && length <= LONGEST_SETUP, "a game's set-up text is too long, or empty");
    const text = textOf(this.bytes.subarray(this.need(length), this.at));
    this.hold(text !== null, "a game's set-up text is no plain text");
    return text;
  }

  moves(plies) {
    const from = this.need(2 * plies);
    return Array.from({ length: plies }, (_, i) => this.view.getUint16(from + 2 * i, true));
  }
}

/** These bytes as a text without control characters; null if they are none. */
export function textOf(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return CONTROL.test(text) ? null : text;
  } catch {
    return null;
  }
}
