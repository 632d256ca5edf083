// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at, as it stands in the page's address: #book=masters&play=e2e4,e7e5. What the reader prefers is kept by the browser.

import { ALL, ofParameters, parametersOf } from "./filter.js";
import { ofSpec, specOf } from "./tabs.js";

/**
 * What is looked at:
 *   book   the name of the book; null for the first one
 *   filter of a shelf, which games
 *   also   the other tabs that aren't there by themselves, each { book, filter }
 *   place  how many tabs of the same book are before the present one
 *   fen    the position that the line starts from; null for the start of the game
 *   line   all moves, those that were taken back included
 *   ply    how many of them are on the board
 *   view   moves, compare, diff, coverage or record
 *   with   the word (see tabs.js) of the other tab of a diff or a coverage
 */
export const BLANK = Object.freeze({
  ...{ book: null, filter: ALL, also: [], place: 0 },
  ...{ fen: null, line: [], ply: 0, view: "moves", with: null },
});

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
    filter: ofParameters((name) => asked.get(name)),
    also: asked.getAll("also").map(ofSpec),
    place: Math.max(1, Math.trunc(Number(asked.get("place"))) || 1) - 1,
    fen: asked.get("fen"),
    line,
    ply: line.length,
    view: VIEWS.includes(view) ? view : "moves",
    with: asked.get("with"),
  };
}

/** The address of what is looked at. */
export function addressOf(state) {
  const parts = [],
    plain = (sign) => ({ "%20": "+" })[sign] ?? decodeURIComponent(sign);
  const add = (name, value) => value && parts.push(`${name}=${encodeURIComponent(value).replace(/%(2C|2F|3A|3B|3D|20)/g, plain)}`);
  add("book", state.book);
  for (const [name, value] of Object.entries(parametersOf(state.filter))) add(name, value);
  if (state.place > 0) add("place", state.place + 1);
  for (const tab of state.also) add("also", specOf(tab));
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

/** The start of the game, or something else of `changes`, in the same tab. */
export const elsewhere = ({ book, filter, also, place }, changes = {}) => ({ ...BLANK, book, filter, also, place, ...changes });

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
