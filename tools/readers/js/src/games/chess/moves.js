// Moves as pieces make them, whether or not they leave the own king in check; and which squares are attacked.

import { BISHOP, castledSquares, isWhite, KING, kindOf, KINDS, KNIGHT, PAWN, pieceOf, QUEEN, ROOK } from "./pieces.js";

const DIAGONALS = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const LINES = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const ALL = [...DIAGONALS, ...LINES];
const JUMPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];

/** For each square the squares in each direction, the nearest first, at most `most` of them. */
function rays(directions, most) {
  return Array.from({ length: 64 }, (_, square) => directions.map(([dx, dy]) => {
    const ray = [];
    for (let x = (square & 7) + dx, y = (square >> 3) + dy; x >= 0 && x < 8 && y >= 0 && y < 8 && ray.length < most; x += dx, y += dy) {
      ray.push(8 * y + x);
    }
    return ray;
  }).filter((ray) => ray.length > 0));
}

const RAYS = [];
RAYS[KNIGHT] = rays(JUMPS, 1);
RAYS[BISHOP] = rays(DIAGONALS, 7);
RAYS[ROOK] = rays(LINES, 7);
RAYS[QUEEN] = rays(ALL, 7);
RAYS[KING] = rays(ALL, 1);
/** The squares that a pawn attacks: of Black's, of White's. */
const PAWN_ATTACKS = [[[1, -1], [-1, -1]], [[1, 1], [-1, 1]]].map((directions) => rays(directions, 1));

/** Whether a side attacks a square. */
export function isAttacked(board, square, byWhite) {
  const color = byWhite ? 1 : 0, pawn = pieceOf(PAWN, byWhite);
  for (const [from] of PAWN_ATTACKS[1 - color][square]) if (board[from] === pawn) return true;
  return hits(board, RAYS[KNIGHT][square], pieceOf(KNIGHT, byWhite), 0)
    || hits(board, RAYS[KING][square], pieceOf(KING, byWhite), 0)
    || hits(board, RAYS[BISHOP][square], pieceOf(BISHOP, byWhite), pieceOf(QUEEN, byWhite))
    || hits(board, RAYS[ROOK][square], pieceOf(ROOK, byWhite), pieceOf(QUEEN, byWhite));
}

/** Whether the first piece on one of the rays is one of two. */
function hits(board, raysOfSquare, one, other) {
  for (const ray of raysOfSquare) {
    for (const square of ray) {
      const piece = board[square];
      if (piece === 0) continue;
      if (piece === one || piece === other) return true;
      break;
    }
  }
  return false;
}

/** Whether a piece stands on one of the squares around a square. */
export function isBeside(board, square, piece) {
  return around(square).some((near) => board[near] === piece);
}

/** The squares around a square. */
export function around(square) {
  return RAYS[KING][square].flat();
}

/** All moves of the side to move, castling without a look at attacked squares. */
export function pseudoLegalMoves(position) {
  const { board, white, rules } = position, moves = [];
  for (let from = 0; from < 64; from++) {
    const piece = board[from];
    if (piece === 0 || isWhite(piece) !== white) continue;
    if (kindOf(piece) === PAWN) pawnMoves(position, from, moves);
    else pieceMoves(board, white, from, RAYS[kindOf(piece)][from], moves);
  }
  castlingMoves(position, moves);
  if (rules.hasHands) drops(position, moves);
  return rules.mustCapture && moves.some((move) => move.captured !== 0) ? moves.filter((move) => move.captured !== 0) : moves;
}

function moveOf(from, to, captured, { promotion = null, castling = null, isEnPassant = false, drop = null } = {}) {
  const kind = promotion ?? drop, bits = kind === null ? 0 : KINDS.indexOf(kind);
  return { from, to, promotion, castling, captured, isEnPassant, drop, code: (bits << 12) | (from << 6) | to };
}

function drops({ board, white, hands }, moves) {
  for (let kind = PAWN; kind < KING; kind++) {
    if (hands[pieceOf(kind, white)] === 0) continue;
    for (let square = kind === PAWN ? 8 : 0; square < (kind === PAWN ? 56 : 64); square++) {
      if (board[square] === 0) moves.push(moveOf(square, square, 0, { drop: KINDS[kind] }));
    }
  }
}

function pieceMoves(board, white, from, raysOfSquare, moves) {
  for (const ray of raysOfSquare) {
    for (const to of ray) {
      const captured = board[to];
      if (captured === 0 || isWhite(captured) !== white) moves.push(moveOf(from, to, captured));
      if (captured !== 0) break;
    }
  }
}

function pawnMoves({ board, white, enPassant, rules }, from, moves) {
  const forward = white ? 8 : -8, one = from + forward, mayRun = rules.doubleSteps[white ? 1 : 0].includes(from >> 3);
  if (board[one] === 0) {
    addPawnMoves(rules, from, one, 0, moves);
    if (mayRun && board[one + forward] === 0) moves.push(moveOf(from, one + forward, 0));
  }
  for (const [to] of PAWN_ATTACKS[white ? 1 : 0][from]) {
    if (to === enPassant) moves.push(moveOf(from, to, pieceOf(PAWN, !white), { isEnPassant: true }));
    else if (board[to] !== 0 && isWhite(board[to]) !== white) addPawnMoves(rules, from, to, board[to], moves);
  }
}

function addPawnMoves({ promotions }, from, to, captured, moves) {
  if (to >= 8 && to < 56) moves.push(moveOf(from, to, captured));
  else for (const kind of promotions) moves.push(moveOf(from, to, captured, { promotion: KINDS[kind] }));
}

function castlingMoves({ board, white, rooks }, moves) {
  const from = board.indexOf(pieceOf(KING, white));
  for (const side of ["king", "queen"]) {
    const rook = rooks[(white ? 0 : 2) + (side === "king" ? 0 : 1)];
    if (rook >= 0 && isWayFree(board, from, rook, castledSquares(from, side))) moves.push(moveOf(from, rook, 0, { castling: side }));
  }
}

/** Whether nothing but king and rook stands between where they are and where they go. */
function isWayFree(board, king, rook, goal) {
  const squares = [king, rook, goal.king, goal.rook];
  for (let square = Math.min(...squares); square <= Math.max(...squares); square++) {
    if (square !== king && square !== rook && board[square] !== 0) return false;
  }
  return true;
}
