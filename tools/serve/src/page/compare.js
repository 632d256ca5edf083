// SPDX-License-Identifier: GPL-3.0-or-later
// Several books at one position: side by side, or what one has that another one has not.

import { el } from "./dom.js";
import { countsFor, evalOf, evalText, imagesOf, whisker, warning } from "./table.js";
import { count, percent, scoreOf, short, signed } from "./stats.js";

/**
 * The moves of several answers for one position, each as [its move in each book, or null], by their games together. Where the books' keys differ, one
 * may take images of a move together and the other not: then moves are the same if their names are.
 */
function merged(answers) {
  const rows = new Map(),
    isAlike = answers.every(({ legal }) => legal.every(({ code }, at) => code === answers[0].legal[at]?.code));
  answers.forEach((answer, at) => {
    for (const move of answer.moves) {
      const name = isAlike
        ? move.code
        : (imagesOf(move, answer)
            .map(({ uci }) => uci)
            .sort()[0] ?? `code ${move.code}`);
      if (!rows.has(name))
        rows.set(
          name,
          answers.map(() => null),
        );
      rows.get(name)[at] = move;
    }
  });
  const games = (row) => row.reduce((sum, move) => sum + (move?.games ?? 0), 0);
  return [...rows.values()].sort((a, b) => games(b) - games(a));
}

const shareOf = (move, answer) => (move && answer.whole > 0 ? move.games / answer.whole : null);

function moveHead(row, onPlay, onPoint) {
  const move = row.find(Boolean);
  const cell = el(
    "th",
    { scope: "row", class: "move" },
    move.san === null
      ? `code ${move.code}`
      : el("button", { type: "button", class: "play", "data-uci": move.uci, onclick: () => onPlay(move) }, move.san),
  );
  return {
    cell,
    pointing: {
      onpointerenter: () => onPoint(move),
      onpointerleave: () => onPoint(null),
      onfocusin: () => onPoint(move),
      onfocusout: () => onPoint(null),
    },
  };
}

/** All books of a game side by side. `answers` are those of the books, in the same order; `onBook(at)` looks into one. */
export function compareTable(answers, { side, onPlay, onPoint, onBook }) {
  const rows = merged(answers).map((row) => {
    const { cell, pointing } = moveHead(row, onPlay, onPoint);
    return el(
      "tr",
      pointing,
      cell,
      row.map((move, at) => {
        if (move === null) return [el("td", { class: "book-start muted" }, "\u2013"), el("td", {})];
        const counts = countsFor(move, answers[at], side);
        return [
          el(
            "td",
            { class: "book-start", title: `${count(move.games)} games` },
            `${short(move.games)} `,
            el("span", { class: "muted" }, percent(shareOf(move, answers[at]), 0)),
          ),
          el(
            "td",
            {},
            el(
              "span",
              { class: "score" },
              whisker(counts),
              el("span", { class: "number" }, percent(scoreOf(counts))),
              el("span", { class: "flag" }, warning(counts)),
            ),
          ),
        ];
      }),
    );
  });
  const names = answers.map(({ book }, at) =>
    el(
      "th",
      { scope: "colgroup", colspan: 2, class: "book-start" },
      el("button", { type: "button", class: "sort", onclick: () => onBook(at), title: `Look into ${book}` }, book),
    ),
  );
  const wholes = answers.map(({ games, whole }) => [
    el("td", { class: "book-start", title: `${count(games || whole)} games` }, short(games || whole)),
    el("td", {}),
  ]);
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Books side by side" },
    el(
      "table",
      { class: answers.length > 2 ? "moves compare many" : "moves compare" },
      el("caption", { class: "unseen" }, "The moves of this position in all books"),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Move"), names)),
      el(
        "tbody",
        {},
        rows.length > 0 ? rows : el("tr", {}, el("td", { colspan: 1 + 2 * answers.length, class: "muted" }, "No book knows a move here.")),
      ),
      el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "Games"), wholes)),
    ),
  );
}

/** Two books at a position: what the second one says that the first one doesn't. */
export function diffTable([first, second], { game, side, onPlay, onPoint }) {
  const all = merged([first, second]).map((row) => ({ row, change: changeOf(row, first, second), shift: shiftOf(row, first, second) }));
  const number = (kind) => all.filter(({ change }) => change === kind).length;
  const best = [first, second].map(({ moves }) => moves[0]?.san ?? null);
  const flips = best[0] !== best[1] && best[0] !== null && best[1] !== null;
  const hasEvals = [first, second].some((answer) => answer.moves.some((move) => evalOf(move, answer) !== null));
  const rows = all.map(({ row, change, shift }) => {
    const { cell, pointing } = moveHead(row, onPlay, onPoint),
      answers = [first, second];
    const scores = row.map((move, at) => (move ? scoreOf(countsFor(move, answers[at], side)) : null));
    const evals = row.map((move, at) => (move ? evalText(evalOf(move, answers[at]), game) : ""));
    return el(
      "tr",
      { ...pointing, class: `change-${change}` },
      cell,
      el("td", {}, el("span", { class: `chip ${change}` }, change)),
      el("td", {}, pair(row.map((move) => (move ? short(move.games) : "\u2013")))),
      el(
        "td",
        { class: "small-only" },
        Math.abs(shift) < 0.0005 ? "" : el("span", { class: shift > 0 ? "rise" : "fall" }, `${signed(100 * shift, 1)}\u202f%`),
      ),
      el("td", {}, scores.includes(null) ? percent(scores[0] ?? scores[1]) : [percent(scores[1]), " ", difference(100 * (scores[1] - scores[0]))]),
      hasEvals ? el("td", { class: "wide-only" }, evals[0] === evals[1] ? evals[0] : pair(evals.map((text) => text || "\u2013"))) : null,
    );
  });
  const heads = ["Move", "Change", "Games", "Share", "Score"].map((label) =>
    el("th", { scope: "col", class: label === "Share" ? "small-only" : null }, label),
  );
  return el(
    "div",
    {},
    el(
      "p",
      { class: flips ? "note strong" : "note" },
      flips
        ? `The most played move is ${best[0]} in ${first.book}, ${best[1]} in ${second.book}. `
        : best[0] !== null && best[0] === best[1]
          ? `Both play ${best[0]} most. `
          : "",
      `${number("added")} added, ${number("removed")} removed, ${number("changed")} changed, ${number("same")} the same.`,
    ),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Differences" },
      el(
        "table",
        { class: "moves diff" },
        el("caption", { class: "unseen" }, `From ${first.book} to ${second.book}`),
        el("thead", {}, el("tr", {}, heads, hasEvals ? el("th", { scope: "col", class: "wide-only" }, "Eval") : null)),
        el("tbody", {}, rows),
      ),
    ),
  );
}

const pair = ([from, to]) => [el("span", { class: "muted" }, from), " \u2192 ", to];

const difference = (points) => (Math.abs(points) < 0.05 ? "" : el("span", { class: points > 0 ? "rise" : "fall" }, signed(points, 1)));

function changeOf([one, other], first, second) {
  if (one === null) return "added";
  if (other === null) return "removed";
  const said = (move, answer) => JSON.stringify([move.games, move.wins, move.draws, move.losses, move.marks, evalOf(move, answer)]);
  return said(one, first) === said(other, second) ? "same" : "changed";
}

const shiftOf = ([one, other], first, second) => (shareOf(other, second) ?? 0) - (shareOf(one, first) ?? 0);
