// SPDX-License-Identifier: GPL-3.0-or-later
// Game records that a reader opens: they are walked through the book that is looked into. Loaded when one is opened.

import { byId } from "./dom.js";
import { notesBehind, signsOf } from "./notes.js";
import { MOST_GAMES, namedBy, readRecord } from "./record.js";
import { OpenedRecord, gameTitle, recordView } from "./walk.js";

/** The most bytes of a file. */
const MOST = 20_000_000;

/** The record that is open. `page` has source, tab(), fail(problem), and show(changes, names): looks at a line, of whose moves the names are known. */
export class Records {
  #page;
  #record = null;

  constructor(page) {
    this.#page = page;
  }

  /** Reads a file and shows its first game. */
  async open(file) {
    if (file.size > MOST) return this.#page.fail(new Error(`${file.name} is too large for a page: 20 MB at most.`));
    const games = readRecord(await file.text());
    if (games.length === 0) return this.#page.fail(new Error(`No game was found in ${file.name}.`));
    const name = games.length < MOST_GAMES ? file.name : `${file.name}, the first ${MOST_GAMES} games`,
      record = (this.#record = new OpenedRecord(this.#page.source, name, games));
    await this.#showGame(0);
    await record.walkAll((place) => {
      const option = byId("view").querySelector(`select[name="game"] option[value="${place}"]`);
      if (option) option.textContent = gameTitle(record, place);
      return this.#record === record;
    });
  }

  /** Shows one of the record's games where it leaves the book. */
  async #showGame(place) {
    const record = this.#record,
      tab = this.#page.tab();
    try {
      await record.walk(place, tab);
    } catch (problem) {
      return this.#page.fail(problem);
    }
    if (record !== this.#record || tab !== this.#page.tab()) return;
    const { line, left } = record.walked,
      names = line.map(({ san }) => san);
    await this.#page.show({ fen: record.games[place].fen, line: line.map(({ uci }) => uci), ply: left ?? line.length }, names);
  }

  /** The view of the record; null if it has to be walked first, and is shown then. */
  async view() {
    const record = this.#record;
    if (record.book !== this.#page.tab()) {
      await this.#showGame(record.place);
      return null;
    }
    const { fen } = record.games[record.place];
    return recordView(record, {
      onGame: (place) => this.#showGame(place),
      onPly: (ply) => this.#page.show({ fen, line: record.walked.line.map(({ uci }) => uci), ply }),
    });
  }

  /** The game that is looked at, if it is the one on the board from its first move to its last that can be played. */
  #gameOf({ fen, line }) {
    const { games, place, walked } = this.#record ?? {},
      game = games?.[place];
    return walked && game.fen === fen && walked.line.map(({ uci }) => uci).join() === line.join() ? game : null;
  }

  /** What is known of the game that is looked at; null if it isn't one of the record. */
  named(state) {
    const game = this.#gameOf(state);
    return game && namedBy(game.tags);
  }

  /** What stands behind the moves of the game that is looked at: see line.js; undefined if it isn't one of the record. */
  notes(state) {
    const game = this.#gameOf(state);
    if (game === null) return undefined;
    const { first } = this.#record.walked,
      onVariation = (ply, moves) => this.#showVariation(state, ply, moves);
    return (at) => ({ signs: signsOf(game, at), elements: notesBehind(game, at, first, onVariation) });
  }

  /** Looks at the moves of a variation, in place of those of the line from a ply on. */
  async #showVariation({ fen, line }, ply, moves) {
    try {
      const before = line.slice(0, ply),
        { line: named } = await this.#page.source.explore(this.#page.tab(), fen, [...before, ...moves.map(({ text }) => text)]);
      await this.#page.show(
        { fen, line: named.map(({ uci }) => uci), ply: named.length },
        named.map(({ san }) => san),
      );
    } catch (problem) {
      const place = Number(/move (\d+) of play/.exec(problem.message)?.[1]) - 1 - ply,
        { text, line: at, column } = moves[place] ?? moves.at(-1);
      this.#page.fail(new Error(`${text} (line ${at}, column ${column} of the file) is not a legal move there.`));
    }
  }
}
