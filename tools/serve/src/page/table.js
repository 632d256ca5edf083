// SPDX-License-Identifier: GPL-3.0-or-later
// The table of moves: what each was played, how it scored, what it leads to.

import { el, svg } from "./dom.js";
import { FEW, count, interval, percent, range, scoreOf, short, signed, turned } from "./stats.js";

/** A position behind a move that so many times its games came to is also reached in other ways. */
const TRANSPOSED = 1.25;
/** From such an eval on it is a mate: 32,000 less its plies. */
const MATE = 30_000;

/** A move's counts as a side sees them: `side` is 0, 1 or "mover". */
export const countsFor = (move, answer, side) => (side === "mover" || side === answer.side ? move : turned(move));

/** The eval of a move for the side that makes it: that of the position behind it. */
export function evalOf(move, answer) {
  const behind = move.position;
  if (!behind || behind.eval === null || behind.eval === undefined) return null;
  return movesAgain(move, answer) ? behind.eval : -behind.eval;
}

/** Whether the same side is to move behind a move (Othello: the other one has to pass). */
const movesAgain = (move, answer) => answer.legal.some(({ code, again }) => code === move.code && again);

/** An eval as people write it. */
export function evalText(value, game) {
  if (value === null) return "";
  if (Math.abs(value) > MATE) return `${value > 0 ? "" : "\u2212"}#${Math.ceil((32_000 - Math.abs(value)) / 2)}`;
  return signed(value / game.evalUnit, game.evalUnit > 1 ? 2 : 0);
}

/** A value by all that is behind it, as a side sees it that the value is for or not. */
export function valueText(value, isTheirs, game) {
  if (typeof value === "number") return evalText(isTheirs ? -value : value, game);
  return value ? { win: "won", loss: "lost" }[isTheirs ? { win: "loss", loss: "win" }[value] : value] : "";
}

/** A number by which values are sorted, those that aren't known last. */
const valueRank = (value, isTheirs) => (value === undefined ? -1e9 : ({ win: 1e6, loss: -1e6 }[value] ?? value) * (isTheirs ? -1 : 1));

/** What is proven of the position behind a move, for the side that makes the move: win, draw, loss or null. */
function proofOf(move, answer) {
  const proof = move.position?.flags.map((flag) => /^proven (\w+)$/.exec(flag)?.[1]).find(Boolean);
  const other = { win: "loss", draw: "draw", loss: "win" };
  return proof === undefined ? null : movesAgain(move, answer) ? proof : other[proof];
}

/** The legal moves that are one row of the table: images of each other share a code. */
export const imagesOf = (move, answer) => answer.legal.filter(({ code }) => code === move.code);

/** How wins, draws and losses share the games: a bar with the first player's wins on the left. */
export function resultBar(counts, first, sides) {
  const { games, wins, draws, losses } = first ? counts : turned(counts);
  if (wins === null || wins === undefined || games === 0) return null;
  const part = (kind, number, who) => {
    const share = number / games;
    if (number === 0) return null;
    return el(
      "span",
      { class: `part ${kind}`, style: `flex-grow:${number}`, title: `${who} ${percent(share)} (${count(number)})` },
      share >= 0.12 ? `${Math.round(100 * share)}` : "",
    );
  };
  const [one, two] = sides,
    words = `${one} ${percent(wins / games, 0)}, draws ${percent(draws / games, 0)}, ${two} ${percent(losses / games, 0)}`;
  return el(
    "span",
    { class: "bar", role: "img", "aria-label": words },
    part("first", wins, one),
    part("draw", draws, "draws"),
    part("second", losses, two),
  );
}

/** The score's place between 25 and 75 %, with its 95 % interval. */
export function whisker(counts) {
  const bounds = interval(counts);
  if (bounds === null) return null;
  const at = (share) => Math.max(1, Math.min(79, 160 * (share - 0.25))).toFixed(1),
    [low, high] = bounds;
  return svg(
    "svg",
    { class: counts.games < FEW ? "whisker few" : "whisker", viewBox: "0 0 80 14", "aria-hidden": "true" },
    svg("path", { d: "M0 7H80M40 1V13", class: "even" }),
    svg("path", { d: `M${at(low)} 7H${at(high)}M${at(low)} 3.5V10.5M${at(high)} 3.5V10.5`, class: "spread" }),
    svg("circle", { cx: at(scoreOf(counts)), cy: 7, r: 3.2, class: "point" }),
  );
}

/** A warning where the games are few. */
export const warning = ({ games }) =>
  games > 0 && games < FEW
    ? el(
        "span",
        { class: "warning", role: "img", title: `Only ${games} ${games === 1 ? "game" : "games"}: the score says little`, "aria-label": "few games" },
        "\u26a0\ufe0e",
      )
    : null;

/**
 * The columns. `has` tells whether there is something to show, `value` what it is sorted by, `cell` what is shown; both get the row: a move with
 * `counts` as the chosen side sees them.
 */
const COLUMNS = [
  { id: "move", label: "Move", value: ({ move }) => move.san ?? "", up: true },
  {
    id: "games",
    label: "Games",
    value: ({ move }) => move.games,
    cell: ({ move }) => el("span", { title: `${count(move.games)} games` }, short(move.games)),
  },
  { id: "share", label: "Share", value: ({ move }) => move.games, cell: ({ share }) => percent(share), small: true },
  {
    id: "result",
    label: "Results",
    has: ({ answer }) => answer.results,
    value: ({ counts }) => drawShare(counts),
    hint: "sorted by the share of draws",
    cell: ({ move, answer }) => resultBar(move, answer.side === 0, answer.sides),
  },
  {
    id: "score",
    label: "Score",
    has: ({ answer }) => answer.results,
    value: ({ counts }) => scoreOf(counts) ?? -1,
    hint: "wins and half the draws, with the 95 % interval",
    cell: ({ counts }) =>
      el(
        "span",
        { class: "score", title: interval(counts) === null ? null : `95 %: ${range(interval(counts))}` },
        whisker(counts),
        el("span", { class: "number" }, percent(scoreOf(counts))),
        el("span", { class: "flag" }, warning(counts)),
      ),
  },
  {
    id: "eval",
    label: "Eval",
    has: ({ moves, answer }) => moves.some((move) => evalOf(move, answer) !== null || proofOf(move, answer)),
    value: ({ evaluation }) => evaluation ?? -1e9,
    cell: evalCell,
  },
  {
    id: "value",
    label: "Value",
    hint: "by negamax, of all that the book has behind the move",
    has: ({ moves }) => moves.some((move) => move.value !== undefined),
    value: ({ move, isTheirs }) => valueRank(move.value, isTheirs),
    cell: ({ move, isTheirs, game }) => valueText(move.value, isTheirs, game),
  },
  {
    id: "rating",
    label: "Rating",
    hint: "average rating of those who played it",
    has: ({ moves }) => moves.some((move) => isNumber(move.average_rating)),
    value: ({ move }) => move.average_rating ?? -1,
    cell: ({ move }) => rating(move, move.average_rating),
    wide: true,
  },
  {
    id: "performance",
    label: "Perf.",
    hint: "performance rating",
    has: ({ moves }) => moves.some((move) => isNumber(move.performance)),
    value: ({ move }) => move.performance ?? -1,
    cell: ({ move }) => rating(move, move.performance),
    wide: true,
  },
  {
    id: "years",
    label: "Years",
    has: ({ moves }) => moves.some((move) => move.last_year),
    value: ({ move }) => move.last_year ?? 0,
    hint: "sorted by the last year",
    cell: ({ move }) => years(move),
    wide: true,
  },
  {
    id: "leads",
    label: "Leads to",
    hint: "games of the position behind the move, by whatever way",
    has: ({ moves, answer }) => answer.moves_from === "moves" && moves.some((move) => move.position),
    value: ({ move }) => move.position?.games ?? 0,
    cell: leadsCell,
    wide: true,
  },
];

const isNumber = (value) => typeof value === "number";

/** A rating, with the number of games that it rests on. */
function rating({ rated_games: games }, value) {
  if (!isNumber(value)) return null;
  return el(
    "span",
    { class: games < FEW ? "muted" : null, title: `${count(games)} rated ${games === 1 ? "game" : "games"}` },
    String(Math.round(value)),
  );
}

const drawShare = ({ games, draws }) => (games > 0 ? draws / games : -1);

function years({ first_year: first, last_year: last }) {
  if (!last) return "";
  const isSameCentury = Math.floor(first / 100) === Math.floor(last / 100);
  return first && first !== last ? `${first}\u2013${isSameCentury ? String(last).slice(-2) : last}` : String(last);
}

function evalCell({ move, answer, evaluation, game }) {
  const proof = proofOf(move, answer),
    words = { win: "won", draw: "drawn", loss: "lost" };
  const depth = move.position?.depth ? `depth ${move.position.depth}` : null;
  return [
    evaluation === null ? null : el("span", { title: depth }, evalText(evaluation, game)),
    proof ? el("span", { class: `chip ${proof}`, title: "proven" }, words[proof]) : null,
  ];
}

function leadsCell({ move }) {
  const games = move.position?.games;
  if (!isNumber(games)) return null;
  const times = move.games > 0 ? games / move.games : 1,
    isTransposed = times >= TRANSPOSED && games - move.games >= 2;
  const sign = isTransposed
    ? el(
        "span",
        {
          class: "transposed",
          role: "img",
          "aria-label": "transposition",
          title: `${count(games - move.games)} more games come here by other moves`,
        },
        "\u21c4",
      )
    : null;
  return [sign, el("span", { title: `${count(games)} games` }, short(games))];
}

/** The sign of the book's own choice. */
export const chosenSign = () =>
  el("span", { class: "own", role: "img", "aria-label": "the book's own choice", title: "The book's own choice" }, "\u2605");

const SIGNS = ["!!", "??", "!?", "?!", "!", "?"];

function moveCell(row, { play, focus }) {
  const { move, answer, isChosen } = row,
    images = imagesOf(move, answer);
  const signs = move.marks.filter((mark) => SIGNS.includes(mark)).join("");
  const words = move.marks.filter((mark) => !SIGNS.includes(mark));
  if (move.san === null)
    return el("th", { scope: "row", class: "move" }, el("span", { class: "muted", title: "No legal move here has this code" }, `code ${move.code}`));
  return el(
    "th",
    { scope: "row", class: "move" },
    el("button", { type: "button", class: "play", "data-uci": move.uci, tabindex: focus ? "0" : "-1", onclick: () => play(move) }, move.san, signs),
    isChosen ? chosenSign() : null,
    images.length > 1
      ? el(
          "span",
          { class: "chip images", title: `${images.length} moves that are images of each other: ${images.map(({ san }) => san).join(", ")}` },
          `\u00d7${images.length}`,
        )
      : null,
    words.map((word) => el("span", { class: `chip mark-${word}` }, word)),
  );
}

/**
 * The table of an answer. `options`: `game`; `side` that the scores are for; `chosen`, the book's own choice or null; `sort`: { by, up };
 * `onSort(sort)`, `onPlay(move)`, `onPoint(move or null)` when a row is pointed at, `extra(move)` more cells for editing.
 */
export function movesTable(answer, options) {
  const { game, side, chosen, sort, onSort, onPlay, onPoint } = options,
    { moves } = answer;
  const columns = COLUMNS.filter(({ has }) => !has || has({ moves, answer }));
  const rows = moves.map((move) => ({
    move,
    answer,
    game,
    counts: countsFor(move, answer, side),
    share: answer.whole > 0 ? move.games / answer.whole : null,
    evaluation: forSide(evalOf(move, answer), answer, side),
    isTheirs: side !== "mover" && side !== answer.side,
    isChosen: chosen !== null && move.uci === chosen,
  }));
  const by = columns.find(({ id }) => id === sort.by) ?? columns[1];
  rows.sort((a, b) => compare(by.value(a), by.value(b)) * (sort.up ? 1 : -1));
  const body = rows.map((row, at) =>
    el(
      "tr",
      {
        class: [row.isChosen ? "chosen" : "", row.move.games < FEW ? "rare" : ""].join(" ").trim() || null,
        onpointerenter: () => onPoint(row.move),
        onpointerleave: () => onPoint(null),
        onfocusin: () => onPoint(row.move),
        onfocusout: () => onPoint(null),
        onclick: (event) => !event.target.closest("button") && row.move.san !== null && onPlay(row.move),
      },
      columns.map((column) =>
        column.cell ? el("td", { class: classOf(column) }, column.cell(row)) : moveCell(row, { play: onPlay, focus: at === 0 }),
      ),
    ),
  );
  const head = columns.map((column) => {
    const isBy = column === by,
      next = { by: column.id, up: isBy ? !sort.up : Boolean(column.up) };
    return el(
      "th",
      { scope: "col", class: classOf(column), "aria-sort": isBy ? (sort.up ? "ascending" : "descending") : null },
      el(
        "button",
        { type: "button", class: "sort", "data-by": column.id, title: column.hint, onclick: () => onSort(next) },
        column.label,
        isBy ? el("span", { class: "way", "aria-hidden": "true" }, sort.up ? "\u25b4" : "\u25be") : null,
      ),
    );
  });
  const table = el(
    "table",
    { class: columns.length > 7 ? "moves dense" : "moves" },
    el("caption", { class: "unseen" }, `Moves of this position in ${answer.book}`),
    el("thead", {}, el("tr", {}, head)),
    el("tbody", {}, body),
  );
  table.addEventListener("keydown", walkRows);
  return table;
}

const classOf = ({ id, small, wide }) => [`column-${id}`, small ? "small-only" : "", wide ? "wide-only" : ""].join(" ").trim();

const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b);

const forSide = (value, answer, side) => (value === null || side === "mover" || side === answer.side ? value : -value);

/** Up and down go from row to row. */
function walkRows(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  focusRow(event.currentTarget, step);
}

/** Puts the focus on another row of a table: the first one, or the next from where it is. */
export function focusRow(table, step) {
  const buttons = [...table.querySelectorAll("button.play")],
    at = buttons.indexOf(document.activeElement);
  const next = buttons[at < 0 ? (step > 0 ? 0 : buttons.length - 1) : Math.max(0, Math.min(buttons.length - 1, at + step))];
  if (!next) return;
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}
