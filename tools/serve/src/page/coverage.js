// SPDX-License-Identifier: GPL-3.0-or-later
// How far a book answers what is played in another one, and where games leave it.

import { el, svg } from "./dom.js";
import { numbered } from "./games.js";
import { count, percent } from "./stats.js";

/** The figures of GET /v1/{game}/coverage. `first` is the side to move at the start: 0 or 1; `onLine(uciMoves)` looks at a position. */
export function coverageReport(answer, { first, onLine }) {
  const { book, by, games, answered, holes, top } = answer,
    last = answered.at(-1) ?? 0;
  const rows = top.map((exit) => {
    const moves = [...exit.line, ...(exit.lacks ? [exit.lacks] : [])],
      text = moves.map(({ san }, ply) => numbered(first + ply, ply === 0) + san);
    return el(
      "tr",
      {},
      el(
        "th",
        { scope: "row", class: "line" },
        el(
          "button",
          { type: "button", class: "play", onclick: () => onLine(exit.line.map(({ uci }) => uci)) },
          text.slice(0, exit.line.length).join(" "),
          exit.line.length > 0 ? " " : "",
          el("strong", {}, text.slice(exit.line.length).join(" ")),
        ),
      ),
      el("td", {}, count(exit.games)),
      el("td", {}, percent(exit.share, 2)),
      el("td", { class: "wide-only muted" }, exit.answered ? "has other moves" : "its line ends"),
    );
  });
  return el(
    "div",
    {},
    el(
      "p",
      { class: "headline" },
      el("strong", {}, percent(last)),
      ` of the ${count(games)} games of ${by} are answered by ${book} for ${answered.length} plies.`,
    ),
    plies(answered),
    el("h3", {}, "Exits"),
    holes === 0
      ? el("p", { class: "note" }, `No move of ${by} is missing in ${book} so far.`)
      : [el("p", { class: "note" }, `${count(holes)} moves of ${by} are not in ${book}; these are played most.`), exitsTable(rows)],
  );
}

function exitsTable(rows) {
  const heads = ["Line", "Games", "Share"].map((label) => el("th", { scope: "col" }, label));
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Exits" },
    el(
      "table",
      { class: "moves exits" },
      el("caption", { class: "unseen" }, "Where games leave the book"),
      el("thead", {}, el("tr", {}, heads, el("th", { scope: "col", class: "wide-only" }, "There the book"))),
      el("tbody", {}, rows),
    ),
  );
}

/** The share answered, ply by ply, as columns. */
function plies(answered) {
  const width = 100 / Math.max(1, answered.length);
  const bars = answered.map((share, at) =>
    el(
      "div",
      { class: "ply", style: `width:${width}%`, title: `${at + 1} plies: ${percent(share)}` },
      el("span", { class: "value", "aria-hidden": "true" }, Math.round(100 * share)),
      svg(
        "svg",
        { viewBox: "0 0 10 60", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { x: 1, y: 60 - 60 * share, width: 8, height: 60 * share, rx: 0.5 }),
      ),
      el("span", { class: "number", "aria-hidden": "true" }, at + 1),
    ),
  );
  const words = `Answered: ${answered.map((share, at) => `${at + 1} plies ${percent(share)}`).join(", ")}`;
  return el("div", { class: "plies", role: "img", "aria-label": words }, bars);
}

/**
 * The form that asks for it. `books` are those that can be compared with the present one, `asked` is { by, side, plies }, where `by` is the place of one of
 * them; `onAsk` gets it changed.
 */
export function coverageForm(books, sides, asked, onAsk) {
  const change = (name) => (event) => onAsk({ ...asked, [name]: event.target.value });
  const option = (value, text, chosen) => el("option", { value, selected: value === chosen }, text);
  const field = (label, name, options) => el("label", {}, label, " ", el("select", { name, onchange: change(name) }, options));
  return el(
    "div",
    { class: "form" },
    field(
      "answers to the games of",
      "by",
      books.map(({ label }, at) => option(at, label, asked.by)),
    ),
    field("for", "side", [option("", "both sides", asked.side), ...sides.map((side) => option(side, side, asked.side))]),
    field(
      "plies",
      "plies",
      ["6", "8", "10", "12", "14", "16"].map((plies) => option(plies, plies, asked.plies)),
    ),
  );
}
