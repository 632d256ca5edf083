// What lichess's variants of chess change in its rules. Whatever they leave as it is, is chess.

import { isAttacked, isBeside } from "./moves.js";
import { BISHOP, isWhite, KING, KNIGHT, pieceOf, QUEEN, ROOK } from "./pieces.js";

const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** d4, e4, d5, e5. */
const HILL = [27, 28, 35, 36];
const other = (white) => (white ? "black" : "white");

/** Of what has an item a side, Black's is the first and White's the second. */
const CHESS = {
  game: "chess",
  start: START_FEN,
  /** How many kings a side has: at least, at most. */
  kings: [[1, 1], [1, 1]],
  castles: [true, true],
  /** The rows from which pawns may make two steps. */
  doubleSteps: [[6], [1]],
  promotions: [KNIGHT, BISHOP, ROOK, QUEEN],
  /** Whether who takes a piece has it in hand, and may drop it. */
  hasHands: false,
  /** Whether checks are counted: three win. */
  countsChecks: false,
  /** Whether who can capture must. */
  mustCapture: false,
  /** Whether a capture takes all that stands around it, but pawns. */
  explodes: false,
  /** Whether who has no move has won. */
  stalemateWins: false,
  /** Whether no side may be in check. */
  forbidsChecks: false,
  /** Whether a king on a square would be in check. */
  endangers: isAttacked,
  /** Whether a side may have brought about a position. */
  isSafe: (position, white) => !position.isChecked(white),
  /** Who has won, as far as that isn't known by having no move: white, black, draw; null for nobody yet. */
  winner: () => null,
};

const VARIANTS = {
  crazyhouse: { hasHands: true },
  antichess: {
    kings: [[0, 64], [0, 64]],
    castles: [false, false],
    promotions: [...CHESS.promotions, KING],
    mustCapture: true,
    stalemateWins: true,
    endangers: () => false,
  },
  atomic: {
    kings: [[0, 1], [0, 1]],
    explodes: true,
    // Who takes a king beside the own one loses both.
    endangers: (board, square, byWhite) => !isBeside(board, square, pieceOf(KING, byWhite)) && isAttacked(board, square, byWhite),
    isSafe: (position, white) => position.kingOf(white) >= 0 && (position.kingOf(!white) < 0 || !position.isChecked(white)),
    winner: (position) => [true, false].filter((white) => position.kingOf(white) < 0).map(other)[0] ?? null,
  },
  "king-of-the-hill": {
    winner: (position) => [true, false].filter((white) => HILL.includes(position.kingOf(white))).map((white) => other(!white))[0] ?? null,
  },
  "three-check": {
    countsChecks: true,
    winner: ({ checks }) => (checks[1] === 0 ? "white" : checks[0] === 0 ? "black" : null),
  },
  horde: {
    start: "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
    kings: [[1, 1], [0, 0]],
    castles: [true, false],
    doubleSteps: [[6], [0, 1]],
    winner: ({ board }) => (board.some(isWhite) ? null : "black"),
  },
  "racing-kings": {
    start: "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    castles: [false, false],
    forbidsChecks: true,
    isSafe: (position) => !position.isChecked(true) && !position.isChecked(false),
    winner: racingWinner,
  },
};

/** When White's king is on the last row, Black's has a move more to get there, if it can. */
function racingWinner(position) {
  const [black, white] = [false, true].map((side) => position.kingOf(side) >= 56);
  if (black) return white ? "draw" : "black";
  if (!white) return null;
  const { board } = position, king = position.kingOf(false);
  const isFree = (square) => (board[square] === 0 || isWhite(board[square])) && !isAttacked(board, square, true);
  const near = [-1, 0, 1].filter((step) => (king & 7) + step >= 0 && (king & 7) + step < 8).map((step) => king + 8 + step);
  return !position.white && king >= 48 && near.some(isFree) ? null : "white";
}

/** The rules of chess and of its variants by the games' names in books. */
export const RULES = new Map([["chess", CHESS], ...Object.entries(VARIANTS).map(([game, rules]) => [game, { ...CHESS, game, ...rules }])]);
