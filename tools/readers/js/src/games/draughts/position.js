// @tabia/reader/draughts: positions, legal moves, keys and codes of English draughts (`checkers`, 8x8) and international draughts
// (`draughts-10`), as keys.md says. draughts.d.ts documents each item.

import { NotationError } from "../../errors.js";
import { capturedOn, captures, quietMoves } from "./moves.js";
import { GAMES, pieceOf } from "./boards.js";
import { streamNumbers, xorOf } from "../zobrist.js";

const numbers = { checkers: streamNumbers("checkers", 4 * 32 + 1), "draughts-10": streamNumbers("draughts", 4 * 50 + 1) };
const SCHEMES = ["zobrist-2", "zobrist"];
/** The most captures of one start and end that a code tells apart, and how the codes of those beyond are numbered. */
const MOST_ALIKE = 16, BEYOND = 3200, BEYOND_IN_ROW = 896;

export class DraughtsPosition {
  #moves = null;
  #codes = new Map();

  /** `board`: a piece for each square (see draughts-boards.js), square 1 first. `white`: whether White is to move. */
  constructor(game, board, white) {
    this.rules = GAMES[game];
    if (this.rules === undefined) throw new RangeError(`there are no draughts ${JSON.stringify(game)}: checkers or draughts-10`);
    this.board = board;
    this.white = white;
  }

  static start(game = "checkers") {
    const { squares, menAtStart, firstIsWhite } = GAMES[game] ?? new DraughtsPosition(game);
    const board = new Uint8Array(squares);
    board.fill(pieceOf(false, false), 0, menAtStart);
    board.fill(pieceOf(true, false), squares - menAtStart);
    return new DraughtsPosition(game, board, firstIsWhite);
  }

  static parse(text, game = "checkers") {
    if (typeof text !== "string") throw new TypeError("a position is a string");
    const { squares } = GAMES[game] ?? new DraughtsPosition(game);
    const match = /^([WB])((?::[WB][K\d,-]*){1,2})\.?$/i.exec(text.trim());
    if (match === null) throw new NotationError(text, "a position is such as W:W18,K27:B3,K10");
    const board = new Uint8Array(squares);
    for (const side of match[2].toUpperCase().slice(1).split(":")) {
      for (const item of side.slice(1).split(",").filter((one) => one !== "")) place(board, item, side[0] === "W", text);
    }
    return new DraughtsPosition(game, board, match[1].toUpperCase() === "W");
  }

  get game() {
    return this.rules.game;
  }

  get schemes() {
    return { "zobrist-2": 2, zobrist: 1 };
  }

  get defaultScheme() {
    return "zobrist-2";
  }

  get turn() {
    return this.white ? "white" : "black";
  }

  pieceAt(square) {
    return [null, "black man", "white man", "black king", "white king"][this.board[square - 1]];
  }

  toString() {
    const list = (white) => Array.from(this.board, (piece, i) =>
      piece === pieceOf(white, false) ? i + 1 : piece === pieceOf(white, true) ? `K${i + 1}` : "").filter((one) => one !== "").join(",");
    return `${this.white ? "W" : "B"}:W${list(true)}:B${list(false)}`;
  }

  legalMoves() {
    if (this.#moves === null) {
      const found = captures(this);
      this.#moves = found.length > 0 ? found : quietMoves(this);
    }
    return this.#moves.slice();
  }

  key(scheme = "zobrist-2") {
    checkScheme(scheme);
    const { game, squares, firstIsWhite } = this.rules, turned = this.#isTurned(scheme), indices = [];
    this.board.forEach((piece, i) => {
      if (piece === 0) return;
      const isFirst = (piece % 2 === 0) === (firstIsWhite !== turned);
      indices.push(4 * (turned ? squares - 1 - i : i) + (isFirst ? 0 : 2) + (piece > 2 ? 1 : 0));
    });
    if (!turned && this.white !== firstIsWhite) indices.push(4 * squares);
    return xorOf(numbers[game], indices);
  }

  code(move, scheme = "zobrist-2") {
    checkScheme(scheme);
    return this.image(move, this.#isTurned(scheme) ? 1 : 0).code;
  }

  canonical(scheme = "zobrist-2") {
    return { key: this.key(scheme), symmetries: [this.#isTurned(scheme) ? 1 : 0] };
  }

  image(move, symmetry) {
    if (!this.#codes.has(symmetry)) this.#codes.set(symmetry, this.#codesOf(symmetry === 1));
    const code = this.#codes.get(symmetry).get(nameOfMove(move));
    if (code === undefined) throw new RangeError("a move that is not legal here has no code");
    return { code, rank: code };
  }

  rank(move, scheme) {
    return this.code(move, scheme);
  }

  name(move) {
    if (move.captured.length === 0) return `${move.from}-${move.to}`;
    const alike = this.legalMoves().filter((other) => other.from === move.from && other.to === move.to);
    return alike.length === 1 ? `${move.from}x${move.to}` : move.route.join("x");
  }

  parseMove(text) {
    const squares = text.trim().split(/[-x:]/).map(Number);
    if (!/^\d{1,2}([-x:]\d{1,2})+$/.test(text.trim())) throw new NotationError(text, "this is not a move, such as 11-15 or 15x22");
    const [from, to] = [squares[0], squares.at(-1)];
    const alike = this.legalMoves().filter((move) => move.from === from && move.to === to);
    const captured = alike.length > 1 ? capturedOn(this, squares)?.join() : null;
    const found = alike.length > 1 ? alike.filter((move) => move.captured.join() === captured) : alike;
    if (found.length === 0) throw new NotationError(text, alike.length > 1 ? "several moves could be meant: write all squares" : "this move is not legal here");
    return found[0];
  }

  play(move) {
    const board = this.board.slice(), piece = board[move.from - 1];
    board[move.from - 1] = 0;
    for (const square of move.captured) board[square - 1] = 0;
    board[move.to - 1] = piece <= 2 && this.rules.isLastRow(move.to, this.white) ? piece + 2 : piece;
    return new DraughtsPosition(this.game, board, !this.white);
  }

  /** Whether the canonical board is the one turned by 180 degrees with colors exchanged: if the second player is to move. */
  #isTurned(scheme) {
    return scheme === "zobrist-2" && this.white !== this.rules.firstIsWhite;
  }

  /** The codes of all legal moves, by from, to and captured squares. */
  #codesOf(turned) {
    const last = this.rules.squares + 1, turn = turned ? (square) => last - square : (square) => square;
    const images = this.legalMoves().map((move) => ({
      move, from: turn(move.from), to: turn(move.to), sum: move.captured.reduce((sum, square) => sum + 2 ** (turn(square) - 1), 0),
    })).sort((a, b) => a.from - b.from || a.to - b.to || a.sum - b.sum);
    const codes = new Map();
    let alike = 0, beyond = 0;
    images.forEach(({ move, from, to }, i) => {
      alike = i > 0 && images[i - 1].from === from && images[i - 1].to === to ? alike + 1 : 0;
      const code = alike < MOST_ALIKE ? (alike << 12) | ((from - 1) << 6) | (to - 1) : codeBeyond(beyond++);
      codes.set(nameOfMove(move), code);
    });
    return codes;
  }
}

function codeBeyond(j) {
  return (Math.floor(j / BEYOND_IN_ROW) << 12) | (BEYOND + (j % BEYOND_IN_ROW));
}

function nameOfMove({ from, to, captured }) {
  return `${from} ${to} ${captured.join(" ")}`;
}

function checkScheme(scheme) {
  if (!SCHEMES.includes(scheme)) throw new RangeError(`draughts have no keys ${JSON.stringify(scheme)}`);
}

/** Puts the pieces of an item of a FEN on the board: 5, K12, 1-12. */
function place(board, item, white, text) {
  const match = /^(K?)(\d{1,2})(?:-(\d{1,2}))?$/.exec(item);
  const [first, last] = match ? [Number(match[2]), Number(match[3] ?? match[2])] : [0, 0];
  if (first < 1 || last > board.length || first > last) throw new NotationError(text, `${JSON.stringify(item)} is not a square`);
  for (let square = first; square <= last; square++) {
    if (board[square - 1] !== 0) throw new NotationError(text, `two pieces stand on ${square}`);
    board[square - 1] = pieceOf(white, match[1] !== "");
  }
}
