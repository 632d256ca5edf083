// SPDX-License-Identifier: GPL-3.0-or-later
// The panel by which the games of a shelf are chosen.

import { el } from "./dom.js";
import { ALL, isAll, monthsBetween, ratingsText, toggled } from "./filter.js";

/**
 * The panel of a tab of a shelf. `onFilter(filter)` gets another choice; `onAdd()` puts a tab beside; `onClose()`, or null, closes this one. Each button and field
 * has a `data-key`, by which it is found again when the panel is made anew.
 */
export function filterPanel({ facets, filter }, { onFilter, onAdd, onClose }) {
  const { speeds = [], ratings = [], since, until } = facets;
  return [
    buttons("Speed", "speeds", speeds, (speed) => speed),
    buttons("Rating", "ratings", ratings.map(String), (rating) => ratingsText(rating)),
    since ? months() : null,
    el(
      "div",
      { class: "facet" },
      isAll(filter) ? null : action("all", "All games", "No choice of games", () => onFilter(ALL)),
      action("add", "Add beside", "Another choice of games, to switch to and to compare with (n)", onAdd),
      onClose ? action("close", "Close", "Close this choice of games (x)", onClose) : null,
    ),
  ];

  function action(key, text, title, onclick) {
    return el("button", { type: "button", class: "outlined", "data-key": key, title, onclick }, text);
  }

  /** A facet as buttons; where none is pressed, all values are wanted. */
  function buttons(label, name, values, textOf) {
    if (values.length === 0) return null;
    // Those of an address stay in sight even if there are no such games.
    const all = [...values, ...filter[name].filter((value) => !values.includes(value))];
    return el(
      "div",
      { class: "facet", role: "group", "aria-label": `${label}: all where none is pressed` },
      el("span", { class: "muted", "aria-hidden": "true" }, label),
      all.map((value) =>
        el(
          "button",
          {
            type: "button",
            class: "outlined",
            "data-key": `${name}-${value}`,
            "aria-pressed": String(filter[name].includes(value)),
            onclick: () => onFilter(toggled(filter, name, value, all)),
          },
          textOf(value),
        ),
      ),
    );
  }

  function months() {
    const all = monthsBetween(since, until);
    const field = (label, name, usual, fits) => {
      const chosen = filter[name],
        options = all.filter((month) => month === chosen || fits(month));
      if (chosen && !options.includes(chosen)) options.push(chosen);
      return el(
        "label",
        {},
        label,
        " ",
        el(
          "select",
          { name, "data-key": name, onchange: ({ target }) => onFilter({ ...filter, [name]: target.value || null }) },
          el("option", { value: "", selected: !chosen }, usual),
          options.map((month) => el("option", { value: month, selected: month === chosen }, month)),
        ),
      );
    };
    return el(
      "div",
      { class: "facet", role: "group", "aria-label": "Months" },
      field("from", "since", `${since} (first)`, (month) => !filter.until || month <= filter.until),
      field("to", "until", `${until} (last)`, (month) => !filter.since || month >= filter.since),
    );
  }
}
