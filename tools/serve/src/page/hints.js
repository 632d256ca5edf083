// SPDX-License-Identifier: GPL-3.0-or-later
// Which moves are shown on the board, and how strongly: what Board.hint takes.

import { imagesOf } from "./table.js";

/** A move that is pointed at, with its images. */
export function hintsOfMove(move, answer, game) {
  const label = game.places && answer.whole > 0 ? percentOf(move.games / answer.whole) : null,
    known = answer.moves.find(({ code }) => code === move.code) ?? move;
  return imagesOf(known, answer).map(({ uci }) => ({ uci, weight: 0.4, strong: true, label }));
}

/** The most played moves. */
export function hintsOfMost(answer, game) {
  if (answer.whole === 0) return [];
  const shown = answer.moves.filter(({ san }) => san !== null).slice(0, game.places ? 30 : 5);
  return shown.flatMap((known) => {
    const weight = known.games / answer.whole;
    if (game.places) return imagesOf(known, answer).map(({ uci }) => ({ uci, weight, label: percentOf(weight) }));
    return weight < 0.03 ? [] : [{ uci: known.uci, weight }];
  });
}

const percentOf = (share) => (share >= 0.005 ? String(Math.round(100 * share)) : "");
