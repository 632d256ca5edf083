/**
 * Positions, legal moves, keys and codes of English draughts (`checkers`, 8x8) and of international draughts (`draughts-10`).
 *
 * @module
 */
import type { BoardPosition } from "./game.js";

export type DraughtsGame = "checkers" | "draughts-10";

/** A move. Squares are numbered as in PDN, from 1 at the top left to 32 or 50. Routes over the same pieces to the same square are one move. */
export interface DraughtsMove {
  readonly from: number;
  readonly to: number;
  /** The squares on which pieces are captured, in ascending order. */
  readonly captured: readonly number[];
  /** The squares that the piece goes over, from the first to the last: of several routes the one whose squares come first. */
  readonly route: readonly number[];
}

export class DraughtsPosition implements BoardPosition<DraughtsMove> {
  private constructor();
  /** The start of a game, English draughts if not said. Throws a `RangeError` for another game. */
  static start(game?: DraughtsGame): DraughtsPosition;
  /** The position of PDN's FEN, such as `W:W18,K27:B3,K10`. Throws a `NotationError`. */
  static parse(text: string, game?: DraughtsGame): DraughtsPosition;
  readonly game: DraughtsGame;
  readonly schemes: Readonly<Record<"zobrist-2" | "zobrist", number>>;
  readonly defaultScheme: "zobrist-2";
  readonly turn: "black" | "white";
  /** What stands on a square, which is counted from 1. */
  pieceAt(square: number): "black man" | "white man" | "black king" | "white king" | null;
  toString(): string;
  key(scheme?: string): bigint;
  /** Captures only, if there are any. */
  legalMoves(): DraughtsMove[];
  /** Throws a `RangeError` if the move is not legal here, as codes are numbered over the legal ones. */
  code(move: DraughtsMove, scheme?: string): number;
  rank(move: DraughtsMove): number;
  /** The move as in PDN: 11-15, 15x22; all squares of a capture if another one has the same start and end. */
  name(move: DraughtsMove): string;
  parseMove(text: string): DraughtsMove;
  play(move: DraughtsMove): DraughtsPosition;
  canonical(scheme?: string): { key: bigint; symmetries: number[] };
  image(move: DraughtsMove, symmetry: number): { code: number; rank: number };
}
