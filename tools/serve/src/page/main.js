// SPDX-License-Identifier: GPL-3.0-or-later
// The page: holds what is looked at, asks the source for it, and shows the answer.

import { showSides, showTabs, showViews } from "./bars.js";
import { Beside } from "./beside.js";
import { Board } from "./board.js";
import { listen } from "./controls.js";
import { byId, el, put } from "./dom.js";
import { filterText, isAll } from "./filter.js";
import { filterPanel } from "./filter_panel.js";
import { formatOf, gameOf, movesNamed } from "./games.js";
import { hintsOfMost, hintsOfMove } from "./hints.js";
import { showControls, showLine } from "./line.js";
import { namedGame, showNamed } from "./named.js";
import { positionPanel } from "./panels.js";
import { opened } from "./source.js";
import { BLANK, VIEWS, addressOf, afterMove, atPly, elsewhere, ofAddress, played, preferences } from "./state.js";
import { summary } from "./summary.js";
import { chosenSign, movesTable, whisker } from "./table.js";
import { addingTab, closingTab, lookingInto, settled, tabsOf } from "./tabs.js";
import { startTheme } from "./theme.js";

class Page {
  #source;
  #books = [];
  #tabs = [];
  /** Which of the tabs is looked into. */
  #at = 0;
  #state = BLANK;
  /** What is shown now: the answer for the position. */
  #answer = null;
  #chosen = null;
  /** Counts what was asked: an answer that comes too late is not shown. */
  #asked = 0;
  #side = preferences.get("side", "mover");
  #sort = preferences.get("sort", { by: "games", up: false });
  #flipped = false;
  #arrows = preferences.get("arrows", true);
  #records = null;
  /** The game that was put on the board, while its line is: { fen, line, named }. */
  #replayed = null;
  #beside = new Beside({
    onPlay: (move) => this.#play(move),
    onChosen: (uci) => this.#choose(uci),
    onGame: (game) => this.#replay(game),
    onLine: (moves) => this.#follow(moves),
    onEdited: () => this.#go(this.#state, "keep").then(() => this.#say("Edited")),
    onMoved: () => this.#go(this.#state, "keep"),
    onFail: (problem) => this.#fail(problem),
  });
  #board = new Board(byId("board"), (move) => this.#play(move));

  async start() {
    this.#listen();
    startTheme();
    document.querySelector(".sample-whisker").append(whisker({ games: 60, wins: 25, draws: 18, losses: 17 }));
    try {
      ({ source: this.#source, books: this.#books } = await opened());
    } catch (problem) {
      return this.#fail(problem);
    }
    if (this.#books.length === 0) return this.#fail(new Error("There is no book here."));
    const asked = ofAddress(location.hash);
    await this.#go(asked, "replace");
    if (this.#answer !== null) return;
    // An address that can't be: then the start, with what is wrong.
    const wrong = byId("message").textContent;
    await this.#go({ ...BLANK, book: asked.book }, "keep");
    if (wrong !== "") this.#fail(new Error(wrong));
  }

  /** The tab that is looked into: a book, and which of its games. */
  get #tab() {
    return this.#tabs[this.#at];
  }

  get #game() {
    return gameOf(this.#tab.game);
  }

  /** The tabs of the same game. */
  get #siblings() {
    return this.#tabs.filter(({ game }) => game === this.#tab.game);
  }

  /** The other tab of a comparison. */
  get #other() {
    const others = this.#siblings.filter((tab) => tab !== this.#tab);
    return others.find(({ spec }) => spec === this.#state.with) ?? others[0];
  }

  /** The side to move where the line starts. */
  get #first() {
    return this.#game.read(this.#answer.from).side;
  }

  // Going somewhere

  /** Looks at something else. `how`: push an entry of the browser's history, replace the present one, or keep it. */
  async #go(state, how = "push") {
    const asked = ++this.#asked;
    state = settled(state, this.#books);
    const { tabs, at } = tabsOf(state, this.#books),
      tab = tabs[at];
    if (gameOf(tab.game) === null) return this.#fail(new Error(`This page has no board for ${tab.game}.`));
    let answer;
    try {
      answer = await this.#source.explore(tab, state.fen, played(state));
    } catch (problem) {
      if (asked === this.#asked) this.#fail(problem);
      return;
    }
    if (asked !== this.#asked) return;
    [this.#state, this.#tabs, this.#at] = [state, tabs, at];
    this.#answer = { ...answer, book: tab.label };
    if (how !== "keep") remember(how, state);
    this.#show();
    await this.#showMore(asked);
  }

  #play(move) {
    if (this.#answer.legal.some(({ uci }) => uci === move.uci)) this.#go(afterMove(this.#state, move.uci)).then(() => this.#say(move.san));
  }

  #step(ply) {
    const next = atPly(this.#state, ply);
    if (next.ply !== this.#state.ply) this.#go(next, "replace").then(() => this.#say());
  }

  /** Looks into another tab, of those there are. */
  #lookInto(at) {
    const tab = this.#tabs[at];
    if (!tab || at === this.#at) return;
    const next = lookingInto(this.#state, this.#tabs, at);
    if (tab.game !== this.#tab.game) return this.#go(elsewhere(next));
    this.#go({ ...next, with: this.#state.with === tab.spec ? this.#tab.spec : this.#state.with });
  }

  #filter(filter) {
    this.#go({ ...this.#state, filter }).then(() => this.#say(filterText(filter) || "All games"));
  }

  #addTab() {
    if (this.#tab.facets) this.#go(addingTab(this.#state, this.#tabs, this.#at)).then(() => this.#say("Another choice of games"));
  }

  #closeTab() {
    if (this.#canClose) this.#go(closingTab(this.#state, this.#tabs, this.#at)).then(() => this.#say(this.#tab.label));
  }

  get #canClose() {
    return this.#tabs.filter(({ name }) => name === this.#tab.name).length > 1;
  }

  #view(view) {
    if (!this.#views().includes(view)) return;
    this.#go({ ...this.#state, view, with: ["diff", "coverage"].includes(view) ? this.#other.spec : null });
  }

  /** The views there are: some need another tab of the game, or a server. */
  #views() {
    const several = this.#siblings.some((tab) => tab !== this.#tab);
    const has = {
      moves: true,
      compare: several,
      diff: several,
      coverage: several && this.#source.can.includes("coverage"),
      record: this.#records !== null,
    };
    return VIEWS.filter((view) => has[view]);
  }

  // Showing

  #show() {
    const answer = this.#answer,
      game = this.#game;
    byId("message").hidden = true;
    document.title = `${answer.opening?.name ?? game.title} \u2013 ${this.#tab.label} \u2013 Tabia`;
    document.body.classList.toggle("dark-first", !game.lightFirst);
    this.#chosen = null;
    this.#showTabs();
    this.#showFilter();
    this.#board.show({ game, setup: answer.fen, legal: answer.legal, last: answer.line.at(-1) ?? null, sides: answer.sides, flipped: this.#flipped });
    this.#showLine();
    showControls(this.#state, answer, game);
    this.#showSides();
    this.#showPosition();
    this.#showViews();
    if (!this.#views().includes(this.#state.view)) this.#state = { ...this.#state, view: "moves" };
    if (this.#state.view === "moves") this.#showTable();
    this.#point(null);
  }

  /** Whether a part of the page has to be made anew: if what it is made of is not what it was made of last. */
  #isNew(part, madeOf) {
    const isNew = this.#made[part] !== madeOf;
    this.#made[part] = madeOf;
    return isNew;
  }
  #made = {};

  #showTabs() {
    if (this.#isNew("tabs", JSON.stringify([this.#at, this.#tabs.map(({ spec }) => spec)])))
      showTabs(this.#tabs, this.#at, (at) => this.#lookInto(at));
  }

  #showFilter() {
    const place = byId("filter"),
      tab = this.#tab;
    if (!this.#isNew("filter", JSON.stringify([tab.spec, this.#canClose]))) return;
    const options = {
      onFilter: (filter) => this.#filter(filter),
      onAdd: () => this.#addTab(),
      onClose: this.#canClose ? () => this.#closeTab() : null,
    };
    const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    put(place, tab.facets ? filterPanel(tab, options) : []);
    if (focused) (place.querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? place.querySelector("button"))?.focus();
  }

  #showLine() {
    const { line, ply } = this.#state;
    this.#names = line.map((uci, at) => this.#answer.line[at]?.san ?? this.#names[at] ?? uci);
    const notes = this.#records?.notes(this.#state);
    showLine(this.#names, { ply, first: this.#first, onPly: (ply) => this.#step(ply), notes });
    showNamed(this.#named, this.#answer.sides);
    const { name } = formatOf(this.#tab.game);
    byId("copy-line").textContent = `Copy ${name}`;
    byId("save-line").textContent = `Save ${name}`;
  }
  #names = [];

  #showSides() {
    if (this.#isNew("sides", `${this.#tab.spec} ${this.#side}`)) showSides(this.#answer, this.#side, (side) => this.#lookFrom(side));
  }

  #showPosition() {
    const isFiltered = !isAll(this.#tab.filter);
    put(
      byId("position"),
      positionPanel(this.#answer, {
        ...{ game: this.#game, side: this.#side, book: this.#tab, first: this.#first, isFiltered },
        onPly: (ply) => this.#step(ply),
      }),
    );
  }

  #showViews() {
    const views = this.#views();
    if (this.#isNew("views", `${views} ${this.#state.view}`)) showViews(views, this.#state.view, (view) => this.#view(view));
  }

  #showTable() {
    const { moves, known, outcome } = this.#answer,
      view = byId("view");
    if (moves.length === 0) {
      put(view, known && outcome === null ? el("p", { class: "note" }, "The book knows the position, but no move here.") : []);
      return;
    }
    const focused = view.contains(document.activeElement) ? document.activeElement.dataset : null;
    put(
      view,
      this.#table(() => this.#showTable()),
    );
    if (!focused) return;
    const again = focused.by ? `[data-by="${CSS.escape(focused.by)}"]` : `[data-uci="${CSS.escape(focused.uci ?? "")}"]`;
    (view.querySelector(again) ?? view.querySelector("button.play"))?.focus();
  }

  /** The table of moves; `onSorted` shows it anew when it is sorted otherwise. */
  #table(onSorted) {
    const options = {
      game: this.#game,
      side: this.#side,
      chosen: this.#chosen,
      sort: this.#sort,
      onSort: (sort) => {
        preferences.set("sort", (this.#sort = sort));
        onSorted();
      },
      onPlay: (move) => this.#play(move),
      onPoint: (move) => this.#point(move),
    };
    return el("div", { class: "scroll" }, movesTable(this.#answer, options));
  }

  /** Shows moves on the board: the one that is pointed at with its images, else the most played ones. */
  #point(move) {
    this.#fetchSoon(move);
    if (move) this.#board.hint(hintsOfMove(move, this.#answer, this.#game));
    else this.#board.hint(this.#arrows ? hintsOfMost(this.#answer, this.#game) : []);
  }

  /** Asks for what is behind a move that is pointed at for a moment: it may be played. */
  #fetchSoon(move) {
    clearTimeout(this.#soon);
    if (!move?.uci) return;
    const { fen } = this.#state,
      line = [...played(this.#state), move.uci],
      tab = this.#tab;
    this.#soon = setTimeout(() => this.#source.explore(tab, fen, line).catch(() => {}), this.#source.soon);
  }
  #soon = 0;

  // What comes behind the position

  async #showMore(asked) {
    const { view } = this.#state,
      isCurrent = () => asked === this.#asked;
    await Promise.all([
      this.#beside.show({ source: this.#source, tab: this.#tab, state: this.#state, answer: this.#answer, first: this.#first }, isCurrent),
      view === "moves" ? null : this.#showView(view, isCurrent),
    ]).catch((problem) => isCurrent() && this.#fail(problem));
  }

  /** Learns the book's own choice. */
  #choose(uci) {
    const before = this.#chosen;
    this.#chosen = uci;
    if (uci === null && before !== null && this.#state.view === "moves") this.#showTable();
    this.#markChosen();
  }

  /** Marks the book's own choice in the table that is shown. */
  #markChosen() {
    const button = this.#chosen && byId("view").querySelector(`button.play[data-uci="${CSS.escape(this.#chosen)}"]`);
    if (!button || this.#state.view !== "moves") return;
    button.closest("tr").classList.add("chosen");
    button.after(chosenSign());
  }

  /** The game on the board, if it is one that was replayed or opened, and its line wasn't left. */
  get #named() {
    const { fen, line } = this.#state,
      isIt = (game) => game && game.fen === fen && game.line.join() === line.join();
    return isIt(this.#replayed) ? this.#replayed.named : (this.#records?.named(this.#state) ?? null);
  }

  /** Puts a game on the board, as it was played, at the position that it is shown for. */
  async #replay(game) {
    const fen = game.setup || null,
      { line: moves, sides } = await this.#source.explore(this.#tab, fen, game.moves),
      line = moves.map(({ uci }) => uci);
    this.#names = moves.map(({ san }) => san);
    this.#replayed = { fen, line, named: namedGame(game, sides) };
    await this.#go(elsewhere(this.#state, { fen, line, ply: game.ply ?? 0 }));
    byId("forth").focus();
  }

  /** Looks at the line with other moves behind the present position. */
  async #follow(moves) {
    const line = [...played(this.#state), ...moves];
    await this.#go({ ...this.#state, line, ply: line.length }).then(() => this.#say());
  }

  /** Copies or saves the line, moves that were taken back included: see save.js. */
  async #export(how) {
    try {
      const { [how]: act } = await import("./save.js"),
        { fen, line } = this.#state,
        tab = this.#tab;
      const told = await act(await this.#source.explore(tab, fen, line), this.#named, fen === null || fen === tab.start);
      byId("live").textContent = told;
    } catch (problem) {
      this.#fail(problem);
    }
  }

  async #showView(view, isCurrent) {
    const show = (...elements) => isCurrent() && put(byId("view"), elements);
    if (view === "record") {
      const shown = await this.#records.view();
      if (shown !== null) show(shown, this.#answer.moves.length > 0 ? this.#table(() => this.#showMore(this.#asked)) : null);
      return;
    }
    const { compareView, diffView, coverageView } = await import("./views.js");
    const page = {
      source: this.#source,
      state: this.#state,
      answer: this.#answer,
      game: this.#game,
      side: this.#side,
      tab: this.#tab,
      other: this.#other,
      siblings: this.#siblings,
      onPlay: (move) => this.#play(move),
      onPoint: (move) => this.#point(move),
      onTab: (tab) => this.#lookInto(this.#tabs.indexOf(tab)),
      onOther: ({ spec }) => this.#go({ ...this.#state, with: spec }, view === "coverage" ? "replace" : "push"),
      onLine: (line) => this.#go(elsewhere(this.#state, { line, ply: line.length })),
    };
    if (view === "compare") return show(await compareView(page));
    if (view === "diff") return show(await diffView(page));
    await coverageView(page, show);
  }

  // The reader

  #lookFrom(side) {
    preferences.set("side", (this.#side = side));
    this.#showSides();
    this.#showPosition();
    if (this.#state.view === "moves") this.#showTable();
    else this.#showMore(this.#asked);
  }

  #flip() {
    if (!this.#game.flips) return;
    this.#flipped = !this.#flipped;
    this.#show();
    this.#showMore(this.#asked);
  }

  /** Plays what was typed; whether it could. */
  #type(text) {
    const meant = movesNamed(text, this.#answer.legal);
    if (meant.length === 1) this.#play(meant[0]);
    else if (meant.length === 0) this.#fail(new Error(`${text} is not a legal move here.`));
    else this.#fail(new Error(`${text} could be ${meant.map(({ san }) => san).join(" or ")}.`));
    return meant.length === 1;
  }

  #setUp(text) {
    this.#go(elsewhere(this.#state, { fen: text === "" || text === this.#tab.start ? null : text, view: this.#state.view }));
  }

  /** Opens a game record. */
  async #open(file) {
    if (!file) return;
    const { Records } = await import("./records.js");
    this.#records ??= new Records({
      source: this.#source,
      tab: () => this.#tab,
      fail: (problem) => this.#fail(problem),
      show: (changes, names = this.#names) => {
        this.#names = names;
        return this.#go(elsewhere(this.#state, { view: "record", ...changes }));
      },
    });
    await this.#records.open(file);
  }

  /** Tells those who don't see the page what has changed. */
  #say(what) {
    byId("live").textContent = summary(this.#answer, what);
  }

  #fail(problem) {
    const message = byId("message");
    message.textContent = problem.message.replace(/^bad request: /, "");
    message.hidden = false;
  }

  /** To an entry of the browser's history, or an address typed by hand. */
  #goTo(kept) {
    if (this.#books.length === 0) return;
    const asked = ofAddress(location.hash),
      isOurs = kept && played(kept).join() === played(asked).join();
    this.#go(isOurs ? { ...asked, ...kept } : asked, isOurs ? "keep" : "replace");
  }

  #listen() {
    listen({
      isReady: () => this.#answer !== null,
      ply: () => this.#state.ply,
      plies: () => this.#state.line.length,
      toPly: (ply) => this.#step(ply),
      flip: () => this.#flip(),
      pass: () => this.#play({ uci: "pass", san: "pass" }),
      type: (text) => this.#type(text),
      setUp: (text) => this.#setUp(text),
      open: (file) => this.#open(file),
      copyLine: () => this.#export("copyLine"),
      saveLine: () => this.#export("saveLine"),
      to: (kept) => this.#goTo(kept),
      tab: (at) => this.#lookInto(at),
      view: (view) => this.#view(view),
      choice: () => this.#chosen && this.#play(this.#answer.moves.find(({ uci }) => uci === this.#chosen) ?? {}),
      side: () => this.#answer.results && this.#lookFrom({ mover: 0, 0: 1, 1: "mover" }[this.#side]),
      arrows: () => (preferences.set("arrows", (this.#arrows = !this.#arrows)), this.#point(null)),
      addTab: () => this.#addTab(),
      closeTab: () => this.#closeTab(),
    });
  }
}

/** Puts what is looked at into the browser's history. */
function remember(how, state) {
  try {
    history[how === "push" ? "pushState" : "replaceState"]({ line: state.line, ply: state.ply }, "", addressOf(state));
  } catch {
    // Browsers refuse this if a key that is held makes a hundred steps: then the address is of an earlier one.
  }
}

new Page().start();
