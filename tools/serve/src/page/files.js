// SPDX-License-Identifier: GPL-3.0-or-later
// The source of a page on a static host (`tabia site`): reads book files there by HTTP ranges, with the reader in JavaScript (tools/readers/js), which knows
// the rules. What it answers is what source.js asks a server for; what needs a server it can't.

import { explore } from "../reader/explore.js";
import { Line } from "../reader/games/line.js";
import { parsePosition, startOf } from "../reader/games.js";
import { FileBook, RemoteBook, averageRating, formatKey, performanceRating } from "../reader/index.js";
import { boardOf, counts, marksOf, outcomeOf, positionFacts, programName, sideOf, sidesOf } from "./site_facts.js";
import { SiteFile } from "./site_file.js";
import { SourceError } from "./source_error.js";

const BOOK = {
  url: (address, options) => RemoteBook.open(address, options),
  file: (file, options) => FileBook.open(file, options),
  digestOf: ({ info }) => info.digest,
};
/** Files of games need more of the reader, which is loaded with the first of them. */
const GAMES = {
  url: async (address, options) => (await gameFile()).openUrl(address, options),
  file: async (file, options) => (await gameFile()).open(file, options),
  digestOf: ({ info }) => info.digest,
};
const gameFile = async () => (await import("../reader/gamefile.js")).GameFile;

export class FileSource {
  can = ["choice", "offline"];
  // A position costs some twenty requests.
  soon = 250;
  #config;
  /** By the books' names: their files, and those of the games beside them. */
  #books = new Map();
  #games = new Map();
  /** By the books' names: the names of their positions. */
  #names = new Map();
  #kept = new Map();

  constructor(config) {
    this.#config = config;
  }

  /**
   * The site that a file describes: { "books": [{ "name": "masters", "file": "masters.tabia", "games": "masters.tabia-games", "names": "names-1.json" }] }. Files
   * are beside the page; `games` and `names` may be left out, `names` has the names of positions by their keys: { "823c9b50fd114196": ["B00", "King's Pawn Game"] }.
   */
  static async open(path) {
    const response = await fetch(path);
    if (!response.ok) throw new SourceError(`There is no ${path} here.`);
    return new FileSource(await response.json());
  }

  async books() {
    if (this.#config.books.some(({ games }) => games)) this.can.push("games");
    return Promise.all(
      this.#config.books.map(async ({ name, file, games, names }) => {
        const book = new SiteFile(file, BOOK, { columns: ["ratings", "years"] });
        this.#books.set(name, book);
        if (games) this.#games.set(name, new SiteFile(games, GAMES, {}));
        const [{ info }] = await Promise.all([book.opened(), names && this.#readNames(name, names)]);
        const { game, keys, keyed, positions, moves, results, columns, digest } = info;
        return {
          ...{ name, game, keys, keyed, results, columns },
          sides: sidesOf(game),
          start: startOf(game).toString(),
          positions: positions?.rows ?? null,
          moves: moves?.rows ?? null,
          named: this.#names.has(name),
          games: Boolean(games),
          version: digest,
        };
      }),
    );
  }

  async #readNames(name, path) {
    const response = await fetch(path);
    this.#names.set(name, response.ok ? await response.json() : {});
  }

  /** The files of each book, for whoever wants to keep them: [{ name, book, games }]; `games` may be missing. */
  files() {
    return [...this.#books].map(([name, book]) => ({ name, book, games: this.#games.get(name) }));
  }

  /** Forgets the answers that were had: they may have come from another version. */
  forget() {
    this.#kept.clear();
  }

  async choice(book, fen, play, rule) {
    const { decided } = await import("./site_games.js");
    return this.#books.get(book.name).ask((file) => decided(file, this.#walk(file, book.game, fen, play).positions.at(-1), rule, programName));
  }

  async games(book, fen, play, isLate) {
    const { listedGames } = await import("./site_games.js"),
      files = this.#games.get(book.name),
      search = new AbortController();
    const watch = setInterval(() => isLate() && search.abort(), 200);
    try {
      return await this.#books.get(book.name).ask((file) =>
        files.ask((games) => {
          const position = this.#walk(file, book.game, fen, play).positions.at(-1),
            isLocal = files.from === "copy" && this.#books.get(book.name).from === "copy";
          return listedGames(file, games, position, { isLocal, sides: sidesOf(book.game), moveName: programName, signal: search.signal });
        }),
      );
    } finally {
      clearInterval(watch);
    }
  }

  /** There is no record of a game to be had here but what the page itself writes. */
  gameAddress() {
    return null;
  }

  /** As `explore` of source.js. What was asked a moment ago is kept. */
  explore(book, fen, play) {
    const asked = JSON.stringify([book.name, fen, play]),
      kept = this.#kept.get(asked);
    if (kept) return kept;
    const answer = this.#explore(book, fen, play);
    this.#kept.set(asked, answer);
    if (this.#kept.size > 500) this.#kept.delete(this.#kept.keys().next().value);
    answer.catch(() => this.#kept.delete(asked));
    return answer;
  }

  async #explore(book, fen, play) {
    try {
      return await this.#books.get(book.name).ask((file) => this.#answer(book, file, fen, play));
    } catch (problem) {
      throw problem instanceof SourceError ? problem : new SourceError(problem.message);
    }
  }

  async #answer(book, file, fen, play) {
    const { positions, line } = this.#walk(file, book.game, fen, play),
      here = positions.at(-1),
      found = await explore(file, here, {}),
      last = found.row === null && found.moves.length === 0 ? await this.#lastKnown(file, positions) : null;
    const facts = this.#facts(file, here, found),
      { info } = file,
      sides = sidesOf(book.game);
    const isOwn = found.row !== null && info.moves !== null && found.moves.every(({ games }) => games <= found.row.games);
    return {
      book: book.name,
      game: book.game,
      side: sideOf(here, sides),
      sides,
      line,
      from: positions[0].toString(),
      legal: this.#legal(file, here),
      outcome: outcomeOf(here, sides),
      whole: isOwn ? found.row.games : found.moves.reduce((sum, { games }) => sum + games, 0),
      whole_of: isOwn ? "position" : "moves",
      ...facts,
      ...this.#opening(book, file, positions),
      ...(last ? { last_in_book: last } : {}),
    };
  }

  /** The positions of a line, the first one and each behind a move, and the names of its moves. */
  #walk(file, game, fen, play) {
    const { keys, keyed } = file.info,
      read = (text) => {
        try {
          return text ? parsePosition(game, text) : startOf(game);
        } catch (problem) {
          throw new SourceError(`fen: ${problem.message}`);
        }
      };
    const start = read(fen),
      positions = [keyed === "line" ? Line.from(start, keys) : start],
      line = [];
    play.forEach((text, ply) => {
      const before = positions.at(-1);
      try {
        const move = before.parseMove(text);
        line.push({ san: before.name(move), uci: programName(boardOf(before), move) });
        positions.push(before.play(move));
      } catch (problem) {
        throw new SourceError(`move ${ply + 1} of play: ${problem.message}`);
      }
    });
    return { positions, line };
  }

  /** What `tabia explore --json` tells of a position. */
  #facts(file, position, { key, row, moves }) {
    const { results, columns } = file.info,
      none = { wins: 0, draws: 0, losses: 0, games: 0, eval: null, depth: 0, flags: 0 };
    return {
      fen: position.toString(),
      ...positionFacts(key, row ?? none, results),
      known: row !== null,
      results,
      columns,
      moves_from: file.info.moves ? "moves" : "positions",
      moves: moves.map((known) => ({
        code: known.code,
        uci: known.move && programName(boardOf(position), known.move),
        san: known.name,
        games: known.games,
        ...counts(known, results),
        marks: marksOf(known),
        ...(known.ratings
          ? {
              average_rating: averageRating(known.ratings),
              performance: results ? performanceRating(known.ratings) : null,
              rated_games: known.ratings.games,
            }
          : {}),
        ...(known.years ? { first_year: known.years.first || null, last_year: known.years.last || null } : {}),
        position: known.next?.row ? positionFacts(known.next.key, known.next.row, results) : null,
      })),
    };
  }

  #legal(file, position) {
    const board = boardOf(position);
    return board.legalMoves().map((move) => {
      const again = board.play(move).turn === board.turn;
      return { san: board.name(move), uci: programName(board, move), code: position.code(move, file.info.keys), ...(again ? { again } : {}) };
    });
  }

  /** The last position of a line that the book knows, with its ply; null for none. */
  async #lastKnown(file, positions) {
    const { keys } = file.info,
      before = positions.slice(0, -1);
    const known = await file.probeMany(before.map((position) => position.key(keys)));
    const ply = known.findLastIndex(({ position, moves }) => position !== null || moves.length > 0);
    if (ply < 0) return null;
    return { ply, ...this.#facts(file, before[ply], await explore(file, before[ply], {})) };
  }

  #opening(book, file, positions) {
    const names = this.#names.get(book.name);
    if (!names) return {};
    for (let ply = positions.length - 1; ply >= 0; ply--) {
      const name = names[formatKey(boardOf(positions[ply]).key(file.info.keys))];
      if (name) return { opening: { eco: name[0], name: name[1], ply } };
    }
    return {};
  }
}
