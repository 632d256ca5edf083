// SPDX-License-Identifier: GPL-3.0-or-later
// What is below the board: the moves played, and the buttons that go back and forth among them.

import { byId, el, put } from "./dom.js";
import { numbered } from "./games.js";

/**
 * The moves of a line by their names, of which the first `ply` are on the board. `first` is the side to move at its start; `onPly` goes behind one. `notes(at)`
 * is what stands behind a move, { signs, elements }: -1 before the first one.
 */
export function showLine(names, { ply, first, onPly, notes = () => ({ signs: "", elements: [] }) }) {
  const list = byId("line"),
    before = names.length > 0 ? notes(-1).elements : [];
  list.classList.toggle("noted", before.length > 0 || names.some((_, at) => notes(at).elements.length > 0));
  put(
    list,
    before.length > 0 ? el("li", {}, before) : null,
    names.map((san, at) => {
      const { signs, elements } = notes(at);
      return el(
        "li",
        {},
        el(
          "button",
          {
            type: "button",
            class: at >= ply ? "move taken-back" : "move",
            "aria-current": at + 1 === ply ? "step" : null,
            onclick: () => onPly(at + 1),
          },
          el("span", { class: "number" }, numbered(first + at, at === 0)),
          san,
          signs,
        ),
        elements,
      );
    }),
  );
  byId("line-tools").hidden = names.length === 0;
  // When the browser has laid the page out anyway.
  requestAnimationFrame(() => {
    const current = list.querySelector("[aria-current]");
    if (!current) return;
    list.scrollTop = current.offsetTop - list.clientHeight / 2;
    list.scrollLeft = current.offsetLeft - list.clientWidth / 2;
  });
}

/** The buttons, as far as they can do something. */
export function showControls({ line, ply }, answer, game) {
  for (const id of ["to-start", "back"]) byId(id).disabled = ply === 0;
  for (const id of ["forth", "to-end"]) byId(id).disabled = ply === line.length;
  byId("flip").hidden = !game.flips;
  byId("pass").hidden = !answer.legal.some(({ uci }) => uci === "pass");
  byId("setup-label").textContent = game.style === "chess" ? "FEN" : "Position as text";
  const setup = byId("setup-text");
  if (document.activeElement !== setup) setup.value = answer.fen;
}
