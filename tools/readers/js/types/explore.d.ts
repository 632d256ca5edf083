/**
 * A position of any game with every move that a book knows there.
 *
 * @module
 */
import type { Book, MoveRow, PositionRow, WaitOptions } from "./index.js";
import type { BoardPosition, GamePosition } from "./game.js";

export type { BoardPosition, GamePosition } from "./game.js";

/** A move that a book knows. */
export interface ExploredMove<Move, Position> extends MoveRow {
  /** The legal move; null if the code is that of none. */
  move: Move | null;
  /** Other legal moves with the same code: they lead to images of the same position. */
  images: Move[];
  /** The move's name; null if the code is that of no legal move. */
  name: string | null;
  /** The position that the move leads to, its key, and what the book says of it, seen from the side to move there; null if the code is that of no legal move. */
  next: { position: Position; key: bigint; row: PositionRow | null } | null;
}

export interface Explored<Move, Position> {
  key: bigint;
  /** Null if the book doesn't know the position. */
  row: PositionRow | null;
  /**
   * The most played move first. In a book without moves: those that lead to known positions, with the counts of these.
   */
  moves: ExploredMove<Move, Position>[];
}

/**
 * What a book knows of a position, of its moves, and of the positions these lead to. Asks a book on a server twice: for the position, then for all that its
 * moves lead to. Throws a `RangeError` if the book is of another game or of other keys; a book that is keyed by line wants a {@link Line}.
 */
export function explore<Move, Position extends GamePosition<Move>>(
  book: Book,
  position: Position & GamePosition<Move>,
  options?: WaitOptions,
): Promise<Explored<Move, Position>>;

/** The legal moves of a position by their codes; of those that share a code, the one with the least rank first. */
export function movesByCode<Move>(position: GamePosition<Move>, scheme?: string): Map<number, Move[]>;

/** A sequence of moves from a position, for books that are keyed by line: there a position is known by how it was reached. */
export class Line<Move> implements GamePosition<Move> {
  private constructor();
  /** The line without a move. */
  static from<Move>(position: BoardPosition<Move>, scheme?: string): Line<Move>;
  /** The position that the line has reached. */
  readonly position: BoardPosition<Move>;
  readonly game: string;
  readonly schemes: Readonly<Record<string, number>>;
  readonly defaultScheme: string;
  readonly turn: "black" | "white";
  toString(): string;
  key(): bigint;
  legalMoves(): Move[];
  code(move: Move): number;
  rank(move: Move): number;
  name(move: Move): string;
  parseMove(text: string): Move;
  play(move: Move): Line<Move>;
}
