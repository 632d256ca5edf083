// What a book holds as lines of text, as format-spec/golden/README.md describes them.

import { formatKey } from "../../src/index.js";

export function entryLines(key, { position, moves }) {
  return [...positionLines(key, position), ...moves.flatMap((move) => moveLines(key, move))];
}

export function positionLines(key, row) {
  if (row === null) return [];
  return [`position ${keyText(key)} ${row.wins} ${row.draws} ${row.losses} ${row.eval ?? "-"} ${row.depth} ${hex(row.flags, 2)}`];
}

export function moveLines(key, row) {
  const name = `${keyText(key)} ${hex(row.code, 4)}`;
  const lines = [`move ${name} ${row.wins} ${row.draws} ${row.losses} ${hex(row.marks, 2)}`];
  const { ratings, game, years } = row;
  if (ratings) lines.push(`ratings ${name} ${ratings.moverSum} ${ratings.opponentSum} ${ratings.games} ${ratings.score}`);
  if (game !== undefined) lines.push(`game ${name} ${game?.rank ?? 0} ${game?.digest ?? "000000000000"}`);
  if (years) lines.push(`years ${name} ${years.first} ${years.last}`);
  return lines;
}

/** Positions in the order of their table, then moves, sources, facts. */
export function bookLines(entries, sources, facts) {
  return [
    ...entries.flatMap(({ key, position }) => positionLines(key, position)),
    ...entries.flatMap(({ key, moves }) => moves.flatMap((move) => moveLines(key, move))),
    ...sources.map(({ digest, games, name }) => `source ${digest} ${games} ${escaped(name)}`),
    ...facts.map(({ subject, name, value }) => `fact ${subject ?? "0".repeat(32)} ${name} ${escaped(value)}`),
  ];
}

function keyText(key) {
  return formatKey(key);
}

function hex(number, digits) {
  return number.toString(16).padStart(digits, "0");
}

function escaped(text) {
  return text.replace(/[\\\t\n\r]/g, (letter) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" })[letter]);
}
