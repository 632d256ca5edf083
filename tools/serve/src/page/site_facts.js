// SPDX-License-Identifier: GPL-3.0-or-later
// What the reader in JavaScript says, in the words of a server's answers.

import { ChessPosition } from "../reader/chess.js";
import { Flags, Marks, formatKey } from "../reader/index.js";

const FLAGS = [
  [Flags.provenWin, "proven win"],
  [Flags.provenDraw, "proven draw"],
  [Flags.provenLoss, "proven loss"],
  [Flags.publicDraw, "public draw"],
  [Flags.expanded, "expanded"],
];
const MARKS = [
  [Marks.good, "!"],
  [Marks.mistake, "?"],
  [Marks.brilliant, "!!"],
  [Marks.blunder, "??"],
  [Marks.interesting, "!?"],
  [Marks.dubious, "?!"],
  [Marks.never, "never"],
  [Marks.always, "always"],
];
const words = (set, names) => names.filter(([bit]) => set & bit).map(([, name]) => name);

/** What is marked of a move. */
export const marksOf = ({ marks }) => words(marks, MARKS);

/** The names of the two sides of a game. */
export const sidesOf = (game) => (game === "draughts-10" || ChessPosition.games.includes(game) ? ["White", "Black"] : ["Black", "White"]);

/** The board of a position that may be that of a line. */
export const boardOf = (position) => position.position ?? position;

export const sideOf = ({ turn }, sides) => (turn === sides[0].toLowerCase() ? 0 : 1);

export const counts = ({ wins, draws, losses }, results) => (results ? { wins, draws, losses } : { wins: null, draws: null, losses: null });

export const positionFacts = (key, row, results) => ({
  key: formatKey(key),
  games: row.games,
  ...counts(row, results),
  eval: row.eval,
  depth: row.depth,
  flags: words(row.flags, FLAGS),
});

/** A move as programs write it: in UCI for chess, with the whole way of a capture in draughts. */
export function programName(board, move) {
  if (board.uci) return board.uci(move);
  if (move.route) return move.captured.length > 0 ? move.route.join("x") : `${move.from}-${move.to}`;
  return board.name(move);
}

/** How the game ended, if the rules say that it is over: first, second or draw. Go ends by passes, of which a position knows nothing. */
export function outcomeOf(position, sides) {
  const board = boardOf(position),
    ended = board.outcome?.();
  if (ended) return ended === "draw" ? ended : ended === sides[0].toLowerCase() ? "first" : "second";
  if (board.legalMoves().length > 0) return null;
  const won = (side) => (side === 0 ? "first" : "second"),
    other = 1 - sideOf(board, sides);
  if (board.game !== "othello") return won(other);
  const discs = [...board.toString().split(" ")[0]],
    [black, white] = ["X", "O"].map((disc) => discs.filter((sign) => sign === disc).length);
  return black === white ? "draw" : won(black > white ? 0 : 1);
}
