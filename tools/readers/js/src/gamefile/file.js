// A file of games beside a book (games.md), of which only the bytes are read that a question needs: of a server, by HTTP ranges, or of a file.

import { fileSource } from "../book/file.js";
import { together } from "../book/probes.js";
import { FIRST_READ, rangesOf } from "../book/ranged.js";
import { openRemote } from "../book/remote.js";
import { DIGEST_AT, FILE_LENGTH_AT, GameHeader, PAGE } from "./header.js";
import { endingAt, find, frameList, gamesOf, nameOf, sourceOf } from "./questions.js";

/** Frames whose games are kept. */
const KEPT = 16;
const ID_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export class GameFile {
  #core;
  #ranges;
  #source;
  /** Games by frames, and names by numbers, as promises. */
  #frames = new Map();
  #names = new Map();
  #list = null;

  constructor(header, ranges, source, verify) {
    this.#core = { header, verify };
    this.#ranges = ranges;
    this.#source = source;
    this.info = header.info();
  }

  /** The file at a URL. */
  static async openUrl(url, options = {}) {
    const { source, ranges, start, length } = await openRemote(String(url), options, { lengthAt: FILE_LENGTH_AT, digestAt: DIGEST_AT });
    return new GameFile(new GameHeader(start.subarray(0, PAGE), length), ranges, source, options.verify ?? false);
  }

  /** The file in a Blob, a File, or anything that can be read in ranges. */
  static async open(file, options = {}) {
    const source = fileSource(file), start = await source.read(0, Math.min(FIRST_READ, source.size), options.signal);
    return new GameFile(new GameHeader(start.subarray(0, PAGE), source.size), rangesOf(source, start, options, DIGEST_AT), source, options.verify ?? true);
  }

  /** Requests made, and bytes of their bodies; of a file 0. */
  get traffic() {
    const { requests = 0, bytes = 0 } = this.#source;
    return { requests, bytes };
  }

  /** The games with these digests, in their order; null for one that isn't there. */
  async games(digests, { signal } = {}) {
    const core = this.#core, found = await this.#run(together(digests.map((digest) => find(core, Number.parseInt(digest, 16)))), signal);
    signal?.throwIfAborted();
    const heads = await Promise.all(found.map((one) => one && this.#head(one.number)));
    const names = await this.#texts(heads.flatMap((head) => head?.names ?? []), signal);
    return heads.map((head, i) => head && this.#game(digests[i], found[i].end, head, names));
  }

  async game(digest, options) {
    return (await this.games([digest], options))[0];
  }

  /** The digests of the games that end where a book has a key whose hash has these upper 32 bits; null if there are more than `most`. */
  async endingAt(end, most, { signal } = {}) {
    const digests = await this.#run(endingAt(this.#core, end, most), signal);
    return digests && digests.map(digestText);
  }

  /** The digest of the archive that a game is from. */
  source({ sourceNumber }, { signal } = {}) {
    return this.#run(sourceOf(this.#core, sourceNumber), signal);
  }

  #game(digest, end, { names, source, plies, ...head }, texts) {
    const [first, second, event, site, round] = names.map((number) => texts.get(number));
    const [rating, other] = head.ratings, rank = rating === 0 || other === 0 ? 0 : Math.min(rating + other, 65535);
    return { digest, id: idOf(digest), end, rank, players: [first, second], event, site, round, sourceNumber: source, ...head };
  }

  /** The head of a game. What is kept for others isn't given up with the one who asked first. */
  async #head(number) {
    this.#list ??= this.#run(frameList(this.#core));
    const list = await this.#list.catch((error) => {
      this.#list = null;
      throw error;
    });
    let low = 0, high = list.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (list[middle].first <= number) low = middle;
      else high = middle;
    }
    const games = await this.#kept(this.#frames, low, KEPT, () => this.#run(gamesOf(this.#core, list[low])));
    return games[number - list[low].first];
  }

  /** Names by their numbers. */
  async #texts(numbers, signal) {
    const wanted = [...new Set(numbers)], missing = wanted.filter((number) => !this.#names.has(number));
    if (missing.length > 0) {
      const texts = await this.#run(together(missing.map((number) => nameOf(this.#core, number))), signal);
      missing.forEach((number, i) => this.#names.set(number, texts[i]));
    }
    return this.#names;
  }

  /** What `make` makes for a key, once, as long as it is kept. */
  #kept(all, key, most, make) {
    const made = all.get(key) ?? make();
    all.delete(key);
    all.set(key, made);
    if (all.size > most) all.delete(all.keys().next().value);
    made.catch(() => all.delete(key));
    return made;
  }

  async #run(question, signal) {
    let step = question.next();
    while (!step.done) step = question.next(await this.#ranges.read(step.value, signal));
    return step.value;
  }
}

const digestText = (number) => number.toString(16).padStart(12, "0");

/** The upper 47 bits of a digest as eight digits to the base of 62. */
function idOf(digest) {
  let rest = Math.floor(Number.parseInt(digest, 16) / 2), id = "";
  for (let i = 0; i < 8; i++) [id, rest] = [ID_DIGITS[rest % 62] + id, Math.floor(rest / 62)];
  return id;
}
