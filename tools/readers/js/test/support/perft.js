/** How many sequences of `depth` moves a position has. */
export function perft(position, depth) {
  const moves = position.legalMoves();
  if (depth === 1) return moves.length;
  return moves.reduce((sum, move) => sum + perft(position.play(move), depth - 1), 0);
}
