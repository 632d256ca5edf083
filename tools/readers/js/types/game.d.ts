/** What positions of all games have in common. They never change: `play` makes a new one. */
export interface GamePosition<Move> {
  /** The game's name in books, such as `chess` or `go-9`. */
  readonly game: string;
  /** The key schemes in which this position has a key: for each how many images of a board count together. */
  readonly schemes: Readonly<Record<string, number>>;
  /** The key scheme of a call that names none: that in which images of a board count together. */
  readonly defaultScheme: string;
  readonly turn: "black" | "white";
  /** The position as text, which `parse` of its class reads. */
  toString(): string;
  /** The key of this position in a book with this key scheme. Throws a `RangeError` if the game has no such keys. */
  key(scheme?: string): bigint;
  /** All legal moves. */
  legalMoves(): Move[];
  /** The code of a legal move in a book with this key scheme. Moves that lead to images of one position may share one. */
  code(move: Move, scheme?: string): number;
  /** An order of moves: of those that share a code, the one with the least rank is shown. */
  rank(move: Move): number;
  /** The usual name of a legal move. */
  name(move: Move): string;
  /** The legal move with a name; throws a `NotationError` if there is none. */
  parseMove(text: string): Move;
  /** The position after a legal move. What it does with another is not defined. */
  play(move: Move): GamePosition<Move>;
}

/** A position whose images can be told apart, as those are of which lines are made. */
export interface BoardPosition<Move> extends GamePosition<Move> {
  /** The key, and the numbers of the symmetries that lead to the canonical board. */
  canonical(scheme?: string): { key: bigint; symmetries: number[] };
  /** Code and rank of a move's image under a symmetry. */
  image(move: Move, symmetry: number): { code: number; rank: number };
  play(move: Move): BoardPosition<Move>;
}
