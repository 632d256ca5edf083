// What has to be read of a file of games to answer a question: generators, as those of books (see ../book/probes.js).

import { BookError, hold } from "../errors.js";
import { together } from "../book/probes.js";
import { xxh3 } from "../numbers/xxh3.js";
import { readFrame, textOf, unpack } from "./frame.js";
import { PAGE } from "./header.js";

const ENTRY = 10, DIGESTS = 2 ** 48, ENDS = 2 ** 32, LONGEST_NAME = 255;
/** Entries of the index that are read around a guess. */
const WINDOW = 200;
/** Guesses by how numbers are spread, before the range is halved each time. */
const GUESSES = 6;

/** So many bytes of a section; with `verify` whole pages, each with its sum (G-9). */
export function* bytesOf(core, section, from, length) {
  const { header } = core, at = section.offset + from;
  hold(from >= 0 && length >= 0 && from + length <= section.length, "G-6", "bytes beyond a section", section.tag);
  if (length === 0) return new Uint8Array(0);
  if (!core.verify) return (yield [{ offset: at, length }])[0];
  const first = Math.floor(at / PAGE), last = Math.floor((at + length - 1) / PAGE), pages = last - first + 1;
  const { sums } = header.sections, sumsAt = sums.offset + 8 * (first - 1);
  const [bytes, said] = yield [{ offset: PAGE * first, length: PAGE * pages }, { offset: sumsAt, length: 8 * pages }];
  const view = new DataView(said.buffer, said.byteOffset, said.length);
  for (let i = 0; i < pages; i++) {
    const good = xxh3(bytes.subarray(PAGE * i, PAGE * (i + 1))) === view.getBigUint64(8 * i, true);
    if (!good) throw new BookError("G-9", `page ${first + i} is damaged`, section.tag);
  }
  return bytes.subarray(at - PAGE * first, at - PAGE * first + length);
}

/** The entries of the index from one number to another: [{ digest, end }], both numbers. */
function* entries(core, from, to) {
  const bytes = yield* bytesOf(core, core.header.sections.index, ENTRY * from, ENTRY * (to - from));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: to - from }, (_, i) => ({
    digest: view.getUint32(ENTRY * i, true) + view.getUint16(ENTRY * i + 4, true) * ENDS, end: view.getUint32(ENTRY * i + 6, true),
  }));
}

/**
 * The least number from 0 to `count` whose value is not less than `target`; values ascend and are spread evenly below `range`. `read(from, to)` reads values,
 * at most `window` at once.
 */
function* lowerBound(count, target, range, window, read) {
  let low = 0, high = count, below = -1, above = range;
  for (let guesses = 0; low < high; guesses++) {
    const share = guesses < GUESSES ? (target - below) / (above - below) : 0.5;
    const middle = low + Math.min(high - low - 1, Math.max(0, Math.floor((high - low) * share)));
    const from = Math.max(low, Math.min(middle - (window >> 1), high - window)), to = Math.min(high, from + window);
    const values = yield* read(from, to), place = values.findIndex((value) => value >= target);
    if (place < 0) [low, below] = [to, values.at(-1)];
    else if (place > 0 || from === low) return from + place;
    else [high, above] = [from, values[0]];
  }
  return low;
}

/** The number of the game with a digest, and where it ends: { number, end }; null if it isn't there. */
export function* find(core, digest) {
  const { games } = core.header, seen = new Map();
  const number = yield* lowerBound(games, digest, DIGESTS, WINDOW, function* (from, to) {
    const found = yield* entries(core, from, to);
    found.forEach((entry, i) => seen.set(from + i, entry));
    return found.map((entry) => entry.digest);
  });
  if (number >= games) return null;
  const entry = seen.get(number) ?? (yield* entries(core, number, number + 1))[0];
  return entry.digest === digest ? { number, end: entry.end } : null;
}

/** The digests of at most so many games that end at `end`; null if there are more. */
export function* endingAt(core, end, most) {
  const { games } = core.header;
  const numberAt = function* (place) {
    const bytes = yield* bytesOf(core, core.header.sections.ends, 4 * place, 4), number = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    hold(number < games, "G-11", "the number of a game that isn't there", "ends");
    return number;
  };
  const entryAt = function* (place) {
    const number = yield* numberAt(place);
    return (yield* entries(core, number, number + 1))[0];
  };
  const first = yield* lowerBound(games, end, ENDS, 1, function* (from) {
    return [(yield* entryAt(from)).end];
  });
  const places = Array.from({ length: Math.min(most + 1, games - first) }, (_, i) => first + i), digests = [];
  // Most often there are few.
  for (let at = 0; at < places.length; at += 4) {
    const found = yield* together(places.slice(at, at + 4).map(entryAt)), same = found.filter((entry) => entry.end === end);
    digests.push(...same.map(({ digest }) => digest));
    if (same.length < found.length) break;
  }
  return digests.length > most ? null : digests;
}

/** Where frames begin: all of FIDX, as [{ first, content, offset, length, count }]. */
export function* frameList(core) {
  const { frameStarts, frames } = core.header.sections, bytes = yield* bytesOf(core, frameStarts, 0, frameStarts.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), list = [];
  for (let i = 0; i < core.header.frames; i++) {
    const offset = view.getBigUint64(16 * i + 8, true), first = view.getUint32(16 * i, true), before = list.at(-1);
    const isNext = before ? first > before.first && offset > BigInt(before.offset) : first === 0 && offset === 0n;
    hold(isNext && first < core.header.games && offset < BigInt(frames.length), "G-14", `frame ${i} is out of order`, "FIDX");
    list.push({ first, content: view.getUint32(16 * i + 4, true), offset: Number(offset) });
  }
  hold(list.length > 0 || core.header.games === 0, "G-14", "games without a frame", "FIDX");
  list.forEach((frame, i) => {
    frame.length = (list[i + 1]?.offset ?? frames.length) - frame.offset;
    frame.count = (list[i + 1]?.first ?? core.header.games) - frame.first;
  });
  return list;
}

/** All games of a frame. */
export function* gamesOf(core, frame) {
  const place = `the frame of game ${frame.first}`, bytes = yield* bytesOf(core, core.header.sections.frames, frame.offset, frame.length);
  return readFrame(unpack(bytes, frame.content, place), frame.count, place);
}

/** The name with a number; an empty text for 0. */
export function* nameOf(core, number) {
  if (number === 0) return "";
  const { sections, names } = core.header;
  hold(number <= names, "G-12", "a name that isn't there", "a head");
  const isLast = number === names, bytes = yield* bytesOf(core, sections.nameStarts, 8 * (number - 1), isLast ? 8 : 16);
  const view = new DataView(bytes.buffer, bytes.byteOffset), from = view.getBigUint64(0, true), to = isLast ? BigInt(sections.names.length) : view.getBigUint64(8, true);
  hold(from < to && to - from <= BigInt(LONGEST_NAME) && to <= BigInt(sections.names.length), "G-12", "a name has no end", `name ${number}`);
  const text = textOf(yield* bytesOf(core, sections.names, Number(from), Number(to - from)));
  hold(text !== null, "G-12", "a name is no plain text", `name ${number}`);
  return text;
}

/** The digest of the archive with a number. */
export function* sourceOf(core, number) {
  hold(number < core.header.sources, "G-13", "an archive that isn't there", "a head");
  const bytes = yield* bytesOf(core, core.header.sections.sources, 16 * number, 16);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
