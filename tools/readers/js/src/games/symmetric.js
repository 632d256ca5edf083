// Positions of which the images under symmetries count together in some key schemes (keys.md, "What all games share").

import { leastOf } from "./zobrist.js";

/** What is on a square. */
export const EMPTY = 0, BLACK = 1, WHITE = 2;

/**
 * A position of black and white pieces. What a class adds: `game`; `imageKey(symmetry)`, `imageSquare(symmetry, square)`, `squareOf(move)` and
 * `rankOf(square)`.
 */
export class SymmetricPosition {
  #schemes;
  #canonical = new Map();

  /** `schemes`: how many images count together in each key scheme. `pieces`: what is on each square. `black`: whether Black is to move. */
  constructor(schemes, pieces, black) {
    this.#schemes = schemes;
    this.pieces = pieces;
    this.black = black;
  }

  get schemes() {
    return this.#schemes;
  }

  get defaultScheme() {
    return "zobrist-8";
  }

  get turn() {
    return this.black ? "black" : "white";
  }

  pieceAt(square) {
    return [null, "black", "white"][this.pieces[square]];
  }

  key(scheme = this.defaultScheme) {
    return this.canonical(scheme).key;
  }

  /** The key of the canonical board, and the numbers of the symmetries that lead to it. */
  canonical(scheme = this.defaultScheme) {
    if (!this.#canonical.has(scheme)) this.#canonical.set(scheme, leastOf(this.#imageKeys(scheme)));
    return this.#canonical.get(scheme);
  }

  #imageKeys(scheme) {
    const count = this.#schemes[scheme];
    if (count === undefined) throw new RangeError(`${this.game} has no keys ${JSON.stringify(scheme)}`);
    return Array.from({ length: count }, (_, symmetry) => this.imageKey(symmetry));
  }

  /** The least of the codes of a move's images under the symmetries that lead to the canonical board. */
  code(move, scheme = this.defaultScheme) {
    const square = this.squareOf(move);
    return Math.min(...this.canonical(scheme).symmetries.map((symmetry) => this.imageSquare(symmetry, square)));
  }

  rank(move) {
    return this.rankOf(this.squareOf(move));
  }

  image(move, symmetry) {
    const code = this.imageSquare(symmetry, this.squareOf(move));
    return { code, rank: this.rankOf(code) };
  }
}
