// SPDX-License-Identifier: GPL-3.0-or-later
// The game that is on the board: who played it, how it ended, when and where. Such a game is what record.js's namedBy() makes of tags.

import { byId, el, put } from "./dom.js";

/** What a source's list of games says of one, in the same form. `sides` are the names of the two sides. */
export function namedGame({ players, result, event, date, round, site }, sides) {
  const white = sides[0] === "Black" ? 1 : 0;
  return { white: players[white], black: players[1 - white], result, event, date, round, site };
}

/** The players in the order in which they move. */
export const playersOf = ({ white, black }, sides) => (sides[0] === "Black" ? [black, white] : [white, black]);

/** Who played, how strong they are, and how it ended, in words; nothing where nothing is known. */
export function playersText(named, sides) {
  const text = ({ name, rating }) => [name || "?", rating ? ` (${rating})` : ""].join(""),
    players = playersOf(named, sides);
  return players.some(({ name }) => name) ? players.map(text).join(" \u2013 ") : "";
}

/** Names the game above its moves; nothing if there is none. */
export function showNamed(named, sides) {
  const where = named ? [named.event, named.site, named.round && `round ${named.round}`, named.date].filter(Boolean).join(", ") : "",
    players = named ? playersText(named, sides) : "",
    result = named?.result && named.result !== "*" ? named.result : "";
  put(
    byId("named"),
    players || where
      ? [
          el("strong", {}, [players, result].filter(Boolean).join(", ")),
          players && where ? el("br", {}) : null,
          where ? el("span", { class: "muted" }, where) : null,
        ]
      : [],
  );
}
