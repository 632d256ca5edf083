// SPDX-License-Identifier: GPL-3.0-or-later
// Walks a game through a book: where it leaves the book, and what the book would have played.

import { el } from "./dom.js";
import { numbered } from "./games.js";
import { count, percent } from "./stats.js";

/** A game is out of the book when it has been so for so many plies: transpositions lead back. */
const OUT_FOR = 6;

/**
 * Follows a game through a book: { line: [{ san, uci, games, share, known }], left: the ply of the first move that the book doesn't know (or null), best: the
 * moves the book has there, fault: the first move that can't be, and why (or null), first: the side to move at the start }.
 */
async function walk(source, book, { fen, moves }) {
  let fault = null,
    whole = null,
    legal = moves.map(({ text }) => text);
  // The record may end in a move that can't be: then up to there.
  while (whole === null) {
    try {
      whole = await source.explore(book, fen, legal);
    } catch (problem) {
      const place = Number(/move (\d+) of play/.exec(problem.message)?.[1]);
      if (!place || place > legal.length) throw problem;
      [fault, legal] = [
        { ply: place - 1, move: moves[place - 1], why: problem.message.replace(/^.*?move \d+ of play: /, "") },
        legal.slice(0, place - 1),
      ];
    }
  }
  const { line: named } = whole,
    line = [];
  let left = null,
    best = [],
    out = 0,
    first = 0;
  for (let ply = 0; ply < named.length; ply++) {
    if (out >= OUT_FOR) {
      line.push({ ...named[ply], games: 0, share: 0, known: false });
      continue;
    }
    const answer = await source.explore(
      book,
      fen,
      named.slice(0, ply).map(({ uci }) => uci),
    );
    if (ply === 0) first = answer.side;
    const code = answer.legal.find(({ uci }) => uci === named[ply].uci)?.code,
      move = answer.moves.find((known) => known.code === code);
    line.push({ ...named[ply], games: move?.games ?? 0, share: move && answer.whole ? move.games / answer.whole : 0, known: Boolean(move) });
    out = move ? 0 : out + 1;
    if (!move && left === null && answer.moves.length > 0) [left, best] = [ply, answer.moves.slice(0, 3)];
    else if (!move && left === null) left = ply;
  }
  return { line, left, best, fault, first };
}

/** So many games of a record are walked without being asked for. */
const MOST_WALKED = 100;

/** A record that was opened: its games, and where each leaves a book. */
export class OpenedRecord {
  /** The game that is shown, its walk, and the book of all walks. */
  place = 0;
  walked = null;
  book = null;
  /** The walks that were made, by the games' places. */
  all = [];
  #source;

  constructor(source, name, games) {
    this.#source = source;
    this.name = name;
    this.games = games;
  }

  /** Walks a game, which is shown then, through a book. */
  async walk(place, book) {
    if (this.book !== book) this.all = [];
    [this.place, this.book, this.walked] = [place, book, null];
    const walked = this.all[place] ?? (await walk(this.#source, book, this.games[place]));
    if (this.book === book) this.all[place] = walked;
    if (this.book === book && this.place === place) this.walked = walked;
  }

  /** Walks the others too, as long as `onWalked(place)` says so. */
  async walkAll(onWalked) {
    for (let place = 0; place < Math.min(this.games.length, MOST_WALKED); place++) {
      const { book } = this,
        walked = this.all[place] ?? (await walk(this.#source, book, this.games[place]).catch(() => null));
      // Of another book by now: from the start.
      if (this.book !== book) place = -1;
      else if (walked) {
        this.all[place] = walked;
        if (!onWalked(place)) return;
      }
    }
  }
}

/** A game's name in the list, and where it leaves the book as far as that is known: `all` are the walks that were made. */
export function gameTitle({ games, all }, place) {
  const { left, line, first, fault } = all[place] ?? {},
    title = `${place + 1}. ${games[place].title}`;
  if (line === undefined) return title;
  const broken = fault ? `, broken at ${numbered(first + fault.ply, true)}${fault.move.text}` : "";
  return `${title} \u2014 ${left === null ? "all in the book" : `leaves with ${numbered(first + left, true)}${line[left].san}`}${broken}`;
}

/** A list of games and the walk of one of them. `onGame(place)`, `onPly(ply)`. */
export function recordView(record, { onGame, onPly }) {
  const { name, games, place, walked, book } = record;
  const list =
    games.length > 1
      ? el(
          "label",
          {},
          "Game ",
          el(
            "select",
            { name: "game", onchange: (event) => onGame(Number(event.target.value)) },
            games.map((_, at) => el("option", { value: at, selected: at === place }, gameTitle(record, at))),
          ),
        )
      : null;
  return el(
    "div",
    {},
    el("h3", {}, name),
    el("div", { class: "form" }, list ?? el("span", {}, games[place].title)),
    walked
      ? [verdict(walked, book), walked.fault ? faultNote(walked, place) : null, strip(walked, onPly)]
      : el("p", { class: "note" }, "Walking \u2026"),
  );
}

/** Where a game can't go on, and what of it can be looked at. */
function faultNote({ fault: { ply, move, why }, first }, place) {
  const before = ply === 0 ? "nothing of the game can be played" : ply === 1 ? "the ply before it is here" : `the ${ply} plies before it are here`;
  return el(
    "p",
    { class: "fault", role: "note" },
    `Game ${place + 1}: `,
    el("strong", {}, numbered(first + ply, true) + move.text),
    ` (line ${move.line}, column ${move.column} of the file) can't be played: ${why.replace(/\.$/, "")}; ${before}.`,
  );
}

function verdict({ line, left, best, first }, book) {
  if (line.length === 0) return el("p", { class: "headline" }, "Nothing of this game can be played here.");
  if (left === null) return el("p", { class: "headline" }, `All ${line.length} plies are in ${book.label}.`);
  const move = line[left],
    text = numbered(first + left, true) + move.san;
  return el(
    "p",
    { class: "headline" },
    el("strong", {}, text),
    ` leaves ${book.label}`,
    best.length > 0
      ? [", which knows ", best.map(({ san, games }, at) => [at > 0 ? ", " : "", el("strong", {}, san ?? "?"), ` (${count(games)})`])]
      : ", whose line ends there",
    ".",
  );
}

/** The moves, each with the share of the book's games that went this way. */
function strip({ line, left, first }, onPly) {
  return el(
    "ol",
    { class: "strip" },
    line.map((move, ply) =>
      el(
        "li",
        { class: move.known ? null : ply === left ? "left" : "out" },
        el(
          "button",
          {
            type: "button",
            onclick: () => onPly(ply + 1),
            title: move.known ? `${count(move.games)} games, ${percent(move.share)}` : "not in the book",
          },
          el("span", {}, numbered(first + ply, ply === 0), move.san),
          el("span", { class: "meter", "aria-hidden": "true" }, el("span", { style: `width:${(100 * move.share).toFixed(1)}%` })),
          el("span", { class: "muted" }, move.known ? percent(move.share, 0) : "\u2013"),
        ),
      ),
    ),
  );
}
