// @tabia/reader/explore: a position of any game with every move that a book knows there. explore.d.ts documents each item.

export { Line } from "./games/line.js";

export async function explore(book, position, options = {}) {
  checkGame(book, position);
  const scheme = book.info.keys, moves = movesByCode(position, scheme);
  const here = await book.probe(position.key(scheme), options);
  const rows = book.info.moves ? here.moves : [...moves.keys()].map((code) => ({ code }));
  const after = rows.map(({ code }) => (moves.has(code) ? position.play(moves.get(code)[0]) : null));
  const keys = after.map((next) => next?.key(scheme));
  const known = await book.positionMany(keys.filter((key) => key !== undefined), options);
  const found = rows.map((row, i) => {
    const [move = null, ...images] = moves.get(row.code) ?? [];
    const next = after[i] && { position: after[i], key: keys[i], row: known.shift() };
    return { ...row, move, images, name: move && position.name(move), next };
  });
  const all = book.info.moves ? found : found.filter(({ next }) => next.row !== null).map((row) => ({ ...row, ...countsBefore(position, row.next) }));
  return { key: position.key(scheme), row: here.position, moves: all.sort((a, b) => b.games - a.games || a.code - b.code) };
}

export function movesByCode(position, scheme = position.defaultScheme) {
  const moves = new Map();
  for (const move of position.legalMoves().sort((a, b) => position.rank(a) - position.rank(b))) {
    const code = position.code(move, scheme);
    if (moves.has(code)) moves.get(code).push(move);
    else moves.set(code, [move]);
  }
  return moves;
}

/** The counts of the position that a move leads to, seen from the side that makes the move. */
function countsBefore(position, { position: after, row: { wins, draws, losses, games } }) {
  const marks = 0;
  return position.turn === after.turn ? { wins, draws, losses, games, marks } : { wins: losses, draws, losses: wins, games, marks };
}

function checkGame(book, position) {
  const { game, keys, keyed } = book.info;
  if (position.game !== game) throw new RangeError(`the book is of ${game}, the position of ${position.game}`);
  if (!(keys in position.schemes)) throw new RangeError(`positions of ${game} have no keys ${JSON.stringify(keys)}`);
  if ((keyed === "line") !== (position.image === undefined)) {
    throw new RangeError(keyed === "line" ? "the book is keyed by line: ask it for a Line" : "the book is keyed by position, not by line");
  }
}
