// SPDX-License-Identifier: GPL-3.0-or-later
// A position in some words, for those who don't see the page.

import { count, percent } from "./stats.js";

/** What has just happened, in words or nothing, and what the position is now. */
export function summary({ moves, known, games, whole, opening, side, sides, outcome }, what) {
  const best = moves[0]?.san ? `Most played: ${moves[0].san}, ${percent(moves[0].games / whole, 0)}.` : "";
  return [
    what ? `${what}.` : "",
    opening?.name ? `${opening.name}.` : "",
    outcome === null ? `${sides[side]} to move.` : "The game is over.",
    known ? `${count(games)} games.` : moves.length > 0 ? "" : "Not in the book.",
    best,
  ]
    .filter(Boolean)
    .join(" ");
}
