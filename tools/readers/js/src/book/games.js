// The games that moves of a packed book name: DICT, and what a game tells of the cells of a move (sections 3.5 and 5.2 of packed.md).

import { BookError } from "../errors.js";
import { setCell } from "./rows.js";

const GAME = 16, NOTHING = { value: 0n, years: [0n, 0n], ratings: [0n, 0n] };

/** Reads the games of moves, and sets the cells of these. `named`: [{ move, columns, told, swapped, number, fields, place }]. */
export function* tellGames(core, named) {
  if (named.length === 0) return;
  const section = core.header.section("DICT"), some = named.filter(({ number }) => number > 0);
  for (const { number, place } of some) {
    if (number > section.length / GAME) throw new BookError("B-32", "the number of a game that isn't there", place);
  }
  const bytes = some.length === 0 ? [] : yield some.map(({ number }) => ({ offset: section.offset + GAME * (number - 1), length: GAME }));
  for (const of of named) tell(core.pack, of, of.number > 0 ? readGame(bytes.shift()) : NOTHING);
}

function readGame(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, GAME), half = (at) => BigInt(view.getUint16(at, true));
  return { value: view.getBigUint64(0, true), years: [half(8), half(10)], ratings: [half(12), half(14)] };
}

function tell(pack, { move, columns, told, swapped, fields, place }, game) {
  const games = BigInt(move.games), [greater, lesser] = game.ratings.map((rating) => rating * games);
  const score = BigInt(2 * move.wins + move.draws), known = greater > 0n || lesser > 0n;
  const ratings = known ? [...(swapped ? [lesser, greater] : [greater, lesser]), games, score] : [0n, 0n, 0n, 0n];
  const cells = { RTNG: ratings, GAME: [game.value], YEAR: game.years };
  for (const column of pack.columns) {
    const values = told || column.tag === "GAME" ? cells[column.tag] : fields.splice(0, column.fields.length);
    checkCell(column, values, place);
    if (columns.includes(column)) setCell(move, column, values);
  }
}

export function checkCell(column, values, place) {
  column.fields.forEach((bytes, i) => {
    if (values[i] >> BigInt(8 * bytes) !== 0n) throw new BookError("B-32", "a field of a cell is too large", place);
  });
}
