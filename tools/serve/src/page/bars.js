// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of buttons by which something is switched: tabs, views, sides.

import { byId, el, put } from "./dom.js";
import { filterText } from "./filter.js";
import { gameOf } from "./games.js";
import { count } from "./stats.js";

const VIEW_NAMES = { moves: "Moves", compare: "Compare", diff: "Differences", coverage: "Coverage", record: "Record" };

/** The books, and of shelves what was chosen of them; `at` is the one that is looked into. */
export function showTabs(tabs, at, onTab) {
  const games = new Set(tabs.map(({ game }) => game));
  put(
    byId("books"),
    tabs.map((tab, place) => {
      const title = gameOf(tab.game)?.title ?? tab.game,
        filter = filterText(tab.filter);
      return el(
        "button",
        {
          type: "button",
          "aria-pressed": String(place === at),
          title: [title, tab.positions ? `${count(tab.positions)} positions` : "", tab.facets ? filter || "all games" : ""].filter(Boolean).join(", "),
          onclick: () => onTab(place),
        },
        place < 9 ? el("kbd", { "aria-hidden": "true" }, place + 1) : null,
        el("span", {}, tab.name),
        filter ? el("span", { class: "muted" }, filter) : null,
        games.size > 1 ? el("span", { class: "muted" }, ` ${title}`) : null,
      );
    }),
  );
  byId("books").querySelector('[aria-pressed="true"]').scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The views there are; none where there is but one. */
export function showViews(views, shown, onView) {
  const button = (view) => el("button", { type: "button", "aria-pressed": String(view === shown), onclick: () => onView(view) }, VIEW_NAMES[view]);
  put(byId("views"), views.length < 2 ? [] : views.map(button));
}

/** For whom scores are; nothing where there are none. */
export function showSides({ sides, results }, shown, onSide) {
  const choices = [
    ["mover", "To move"],
    [0, sides[0]],
    [1, sides[1]],
  ];
  const button = ([side, text]) => el("button", { type: "button", "aria-pressed": String(side === shown), onclick: () => onSide(side) }, text);
  put(byId("sides"), results ? [el("span", { class: "muted" }, "Scores for"), choices.map(button)] : []);
}
