/**
 * Positions, legal moves, keys and codes of Othello.
 *
 * @module
 */
import type { BoardPosition } from "./game.js";

/** A disc is placed. Squares are numbers from 0 (a1), 1 (b1) to 63 (h8). */
export interface OthelloMove {
  readonly square: number;
}

/** A position in which a side can move, or the game is over: a side that can't move is skipped. */
export class OthelloPosition implements BoardPosition<OthelloMove> {
  private constructor();
  static start(): OthelloPosition;
  /** The position of 64 letters X (Black), O (White) and - from a1 to h8, a space, and the side to move. Throws a `NotationError`. */
  static parse(text: string): OthelloPosition;
  readonly game: "othello";
  readonly schemes: { readonly "zobrist-8": 8; readonly zobrist: 1 };
  readonly defaultScheme: "zobrist-8";
  readonly turn: "black" | "white";
  pieceAt(square: number): "black" | "white" | null;
  toString(): string;
  key(scheme?: string): bigint;
  /** None if the game is over. */
  legalMoves(): OthelloMove[];
  code(move: OthelloMove, scheme?: string): number;
  rank(move: OthelloMove): number;
  /** The square, such as f5. */
  name(move: OthelloMove): string;
  parseMove(text: string): OthelloMove;
  play(move: OthelloMove): OthelloPosition;
  canonical(scheme?: string): { key: bigint; symmetries: number[] };
  image(move: OthelloMove, symmetry: number): { code: number; rank: number };
}
