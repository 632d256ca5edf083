// SPDX-License-Identifier: GPL-3.0-or-later
// The page: holds what is looked at, asks the source for it, and shows the answer.

import { Board } from "./board.js";
import { compareTable, diffTable } from "./compare.js";
import { coverageForm, coverageReport } from "./coverage.js";
import { byId, el, isTyping, put } from "./dom.js";
import { gameOf, movesNamed, numbered } from "./games.js";
import { choicePanel, editPanel, gamesPanel, positionPanel } from "./panels.js";
import { readRecord } from "./record.js";
import { source as openSource } from "./source.js";
import { BLANK, VIEWS, addressOf, afterMove, atPly, ofAddress, played, preferences } from "./state.js";
import { count, percent } from "./stats.js";
import { chosenSign, focusRow, imagesOf, movesTable, whisker } from "./table.js";
import { nextTheme, startTheme } from "./theme.js";
import { OpenedRecord, gameTitle, recordView } from "./walk.js";

const VIEW_NAMES = { moves: "Moves", compare: "Compare", diff: "Differences", coverage: "Coverage", record: "Record" };

class Page {
  #source;
  #books = [];
  #state = BLANK;
  /** What is shown now: the answer for the position, with its book and game. */
  #answer = null;
  #chosen = null;
  /** Counts what was asked: an answer that comes too late is not shown. */
  #asked = 0;
  #side = preferences.get("side", "mover");
  #sort = preferences.get("sort", { by: "games", up: false });
  #rule = preferences.get("rule", "games");
  #flipped = false;
  #arrows = preferences.get("arrows", true);
  #coverage = { by: "", side: "", plies: "10" };
  #record = null;
  #token = "";
  #board = new Board(byId("board"), (move) => this.#play(move));

  async start() {
    this.#listen();
    startTheme();
    document.querySelector(".sample-whisker").append(whisker({ games: 60, wins: 25, draws: 18, losses: 17 }));
    try {
      this.#source = await openSource();
      this.#books = await this.#source.books();
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

  get #book() {
    return this.#books.find(({ name }) => name === this.#state.book) ?? this.#books[0];
  }

  get #game() {
    return gameOf(this.#book.game);
  }

  /** The books of the same game. */
  get #siblings() {
    return this.#books.filter(({ game }) => game === this.#book.game);
  }

  /** The side to move where the line starts. */
  get #first() {
    return this.#game.read(this.#answer.from).side;
  }

  // Going somewhere

  /** Looks at something else. `how`: push an entry of the browser's history, replace the present one, or keep it. */
  async #go(state, how = "push") {
    const asked = ++this.#asked,
      known = this.#books.find(({ name }) => name === state.book) ?? this.#books[0];
    state = { ...state, book: known.name };
    if (gameOf(known.game) === null) return this.#fail(new Error(`This page has no board for ${known.game}.`));
    let answer;
    try {
      answer = await this.#source.explore(known, state.fen, played(state));
    } catch (problem) {
      if (asked === this.#asked) this.#fail(problem);
      return;
    }
    if (asked !== this.#asked) return;
    this.#state = state;
    this.#answer = answer;
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

  #lookInto(book) {
    if (!book || book === this.#book) return;
    const isSame = book.game === this.#book.game,
      other = this.#state.with === book.name ? this.#book.name : this.#state.with;
    this.#go(isSame ? { ...this.#state, book: book.name, with: other } : { ...BLANK, book: book.name });
  }

  #view(view) {
    if (!this.#views().includes(view)) return;
    this.#go({ ...this.#state, view, with: ["diff", "coverage"].includes(view) ? this.#other().name : null });
  }

  /** The views there are: some need another book of the game, or a server. */
  #views() {
    const several = this.#siblings.length > 1;
    const has = {
      moves: true,
      compare: several,
      diff: several,
      coverage: several && this.#source.can.includes("coverage"),
      record: this.#record !== null,
    };
    return VIEWS.filter((view) => has[view]);
  }

  /** The other book of a comparison. */
  #other() {
    const others = this.#siblings.filter((book) => book !== this.#book);
    return others.find(({ name }) => name === this.#state.with) ?? others[0];
  }

  // Showing

  #show() {
    const answer = this.#answer,
      book = this.#book,
      game = this.#game;
    byId("message").hidden = true;
    document.title = `${answer.opening?.name ?? game.title} \u2013 ${book.name} \u2013 Tabia`;
    document.body.classList.toggle("dark-first", !game.lightFirst);
    this.#chosen = null;
    this.#showBooks();
    this.#board.show({ game, setup: answer.fen, legal: answer.legal, last: answer.line.at(-1) ?? null, sides: answer.sides, flipped: this.#flipped });
    this.#showLine();
    this.#showControls();
    this.#showSides();
    this.#showPosition();
    this.#showViews();
    if (!this.#views().includes(this.#state.view)) this.#state = { ...this.#state, view: "moves" };
    if (this.#state.view === "moves") this.#showTable();
    this.#point(null);
    const setup = byId("setup-text");
    if (document.activeElement !== setup) setup.value = answer.fen;
  }

  /** Whether a part of the page has to be made anew: if what it is made of is not what it was made of last. */
  #isNew(part, madeOf) {
    const isNew = this.#made[part] !== madeOf;
    this.#made[part] = madeOf;
    return isNew;
  }
  #made = {};

  #showBooks() {
    if (!this.#isNew("books", this.#book.name)) return;
    const games = new Set(this.#books.map(({ game }) => game));
    put(
      byId("books"),
      this.#books.map((book, at) =>
        el(
          "button",
          {
            type: "button",
            "aria-pressed": String(book === this.#book),
            title: `${gameOf(book.game)?.title ?? book.game}${book.positions ? `, ${count(book.positions)} positions` : ""}`,
            onclick: () => this.#lookInto(book),
          },
          at < 9 ? el("kbd", { "aria-hidden": "true" }, at + 1) : null,
          el("span", {}, book.name),
          games.size > 1 ? el("span", { class: "muted" }, ` ${gameOf(book.game)?.title ?? book.game}`) : null,
        ),
      ),
    );
    byId("books").querySelector('[aria-pressed="true"]').scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #showLine() {
    const { line, ply } = this.#state,
      first = this.#first;
    const names = line.map((uci, at) => this.#answer.line[at]?.san ?? this.#names?.[at] ?? uci);
    this.#names = names;
    put(
      byId("line"),
      names.map((san, at) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              type: "button",
              "aria-current": at + 1 === ply ? "step" : null,
              class: at >= ply ? "taken-back" : null,
              onclick: () => this.#step(at + 1),
            },
            el("span", { class: "number" }, numbered(first + at, at === 0)),
            san,
          ),
        ),
      ),
    );
    // When the browser has laid the page out anyway.
    requestAnimationFrame(() => {
      const list = byId("line"),
        current = list.querySelector("[aria-current]");
      if (!current) return;
      list.scrollTop = current.offsetTop - list.clientHeight / 2;
      list.scrollLeft = current.offsetLeft - list.clientWidth / 2;
    });
  }
  #names = [];

  #showControls() {
    const { line, ply } = this.#state;
    for (const id of ["to-start", "back"]) byId(id).disabled = ply === 0;
    for (const id of ["forth", "to-end"]) byId(id).disabled = ply === line.length;
    byId("flip").hidden = !this.#game.flips;
    const pass = this.#answer.legal.find(({ uci }) => uci === "pass");
    byId("pass").hidden = !pass;
    byId("setup-label").textContent = this.#game.style === "chess" ? "FEN" : "Position as text";
  }

  #showSides() {
    if (!this.#isNew("sides", `${this.#book.name} ${this.#side}`)) return;
    const { sides } = this.#answer,
      choices = [
        ["mover", "To move"],
        [0, sides[0]],
        [1, sides[1]],
      ];
    put(
      byId("sides"),
      this.#answer.results
        ? [
            el("span", { class: "muted" }, "Scores for"),
            choices.map(([side, text]) =>
              el("button", { type: "button", "aria-pressed": String(side === this.#side), onclick: () => this.#lookFrom(side) }, text),
            ),
          ]
        : [],
    );
  }

  #showPosition() {
    put(
      byId("position"),
      positionPanel(this.#answer, { game: this.#game, side: this.#side, book: this.#book, first: this.#first, onPly: (ply) => this.#step(ply) }),
    );
  }

  #showViews() {
    const views = this.#views();
    if (!this.#isNew("views", `${views} ${this.#state.view}`)) return;
    put(
      byId("views"),
      views.length < 2
        ? []
        : views.map((view) =>
            el("button", { type: "button", "aria-pressed": String(view === this.#state.view), onclick: () => this.#view(view) }, VIEW_NAMES[view]),
          ),
    );
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
    const answer = this.#answer,
      all = (of, extra) => imagesOf(of, answer).map(({ uci }) => ({ uci, ...extra }));
    if (move) {
      const label = this.#game.places && answer.whole > 0 ? label100(move.games / answer.whole) : null;
      this.#board.hint(all(answer.moves.find(({ code }) => code === move.code) ?? move, { weight: 0.4, strong: true, label }));
      return;
    }
    if (!this.#arrows || answer.whole === 0) return this.#board.hint([]);
    const shown = answer.moves.filter(({ san }) => san !== null).slice(0, this.#game.places ? 30 : 5);
    this.#board.hint(
      shown.flatMap((known) => {
        const share = known.games / answer.whole;
        return this.#game.places ? all(known, { weight: share, label: label100(share) }) : share < 0.03 ? [] : [{ uci: known.uci, weight: share }];
      }),
    );
  }

  /** Asks for what is behind a move that is pointed at for a moment: it may be played. */
  #fetchSoon(move) {
    clearTimeout(this.#soon);
    if (!move?.uci) return;
    const { fen } = this.#state,
      line = [...played(this.#state), move.uci],
      book = this.#book;
    this.#soon = setTimeout(() => this.#source.explore(book, fen, line).catch(() => {}), this.#source.soon);
  }
  #soon = 0;

  // What comes behind the position

  async #showMore(asked) {
    const { view } = this.#state,
      isCurrent = () => asked === this.#asked;
    await Promise.all([
      this.#showChoice(isCurrent),
      this.#showGames(isCurrent),
      this.#showEdit(),
      view === "moves" ? null : this.#showView(view, isCurrent),
    ]).catch((problem) => isCurrent() && this.#fail(problem));
  }

  async #showChoice(isCurrent) {
    if (!this.#source.can.includes("choice") || this.#answer.moves.length === 0 || this.#state.view !== "moves") return put(byId("choice"));
    let decided;
    try {
      decided = await this.#source.choice(this.#book, this.#state.fen, played(this.#state), this.#rule);
    } catch (problem) {
      decided = { move: null, why: problem.message };
    }
    if (!isCurrent()) return;
    this.#chosen = decided.move?.uci ?? null;
    put(
      byId("choice"),
      choicePanel(decided, {
        rule: this.#rule,
        onPlay: (move) => this.#play(move),
        onRule: (rule) => {
          preferences.set("rule", (this.#rule = rule));
          const asked = this.#asked;
          this.#chosen = null;
          this.#showTable();
          this.#showChoice(() => asked === this.#asked).then(() => byId("choice").querySelector("select")?.focus());
        },
      }),
    );
    this.#markChosen();
  }

  /** Marks the book's own choice in the table that is shown. */
  #markChosen() {
    const button = this.#chosen && byId("view").querySelector(`button.play[data-uci="${CSS.escape(this.#chosen)}"]`);
    if (!button || this.#state.view !== "moves") return;
    button.closest("tr").classList.add("chosen");
    button.after(chosenSign());
  }

  async #showGames(isCurrent) {
    if (!this.#source.can.includes("games") || !this.#book.games) return put(byId("games"));
    const { games } = await this.#source.games(this.#book, this.#state.fen, played(this.#state));
    if (isCurrent())
      put(
        byId("games"),
        gamesPanel(games, {
          sides: this.#answer.sides,
          onGame: (game) => this.#replay(game),
          addressOf: (game) => this.#source.gameAddress(this.#book, game),
        }),
      );
  }

  /** Puts a game on the board, as it was played, at the position that it is shown for. */
  async #replay({ moves, setup, ply }) {
    const fen = setup || null,
      { line } = await this.#source.explore(this.#book, fen, moves);
    this.#names = line.map(({ san }) => san);
    await this.#go({ ...BLANK, book: this.#book.name, fen, line: line.map(({ uci }) => uci), ply: ply ?? 0 });
    byId("forth").focus();
  }

  #showEdit() {
    if (!this.#source.can.includes("edit") || !this.#book.edit) return put(byId("edit"));
    put(
      byId("edit"),
      editPanel(this.#answer, {
        token: this.#token,
        onEdit: async (change, token) => {
          this.#token = token;
          try {
            await this.#source.edit(this.#book, { fen: this.#state.fen, play: played(this.#state).join(","), ...change }, token);
            await this.#go(this.#state, "keep");
            this.#say("Edited");
          } catch (problem) {
            this.#fail(problem);
          }
        },
      }),
    );
  }

  async #showView(view, isCurrent) {
    if (view === "record") return this.#showRecord();
    if (view === "coverage") return this.#showCoverage(isCurrent);
    const books = view === "compare" ? this.#siblings : [this.#book, this.#other()];
    const answers = await Promise.all(books.map((book) => this.#source.explore(book, this.#state.fen, played(this.#state))));
    if (!isCurrent()) return;
    const options = {
      game: this.#game,
      side: this.#side,
      onPlay: (move) => this.#play(move),
      onPoint: (move) => this.#point(move),
      onBook: (name) => this.#lookInto(this.#books.find((book) => book.name === name)),
    };
    if (view === "compare") return put(byId("view"), compareTable(answers, options));
    put(byId("view"), this.#diffForm(), diffTable(answers, options));
  }

  #diffForm() {
    const select = (label, chosen, onchange) =>
      el(
        "label",
        {},
        label,
        " ",
        el(
          "select",
          { onchange },
          this.#siblings.map(({ name }) => el("option", { value: name, selected: name === chosen.name }, name)),
        ),
      );
    return el(
      "div",
      { class: "form" },
      select("from", this.#book, ({ target }) =>
        this.#go({ ...this.#state, book: target.value, with: target.value === this.#state.with ? this.#book.name : this.#state.with }),
      ),
      select("to", this.#other(), ({ target }) => target.value !== this.#book.name && this.#go({ ...this.#state, with: target.value })),
    );
  }

  async #showCoverage(isCurrent) {
    const others = this.#siblings.filter((book) => book !== this.#book),
      asked = { ...this.#coverage, by: this.#other().name };
    const form = coverageForm(others, this.#answer.sides, asked, (changed) => {
      this.#coverage = changed;
      this.#go({ ...this.#state, with: changed.by }, "replace");
    });
    put(byId("view"), form, el("p", { class: "note" }, "Walking both books \u2026"));
    let report;
    try {
      const found = await this.#source.coverage(this.#book, { ...asked, side: asked.side || null, top: 30 });
      const { side: first } = this.#game.read(this.#book.start);
      report = coverageReport(found, { first, onLine: (line) => this.#go({ ...BLANK, book: this.#book.name, line, ply: line.length }) });
    } catch (problem) {
      report = el("p", { class: "message" }, problem.message);
    }
    if (isCurrent()) put(byId("view"), form, report);
  }

  // Records

  async #open(file) {
    if (!file) return;
    if (file.size > 20_000_000) return this.#fail(new Error(`${file.name} is too large for a page: 20 MB at most.`));
    const games = readRecord(await file.text());
    if (games.length === 0) return this.#fail(new Error(`No game was found in ${file.name}.`));
    const record = (this.#record = new OpenedRecord(this.#source, file.name, games));
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
      book = this.#book;
    try {
      await record.walk(place, book);
    } catch (problem) {
      return this.#fail(problem);
    }
    if (record !== this.#record || book !== this.#book) return;
    const { line, left } = record.walked;
    this.#names = line.map(({ san }) => san);
    await this.#go({
      ...BLANK,
      book: book.name,
      fen: record.games[place].fen,
      line: line.map(({ uci }) => uci),
      ply: left ?? line.length,
      view: "record",
    });
  }

  async #showRecord() {
    if (this.#record.book !== this.#book) return this.#showGame(this.#record.place);
    put(
      byId("view"),
      recordView(this.#record, {
        onGame: (place) => this.#showGame(place),
        onPly: (ply) => {
          const { fen } = this.#record.games[this.#record.place];
          this.#go({ ...this.#state, fen, line: this.#record.walked.line.map(({ uci }) => uci), ply });
        },
      }),
    );
    if (this.#answer.moves.length > 0) byId("view").append(this.#table(() => this.#showRecord()));
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
    this.#flipped = !this.#flipped;
    this.#show();
    this.#showMore(this.#asked);
  }

  /** Plays what was typed. */
  #type(text) {
    const meant = movesNamed(text, this.#answer.legal);
    if (meant.length === 0) return this.#fail(new Error(`${text} is not a legal move here.`));
    if (meant.length > 1) return this.#fail(new Error(`${text} could be ${meant.map(({ san }) => san).join(" or ")}.`));
    byId("move-text").value = "";
    this.#play(meant[0]);
  }

  /** Tells those who don't see the page what has changed. */
  #say(what) {
    const { moves, known, games, whole, opening, side, sides, outcome } = this.#answer;
    const best = moves[0]?.san ? `Most played: ${moves[0].san}, ${percent(moves[0].games / whole, 0)}.` : "";
    byId("live").textContent = [
      what ? `${what}.` : "",
      opening?.name ? `${opening.name}.` : "",
      outcome === null ? `${sides[side]} to move.` : "The game is over.",
      known ? `${count(games)} games.` : moves.length > 0 ? "" : "Not in the book.",
      best,
    ]
      .filter(Boolean)
      .join(" ");
  }

  #fail(problem) {
    const message = byId("message");
    message.textContent = problem.message.replace(/^bad request: /, "");
    message.hidden = false;
  }

  #listen() {
    const on = (id, what, listener) => byId(id).addEventListener(what, listener);
    on("to-start", "click", () => this.#step(0));
    on("back", "click", () => this.#step(this.#state.ply - 1));
    on("forth", "click", () => this.#step(this.#state.ply + 1));
    on("to-end", "click", () => this.#step(this.#state.line.length));
    on("flip", "click", () => this.#flip());
    on("pass", "click", () => this.#play({ uci: "pass", san: "pass" }));
    on("theme", "click", () => nextTheme());
    on("help-button", "click", () => byId("help").showModal());
    on("copy", "click", () =>
      navigator.clipboard?.writeText(byId("setup-text").value).then(
        () => (byId("live").textContent = "Copied."),
        () => {},
      ),
    );
    on("move-form", "submit", (event) => (event.preventDefault(), byId("move-text").value.trim() && this.#type(byId("move-text").value.trim())));
    on("setup-form", "submit", (event) => (event.preventDefault(), this.#setUp(byId("setup-text").value.trim())));
    on("record-file", "change", ({ target }) => this.#open(target.files[0]).then(() => (target.value = "")));
    addEventListener("popstate", ({ state }) => this.#goTo(state));
    addEventListener("keydown", (event) => this.#key(event));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => (event.preventDefault(), this.#open(event.dataTransfer.files[0])));
  }

  /** To an entry of the browser's history, or an address typed by hand. */
  #goTo(kept) {
    if (this.#books.length === 0) return;
    const asked = ofAddress(location.hash),
      isOurs = kept && played(kept).join() === played(asked).join();
    this.#go(isOurs ? { ...asked, ...kept } : asked, isOurs ? "keep" : "replace");
  }

  #setUp(text) {
    this.#go({ ...BLANK, book: this.#book.name, fen: text === "" || text === this.#book.start ? null : text, view: this.#state.view });
  }

  #key(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || this.#answer === null) return;
    const keys = {
      ArrowLeft: () => this.#step(this.#state.ply - 1),
      ArrowRight: () => this.#step(this.#state.ply + 1),
      Home: () => this.#step(0),
      End: () => this.#step(this.#state.line.length),
      ArrowDown: () => focusRow(byId("view"), 1),
      ArrowUp: () => focusRow(byId("view"), -1),
      f: () => this.#game.flips && this.#flip(),
      t: nextTheme,
      "?": () => byId("help").showModal(),
      "/": () => byId("move-text").focus(),
      b: () => this.#chosen && this.#play(this.#answer.moves.find(({ uci }) => uci === this.#chosen) ?? {}),
      s: () => this.#answer.results && this.#lookFrom({ mover: 0, 0: 1, 1: "mover" }[this.#side]),
      a: () => (preferences.set("arrows", (this.#arrows = !this.#arrows)), this.#point(null)),
      m: () => this.#view("moves"),
      c: () => this.#view("compare"),
      d: () => this.#view("diff"),
      v: () => this.#view("coverage"),
    };
    const act = /^[1-9]$/.test(event.key) ? () => this.#lookInto(this.#books[Number(event.key) - 1]) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
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

const label100 = (share) => (share >= 0.005 ? String(Math.round(100 * share)) : "");

new Page().start();
