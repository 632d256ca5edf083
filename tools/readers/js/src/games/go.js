// Positions, legal moves, keys and codes of Go on boards of 2 to 19 points (keys.md, "Go").

import { NotationError } from "../errors.js";
import { BLACK, EMPTY, SymmetricPosition, WHITE } from "./symmetric.js";
import { streamNumbers, xorOf } from "./zobrist.js";

const SCHEMES = { "zobrist-8": 8, "zobrist-16": 16, zobrist: 1 };
const WHITE_TO_MOVE = 722, SIZE = 723;
const COLUMNS = "ABCDEFGHJKLMNOPQRST";
const numbers = streamNumbers("go", SIZE + 20);

/** The image of a point under a symmetry, with m one less than the size: the numbers of Chen and Zhang 2012. */
const SYMMETRIES = [
  (x, y) => [x, y],
  (x, y, m) => [m - y, x],
  (x, y, m) => [m - x, m - y],
  (x, y, m) => [y, m - x],
  (x, y, m) => [m - x, y],
  (x, y) => [y, x],
  (x, y, m) => [x, m - y],
  (x, y, m) => [m - y, m - x],
];

export class GoPosition extends SymmetricPosition {
  #moves = null;

  /** `stones`: EMPTY, BLACK or WHITE for each point, row by row from the top. `ko`: the point that ko forbids, -1 for none. */
  constructor(size, stones, black, ko) {
    super(SCHEMES, stones, black);
    this.size = size;
    this.ko = ko;
  }

  static start(size) {
    if (!Number.isInteger(size) || size < 2 || size > 19) throw new RangeError("a board of Go has 2 to 19 points a side here");
    return new GoPosition(size, new Uint8Array(size * size), true, -1);
  }

  static parse(text) {
    if (typeof text !== "string") throw new TypeError("a position is a string");
    const [board, turn, ko, ...rest] = text.trim().split(/\s+/), rows = board.split("/");
    const hold = (good, what) => {
      if (!good) throw new NotationError(text, what);
    };
    hold(rows.length >= 2 && rows.length <= 19, "a board has 2 to 19 rows");
    hold((turn === "b" || turn === "w") && rest.length === 0, "behind the rows stands the side to move, b or w");
    const stones = rows.flatMap((row) => {
      hold(/^(\d{1,2}|[XO.])+$/.test(row), "a row is made of X, O and numbers of empty points");
      const points = row.match(/\d+|[XO.]/g).flatMap((part) =>
        /\d/.test(part) ? Array(Number(part)).fill(EMPTY) : [part === "X" ? BLACK : part === "O" ? WHITE : EMPTY]);
      hold(points.length === rows.length, "there are as many points in a row as rows");
      return points;
    });
    const position = new GoPosition(rows.length, Uint8Array.from(stones), turn === "b", -1);
    hold(stones.every((stone, point) => stone === EMPTY || position.#group(point, position.pieces).liberties.size > 0), "a stone has no liberty");
    if (ko === undefined) return position;
    const point = position.#pointOf(ko);
    hold(point >= 0 && stones[point] === EMPTY, "the point of ko is not an empty point");
    return new GoPosition(position.size, position.pieces, position.black, point);
  }

  get game() {
    return `go-${this.size}`;
  }

  toString() {
    const rows = Array.from({ length: this.size }, (_, y) =>
      Array.from(this.pieces.subarray(this.size * y, this.size * (y + 1)), (stone) => " XO"[stone]).join("")
        .replace(/ +/g, (empty) => empty.length));
    return `${rows.join("/")} ${this.black ? "b" : "w"}${this.ko < 0 ? "" : ` ${this.name({ point: this.ko })}`}`;
  }

  legalMoves() {
    this.#moves ??= Array.from({ length: this.size * this.size + 1 }, (_, point) => ({ point })).filter(({ point }) => this.#isLegal(point));
    return this.#moves.slice();
  }

  squareOf({ point }) {
    return point;
  }

  rankOf(point) {
    if (point === this.size * this.size) return 0;
    const m = this.size - 1, x = 2 * (point % this.size) - m, y = m - 2 * Math.floor(point / this.size);
    const ways = x === 0 || y === 0 ? [[0, 1], [1, 0], [0, -1], [-1, 0]] : Math.abs(x) === Math.abs(y) ? [[1, 1], [1, -1], [-1, -1], [-1, 1]] : null;
    if (ways === null) return 1 + Math.floor((Math.atan2(x, y) + (x < 0 ? 2 * Math.PI : 0)) / (Math.PI / 4));
    return 1 + Math.max(0, ways.findIndex(([dx, dy]) => Math.sign(x) === dx && Math.sign(y) === dy));
  }

  name({ point }) {
    if (point === this.size * this.size) return "pass";
    return COLUMNS[point % this.size] + (this.size - Math.floor(point / this.size));
  }

  parseMove(text) {
    const point = this.#pointOf(text.trim());
    if (point < 0) throw new NotationError(text, "this is not the name of a point, such as E5, or pass");
    if (!this.#isLegal(point)) throw new NotationError(text, "this move is not legal here");
    return { point };
  }

  play({ point }) {
    if (point === this.size * this.size) return new GoPosition(this.size, this.pieces, !this.black, -1);
    const { stones, captured } = this.#placed(point), group = this.#group(point, stones);
    const isKo = captured.length === 1 && group.stones.length === 1 && group.liberties.size === 1;
    return new GoPosition(this.size, stones, !this.black, isKo ? captured[0] : -1);
  }

  imageKey(symmetry) {
    const exchanged = symmetry >= 8, black = exchanged ? WHITE : BLACK, indices = [SIZE + this.size];
    this.pieces.forEach((stone, point) => {
      if (stone === EMPTY) return;
      const [x, y] = this.#image(symmetry, point);
      indices.push(2 * (19 * y + x) + (stone === black ? 0 : 1));
    });
    if (this.black === exchanged) indices.push(WHITE_TO_MOVE);
    return xorOf(numbers, indices);
  }

  imageSquare(symmetry, point) {
    if (point === this.size * this.size) return point;
    const [x, y] = this.#image(symmetry, point);
    return this.size * y + x;
  }

  #image(symmetry, point) {
    return SYMMETRIES[symmetry % 8](point % this.size, Math.floor(point / this.size), this.size - 1);
  }

  /** The point with a name, the number behind all points for a pass, -1 for none. */
  #pointOf(text) {
    const name = text.toUpperCase();
    if (name === "PASS") return this.size * this.size;
    const match = /^([A-HJ-T])(\d{1,2})$/.exec(name);
    const x = match ? COLUMNS.indexOf(match[1]) : -1, y = match ? this.size - Number(match[2]) : -1;
    return x >= 0 && x < this.size && y >= 0 && y < this.size ? this.size * y + x : -1;
  }

  #isLegal(point) {
    if (point === this.size * this.size) return true;
    if (this.pieces[point] !== EMPTY || point === this.ko) return false;
    if (this.#neighbours(point).some((next) => this.pieces[next] === EMPTY)) return true;
    return this.#group(point, this.#placed(point).stones).liberties.size > 0;
  }

  /** The stones after one of the side to move was placed, and the points from which it took stones. */
  #placed(point) {
    const stones = this.pieces.slice(), theirs = this.black ? WHITE : BLACK, captured = [];
    stones[point] = this.black ? BLACK : WHITE;
    for (const next of this.#neighbours(point)) {
      if (stones[next] !== theirs) continue;
      const group = this.#group(next, stones);
      if (group.liberties.size > 0) continue;
      for (const taken of group.stones) stones[taken] = EMPTY;
      captured.push(...group.stones);
    }
    return { stones, captured };
  }

  #neighbours(point) {
    const n = this.size, x = point % n, all = [];
    if (x > 0) all.push(point - 1);
    if (x < n - 1) all.push(point + 1);
    if (point >= n) all.push(point - n);
    if (point < n * (n - 1)) all.push(point + n);
    return all;
  }

  /** The stones connected with that on a point, and their liberties. */
  #group(point, stones) {
    const found = new Set([point]), liberties = new Set();
    for (const at of found) {
      for (const next of this.#neighbours(at)) {
        if (stones[next] === EMPTY) liberties.add(next);
        else if (stones[next] === stones[point]) found.add(next);
      }
    }
    return { stones: [...found], liberties };
  }
}
