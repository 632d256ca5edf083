// Moves of draughts: those that capture, and those that don't. A move is given by where it starts and ends and what it captures; routes over
// the same pieces to the same square are one move.

import { DOWN, EVERY, isKing, isWhite, UP } from "./boards.js";

export function quietMoves({ board, white, rules }) {
  const moves = [];
  pieces(board, white).forEach(({ from, piece }) => {
    const flies = isKing(piece) && rules.isInternational;
    for (const way of isKing(piece) ? EVERY : white ? UP : DOWN) {
      for (const to of flies ? rules.rays[from][way] : rules.rays[from][way].slice(0, 1)) {
        if (board[to - 1] !== 0) break;
        moves.push({ from, to, captured: [], route: [from, to] });
      }
    }
  });
  return moves;
}

/** The legal captures, each by that of its routes whose squares come first. */
export function captures({ board, white, rules }) {
  const found = new Map();
  for (const { from, piece } of pieces(board, white)) {
    const emptied = board.slice();
    emptied[from - 1] = 0;
    new Capturing(emptied, white, piece, rules, found).from([from], []);
  }
  const moves = [...found.values()];
  const most = rules.isInternational ? moves.reduce((count, move) => Math.max(count, move.captured.length), 0) : 0;
  return moves.filter((move) => move.captured.length >= most);
}

/** What a piece captures that goes over these squares; null if it can't. */
export function capturedOn({ board, white, rules }, squares) {
  const captured = [];
  for (let i = 1; i < squares.length; i++) {
    const ray = rules.rays[squares[i - 1]]?.find((one) => one.includes(squares[i]));
    const over = ray?.slice(0, ray.indexOf(squares[i])).filter((square) => board[square - 1] !== 0 && square !== squares[0]);
    if (over?.length !== 1 || isWhite(board[over[0] - 1]) === white) return null;
    captured.push(over[0]);
  }
  return captured.sort((a, b) => a - b);
}

/** All captures of one piece, which has been taken off the board. Captured pieces stay there until the move ends. */
class Capturing {
  constructor(board, white, piece, rules, found) {
    this.board = board;
    this.white = white;
    this.piece = piece;
    this.rules = rules;
    this.found = found;
    this.seen = new Set();
    this.flies = isKing(piece) && rules.isInternational;
    this.ways = isKing(piece) || rules.isInternational ? EVERY : white ? UP : DOWN;
  }

  /**
   * Goes on from the last square of a route on which `captured` were captured. Routes are met in ascending order of their squares, so what another
   * route over the same pieces to the same square has already found is not looked for again.
   */
  from(route, captured) {
    const name = `${route.at(-1)} ${[...captured].sort((a, b) => a - b)}`;
    if (this.seen.has(name)) return;
    this.seen.add(name);
    const jumps = this.#isCrowned(route) ? [] : this.ways.flatMap((way) => this.#jumps(this.rules.rays[route.at(-1)][way], captured));
    for (const { over, to } of jumps.sort((a, b) => a.to - b.to)) this.from([...route, to], [...captured, over]);
    if (jumps.length === 0 && captured.length > 0) this.#end(route, captured);
  }

  /** Whether a man of English draughts has come to the last row, which ends its move. */
  #isCrowned(route) {
    return route.length > 1 && !this.rules.isInternational && !isKing(this.piece) && this.rules.isLastRow(route.at(-1), this.white);
  }

  #jumps(ray, captured) {
    let i = 0;
    if (this.flies) while (i < ray.length && this.board[ray[i] - 1] === 0) i++;
    const over = ray[i], piece = over === undefined ? 0 : this.board[over - 1];
    if (piece === 0 || isWhite(piece) === this.white || captured.includes(over)) return [];
    const jumps = [];
    for (const to of this.flies ? ray.slice(i + 1) : ray.slice(i + 1, i + 2)) {
      if (this.board[to - 1] !== 0) break;
      jumps.push({ over, to });
    }
    return jumps;
  }

  #end(route, captured) {
    const from = route[0], to = route.at(-1), sorted = [...captured].sort((a, b) => a - b), name = `${from} ${to} ${sorted}`;
    if (!this.found.has(name)) this.found.set(name, { from, to, captured: sorted, route });
  }
}

function pieces(board, white) {
  return Array.from(board, (piece, i) => ({ from: i + 1, piece })).filter(({ piece }) => piece !== 0 && isWhite(piece) === white);
}
