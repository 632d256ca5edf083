// SPDX-License-Identifier: GPL-3.0-or-later
// What a record says beside its moves: comments, and variations whose moves can be looked at.

import { el } from "./dom.js";
import { numbered } from "./games.js";

/** Variations within variations are shown so deep. */
const MOST_DEEP = 12;

/**
 * What stands behind the move with this place in a game (-1: before the first one). `first` is the side to move at the start. `onVariation(ply, moves)` looks at
 * the moves of a variation in place of those from a ply on.
 */
export function notesBehind({ comment, moves }, at, first, onVariation) {
  if (at < 0) return comment ? [el("span", { class: "comment" }, comment)] : [];
  const move = moves[at];
  return move ? behind(move, at, first, (variation) => onVariation(at, variation), 1) : [];
}

/** The signs of a move: `!?`. */
export const signsOf = ({ moves }, at) => moves[at]?.signs ?? "";

function behind({ comment, variations }, at, first, onMoves, depth) {
  return [
    comment ? el("span", { class: "comment" }, comment) : null,
    depth > MOST_DEEP ? null : variations.map((moves) => variation(moves, at, first, onMoves, depth)),
  ];
}

/** A variation from a ply on; `onMoves` gets its moves up to the one that is to be looked at. */
function variation(moves, at, first, onMoves, depth) {
  const part = (move, place) => {
    const before = moves.slice(0, place);
    return [
      el(
        "button",
        { type: "button", onclick: () => onMoves([...before, move]) },
        el(
          "span",
          { class: "number" },
          numbered(first + at + place, place === 0 || moves[place - 1].comment !== "" || moves[place - 1].variations.length > 0),
        ),
        move.text,
        move.signs,
      ),
      behind(move, at + place, first, (instead) => onMoves([...before, ...instead]), depth + 1),
    ];
  };
  return el("span", { class: "variation" }, "(", moves.map(part), ")");
}
