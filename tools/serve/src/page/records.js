// SPDX-License-Identifier: GPL-3.0-or-later
// Game records that a reader opens: they are walked through the book that is looked into. Loaded when one is opened.

import { byId } from "./dom.js";
import { readRecord } from "./record.js";
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
    const record = (this.#record = new OpenedRecord(this.#page.source, file.name, games));
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
}
