// A position of chess, Chess960 or one of lichess's variants: legal moves, and the key and the codes that books with the key scheme `polyglot` have.

import { NotationError } from "../../errors.js";
import { toBig } from "../../numbers/u64.js";
import { streamNumbers } from "../zobrist.js";
import { formatFen, parseFen } from "./fen.js";
import { around, pseudoLegalMoves } from "./moves.js";
import { nameOf, parseSan, parseUci, uciOf } from "./names.js";
import { POLYGLOT_NUMBERS } from "./numbers.js";
import { castledSquares, isWhite, KING, KINDS, kindOf, letterOf, PAWN, pieceOf, ROOK } from "./pieces.js";
import { RULES } from "./variants.js";

const CASTLING = 768, EN_PASSANT = 772, TURN = 780;
const USUAL_ROOKS = [7, 0, 63, 56], USUAL_KINGS = [4, 4, 60, 60];
const numbers = new Uint32Array(2 * 781);
for (let i = 0; i < 781; i++) {
  numbers[2 * i] = Number.parseInt(POLYGLOT_NUMBERS.slice(16 * i + 8, 16 * i + 16), 16);
  numbers[2 * i + 1] = Number.parseInt(POLYGLOT_NUMBERS.slice(16 * i, 16 * i + 8), 16);
}

/** Numbers of what chess hasn't, made when they are asked for first: squares of pieces that were pawns, what is in hand, checks that may be given. */
const STREAMS = new Map([["promoted", 64], ["pockets", 256 * 12], ["checks", 6]].map(([name, count]) => {
  let made = null;
  return [name, () => (made ??= streamNumbers(name, count))];
}));

export class ChessPosition {
  #moves = null;

  /**
   * `rules`: see variants.js. `board`: 64 pieces (see pieces.js). `rooks`: the squares of the rooks that may castle, White's to the king's side and to
   * the queen's, then Black's; -1 for those that may not. `enPassant`: the square that a pawn has just passed, if an enemy's pawn stands beside it; else -1.
   * `hands`: how many of each piece are in hand; `promoted`: for each square whether its piece was a pawn; `checks`: how many Black and White may still
   * give; each null where the game hasn't it.
   */
  constructor(rules, { board, white, rooks, enPassant, halfmoves, fullmoves, hands, promoted, checks }) {
    this.rules = rules;
    this.board = board;
    this.white = white;
    this.rooks = rooks;
    this.enPassant = enPassant;
    this.halfmoves = halfmoves;
    this.fullmoves = fullmoves;
    this.hands = hands;
    this.promoted = promoted;
    this.checks = checks;
  }

  /** The games of these rules, as books name them: chess first. */
  static get games() {
    return [...RULES.keys()];
  }

  static start(game = "chess") {
    return ChessPosition.parse(rulesOf(game).start, game);
  }

  static parse(fen, game = "chess") {
    const rules = rulesOf(game), fields = parseFen(fen, rules);
    const position = new ChessPosition(rules, { ...fields, enPassant: -1 });
    if (fields.enPassant >= 0 && position.#isEnPassant(fields.enPassant)) position.enPassant = fields.enPassant;
    if (position.kingOf(!position.white) >= 0 && !rules.isSafe(position, !position.white)) {
      throw new NotationError(fen, rules.forbidsChecks ? "a king is in check" : "the side that is not to move is in check");
    }
    return position;
  }

  get game() {
    return this.rules.game;
  }

  get turn() {
    return this.white ? "white" : "black";
  }

  get inCheck() {
    return this.isChecked(this.white);
  }

  get isChess960() {
    return this.rooks.some((rook, i) => rook >= 0 && (rook !== USUAL_ROOKS[i] || this.kingOf(i < 2) !== USUAL_KINGS[i]));
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
    const add = (i, from = numbers) => {
      lo ^= from[2 * i];
      hi ^= from[2 * i + 1];
    };
    this.board.forEach((piece, square) => piece !== 0 && add(64 * (piece - 1) + square));
    this.rooks.forEach((rook, i) => rook >= 0 && add(CASTLING + i));
    if (this.enPassant >= 0) add(EN_PASSANT + (this.enPassant & 7));
    if (this.white) add(TURN);
    this.promoted?.forEach((was, square) => was && add(square, STREAMS.get("promoted")()));
    this.hands?.forEach((held, piece) => held > 0 && add(256 * (6 * (isWhite(piece) ? 0 : 1) + kindOf(piece)) + held, STREAMS.get("pockets")()));
    this.checks?.forEach((left, side) => left < 3 && add(3 * (1 - side) + left, STREAMS.get("checks")()));
    return toBig(lo >>> 0, hi >>> 0);
  }

  legalMoves() {
    this.#moves ??= this.rules.winner(this) === null ? pseudoLegalMoves(this).filter((move) => this.#isLegal(move)) : [];
    return this.#moves.slice();
  }

  /** How the game has ended: white, black or draw; null if it goes on. */
  outcome() {
    const winner = this.rules.winner(this);
    if (winner !== null || this.legalMoves().length > 0) return winner;
    if (this.rules.stalemateWins) return this.turn;
    return !this.inCheck ? "draw" : this.white ? "black" : "white";
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
    const next = this.#after(move), isPawn = move.drop === "p" || (move.drop === null && kindOf(this.board[move.from]) === PAWN);
    next.halfmoves = isPawn || move.captured !== 0 ? 0 : this.halfmoves + 1;
    next.fullmoves = this.fullmoves + (this.white ? 0 : 1);
    next.rooks = this.#rightsAfter(move, next);
    const passed = (move.from + move.to) / 2;
    if (isPawn && Math.abs(move.from - move.to) === 16 && next.#isEnPassant(passed)) next.enPassant = passed;
    if (next.checks !== null && next.inCheck) next.checks = next.checks.map((left, side) => left - (side === (this.white ? 1 : 0) ? 1 : 0));
    return next;
  }

  /** The square of a side's king, -1 for none. */
  kingOf(white) {
    return this.board.indexOf(pieceOf(KING, white));
  }

  isChecked(white) {
    const king = this.kingOf(white);
    return king >= 0 && this.rules.endangers(this.board, king, !white);
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
    return (move.castling === null || this.#mayPass(move)) && this.rules.isSafe(this.#after(move), this.white);
  }

  /** Whether no square of a castling king's way is attacked, but for its end, where the rook may shield it. */
  #mayPass(move) {
    const goal = castledSquares(move.from, move.castling).king, step = Math.sign(goal - move.from), board = this.board.slice();
    board[move.from] = 0;
    for (let square = move.from; ; square += step) {
      if (this.rules.endangers(board, square, !this.white)) return false;
      if (square === goal || square + step === goal) return true;
    }
  }

  /** The position after a move, without castling rights, en passant, checks given and numbers of moves. */
  #after(move) {
    const board = this.board.slice(), promoted = this.promoted?.slice() ?? null, hands = this.hands?.slice() ?? null, piece = board[move.from];
    board[move.from] = 0;
    if (move.drop !== null) {
      board[move.to] = pieceOf(KINDS.indexOf(move.drop), this.white);
      hands[board[move.to]]--;
    } else if (move.castling !== null) {
      const { king, rook } = castledSquares(move.from, move.castling), tower = board[move.to];
      board[move.to] = 0;
      board[king] = piece;
      board[rook] = tower;
    } else {
      if (hands !== null && move.captured !== 0) hands[pieceOf(promoted[move.to] ? PAWN : kindOf(move.captured), this.white)]++;
      if (move.isEnPassant) board[(move.from & 56) | (move.to & 7)] = 0;
      board[move.to] = move.promotion === null ? piece : pieceOf(KINDS.indexOf(move.promotion), this.white);
      if (promoted !== null) [promoted[move.to], promoted[move.from]] = [move.promotion === null ? promoted[move.from] : 1, 0];
      if (this.rules.explodes && move.captured !== 0) explode(board, move.to);
    }
    const { rules, checks } = this;
    return new ChessPosition(rules, { board, white: !this.white, rooks: [-1, -1, -1, -1], enPassant: -1, halfmoves: 0, fullmoves: 1, hands, promoted, checks });
  }

  #rightsAfter(move, next) {
    const isKing = kindOf(this.board[move.from]) === KING;
    return this.rooks.map((rook, i) => {
      const white = i < 2, hasMoved = rook === move.from || rook === move.to || (isKing && white === this.white);
      const isThere = rook >= 0 && next.board[rook] === pieceOf(ROOK, white) && next.kingOf(white) >= 0;
      return hasMoved || !isThere ? -1 : rook;
    });
  }
}

function rulesOf(game) {
  const rules = RULES.get(game);
  if (rules === undefined) throw new RangeError(`this isn't chess, nor a variant of it: ${JSON.stringify(game)}`);
  return rules;
}

/** What a capture takes: what stands on the square, and all around it that is no pawn. */
function explode(board, square) {
  board[square] = 0;
  for (const near of around(square)) if (board[near] !== 0 && kindOf(board[near]) !== PAWN) board[near] = 0;
}
