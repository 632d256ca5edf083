// The shares of a set as one book (section 9 of the format).

import { hold } from "../errors.js";
import { hashOf, out } from "../numbers/u64.js";
import { CORE } from "./core.js";

export class BookSet {
  #books;
  #bits;

  constructor(books) {
    this.#books = books;
    this.#bits = books[0].info.share.bits;
    const { info } = books[0], sum = (name) => info[name] && totals(books.map((book) => book.info[name]));
    this.info = {
      ...info,
      share: { bits: 0, number: 0 },
      positions: sum("positions"),
      moves: sum("moves"),
      tags: books.every((book) => book.info.tags),
      digest: null,
      parent: null,
      sequence: null,
      fileLength: books.reduce((bytes, book) => bytes + book.info.fileLength, 0),
    };
  }

  static of(books) {
    const all = [...books].sort((a, b) => a.info.share.number - b.info.share.number);
    hold(all.length > 0, "S-2", "a set without books");
    const headers = all.map((book) => book[CORE].header);
    headers.forEach((header, i) => hold(signature(header) === signature(headers[0]), "S-1", "these books are not of one set", `book ${i + 1}`));
    const shares = 2 ** headers[0].shareBits;
    hold(all.length <= shares, "S-2", `${all.length} books, where a set has ${shares}`);
    for (let number = 0; number < shares; number++) {
      hold(headers[number]?.shareNumber === number, "S-2", "a share is missing, or there twice", `share ${number} of ${shares}`);
    }
    return new BookSet(all);
  }

  position(key, options) {
    return this.#bookOf(key).position(key, options);
  }

  moves(key, options) {
    return this.#bookOf(key).moves(key, options);
  }

  probe(key, options) {
    return this.#bookOf(key).probe(key, options);
  }

  positionMany(keys, options) {
    return this.#many("positionMany", keys, options);
  }

  movesMany(keys, options) {
    return this.#many("movesMany", keys, options);
  }

  probeMany(keys, options) {
    return this.#many("probeMany", keys, options);
  }

  sources(options) {
    return this.#books[0].sources(options);
  }

  facts(options) {
    return this.#books[0].facts(options);
  }

  #bookOf(key) {
    hashOf(key);
    return this.#books[this.#bits === 0 ? 0 : out[1] >>> (32 - this.#bits)];
  }

  /** Asks each book for its keys at once, and puts the answers in the order of the keys. */
  #many(method, keys, options) {
    const all = [...keys], owners = all.map((key) => this.#bookOf(key)), books = [...new Set(owners)];
    const answers = books.map((book) => book[method](all.filter((_, i) => owners[i] === book), options));
    const inOrder = (lists) => {
      const next = new Map(books.map((book, i) => [book, lists[i].values()]));
      return owners.map((book) => next.get(book).next().value);
    };
    return answers.some((answer) => answer instanceof Promise) ? Promise.all(answers).then(inOrder) : inOrder(answers);
  }
}

function totals(parts) {
  const sum = (name, zero) => parts.reduce((all, part) => all + part[name], zero);
  const whole = (name) => BigInt.asUintN(64, sum(name, 0n));
  return { rows: sum("rows", 0), wins: whole("wins"), draws: whole("draws"), losses: whole("losses") };
}

/** What all books of a set have alike (S-1). */
function signature(header) {
  const contents = (tag) => [header.section(tag).length, header.section(tag).checksum];
  const tables = [...header.sections.values()].filter((section) => section.isTable || (section.hasSums && section.tag !== "TAGS"));
  return [
    header.game, header.keys, header.keyed, header.load, header.features, header.shareBits,
    ...tables.map((section) => section.tag).sort(), ...contents("SRCS"), ...contents("FACT"),
  ].join(" ");
}
