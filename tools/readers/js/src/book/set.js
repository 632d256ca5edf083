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
    const given = [...books];
    if (!given.every((book) => book?.[CORE])) throw new TypeError("a set is made of books: of LocalBook, FileBook or RemoteBook");
    hold(given.length > 0, "S-2", "a set without books");
    given.forEach((book, i) => holdAlike(book, given[0], `book ${i + 1} of ${given.length}${book.url ? `, ${book.url}` : ""}`));
    return new BookSet(inOrder(given));
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
    const joined = (lists) => {
      const next = new Map(books.map((book, i) => [book, lists[i].values()]));
      return owners.map((book) => next.get(book).next().value);
    };
    return answers.some((answer) => answer instanceof Promise) ? Promise.all(answers).then(joined) : joined(answers);
  }
}

function totals(parts) {
  const sum = (name, zero) => parts.reduce((all, part) => all + part[name], zero);
  const whole = (name) => BigInt.asUintN(64, sum(name, 0n));
  return { rows: sum("rows", 0), wins: whole("wins"), draws: whole("draws"), losses: whole("losses") };
}

/** What all books of a set have alike (S-1), and what is wrong with one that has not. */
const ALIKE = [
  ["it is of another game", ({ game }) => game],
  ["it has other keys", ({ keys }) => keys],
  ["one of them is keyed by line, the other by position", ({ keyed }) => keyed],
  ["it is one of more, or of fewer, shares", ({ shareBits }) => shareBits],
  ["one of them is packed, the other is not", ({ packed }) => packed],
  ["one of them has results, the other has not", ({ results }) => results],
  ["it has another load", ({ load }) => load],
  ["it has other tables or columns", tablesAndColumns],
  ["it was made of other archives", (header) => contents(header.section("SRCS"))],
  ["it was made in another way", (header) => contents(header.section("FACT"))],
];

/** Throws a BookError unless a book can be of one set with the first one. */
function holdAlike(book, first, place) {
  for (const [what, of] of ALIKE) hold(of(book[CORE].header) === of(first[CORE].header), "S-1", `not of one set with the first book: ${what}`, place);
}

function tablesAndColumns({ sections }) {
  return [...sections.values()].filter((section) => section.isTable || (section.hasSums && section.tag !== "TAGS"))
    .map(({ tag, cell, beside }) => `${tag} ${cell} ${beside}`).sort().join();
}

function contents({ length, checksum }) {
  return `${length} ${checksum}`;
}

/** These books of one set in the order of their numbers, each of which has to be there once (S-2). */
function inOrder(books) {
  const shares = 2 ** books[0].info.share.bits, numbers = books.map((book) => book.info.share.number);
  const twice = numbers.find((number, i) => numbers.indexOf(number) !== i);
  hold(twice === undefined, "S-2", "a share is there twice", `share ${twice + 1}/${shares}`);
  const sorted = [...books].sort((a, b) => a.info.share.number - b.info.share.number), missing = sorted.findIndex((book, i) => book.info.share.number !== i);
  hold(missing < 0 && books.length === shares, "S-2", "a share is missing", `share ${(missing < 0 ? books.length : missing) + 1}/${shares}`);
  return sorted;
}
