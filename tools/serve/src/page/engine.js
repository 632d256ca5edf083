// SPDX-License-Identifier: GPL-3.0-or-later
// The engine beside the book: asks a server's engine for the position that is looked at, and shows its reports as they come.

import { el, put } from "./dom.js";
import { numbered } from "./games.js";
import { played, preferences } from "./state.js";

const SECONDS = [1, 3, 5, 10, 30, 60];
/** While the engine is busy with what was looked at before, it is asked again so many times, after so many milliseconds. */
const AGAIN = 8,
  PAUSE = 250;

export class Engine {
  #page;
  #isOn = preferences.get("engine", false);
  #seconds = preferences.get("engine-seconds", 5);
  /** What is looked at, and the name of its engine. */
  #look = null;
  #name = "";
  #report = null;
  #problem = "";
  #search = null;
  #switch;
  #shown = el("div", { class: "report" });

  /** `page` has onLine(moves), which looks at the line with these moves behind it, and onEval({ eval, depth }), which puts them into the book. */
  constructor(place, page) {
    this.#page = page;
    this.#switch = el("button", { type: "button", role: "switch", class: "outlined", onclick: () => this.#turn() }, "Engine");
    const select = el(
      "select",
      { name: "seconds", "aria-label": "Seconds a position", onchange: ({ target }) => this.#wait(Number(target.value)) },
      SECONDS.map((seconds) => el("option", { value: seconds, selected: seconds === this.#seconds }, `${seconds} s`)),
    );
    put(place, el("div", { class: "engine-head" }, this.#switch, select), this.#shown);
  }

  /** Shows another position, or the same one again. */
  show(look, name) {
    const isSame = this.#look !== null && this.#look.tab.game === look.tab.game && this.#look.answer.fen === look.answer.fen;
    [this.#look, this.#name] = [look, name];
    if (!isSame) this.#start();
    else this.#draw();
  }

  /** Ends the search. */
  stop() {
    this.#search?.abort();
    this.#search = null;
  }

  #turn() {
    preferences.set("engine", (this.#isOn = !this.#isOn));
    this.#start();
  }

  #wait(seconds) {
    preferences.set("engine-seconds", (this.#seconds = seconds));
    this.#start();
  }

  async #start() {
    this.stop();
    [this.#report, this.#problem] = [null, ""];
    const { source, tab, state, answer } = this.#look;
    if (!this.#isOn || answer.outcome !== null) return this.#draw();
    const search = (this.#search = new AbortController()),
      address = source.engineAddress(tab, state.fen, played(state), this.#seconds);
    this.#draw();
    try {
      for await (const report of reports(address, search.signal)) {
        if (this.#search !== search) return;
        this.#report = report;
        this.#draw();
      }
    } catch (problem) {
      if (this.#search === search) this.#problem = problem.message;
    }
    if (this.#search === search) this.stop();
    this.#draw();
  }

  #draw() {
    this.#switch.setAttribute("aria-checked", String(this.#isOn));
    this.#shown.setAttribute("aria-busy", String(this.#search !== null));
    if (!this.#isOn) return put(this.#shown);
    const report = this.#report,
      { answer, tab } = this.#look;
    const state = this.#problem
      ? el("span", { class: "warning" }, this.#problem)
      : answer.outcome !== null
        ? "The game is over."
        : report === null
          ? "searching \u2026"
          : report.done
            ? ""
            : "\u2026";
    put(
      this.#shown,
      el(
        "p",
        {},
        el("strong", { class: "engine-name" }, report?.engine ?? this.#name),
        report?.score ? el("strong", { class: "engine-score", title: `for ${answer.sides[answer.side]}, who is to move` }, report.score) : null,
        report?.depth != null ? el("span", { class: "muted" }, `depth ${report.depth}`) : null,
        state ? el("span", { class: "muted" }, state) : null,
        tab.edit && report?.eval != null
          ? el(
              "button",
              {
                type: "button",
                class: "outlined put",
                title: "Makes this the position's eval",
                onclick: () => this.#page.onEval({ eval: report.eval, depth: Math.min(255, report.depth ?? 0) }),
              },
              "Put into the book",
            )
          : null,
      ),
      report?.line?.length ? this.#line(report.line) : null,
    );
  }

  /** The engine's line: its moves play what leads to them. */
  #line(line) {
    const { state, first } = this.#look,
      at = first + state.ply;
    return el(
      "p",
      { class: "line engine-line" },
      line.map(({ san }, place) =>
        el(
          "button",
          { type: "button", onclick: () => this.#page.onLine(line.slice(0, place + 1).map(({ uci }) => uci)) },
          el("span", { class: "number" }, numbered(at + place, place === 0)),
          san,
        ),
      ),
    );
  }
}

/** The reports of a search, as its answer's lines come. */
async function* reports(address, signal) {
  let response = null;
  for (let times = 0; response === null || (response.status === 503 && times < AGAIN); times++) {
    if (times > 0) await new Promise((done) => setTimeout(done, PAUSE));
    signal.throwIfAborted();
    response = await fetch(address, { signal, cache: "no-store" }).catch((problem) => {
      throw signal.aborted ? problem : new Error("The server doesn't answer.");
    });
  }
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.error ?? `The server answers ${response.status}.`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    const lines = (rest + step.value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
  }
  if (rest.trim() !== "") yield JSON.parse(rest);
}
