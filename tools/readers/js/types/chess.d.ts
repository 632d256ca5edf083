/**
 * Positions, legal moves, keys and codes of chess, Chess960 and the seven variants that lichess has, as books with the key scheme `polyglot` have them.
 *
 * @module
 */
import type { BoardPosition } from "./game.js";

/** A move. Squares are numbers from 0 (a1), 1 (b1) to 63 (h8). */
export interface ChessMove {
  readonly from: number;
  /** Where the piece goes; of castling, the square of the rook; of a drop, where it comes from too. */
  readonly to: number;
  /** What a pawn becomes: a king (`k`) in Antichess only. */
  readonly promotion: "n" | "b" | "r" | "q" | "k" | null;
  /** What is dropped, in Crazyhouse. */
  readonly drop: "p" | "n" | "b" | "r" | "q" | null;
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
  /** The games of which there are positions, as books name them: `chess`, `crazyhouse`, `antichess`, `atomic`, `king-of-the-hill`, `three-check`, `horde`, `racing-kings`. */
  static readonly games: string[];
  /** The start of a game. Throws a `RangeError` if it is none of `games`. */
  static start(game?: string): ChessPosition;
  /**
   * The position of a game's FEN, of which all behind the side to move may be left out. Castling rights may be written as usual, as in X-FEN or as in
   * Shredder-FEN. Rights that the position can't have, and a square of en passant on which no pawn can capture, are left out. Throws a `NotationError` if the
   * text is no FEN, or the position can't be: other than one king a side, pawns on the last rows, the side that is not to move in check, as far as the game
   * excludes them. Crazyhouse's FEN has the pieces in hand in brackets behind the board, Three-check's the checks that may still be given, `3+3`.
   */
  static parse(fen: string, game?: string): ChessPosition;
  readonly game: string;
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
  /**
   * How the game has ended: by a mate, by having no move, or as the variant's rules say; null if it goes on. That neither side has enough pieces to win is not
   * looked at, nor what earlier positions decide.
   */
  outcome(): "white" | "black" | "draw" | null;
  code(move: ChessMove, scheme?: string): number;
  rank(move: ChessMove): number;
  /** The name in standard algebraic notation: Nf3, exd6, O-O, e8=Q+, N@f3. */
  name(move: ChessMove): string;
  /** The name in the UCI protocol: g1f3, e1g1 (in Chess960 e1h1), e7e8q, P@e4. */
  uci(move: ChessMove): string;
  /** Reads both kinds of names. */
  parseMove(text: string): ChessMove;
  play(move: ChessMove): ChessPosition;
  canonical(scheme?: string): { key: bigint; symmetries: number[] };
  image(move: ChessMove, symmetry: number): { code: number; rank: number };
}
