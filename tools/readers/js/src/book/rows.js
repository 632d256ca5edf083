// Rows of tables and cells of columns, from bytes to objects (sections 4 and 6 of the format).

export const ROW = 24;
export const NO_EVAL = -32768;

/** The columns that this reader knows, in the order of their sections: section, property of a move, bytes of the fields of a cell. */
export const COLUMNS = [
  { tag: "RTNG", name: "ratings", cell: 24, fields: [6, 6, 4, 8] },
  { tag: "GAME", name: "game", cell: 8, fields: [8] },
  { tag: "YEAR", name: "years", cell: 4, fields: [2, 2] },
];

/** An object for a position; `value` is its eval as the format writes it. */
export function positionOf(wins, draws, losses, value, depth, flags) {
  return { wins, draws, losses, games: wins + draws + losses, eval: value === NO_EVAL ? null : value, depth, flags };
}

export function moveOf(code, wins, draws, losses, marks) {
  return { code, wins, draws, losses, games: wins + draws + losses, marks };
}

export function readPosition(view, at) {
  return positionOf(
    view.getUint32(at + 8, true), view.getUint32(at + 12, true), view.getUint32(at + 16, true),
    view.getInt16(at + 20, true), view.getUint8(at + 22), view.getUint8(at + 23),
  );
}

export function readMove(view, at) {
  return moveOf(
    view.getUint16(at + 20, true),
    view.getUint32(at + 8, true), view.getUint32(at + 12, true), view.getUint32(at + 16, true),
    view.getUint8(at + 22),
  );
}

/** Puts a cell, which is read from a view, into a move. */
export function readCell(move, column, view, at) {
  if (column.tag === "RTNG") {
    move.ratings = {
      moverSum: view.getUint32(at, true) + view.getUint16(at + 4, true) * 2 ** 32,
      opponentSum: view.getUint16(at + 6, true) + view.getUint32(at + 8, true) * 2 ** 16,
      games: view.getUint32(at + 12, true),
      score: view.getBigUint64(at + 16, true),
    };
  } else if (column.tag === "GAME") {
    move.game = gameOf(view.getBigUint64(at, true));
  } else {
    move.years = { first: view.getUint16(at, true), last: view.getUint16(at + 2, true) };
  }
}

/** Puts a cell, of which the fields are given as BigInt, into a move. */
export function setCell(move, column, fields) {
  if (column.tag === "RTNG") {
    move.ratings = { moverSum: Number(fields[0]), opponentSum: Number(fields[1]), games: Number(fields[2]), score: fields[3] };
  } else if (column.tag === "GAME") {
    move.game = gameOf(fields[0]);
  } else {
    move.years = { first: Number(fields[0]), last: Number(fields[1]) };
  }
}

function gameOf(value) {
  if (value === 0n) return null;
  return { rank: Number(value >> 48n), digest: (value & 0xffffffffffffn).toString(16).padStart(12, "0") };
}
