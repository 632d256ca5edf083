// SPDX-License-Identifier: GPL-3.0-or-later
// Where the page's data comes from. A source has
//   books()                          all books: what GET /v1/books says of them
//   explore(book, fen, play)         a position: what GET /v1/{game}/explore answers
//   choice(book, fen, play, rule)    the book's own choice: GET /v1/{game}/play
//   coverage(book, by, asked)        how far a book answers another one: GET /v1/{game}/coverage
//   games(book, fen, play)           the best games of a position: GET /v1/{game}/games
//   gameAddress(book, game)          where a game's record is: GET /v1/{game}/games/{id}
//   edit(book, change, token)        writes into a book: POST /v1/{game}/edit
//   engines                          those beside the books: [{ game, name }]; engineAddress(book, fen, play, seconds) is where one is asked: GET /v1/{game}/engine
//   soon                             after how many milliseconds what is pointed at may be asked for, though it may never be needed
//   can                              what it can of choice, coverage, games, edit, and offline (see offline.js)
// `book` is one of books(), or a tab (see tabs.js), which has a filter besides; `fen` a position or null for the start, `play` a list of moves.
// This one asks a server, `tabia serve`; that of files.js reads books from a static host.

import { ALL, parametersOf } from "./filter.js";
import { SourceError } from "./source_error.js";

/** Answers are kept for so many milliseconds, and so many of them. */
const FRESH = 60_000,
  MOST = 2_000;

export class ApiSource {
  can = ["choice", "coverage"];
  engines = [];
  soon = 60;
  #root;
  #kept = new Map();

  /** A server's API below an address, such as `v1`. */
  constructor(root) {
    this.#root = root;
  }

  async books() {
    const { books, engines = [] } = await this.#ask("books", {});
    this.engines = engines;
    if (books.some(({ games }) => games)) this.can.push("games");
    if (books.some(({ edit }) => edit)) this.can.push("edit");
    return books;
  }

  explore(book, fen, play) {
    return this.#ask(`${book.game}/explore`, { ...about(book), fen, play: play.join(",") });
  }

  choice(book, fen, play, rule) {
    return this.#ask(`${book.game}/play`, { ...about(book), fen, play: play.join(","), rule });
  }

  coverage(book, by, { side, plies, top }) {
    return this.#ask(`${book.game}/coverage`, { ...about(book), by: by.name, ...parametersOf(by.filter ?? ALL, "by_"), side, plies, top });
  }

  games(book, fen, play) {
    return this.#ask(`${book.game}/games`, { ...about(book), fen, play: play.join(","), top: 8 });
  }

  /** Where a game's record is, as text. */
  gameAddress(book, { id }) {
    return `${this.#root}/${book.game}/games/${encodeURIComponent(id)}?${new URLSearchParams({ book: book.name })}`;
  }

  engineAddress({ game }, fen, play, seconds) {
    return `${this.#root}/${game}/engine?${new URLSearchParams({ ...(fen ? { fen } : {}), play: play.join(","), seconds })}`;
  }

  async edit(book, change, token) {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const answer = await this.#fetch(`${book.game}/edit`, { method: "POST", headers, body: JSON.stringify({ book: book.name, ...change }) });
    this.#kept.clear();
    return answer;
  }

  /** An answer, or the one that was had a moment ago. */
  #ask(path, asked) {
    const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== null && value !== undefined && value !== ""));
    const address = query.size > 0 ? `${path}?${query}` : path,
      kept = this.#kept.get(address);
    if (kept && performance.now() - kept.since < FRESH) return kept.answer;
    const answer = this.#fetch(address);
    this.#kept.delete(address);
    this.#kept.set(address, { answer, since: performance.now() });
    if (this.#kept.size > MOST) this.#kept.delete(this.#kept.keys().next().value);
    answer.catch(() => this.#kept.delete(address));
    return answer;
  }

  async #fetch(address, options = {}) {
    let response;
    try {
      // After an edit the browser's own copy may be older than ours.
      response = await fetch(`${this.#root}/${address}`, { cache: "no-cache", ...options });
    } catch {
      throw new SourceError("The server doesn't answer. Is `tabia serve` still running?");
    }
    const answer = await response.json().catch(() => null);
    if (!response.ok) throw new SourceError(answer?.error ?? `The server answers ${response.status}.`);
    if (answer === null) throw new SourceError("The server's answer can't be read.");
    return answer;
  }
}

/** A book, and which of its games, as parameters. */
const about = ({ name, filter }) => ({ book: name, ...parametersOf(filter ?? ALL) });

let first = null;

/** The source that the page was made for, with its books: `<meta name="tabia-source">` names an API, or a file site.json. It is opened once. */
export const opened = () => (first ??= open());

async function open() {
  const asked = document.querySelector('meta[name="tabia-source"]').content;
  const source = asked.endsWith(".json") ? await (await import("./files.js")).FileSource.open(asked) : new ApiSource(asked);
  return { source, books: await source.books() };
}
