// Pieces and squares as numbers. A piece is 0 for none, else 1 + 2 x kind + (1 if it is White's): one more than the number that Polyglot's keys
// give it. Squares go from a1 (0), b1 (1) to h8 (63).

export const KINDS = "pnbrqk";
export const PAWN = 0, KNIGHT = 1, BISHOP = 2, ROOK = 3, QUEEN = 4, KING = 5;

export function pieceOf(kind, white) {
  return 1 + 2 * kind + (white ? 1 : 0);
}

export function kindOf(piece) {
  return (piece - 1) >> 1;
}

export function isWhite(piece) {
  return piece !== 0 && (piece & 1) === 0;
}

/** The letter of a piece in a FEN, null for none. */
export function letterOf(piece) {
  if (piece === 0) return null;
  const letter = KINDS[kindOf(piece)];
  return isWhite(piece) ? letter.toUpperCase() : letter;
}

export function pieceOfLetter(letter) {
  const kind = KINDS.indexOf(letter.toLowerCase());
  return kind < 0 ? 0 : pieceOf(kind, letter !== letter.toLowerCase());
}

export function squareName(square) {
  return "abcdefgh"[square & 7] + ((square >> 3) + 1);
}

/** The square with a name, -1 if there is none. */
export function squareOf(name) {
  return /^[a-h][1-8]$/.test(name) ? 8 * (name.charCodeAt(1) - 49) + name.charCodeAt(0) - 97 : -1;
}

/** Where king and rook stand after castling to a side. */
export function castledSquares(kingSquare, side) {
  const row = kingSquare & 56;
  return side === "king" ? { king: row + 6, rook: row + 5 } : { king: row + 2, rook: row + 3 };
}
