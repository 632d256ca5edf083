// SPDX-License-Identifier: GPL-3.0-or-later
// What is around the table of moves: the position's own figures, the book's own choice, and a book maker's edits.

import { el } from "./dom.js";
import { numbered } from "./games.js";
import { count, interval, percent, range, scoreOf } from "./stats.js";
import { countsFor, evalText, resultBar, valueText, whisker, warning } from "./table.js";

/** The rules by which a book may choose, of those that a server decides at once. */
export const RULES = [
  ["games", "most games"],
  ["wilson", "best score that is sure"],
  ["best", "most points"],
  ["q", "best score"],
  ["v", "best score behind the move"],
  ["lcb", "best score less its error"],
  ["eval", "best eval"],
  ["performance", "best performance"],
  ["rating", "strongest players"],
  ["marks", "annotations"],
];

/**
 * The position: its name, its games, its score, its eval. `isFiltered`: whether the answer is of some games only. `onPly` goes back to where the line left the
 * book.
 */
export function positionPanel(answer, { game, side, book, first, isFiltered, onPly }) {
  const { opening, outcome, sides, line } = answer;
  const name = opening
    ? [opening.eco ? el("span", { class: "eco" }, opening.eco) : null, opening.name]
    : line.length === 0 && isStart(answer, book)
      ? "Start position"
      : `${sides[answer.side]} to move`;
  const over =
    outcome === null
      ? null
      : el(
          "p",
          { class: "note strong" },
          outcome === "draw" ? "The game is over: a draw." : `The game is over: ${sides[outcome === "first" ? 0 : 1]} wins.`,
        );
  return [
    el(
      "h2",
      {},
      name,
      opening && opening.ply < line.length
        ? el("span", { class: "muted after" }, ` + ${line.length - opening.ply} ${line.length - opening.ply === 1 ? "ply" : "plies"}`)
        : null,
    ),
    over,
    answer.known || answer.moves.length > 0 ? figures(answer, game, side) : outOfBook(answer, { first, isFiltered, onPly }),
  ];
}

const isStart = (answer, book) => book.start === answer.fen;

function figures(answer, game, side) {
  const own = answer.known ? answer : sum(answer.moves),
    counts = countsFor(own, answer, side),
    bounds = interval(counts);
  const evaluation = answer.eval === null ? null : side === "mover" || side === answer.side ? answer.eval : -answer.eval;
  const who = side === "mover" ? answer.sides[answer.side] : answer.sides[side];
  return el(
    "div",
    { class: "figures" },
    el("span", {}, el("strong", {}, count(own.games)), own.games === 1 ? " game" : " games"),
    answer.results && own.games > 0 ? resultBar(own, answer.side === 0, answer.sides) : null,
    bounds
      ? el(
          "span",
          { class: "score", title: `95 %: ${range(bounds)}` },
          whisker(counts),
          `${who} `,
          el("strong", {}, percent(scoreOf(counts))),
          el("span", { class: "flag" }, warning(counts)),
        )
      : null,
    evaluation === null
      ? null
      : el("span", { title: answer.depth ? `depth ${answer.depth}` : null }, "eval ", el("strong", {}, evalText(evaluation, game))),
    answer.behind ? value(answer.behind, side !== "mover" && side !== answer.side, game) : null,
    answer.flags.map((flag) => el("span", { class: `chip ${flag.replace("proven ", "")}` }, flag)),
  );
}

/** What the position is worth by all that is behind it, and whose evals that is made of. */
function value({ value, positions, evals }, isTheirs, game) {
  if (positions === null) return el("span", { class: "muted", title: "The book has too much behind the position" }, "no value");
  if (value === null) return null;
  const title = [`by negamax, of ${count(positions)} positions from here on`, ...evals].join("\n");
  return el("span", { class: "value", title }, "value ", el("strong", {}, valueText(value, isTheirs, game)));
}

function sum(moves) {
  const all = { games: 0, wins: 0, draws: 0, losses: 0 };
  for (const move of moves) for (const name of Object.keys(all)) all[name] += move[name] ?? 0;
  return moves.some(({ wins }) => wins === null) ? { ...all, wins: null } : all;
}

function outOfBook({ last_in_book: last, line, outcome }, { first, isFiltered, onPly }) {
  if (outcome !== null) return null;
  if (!last) return el("p", { class: "note" }, isFiltered ? "None of these games comes here." : "Not in the book.");
  const known = last.moves
      .slice(0, 3)
      .map(({ san }) => san)
      .filter(Boolean),
    leaving = line[last.ply];
  return el(
    "p",
    { class: "note" },
    isFiltered ? "None of these games comes here since " : "Out of the book since ",
    el("button", { type: "button", class: "link", onclick: () => onPly(last.ply) }, numbered(first + last.ply, true), leaving?.san ?? "here"),
    known.length > 0 ? `, where it knows ${known.join(", ")}.` : ".",
  );
}

/** The book's own choice by a rule, and why. `onRule(rule)`, `onPlay(move)`. */
export function choicePanel(decided, { rule, onRule, onPlay }) {
  const select = el(
    "select",
    { name: "rule", "aria-label": "The rule by which the book chooses", onchange: (event) => onRule(event.target.value) },
    RULES.map(([name, text]) => el("option", { value: name, selected: name === rule }, text)),
  );
  const move = decided.move
    ? el(
        "button",
        { type: "button", class: "play strong", "data-uci": decided.move.uci, onclick: () => onPlay(decided.move) },
        "\u2605 ",
        decided.move.san,
      )
    : el("span", { class: "muted" }, "no move");
  return el(
    "div",
    { class: "own-choice" },
    el("span", {}, "The book plays ", move),
    el("span", { class: "why" }, decided.why),
    el("label", {}, "by ", select),
  );
}

/** What a book maker may change here: marks of moves, and the position's eval. `onEdit(change, token)`. */
export function editPanel(answer, { token, onEdit }) {
  const moves = answer.legal,
    form = el("form", { class: "form" });
  const best = answer.moves[0]?.uci,
    select = (name, options) =>
      el(
        "select",
        { name },
        options.map(([value, text]) => el("option", { value, selected: value === best }, text)),
      );
  form.append(
    el("label", {}, "Token ", el("input", { name: "token", type: "password", autocomplete: "off", value: token })),
    moves.length > 0
      ? el(
          "label",
          {},
          "Move ",
          select(
            "move",
            moves.map(({ uci, san }) => [uci, san]),
          ),
        )
      : "",
    moves.length > 0
      ? el(
          "label",
          {},
          "play it ",
          select("mark", [
            ["never", "never"],
            ["always", "always"],
            ["none", "as its games say"],
          ]),
        )
      : "",
    moves.length > 0 ? el("button", { name: "what", value: "mark" }, "Mark") : "",
    el(
      "label",
      {},
      "Eval ",
      el("input", { name: "eval", inputmode: "numeric", size: 6, value: answer.eval ?? "", title: "for the side to move, in the book's unit" }),
    ),
    el("button", { name: "what", value: "eval" }, "Set"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = new FormData(form),
      isEval = event.submitter?.value === "eval",
      text = said.get("eval").trim();
    if (isEval && !/^[+-]?\d+$/.test(text)) return;
    onEdit(isEval ? { eval: Number(text) } : { move: said.get("move"), mark: said.get("mark") }, said.get("token"));
  });
  return el("details", { class: "edit", open: token !== "" }, el("summary", {}, "Edit"), form);
}
