// Positions of chess as text: FEN, with castling rights as in X-FEN or Shredder-FEN, so that Chess960 has no other form.

import { NotationError } from "../../errors.js";
import { KING, letterOf, PAWN, kindOf, pieceOf, pieceOfLetter, ROOK, squareName, squareOf } from "./pieces.js";

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The fields of a FEN. En passant is the square as it is written, -1 for none. What stands behind the side to move may be left out. */
export function parseFen(fen) {
  if (typeof fen !== "string") throw new TypeError("a FEN is a string");
  const [placement = "", turn, castling = "-", enPassant = "-", halfmoves = "0", fullmoves = "1", ...rest] = fen.trim().split(/\s+/);
  const hold = (good, what) => {
    if (!good) throw new NotationError(fen, what);
  };
  const board = parseBoard(placement, hold);
  hold(turn === "w" || turn === "b", "the side to move, w or b, is missing");
  hold(/^(-|[KQA-H]{0,2}[kqa-h]{0,2})$/.test(castling), "the castling rights are malformed");
  hold(enPassant === "-" || squareOf(enPassant) >= 0, "the square of en passant is malformed");
  hold(/^\d{1,6}$/.test(halfmoves) && /^\d{1,6}$/.test(fullmoves) && rest.length === 0, "the number of moves is malformed");
  return {
    board,
    white: turn === "w",
    rooks: parseRights(board, castling),
    enPassant: squareOf(enPassant),
    halfmoves: Number(halfmoves),
    fullmoves: Math.max(1, Number(fullmoves)),
  };
}

function parseBoard(placement, hold) {
  const rows = placement.split("/"), board = new Uint8Array(64);
  hold(rows.length === 8, "a board has eight rows");
  rows.forEach((row, i) => {
    let square = 8 * (7 - i);
    const end = square + 8;
    for (const letter of row) {
      if (/[1-8]/.test(letter)) {
        square += Number(letter);
        continue;
      }
      const piece = pieceOfLetter(letter);
      hold(piece !== 0 && square < end, "a row of the board is malformed");
      board[square++] = piece;
    }
    hold(square === end, "a row of the board has not eight squares");
  });
  for (const white of [true, false]) {
    hold(board.filter((piece) => piece === pieceOf(KING, white)).length === 1, "each side has one king");
  }
  hold(!board.some((piece, square) => piece !== 0 && kindOf(piece) === PAWN && (square < 8 || square >= 56)), "a pawn stands on the first or last row");
  return board;
}

/** The squares of the rooks that may castle; rights that the position can't have are left out. */
function parseRights(board, castling) {
  const rooks = [-1, -1, -1, -1];
  for (const letter of castling.replace("-", "")) {
    const white = letter !== letter.toLowerCase(), row = white ? 0 : 56, king = board.indexOf(pieceOf(KING, white));
    const rook = rookOf(board, letter.toLowerCase(), row, king, pieceOf(ROOK, white));
    if (king < row || king >= row + 8 || rook < 0) continue;
    rooks[(white ? 0 : 2) + (rook > king ? 0 : 1)] = rook;
  }
  return rooks;
}

/** The rook that a letter of the castling rights means: the outermost one of a side, or the one on a file; -1 if it isn't there. */
function rookOf(board, letter, row, king, rook) {
  const files = letter === "k" ? [7, 6, 5, 4, 3, 2, 1, 0] : letter === "q" ? [0, 1, 2, 3, 4, 5, 6, 7] : [letter.charCodeAt(0) - 97];
  for (const file of files) {
    const square = row + file;
    if (square === king) return -1;
    if (board[square] === rook) return square;
  }
  return -1;
}

/** The FEN of a position, with the square of en passant only if a pawn stands beside the one that passed it. */
export function formatFen({ board, white, rooks, enPassant, halfmoves, fullmoves }) {
  const rows = [];
  for (let row = 7; row >= 0; row--) {
    const letters = Array.from(board.subarray(8 * row, 8 * row + 8), (piece) => letterOf(piece) ?? " ").join("");
    rows.push(letters.replace(/ +/g, (empty) => empty.length));
  }
  const square = enPassant < 0 ? "-" : squareName(enPassant);
  return `${rows.join("/")} ${white ? "w" : "b"} ${formatRights(board, rooks)} ${square} ${halfmoves} ${fullmoves}`;
}

function formatRights(board, rooks) {
  return rooks.map((rook, i) => (rook < 0 ? "" : rightLetter(board, rook, i))).join("") || "-";
}

function rightLetter(board, rook, i) {
  const white = i < 2, row = white ? 0 : 56, king = board.indexOf(pieceOf(KING, white));
  const usual = i % 2 === 0 ? "k" : "q";
  const letter = rookOf(board, usual, row, king, pieceOf(ROOK, white)) === rook ? usual : "abcdefgh"[rook & 7];
  return white ? letter.toUpperCase() : letter;
}
