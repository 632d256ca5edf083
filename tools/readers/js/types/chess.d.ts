/**
 * Positions, legal moves, keys and codes of chess and Chess960, as books with the key scheme `polyglot` have them.
 *
 * @module
 */
import type { BoardPosition } from "./game.js";

/** A move. Squares are numbers from 0 (a1), 1 (b1) to 63 (h8). */
export interface ChessMove {
  readonly from: number;
  /** Where the piece goes; of castling, the square of the rook. */
  readonly to: number;
  readonly promotion: "n" | "b" | "r" | "q" | null;
  /** The side to which the king castles. */
  readonly castling: "king" | "queen" | null;
  readonly isEnPassant: boolean;
  /** Whether the move captures: the number of the captured piece, 0 for none. */
  readonly captured: number;
  /** The move's code in Polyglot's books and in Tabia's. */
  readonly code: number;
}

export class ChessPosition implements BoardPosition<ChessMove> {
  private constructor();
  static start(): ChessPosition;
  /**
   * The position of a FEN, of which all behind the side to move may be left out. Castling rights may be written as usual, as in X-FEN or as in
   * Shredder-FEN. Rights that the position can't have, and a square of en passant on which no pawn can capture, are left out. Throws a `NotationError` if the
   * text is no FEN, or the position can't be: other than one king a side, pawns on the last rows, the side that is not to move in check.
   */
  static parse(fen: string): ChessPosition;
  readonly game: "chess";
  readonly schemes: { readonly polyglot: 1 };
  readonly defaultScheme: "polyglot";
  readonly turn: "white" | "black";
  readonly inCheck: boolean;
  /** Whether castling is not that of the usual start, so that the UCI names of castling are those of Chess960. */
  readonly isChess960: boolean;
  /** The letter of the piece on a square (0 is a1) as in a FEN; null for none. */
  pieceAt(square: number): string | null;
  /** The FEN, with a square of en passant only if a pawn stands beside the one that has just passed it. */
  fen(): string;
  toString(): string;
  /** The Polyglot key. En passant counts if a pawn of the side to move stands beside the one that has just moved, be it pinned or not. */
  key(scheme?: string): bigint;
  legalMoves(): ChessMove[];
  code(move: ChessMove, scheme?: string): number;
  rank(move: ChessMove): number;
  /** The name in standard algebraic notation: Nf3, exd6, O-O, e8=Q+. */
  name(move: ChessMove): string;
  /** The name in the UCI protocol: g1f3, e1g1 (in Chess960 e1h1), e7e8q. */
  uci(move: ChessMove): string;
  /** Reads both kinds of names. */
  parseMove(text: string): ChessMove;
  play(move: ChessMove): ChessPosition;
  canonical(scheme?: string): { key: bigint; symmetries: number[] };
  image(move: ChessMove, symmetry: number): { code: number; rank: number };
}
