/**
 * Positions, legal moves, keys and codes of Go on boards of 2 to 19 points a side.
 *
 * @module
 */
import type { BoardPosition } from "./game.js";

/** A stone is placed on a point, or, if the point is size x size, the side to move passes. Points are numbered row by row from the top left. */
export interface GoMove {
  readonly point: number;
}

export class GoPosition implements BoardPosition<GoMove> {
  private constructor();
  /** The empty board. Throws a `RangeError` for another size than 2 to 19. */
  static start(size: number): GoPosition;
  /**
   * The position of a text: rows from the top with / between them, X a black and O a white stone, numbers of empty points; the side to move, b or w; a point that ko forbids,
   * if there is one: `9/9/4X4/9/9/9/9/9/9 w`. Throws a `NotationError`.
   */
  static parse(text: string): GoPosition;
  /** Such as `go-9`. */
  readonly game: string;
  readonly size: number;
  readonly schemes: { readonly "zobrist-8": 8; readonly "zobrist-16": 16; readonly zobrist: 1 };
  readonly defaultScheme: "zobrist-8";
  readonly turn: "black" | "white";
  /** The point that ko forbids; -1 for none. */
  readonly ko: number;
  pieceAt(point: number): "black" | "white" | null;
  toString(): string;
  key(scheme?: string): bigint;
  /** All points but those that ko forbids, and those where the stone would have no liberty; and the pass. Earlier positions are not known, so superko isn't. */
  legalMoves(): GoMove[];
  code(move: GoMove, scheme?: string): number;
  rank(move: GoMove): number;
  /** The point, such as E5, counted from the bottom left without the letter I; or pass. */
  name(move: GoMove): string;
  parseMove(text: string): GoMove;
  play(move: GoMove): GoPosition;
  canonical(scheme?: string): { key: bigint; symmetries: number[] };
  image(move: GoMove, symmetry: number): { code: number; rank: number };
}
