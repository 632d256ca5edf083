// SPDX-License-Identifier: GPL-3.0-or-later
// A line as a file of the kind that is usual for its game: PGN, PDN, SGF, GGF.

import { formatOf, gameOf, numbered } from "./games.js";
import { playersOf } from "./named.js";

const TAGGED_RESULT = /^(1-0|0-1|1\/2-1\/2|2-0|0-2|1-1|0-0)$/;

const WRITERS = { PGN: tagged, PDN: tagged, SGF: sgf, GGF: ggf };

/**
 * The text of a line. `answer` is a source's answer of `explore` for the whole of it, `named` what is known of its game (see named.js), or null, `isStart` whether
 * it begins as the game does.
 */
function lineText(answer, named, isStart) {
  return WRITERS[formatOf(answer.game).name]({ ...answer, isStart, named: named ?? NOBODY });
}

const NOBODY = { white: { name: "" }, black: { name: "" }, result: "", event: "", date: "", round: "", site: "" };

/** A text without what would end a line. */
const plain = (text) =>
  String(text ?? "")
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .trim();

/** The result as the file has it, or as the rules tell it; the first player's points first. */
function resultOf({ named, outcome }) {
  if (TAGGED_RESULT.test(named.result)) return named.result;
  const bySgf = /^([BW])\+/.exec(named.result)?.[1];
  if (bySgf) return bySgf === "B" ? "1-0" : "0-1";
  return { first: "1-0", second: "0-1", draw: "1/2-1/2" }[outcome] ?? "*";
}

function tagged(answer) {
  const { named, game, from, line, isStart } = answer,
    result = resultOf(answer),
    isDraughts = formatOf(game).name === "PDN";
  const tags = [
    ["Event", named.event || "?"],
    ["Site", named.site || "?"],
    ["Date", named.date || "????.??.??"],
    ["Round", named.round || "?"],
    ["White", named.white.name || "?"],
    ["Black", named.black.name || "?"],
    ["Result", result],
    [isDraughts ? "WhiteRating" : "WhiteElo", named.white.rating],
    [isDraughts ? "BlackRating" : "BlackElo", named.black.rating],
    ["GameType", { checkers: "21", "draughts-10": "20" }[game]],
    ["Variant", gameOf(game)?.tag],
    ["SetUp", isStart ? null : "1"],
    ["FEN", isStart ? null : from],
  ];
  const head = tags.filter(([, value]) => value).map(([name, value]) => `[${name} "${plain(value).replace(/[\\"]/g, "\\$&")}"]`);
  const { side } = gameOf(game).read(from),
    // Chess counts on from the number in its FEN.
    earlier = isStart ? 0 : Math.max(0, (Number(from.split(" ").slice(5).at(-1)) || 1) - 1);
  const words = line.flatMap(({ san }, at) => [numbered(2 * earlier + side + at, at === 0).trim(), san].filter(Boolean));
  return `${head.join("\n")}\n\n${filled([...words, result])}\n`;
}

/** Words in lines of at most 80 letters. */
function filled(words) {
  const lines = [""];
  for (const word of words) {
    if (lines.at(-1).length + word.length >= 80) lines.push("");
    lines.push([lines.pop(), word].filter(Boolean).join(" "));
  }
  return lines.join("\n");
}

function sgf({ named, game, from, line, isStart }) {
  const size = Number(game.slice(3)),
    escaped = (text) => plain(text).replace(/[\\\]]/g, "\\$&"),
    [black, white] = playersOf(named, ["Black", "White"]);
  const result = { "1-0": "B+", "0-1": "W+", "1/2-1/2": "0" }[named.result] ?? (/^([BW]\+|0$|Draw|Void)/i.test(named.result) ? named.result : "");
  const tags = [
    ["PB", black.name],
    ["BR", black.rating],
    ["PW", white.name],
    ["WR", white.rating],
    ["DT", named.date.replaceAll(".", "-")],
    ["EV", named.event],
    ["RO", named.round],
    ["PC", named.site],
    ["RE", result],
  ];
  const { side } = gameOf(game).read(from);
  const moves = line.map(({ san }, at) => `${at % 12 === 0 ? "\n" : ""};${(side + at) % 2 === 0 ? "B" : "W"}[${pointOf(san, size)}]`);
  const head = tags.filter(([, value]) => value).map(([name, value]) => `${name}[${escaped(value)}]`);
  return `(;GM[1]FF[4]CA[UTF-8]SZ[${size}]${head.join("")}${isStart ? "" : stones(game, from)}${moves.join("")})\n`;
}

const letter = (number) => String.fromCharCode(97 + number);

/** A point as SGF has it, from the left and from the top; empty for a pass. */
function pointOf(name, size) {
  const column = "ABCDEFGHJKLMNOPQRST".indexOf(name[0].toUpperCase()),
    row = size - Number(name.slice(1));
  return name === "pass" || column < 0 || !(row >= 0) ? "" : letter(column) + letter(row);
}

function stones(game, from) {
  const { pieces, side } = gameOf(game).read(from),
    size = Number(game.slice(3));
  const of = (isWhite) => [...pieces].filter(([, { light }]) => light === isWhite).map(([square]) => `[${pointOf(square, size)}]`);
  const list = (name, points) => (points.length > 0 ? name + points.join("") : "");
  return `${list("AB", of(false))}${list("AW", of(true))}PL[${side === 0 ? "B" : "W"}]`;
}

function ggf({ named, from, fen, line, outcome }) {
  // The format has no escapes.
  const inBrackets = (text) => plain(text).replaceAll("[", "(").replaceAll("]", ")"),
    sides = othelloSides(from, line);
  const tags = [
    ["PC", named.site || named.event],
    ["DT", named.date],
    ["PB", named.black.name],
    ["PW", named.white.name],
    ["RB", named.black.rating],
    ["RW", named.white.rating],
    ["TY", "8"],
    ["RE", difference(named.result, fen, outcome)],
    ["BO", `8 ${from.replaceAll("X", "*").replaceAll("x", "*")}`],
  ];
  const head = tags.filter(([, value]) => value).map(([name, value]) => `${name}[${inBrackets(value)}]`);
  return `(;GM[Othello]${head.join("")}${line.map(({ san }, at) => `${sides[at]}[${san}]`).join("")};)\n`;
}

/** How much more Black has: as the record says it, else by the discs at the end, with the empty squares for the winner. */
function difference(result, fen, outcome) {
  if (/^[+-]?\d+(\.0+)?(:\w)?$/.test(result)) return result;
  const counts = /^(\d+)-(\d+)$/.exec(result);
  if (counts && Number(counts[1]) + Number(counts[2]) > 2) return signed(Number(counts[1]) - Number(counts[2]));
  if (outcome !== null) {
    const count = (sign) => [...fen.slice(0, 64)].filter((one) => one.toUpperCase() === sign).length,
      more = count("X") - count("O");
    return signed(more + Math.sign(more) * (64 - count("X") - count("O")));
  }
  return { "1-0": "+64:r", "0-1": "-64:r", "1/2-1/2": "0" }[result] ?? "";
}

const signed = (number) => (number > 0 ? `+${number}` : String(number));

const WAYS = [-9, -8, -7, -1, 1, 7, 8, 9];

/** Who makes each move of Othello: sides that can't move are passed over. The moves are known to be legal. */
function othelloSides(from, line) {
  const board = [...from.slice(0, 64).toUpperCase()],
    sides = [];
  let mover = /o\s*$/i.test(from) ? "O" : "X";
  for (const { san } of line) {
    const at = san.toLowerCase().charCodeAt(0) - 97 + 8 * (Number(san[1]) - 1);
    if (flipped(board, at, mover).length === 0) mover = mover === "X" ? "O" : "X";
    for (const square of [at, ...flipped(board, at, mover)]) board[square] = mover;
    sides.push(mover === "X" ? "B" : "W");
    mover = mover === "X" ? "O" : "X";
  }
  return sides;
}

/** The squares whose discs a move turns. */
function flipped(board, at, mover) {
  return WAYS.flatMap((way) => {
    const run = [];
    for (let here = at, next = at + way; next >= 0 && next < 64 && Math.abs((next % 8) - (here % 8)) <= 1; [here, next] = [next, next + way]) {
      if (board[next] === mover) return run;
      if (board[next] !== "X" && board[next] !== "O") return [];
      run.push(next);
    }
    return [];
  });
}

/** Puts the text of a line on the clipboard; what was done. */
export async function copyLine(answer, named, isStart) {
  if (!navigator.clipboard) throw new Error("A page may only use the clipboard where it comes by HTTPS: save the line instead.");
  await navigator.clipboard.writeText(lineText(answer, named, isStart));
  return `${formatOf(answer.game).name} copied.`;
}

/** Offers it as a file; what was done. */
export function saveLine(answer, named, isStart) {
  const { name, ending } = formatOf(answer.game),
    address = URL.createObjectURL(new Blob([lineText(answer, named, isStart)], { type: "text/plain;charset=utf-8" })),
    link = Object.assign(document.createElement("a"), { href: address, download: fileNameOf(named, answer.sides, ending) });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return `${name} saved.`;
}

/** The name of the file of a line: the players, as far as they make a name of a file. */
function fileNameOf(named, sides, ending) {
  const players = named ? playersOf(named, sides).map(({ name }) => name) : [],
    name = players
      .filter(Boolean)
      .join("-")
      .replace(/[^\p{L}\p{N}.-]+/gu, "_")
      .slice(0, 80);
  return `${name || "line"}.${ending}`;
}
