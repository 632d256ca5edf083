// SPDX-License-Identifier: GPL-3.0-or-later
// The best games that came to a position.

import { el } from "./dom.js";

/**
 * The list of what was found; nothing of no games, and folded if nothing was asked for. `complete`: whether there are surely no better ones. `nameOf(move)` is
 * how people call a move that a game made here, `onGame(game)` replays one, `addressOf(game)` is where its record is, or null; `onFold(isOpen)`.
 */
export function gamesPanel(found, options) {
  if (found?.games.length === 0) return null;
  const note = found?.complete === false ? el("span", { class: "muted after" }, " of those that were found soon") : null;
  return el(
    "details",
    { class: "best-games", open: found !== null, ontoggle: ({ target }) => options.onFold(target.open) },
    el("summary", {}, el("h3", {}, "Best games"), note),
    found && table(found.games, options),
  );
}

function table(games, { sides, nameOf, onGame, addressOf }) {
  const player = ({ name, rating }) => [name || "?", rating ? el("span", { class: "muted" }, ` ${rating}`) : null];
  const hasRecords = games.some((game) => addressOf(game) !== null);
  const row = (game) =>
    el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el(
          "button",
          { type: "button", class: "play", title: "Replay this game", onclick: () => onGame(game) },
          player(game.players[0]),
          " \u2013 ",
          player(game.players[1]),
        ),
      ),
      el("td", { class: "made" }, game.move ? nameOf(game.move) : el("span", { class: "muted", title: "it ended here" }, "\u2013")),
      el("td", {}, game.result),
      el("td", {}, game.date || game.year || ""),
      el("td", { class: "wide-only event", title: whereOf(game) }, whereOf(game)),
      hasRecords
        ? el("td", { class: "small-only" }, el("a", { href: addressOf(game), target: "_blank", rel: "noopener", title: "Its record" }, "text"))
        : null,
    );
  const head = (text, props = {}) => el("th", { scope: "col", ...props }, text);
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Best games" },
    el(
      "table",
      { class: "moves games" },
      el("caption", { class: "unseen" }, "Best games of this position"),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          head(sides.join(" \u2013 ")),
          head("Played", { class: "made", title: "The move that was played here" }),
          head("Result"),
          head("Date"),
          head("Event, round", { class: "wide-only event" }),
          hasRecords ? head("Record", { class: "small-only" }) : null,
        ),
      ),
      el("tbody", {}, games.map(row)),
    ),
  );
}

const whereOf = ({ event, site, round }) => [event, site === event ? "" : site, round].filter(Boolean).join(", ");
