// Positions, legal moves, keys and codes of Othello (keys.md, "Othello").

import { NotationError } from "../errors.js";
import { BLACK, EMPTY, SymmetricPosition, WHITE } from "./symmetric.js";
import { squareSymmetries, streamNumbers, xorOf } from "./zobrist.js";

const START = "---------------------------OX------XO--------------------------- X";
const SCHEMES = { "zobrist-8": 8, zobrist: 1 };
const SYMMETRIES = squareSymmetries(8);
const numbers = streamNumbers("othello", 128);
const DIRECTIONS = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/** For each square the squares in each direction, the nearest first. */
const RAYS = Array.from({ length: 64 }, (_, square) => DIRECTIONS.map(([dx, dy]) => {
  const ray = [];
  for (let x = (square & 7) + dx, y = (square >> 3) + dy; x >= 0 && x < 8 && y >= 0 && y < 8; x += dx, y += dy) ray.push(8 * y + x);
  return ray;
}));

export class OthelloPosition extends SymmetricPosition {
  #moves = null;

  /** `discs`: 64 of EMPTY, BLACK, WHITE, from a1, b1 to h8. `black`: whether Black is to move. */
  constructor(discs, black) {
    super(SCHEMES, discs, black);
  }

  static start() {
    return OthelloPosition.parse(START);
  }

  static parse(text) {
    if (typeof text !== "string") throw new TypeError("a position is a string");
    const match = /^([-.XO]{64}) ([XO])$/i.exec(text.trim());
    if (match === null) throw new NotationError(text, "a position is 64 of X, O and -, from a1 to h8, a space, and the side to move");
    const discs = Uint8Array.from(match[1].toUpperCase(), (letter) => (letter === "X" ? BLACK : letter === "O" ? WHITE : EMPTY));
    return new OthelloPosition(discs, match[2].toUpperCase() === "X").#skipped();
  }

  get game() {
    return "othello";
  }

  toString() {
    return `${Array.from(this.pieces, (disc) => "-XO"[disc]).join("")} ${this.black ? "X" : "O"}`;
  }

  legalMoves() {
    this.#moves ??= Array.from({ length: 64 }, (_, square) => ({ square })).filter(({ square }) => this.#flips(square).length > 0);
    return this.#moves.slice();
  }

  squareOf({ square }) {
    return square;
  }

  rankOf(square) {
    return 63 - (8 * (square & 7) + (square >> 3));
  }

  name({ square }) {
    return "abcdefgh"[square & 7] + ((square >> 3) + 1);
  }

  parseMove(text) {
    const name = text.trim().toLowerCase();
    const found = this.legalMoves().find((move) => this.name(move) === name);
    if (found === undefined) {
      throw new NotationError(text, /^[a-h][1-8]$/.test(name) ? "this move is not legal here" : "this is not the name of a square, such as f5");
    }
    return found;
  }

  play({ square }) {
    const discs = this.pieces.slice(), mine = this.black ? BLACK : WHITE;
    discs[square] = mine;
    for (const flipped of this.#flips(square)) discs[flipped] = mine;
    return new OthelloPosition(discs, !this.black).#skipped();
  }

  imageKey(symmetry) {
    const theirs = this.black ? WHITE : BLACK, indices = [];
    this.pieces.forEach((disc, square) => {
      if (disc !== EMPTY) indices.push(SYMMETRIES[symmetry][square] + (disc === theirs ? 0 : 64));
    });
    return xorOf(numbers, indices);
  }

  imageSquare(symmetry, square) {
    return SYMMETRIES[symmetry][square];
  }

  /** The position, or, if only the other side can move, that with it to move. */
  #skipped() {
    if (this.legalMoves().length > 0) return this;
    const other = new OthelloPosition(this.pieces, !this.black);
    return other.legalMoves().length > 0 ? other : this;
  }

  /** The discs that a disc of the side to move on a square would turn. */
  #flips(square) {
    if (this.pieces[square] !== EMPTY) return [];
    const mine = this.black ? BLACK : WHITE;
    return RAYS[square].flatMap((ray) => {
      const end = ray.findIndex((at) => this.pieces[at] === mine || this.pieces[at] === EMPTY);
      return end > 0 && this.pieces[ray[end]] === mine ? ray.slice(0, end) : [];
    });
  }
}
