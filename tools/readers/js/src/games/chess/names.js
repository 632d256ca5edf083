// Names of moves: standard algebraic notation (SAN), and that of the UCI protocol.

import { NotationError } from "../../errors.js";
import { castledSquares, KINDS, kindOf, PAWN, squareName, squareOf } from "./pieces.js";

/** The name of a legal move in SAN, such as Nbd7, exd6, O-O, e8=Q#. */
export function nameOf(position, move) {
  return withoutCheck(position, move) + endOf(position.play(move));
}

/** The sign of a check, and of a move that wins. */
function endOf(next) {
  const winner = next.rules.winner(next);
  if (winner !== null) return winner === "draw" ? "" : "#";
  if (!next.inCheck && !next.rules.stalemateWins) return "";
  return next.legalMoves().length === 0 ? "#" : next.inCheck ? "+" : "";
}

function withoutCheck(position, move) {
  if (move.castling !== null) return move.castling === "king" ? "O-O" : "O-O-O";
  if (move.drop !== null) return nameOfDrop(move).replace("P", "");
  const kind = kindOf(position.board[move.from]), to = squareName(move.to), takes = move.captured !== 0 ? "x" : "";
  if (kind === PAWN) {
    const from = takes && squareName(move.from)[0];
    return from + takes + to + (move.promotion === null ? "" : `=${move.promotion.toUpperCase()}`);
  }
  return KINDS[kind].toUpperCase() + origin(position, move, kind) + takes + to;
}

function nameOfDrop({ drop, to }) {
  return `${drop.toUpperCase()}@${squareName(to)}`;
}

/** What tells a move from those of other pieces of its kind to the same square. */
function origin(position, move, kind) {
  const others = position.legalMoves().filter((other) =>
    other.to === move.to && other.from !== move.from && other.castling === null && other.drop === null && kindOf(position.board[other.from]) === kind);
  const name = squareName(move.from);
  if (others.length === 0) return "";
  if (others.every((other) => (other.from & 7) !== (move.from & 7))) return name[0];
  return others.every((other) => other.from >> 3 !== move.from >> 3) ? name[1] : name;
}

/** The name of a move in the UCI protocol, such as e2e4, e7e8q, P@e4; castling e1g1, in Chess960 e1h1. */
export function uciOf(position, move) {
  if (move.drop !== null) return nameOfDrop(move);
  const to = move.castling !== null && !position.isChess960 ? castledSquares(move.from, move.castling).king : move.to;
  return squareName(move.from) + squareName(to) + (move.promotion ?? "");
}

/** The legal move with a name in the UCI protocol; null if the text has another form. */
export function parseUci(position, text) {
  const match = /^([a-h][1-8])([a-h][1-8])([nbrqk])?$/.exec(text);
  if (match === null) return null;
  const [from, to] = [squareOf(match[1]), squareOf(match[2])];
  const moves = position.legalMoves().filter((move) => move.from === from && move.drop === null);
  const found = moves.find((move) => move.to === to && move.promotion === (match[3] ?? null))
    ?? moves.find((move) => move.castling !== null && castledSquares(from, move.castling).king === to && !match[3]);
  if (found === undefined) throw new NotationError(text, "this move is not legal here");
  return found;
}

const SAN = /^([NBRQK]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])=?([NBRQK]?)$/;
const DROP = /^([PNBRQ]?)@([a-h][1-8])$/;

/** The legal move with a name in SAN. Signs of check and annotations may be there or not. */
export function parseSan(position, text) {
  // No name of a move is as long, and those that end in thousands of signs take long to be read.
  if (text.length > 100) throw new NotationError(text.slice(0, 100), "this is not the name of a move, such as e4, Nbd7 or e2e4");
  const bare = text.trim().replace(/(\s*e\.p\.)?[+#!?]*$/, "");
  const moves = position.legalMoves().filter(matcher(bare, position, text));
  if (moves.length === 0) throw new NotationError(text, "this move is not legal here");
  if (moves.length > 1) throw new NotationError(text, "several moves could be meant");
  return moves[0];
}

/** Whether a move is one that a text names. */
function matcher(bare, position, text) {
  const castling = { "O-O": "king", "0-0": "king", "O-O-O": "queen", "0-0-0": "queen" }[bare];
  if (castling !== undefined) return (move) => move.castling === castling;
  const drop = DROP.exec(bare);
  if (drop !== null) return (move) => move.drop === (drop[1] || "P").toLowerCase() && squareName(move.to) === drop[2];
  const match = SAN.exec(bare);
  if (match === null) throw new NotationError(text, "this is not the name of a move, such as e4, Nbd7 or e2e4");
  const [, letter, file, row, to, promotion] = match;
  const kind = letter === "" ? PAWN : KINDS.indexOf(letter.toLowerCase());
  return (move) => {
    const from = squareName(move.from);
    return move.castling === null && move.drop === null && squareName(move.to) === to && kindOf(position.board[move.from]) === kind
      && (file === "" || from[0] === file) && (row === "" || from[1] === row)
      && (move.promotion ?? "") === promotion.toLowerCase();
  };
}
