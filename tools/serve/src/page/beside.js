// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the table of moves, and comes behind it: the book's own choice, its best games, the engine, and edits.
//
// All of it is of a look: { source, tab, state, answer, first }, `first` being the side to move where the line starts.

import { byId, put } from "./dom.js";
import { gamesPanel } from "./games_panel.js";
import { choicePanel, editPanel } from "./panels.js";
import { played, preferences } from "./state.js";

export class Beside {
  #page;
  #rule = preferences.get("rule", "games");
  #isUnfolded = preferences.get("games", true);
  #token = "";
  #engine = null;
  #offline = null;

  /**
   * `page` has onPlay(move); onChosen(uci or null), which learns the book's choice; onGame(game), which replays one; onLine(moves), which looks at the line with
   * these moves behind it; onEdited(); onMoved(), when books are read from elsewhere; onFail(problem).
   */
  constructor(page) {
    this.#page = page;
  }

  /** Shows all of it, as long as `isCurrent()`. */
  async show(look, isCurrent) {
    await Promise.all([this.#choice(look, isCurrent), this.#games(look, isCurrent), this.#edit(look), this.#engineOf(look, isCurrent)]);
    if (isCurrent() && look.source.can.includes("offline")) await this.#offlineOf(look.source);
  }

  async #choice(look, isCurrent) {
    const { source, tab, state, answer } = look,
      place = byId("choice");
    if (!source.can.includes("choice") || answer.moves.length === 0 || state.view !== "moves") return put(place);
    let decided;
    try {
      decided = await source.choice(tab, state.fen, played(state), this.#rule);
    } catch (problem) {
      decided = { move: null, why: problem.message };
    }
    if (!isCurrent()) return;
    this.#page.onChosen(decided.move?.uci ?? null);
    const onRule = async (rule) => {
      preferences.set("rule", (this.#rule = rule));
      this.#page.onChosen(null);
      await this.#choice(look, isCurrent);
      if (isCurrent()) place.querySelector("select")?.focus();
    };
    put(place, choicePanel(decided, { rule: this.#rule, onPlay: this.#page.onPlay, onRule }));
  }

  async #games(look, isCurrent) {
    const { source, tab, state, answer } = look,
      place = byId("games");
    if (!source.can.includes("games") || !tab.games) return put(place);
    // Folded they aren't asked for.
    const onFold = (isOpen) => {
      if (isOpen === this.#isUnfolded) return;
      preferences.set("games", (this.#isUnfolded = isOpen));
      this.#games(look, isCurrent);
    };
    const nameOf = (move) => answer.legal.find(({ uci }) => uci === move)?.san ?? move,
      options = { sides: answer.sides, nameOf, onGame: (game) => this.#page.onGame(game), addressOf: (game) => source.gameAddress(tab, game) };
    // Those of the position before fade until these are there.
    place.setAttribute("aria-busy", "true");
    let found = { games: [] };
    try {
      // Asked again if it was folded or unfolded meanwhile.
      for (let asked = null; asked !== this.#isUnfolded && isCurrent(); ) {
        asked = this.#isUnfolded;
        found = asked ? await source.games(tab, state.fen, played(state), () => !isCurrent()) : null;
      }
    } finally {
      if (isCurrent()) {
        put(place, gamesPanel(found, { ...options, onFold }));
        place.setAttribute("aria-busy", "false");
      }
    }
  }

  #edit({ source, tab, state, answer }) {
    const place = byId("edit");
    if (!source.can.includes("edit") || !tab.edit) return put(place);
    const onEdit = async (change, token) => {
      this.#token = token;
      try {
        await source.edit(tab, { fen: state.fen, play: played(state).join(","), ...change }, token);
        await this.#page.onEdited();
      } catch (problem) {
        this.#page.onFail(problem);
      }
    };
    this.onEval = (change) => {
      const field = place.querySelector('input[name="token"]');
      if (field.value !== "") return onEdit(change, field.value);
      place.querySelector("details").open = true;
      field.focus();
      this.#page.onFail(new Error("An edit needs the token of this server: type it below, and press the button again."));
    };
    put(place, editPanel(answer, { token: this.#token, onEdit }));
  }

  async #engineOf(look, isCurrent) {
    const engine = look.source.engines?.find(({ game }) => game === look.tab.game);
    byId("engine").hidden = engine === undefined;
    if (engine === undefined) return this.#engine?.stop();
    if (this.#engine === null) {
      const { Engine } = await import("./engine.js");
      this.#engine ??= new Engine(byId("engine"), { onLine: (moves) => this.#page.onLine(moves), onEval: (change) => this.onEval(change) });
    }
    if (isCurrent()) this.#engine.show(look, engine.name);
  }

  async #offlineOf(source) {
    if (this.#offline !== null) return;
    this.#offline = true;
    const { Offline } = await import("./offline.js");
    await new Offline(byId("offline"), source, () => this.#page.onMoved()).show();
  }
}
