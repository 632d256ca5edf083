// Positions of chess as text: FEN, with castling rights as in X-FEN or Shredder-FEN, so that Chess960 has no other form; of
// Crazyhouse with the pieces in hand in brackets behind the board and `~` behind pieces that were pawns; of Three-check with the checks that may still be given.

import { NotationError } from "../../errors.js";
import { isWhite, KING, KINDS, letterOf, PAWN, kindOf, pieceOf, pieceOfLetter, ROOK, squareName, squareOf } from "./pieces.js";

/** The fields of a FEN by a game's rules. En passant is the square as it is written, -1 for none. What stands behind the side to move may be left out. */
export function parseFen(fen, rules) {
  if (typeof fen !== "string") throw new TypeError("a FEN is a string");
  const words = fen.trim().split(/\s+/), hold = (good, what) => {
    if (!good) throw new NotationError(fen, what);
  };
  const checks = rules.countsChecks ? takeChecks(words, hold) : null;
  const [placement = "", turn, castling = "-", enPassant = "-", halfmoves = "0", fullmoves = "1", ...rest] = words;
  const { board, hands, promoted } = parseBoard(placement, rules, hold);
  hold(turn === "w" || turn === "b", "the side to move, w or b, is missing");
  hold(/^(-|[KQkqA-Ha-h]{1,4})$/.test(castling), "the castling rights are malformed");
  hold(enPassant === "-" || squareOf(enPassant) >= 0, "the square of en passant is malformed");
  hold(/^\d{1,6}$/.test(halfmoves) && /^\d{1,6}$/.test(fullmoves) && rest.length === 0, "the number of moves is malformed");
  return {
    board,
    hands,
    promoted,
    checks,
    white: turn === "w",
    rooks: parseRights(board, castling, rules),
    enPassant: squareOf(enPassant),
    halfmoves: Number(halfmoves),
    fullmoves: Math.max(1, Number(fullmoves)),
  };
}

/** The checks that Black and White may still give, which are taken out of the words: `3+3` before the numbers of moves, or `+0+0` behind them as given. */
function takeChecks(words, hold) {
  const at = words.findIndex((word) => /^\+?\d\+\d$/.test(word));
  if (at < 0) return [3, 3];
  const [word] = words.splice(at, 1), isGiven = word[0] === "+";
  const [white, black] = word.slice(isGiven ? 1 : 0).split("+").map((text) => (isGiven ? 3 - Number(text) : Number(text)));
  hold(at >= 2 && [white, black].every((left) => left >= 0 && left <= 3), "the checks are malformed");
  return [black, white];
}

/** What is in hand, by pieces. */
function parseHands(text, hold) {
  const hands = new Uint8Array(13);
  for (const letter of text.replace("-", "")) {
    const piece = pieceOfLetter(letter);
    hold(piece !== 0 && kindOf(piece) !== KING && hands[piece] < 255, "what is in hand is malformed");
    hands[piece]++;
  }
  return hands;
}

function parseBoard(text, rules, hold) {
  const board = new Uint8Array(64), promoted = rules.hasHands ? new Uint8Array(64) : null;
  const [, placement, brackets, behind] = /^((?:[^/[]*\/){0,7}[^/[]*)(?:\[([^\]]*)\]|\/([^/]*))?$/.exec(text) ?? [];
  const held = brackets ?? behind;
  hold(placement !== undefined && (held === undefined || rules.hasHands), "a board has eight rows");
  const rows = placement.split("/"), hands = rules.hasHands ? parseHands(held ?? "", hold) : null;
  hold(rows.length === 8, "a board has eight rows");
  rows.forEach((row, i) => {
    let square = 8 * (7 - i);
    const end = square + 8;
    for (const letter of row) {
      if (/[1-8]/.test(letter)) {
        square += Number(letter);
        continue;
      }
      if (letter === "~") {
        hold(promoted !== null && square > end - 8 && board[square - 1] !== 0, "a row of the board is malformed");
        promoted[square - 1] = [PAWN, KING].includes(kindOf(board[square - 1])) ? 0 : 1;
        continue;
      }
      const piece = pieceOfLetter(letter);
      hold(piece !== 0 && square < end, "a row of the board is malformed");
      board[square++] = piece;
    }
    hold(square === end, "a row of the board has not eight squares");
  });
  for (const white of [true, false]) {
    const [least, most] = rules.kings[white ? 1 : 0], kings = board.filter((piece) => piece === pieceOf(KING, white)).length;
    hold(kings >= least && kings <= most, least === most ? `${white ? "White" : "Black"} has ${least === 1 ? "one king" : "no king"}` : "too many kings");
  }
  const mayStart = (piece) => isWhite(piece) && rules.doubleSteps[1].includes(0);
  const isLost = (piece, square) => piece !== 0 && kindOf(piece) === PAWN && (square >= 56 || (square < 8 && !mayStart(piece)));
  hold(!board.some(isLost), "a pawn stands on the first or last row");
  return { board, hands, promoted };
}

/** The squares of the rooks that may castle; rights that the position can't have are left out. */
function parseRights(board, castling, rules) {
  const rooks = [-1, -1, -1, -1];
  for (const letter of castling.replace("-", "")) {
    const white = letter !== letter.toLowerCase(), row = white ? 0 : 56, king = board.indexOf(pieceOf(KING, white));
    const rook = rookOf(board, letter.toLowerCase(), row, king, pieceOf(ROOK, white));
    if (!rules.castles[white ? 1 : 0]) continue;
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
export function formatFen({ board, white, rooks, enPassant, halfmoves, fullmoves, hands, promoted, checks }) {
  const rows = [], letter = (piece, square) => (letterOf(piece) ?? " ") + (promoted?.[square] ? "~" : "");
  for (let row = 7; row >= 0; row--) {
    const letters = Array.from(board.subarray(8 * row, 8 * row + 8), (piece, file) => letter(piece, 8 * row + file)).join("");
    rows.push(letters.replace(/ +/g, (empty) => empty.length));
  }
  const square = enPassant < 0 ? "-" : squareName(enPassant);
  const held = hands === null ? "" : `[${[true, false].map((side) => inHand(hands, side)).join("")}]`;
  const left = checks === null ? "" : `${checks[1]}+${checks[0]} `;
  return `${rows.join("/")}${held} ${white ? "w" : "b"} ${formatRights(board, rooks)} ${square} ${left}${halfmoves} ${fullmoves}`;
}

function inHand(hands, white) {
  return Array.from(KINDS, (_, kind) => letterOf(pieceOf(kind, white)).repeat(hands[pieceOf(kind, white)])).join("");
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
