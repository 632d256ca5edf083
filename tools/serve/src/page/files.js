// SPDX-License-Identifier: GPL-3.0-or-later
// The source of a page on a static host (`tabia site`): reads book files there by HTTP ranges, with the reader in JavaScript (tools/readers/js), which knows
// the rules. What it answers is what source.js asks a server for; what needs a server it can't.

import { explore } from "../reader/explore.js";
import { Line } from "../reader/games/line.js";
import { parsePosition, startOf } from "../reader/games.js";
import { Flags, Marks, RemoteBook, averageRating, formatKey, performanceRating } from "../reader/index.js";
import { SourceError } from "./source_error.js";

const FLAGS = [
  [Flags.provenWin, "proven win"],
  [Flags.provenDraw, "proven draw"],
  [Flags.provenLoss, "proven loss"],
  [Flags.publicDraw, "public draw"],
  [Flags.expanded, "expanded"],
];
const MARKS = [
  [Marks.good, "!"],
  [Marks.mistake, "?"],
  [Marks.brilliant, "!!"],
  [Marks.blunder, "??"],
  [Marks.interesting, "!?"],
  [Marks.dubious, "?!"],
  [Marks.never, "never"],
  [Marks.always, "always"],
];
const words = (set, names) => names.filter(([bit]) => set & bit).map(([, name]) => name);

const SIDES = { chess: ["White", "Black"], "draughts-10": ["White", "Black"] };
const sidesOf = (game) => SIDES[game] ?? ["Black", "White"];

export class FileSource {
  can = [];
  // A position costs some twenty requests.
  soon = 250;
  #config;
  #books = new Map();
  /** By the books' names: the names of their positions. */
  #names = new Map();
  #kept = new Map();

  constructor(config) {
    this.#config = config;
  }

  /**
   * The site that a file describes: { "books": [{ "name": "masters", "file": "masters.tabia", "names": "names-1.json" }] }. Files are beside the page; `names`
   * (which may be left out) has the names of positions by their keys: { "823c9b50fd114196": ["B00", "King's Pawn Game"] }.
   */
  static async open(path) {
    const response = await fetch(path);
    if (!response.ok) throw new SourceError(`There is no ${path} here.`);
    return new FileSource(await response.json());
  }

  async books() {
    return Promise.all(
      this.#config.books.map(async ({ name, file, names }) => {
        const book = await RemoteBook.open(file, { columns: ["ratings", "years"] }).catch((problem) => {
          throw new SourceError(`${file}: ${problem.message}`);
        });
        this.#books.set(name, book);
        if (names) this.#names.set(name, await fetch(names).then((response) => (response.ok ? response.json() : {})));
        const { game, keys, keyed, positions, moves, results, columns, digest } = book.info;
        return {
          name,
          game,
          keys,
          keyed,
          sides: sidesOf(game),
          start: startOf(game).toString(),
          positions: positions?.rows ?? null,
          moves: moves?.rows ?? null,
          results,
          columns,
          named: this.#names.has(name),
          version: digest,
        };
      }),
    );
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
    const file = this.#books.get(book.name),
      { positions, line } = this.#walk(file, book.game, fen, play),
      here = positions.at(-1);
    let found,
      last = null;
    try {
      found = await explore(file, here, {});
      if (found.row === null && found.moves.length === 0) last = await this.#lastKnown(file, positions);
    } catch (problem) {
      throw new SourceError(problem.message);
    }
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
        marks: words(known.marks, MARKS),
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

/** The board of a position that may be that of a line. */
const boardOf = (position) => position.position ?? position;

const sideOf = ({ turn }, sides) => (turn === sides[0].toLowerCase() ? 0 : 1);

const counts = ({ wins, draws, losses }, results) => (results ? { wins, draws, losses } : { wins: null, draws: null, losses: null });

const positionFacts = (key, row, results) => ({
  key: formatKey(key),
  games: row.games,
  ...counts(row, results),
  eval: row.eval,
  depth: row.depth,
  flags: words(row.flags, FLAGS),
});

/** A move as programs write it: in UCI for chess, with the whole way of a capture in draughts. */
function programName(board, move) {
  if (board.uci) return board.uci(move);
  if (move.route) return move.captured.length > 0 ? move.route.join("x") : `${move.from}-${move.to}`;
  return board.name(move);
}

/** How the game ended, if the rules say that it is over: first, second or draw. Go ends by passes, of which a position knows nothing. */
function outcomeOf(position, sides) {
  const board = boardOf(position);
  if (board.legalMoves().length > 0) return null;
  const won = (side) => (side === 0 ? "first" : "second"),
    other = 1 - sideOf(board, sides);
  if (board.game === "chess") return board.inCheck ? won(other) : "draw";
  if (board.game !== "othello") return won(other);
  const discs = [...board.toString().split(" ")[0]],
    [black, white] = ["X", "O"].map((disc) => discs.filter((sign) => sign === disc).length);
  return black === white ? "draw" : won(black > white ? 0 : 1);
}
