// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at, as it stands in the page's address: #book=masters&play=e2e4,e7e5. What the reader prefers is kept by the browser.

/**
 * What is looked at:
 *   book   the name of the book; null for the first one
 *   fen    the position that the line starts from; null for the start of the game
 *   line   all moves, those that were taken back included
 *   ply    how many of them are on the board
 *   view   moves, compare, diff, coverage or record
 *   with   the other book of a diff or a coverage
 */
export const BLANK = Object.freeze({ book: null, fen: null, line: [], ply: 0, view: "moves", with: null });

export const VIEWS = ["moves", "compare", "diff", "coverage", "record"];

/** The moves on the board. */
export const played = ({ line, ply }) => line.slice(0, ply);

/** What an address asks for. */
export function ofAddress(hash) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const line = (asked.get("play") ?? "").split(/[, ]+/).filter(Boolean);
  const view = asked.get("view");
  return {
    ...BLANK,
    book: asked.get("book"),
    fen: asked.get("fen"),
    line,
    ply: line.length,
    view: VIEWS.includes(view) ? view : "moves",
    with: asked.get("with"),
  };
}

/** The address of what is looked at. */
export function addressOf(state) {
  const parts = [];
  const add = (name, value) =>
    value && parts.push(`${name}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%3A/g, ":").replace(/%20/g, "+")}`);
  add("book", state.book);
  add("fen", state.fen);
  add("play", played(state).join(","));
  if (state.view !== "moves") add("view", state.view);
  add("with", state.with);
  return `#${parts.join("&")}`;
}

/** After another move: the moves that were taken back stay if it is the first of them. */
export function afterMove(state, uci) {
  const line = state.line[state.ply] === uci ? state.line : [...played(state), uci];
  return { ...state, line, ply: state.ply + 1 };
}

/** At another ply of the same line. */
export const atPly = (state, ply) => ({ ...state, ply: Math.max(0, Math.min(state.line.length, ply)) });

/** What the reader prefers, from one visit to the next; nothing is kept where the browser doesn't let us. */
export const preferences = {
  get(name, usual) {
    try {
      return JSON.parse(localStorage.getItem(`tabia-${name}`)) ?? usual;
    } catch {
      return usual;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`tabia-${name}`, JSON.stringify(value));
    } catch {
      // A private window: then not.
    }
  },
};
