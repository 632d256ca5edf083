// SPDX-License-Identifier: GPL-3.0-or-later
// The views of several tabs: side by side, two of them, and how far one answers another. They are loaded when one is asked for first.
//
// Each gets what the page knows:
//   source, state, answer, game, side    as the page has them
//   tab, other, siblings                 the tab that is looked into, another one to compare it with, and all tabs of the game
//   onPlay(move), onPoint(move or null)  what is played, and what is pointed at
//   onTab(tab), onOther(tab)             looks into another tab; compares with another one
//   onLine(line)                         looks at the moves of a line from the start

import { compareTable, diffTable } from "./compare.js";
import { coverageForm, coverageReport } from "./coverage.js";
import { el } from "./dom.js";
import { played } from "./state.js";

/** What tabs know of the position, with their names for people. */
const answersOf = (tabs, { source, state }) =>
  Promise.all(tabs.map(async (tab) => ({ ...(await source.explore(tab, state.fen, played(state))), book: tab.label })));

/** All tabs of the game side by side. */
export async function compareView(page) {
  const answers = await answersOf(page.siblings, page);
  return compareTable(answers, { ...page, onBook: (at) => page.onTab(page.siblings[at]) });
}

/** What the other tab says that this one doesn't. */
export async function diffView(page) {
  const { tab, other, siblings, onTab, onOther } = page,
    answers = await answersOf([tab, other], page);
  const select = (label, chosen, onChosen) =>
    el(
      "label",
      {},
      label,
      " ",
      el(
        "select",
        { onchange: ({ target }) => siblings[target.value] !== chosen && onChosen(siblings[target.value]) },
        siblings.map((one, at) => el("option", { value: at, selected: one === chosen }, one.label)),
      ),
    );
  const form = el(
    "div",
    { class: "form" },
    select("from", tab, onTab),
    select("to", other, (chosen) => chosen !== tab && onOther(chosen)),
  );
  return [form, diffTable(answers, page)];
}

/** What was asked of a coverage last. */
let coverage = { side: "", plies: "10" };

/** How far this tab answers the games of the other one: `show` gets the form, and later the form with the report. */
export async function coverageView(page, show) {
  const { source, tab, other, siblings, answer, game, onOther, onLine } = page,
    others = siblings.filter((one) => one !== tab);
  const form = coverageForm(others, answer.sides, { ...coverage, by: others.indexOf(other) }, ({ by, ...asked }) => {
    coverage = asked;
    onOther(others[by]);
  });
  show(form, el("p", { class: "note" }, "Walking both books \u2026"));
  try {
    const found = await source.coverage(tab, other, { ...coverage, side: coverage.side || null, top: 30 });
    const { side: first } = game.read(tab.start);
    show(form, coverageReport({ ...found, book: tab.label, by: other.label }, { first, onLine }));
  } catch (problem) {
    show(form, el("p", { class: "message" }, problem.message));
  }
}
