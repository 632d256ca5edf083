// A position of chess or Chess960: legal moves, and the key and the codes that books with the key scheme `polyglot` have.

import { NotationError } from "../../errors.js";
import { toBig } from "../../numbers/u64.js";
import { formatFen, parseFen, START_FEN } from "./fen.js";
import { isAttacked, pseudoLegalMoves } from "./moves.js";
import { nameOf, parseSan, parseUci, uciOf } from "./names.js";
import { POLYGLOT_NUMBERS } from "./numbers.js";
import { castledSquares, KING, KINDS, kindOf, letterOf, PAWN, pieceOf } from "./pieces.js";

const CASTLING = 768, EN_PASSANT = 772, TURN = 780;
const USUAL_ROOKS = [7, 0, 63, 56], USUAL_KINGS = [4, 4, 60, 60];
const numbers = new Uint32Array(2 * 781);
for (let i = 0; i < 781; i++) {
  numbers[2 * i] = Number.parseInt(POLYGLOT_NUMBERS.slice(16 * i + 8, 16 * i + 16), 16);
  numbers[2 * i + 1] = Number.parseInt(POLYGLOT_NUMBERS.slice(16 * i, 16 * i + 8), 16);
}

export class ChessPosition {
  #moves = null;

  /**
   * `board`: 64 pieces (see pieces.js). `rooks`: the squares of the rooks that may castle, White's to the king's side and to the queen's, then
   * Black's; -1 for those that may not. `enPassant`: the square that a pawn has just passed, if an enemy's pawn stands beside it; else -1.
   */
  constructor(board, white, rooks, enPassant, halfmoves, fullmoves) {
    this.board = board;
    this.white = white;
    this.rooks = rooks;
    this.enPassant = enPassant;
    this.halfmoves = halfmoves;
    this.fullmoves = fullmoves;
  }

  static start() {
    return ChessPosition.parse(START_FEN);
  }

  static parse(fen) {
    const { board, white, rooks, enPassant, halfmoves, fullmoves } = parseFen(fen);
    const position = new ChessPosition(board, white, rooks, -1, halfmoves, fullmoves);
    if (enPassant >= 0 && position.#isEnPassant(enPassant)) position.enPassant = enPassant;
    if (position.#isChecked(!white)) throw new NotationError(fen, "the side that is not to move is in check");
    return position;
  }

  get game() {
    return "chess";
  }

  get turn() {
    return this.white ? "white" : "black";
  }

  get inCheck() {
    return this.#isChecked(this.white);
  }

  get isChess960() {
    return this.rooks.some((rook, i) => rook >= 0 && (rook !== USUAL_ROOKS[i] || this.#king(i < 2) !== USUAL_KINGS[i]));
  }

  pieceAt(square) {
    return letterOf(this.board[square]);
  }

  fen() {
    return formatFen(this);
  }

  toString() {
    return this.fen();
  }

  key(scheme = "polyglot") {
    if (scheme !== "polyglot") throw new RangeError(`chess has no keys ${JSON.stringify(scheme)}`);
    let lo = 0, hi = 0;
    const add = (i) => {
      lo ^= numbers[2 * i];
      hi ^= numbers[2 * i + 1];
    };
    this.board.forEach((piece, square) => piece !== 0 && add(64 * (piece - 1) + square));
    this.rooks.forEach((rook, i) => rook >= 0 && add(CASTLING + i));
    if (this.enPassant >= 0) add(EN_PASSANT + (this.enPassant & 7));
    if (this.white) add(TURN);
    return toBig(lo >>> 0, hi >>> 0);
  }

  legalMoves() {
    this.#moves ??= pseudoLegalMoves(this).filter((move) => this.#isLegal(move));
    return this.#moves.slice();
  }

  get schemes() {
    return { polyglot: 1 };
  }

  get defaultScheme() {
    return "polyglot";
  }

  canonical() {
    return { key: this.key(), symmetries: [0] };
  }

  code(move) {
    return move.code;
  }

  image(move) {
    return { code: move.code, rank: move.code };
  }

  rank(move) {
    return move.code;
  }

  name(move) {
    return nameOf(this, move);
  }

  uci(move) {
    return uciOf(this, move);
  }

  parseMove(text) {
    return parseUci(this, text) ?? parseSan(this, text);
  }

  play(move) {
    const next = this.#after(move), isPawn = kindOf(this.board[move.from]) === PAWN;
    next.halfmoves = isPawn || move.captured !== 0 ? 0 : this.halfmoves + 1;
    next.fullmoves = this.fullmoves + (this.white ? 0 : 1);
    next.rooks = this.#rightsAfter(move);
    const passed = (move.from + move.to) / 2;
    if (isPawn && Math.abs(move.from - move.to) === 16 && next.#isEnPassant(passed)) next.enPassant = passed;
    return next;
  }

  #king(white) {
    return this.board.indexOf(pieceOf(KING, white));
  }

  #isChecked(white) {
    return isAttacked(this.board, this.#king(white), !white);
  }

  /**
   * Whether an enemy's pawn can just have passed a square, with a pawn of the side to move beside it. It need not be able to capture, as it may be
   * pinned: so it is in Polyglot's keys.
   */
  #isEnPassant(square) {
    const forward = this.white ? 8 : -8, passer = square - forward, file = square & 7, mine = pieceOf(PAWN, this.white);
    const passed = square >> 3 === (this.white ? 5 : 2) && this.board[passer] === pieceOf(PAWN, !this.white)
      && this.board[square] === 0 && this.board[square + forward] === 0;
    return passed && ((file > 0 && this.board[passer - 1] === mine) || (file < 7 && this.board[passer + 1] === mine));
  }

  #isLegal(move) {
    return (move.castling === null || this.#mayPass(move)) && !this.#after(move).#isChecked(this.white);
  }

  /** Whether no square of a castling king's way is attacked. */
  #mayPass(move) {
    const goal = castledSquares(move.from, move.castling).king, step = Math.sign(goal - move.from), board = this.board.slice();
    board[move.from] = 0;
    for (let square = move.from; ; square += step) {
      if (isAttacked(board, square, !this.white)) return false;
      if (square === goal) return true;
    }
  }

  /** The position after a move, without castling rights, en passant and numbers of moves. */
  #after(move) {
    const board = this.board.slice(), piece = board[move.from];
    board[move.from] = 0;
    if (move.castling !== null) {
      const { king, rook } = castledSquares(move.from, move.castling), tower = board[move.to];
      board[move.to] = 0;
      board[king] = piece;
      board[rook] = tower;
    } else {
      if (move.isEnPassant) board[(move.from & 56) | (move.to & 7)] = 0;
      board[move.to] = move.promotion === null ? piece : pieceOf(KINDS.indexOf(move.promotion), this.white);
    }
    return new ChessPosition(board, !this.white, [-1, -1, -1, -1], -1, 0, 1);
  }

  #rightsAfter(move) {
    const isKing = kindOf(this.board[move.from]) === KING;
    return this.rooks.map((rook, i) => (rook === move.from || rook === move.to || (isKing && i < 2 === this.white) ? -1 : rook));
  }
}
