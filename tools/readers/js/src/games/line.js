// A sequence of moves as a position of its own, for books that are keyed by line (section 2.1 of the format; keys.md, "Lines").

import { mix } from "../numbers/u64.js";

const MASK = 0xffffffffffffffffn, STEP = 0x9e3779b97f4a7c15n;

export class Line {
  #scheme;
  /** The symmetries under which the line's moves so far are those of its canonical form. */
  #symmetries;
  #key;

  constructor(position, scheme, symmetries, key) {
    this.position = position;
    this.#scheme = scheme;
    this.#symmetries = symmetries;
    this.#key = key;
  }

  /** The line without a move from a position, for books with a key scheme. */
  static from(position, scheme = position.defaultScheme) {
    const { key, symmetries } = position.canonical(scheme);
    return new Line(position, scheme, symmetries, mix(key));
  }

  get game() {
    return this.position.game;
  }

  get schemes() {
    return { [this.#scheme]: 1 };
  }

  get defaultScheme() {
    return this.#scheme;
  }

  get turn() {
    return this.position.turn;
  }

  toString() {
    return this.position.toString();
  }

  key() {
    return this.#key;
  }

  legalMoves() {
    return this.position.legalMoves();
  }

  code(move) {
    return this.#image(move).code;
  }

  rank(move) {
    return this.position.rank(move);
  }

  name(move) {
    return this.position.name(move);
  }

  parseMove(text) {
    return this.position.parseMove(text);
  }

  play(move) {
    const { code, symmetries } = this.#image(move);
    const key = mix((this.#key + STEP * BigInt(code + 1)) & MASK);
    return new Line(this.position.play(move), this.#scheme, symmetries, key);
  }

  /** The code of a move in the line's canonical form: of its images the one whose rank is least; and the symmetries that lead to that. */
  #image(move) {
    const images = this.#symmetries.map((symmetry) => ({ symmetry, ...this.position.image(move, symmetry) }));
    const least = Math.min(...images.map(({ rank }) => rank));
    const first = images.filter(({ rank }) => rank === least);
    return { code: first[0].code, symmetries: first.map(({ symmetry }) => symmetry) };
  }
}
