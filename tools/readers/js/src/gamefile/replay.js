// A game of a file of games, replayed by the rules of its game.

import { parsePosition, startOf } from "../games.js";
import { Line } from "../games/line.js";

/** A game that is replayed: `node` is where it is, a position, or a line for books that are keyed so. */
export class Replay {
  #codes;
  plies = 0;

  /** A game of a file, as a book with this `info` keys its positions. */
  constructor({ setup, moves }, { game, keys, keyed }) {
    const start = setup === "" ? startOf(game) : parsePosition(game, setup);
    this.node = keyed === "line" ? Line.from(start, keys) : start;
    this.#codes = moves;
  }

  /** The move that is made next; null at the end, or where the code is none of a legal move. */
  get move() {
    const board = this.node.position ?? this.node, code = this.#codes[this.plies];
    return code === undefined ? null : (board.legalMoves().find((move) => board.image(move, 0).code === code) ?? null);
  }

  /** Makes it; whether there was one. */
  step() {
    const { move } = this;
    if (move === null) return false;
    this.node = this.node.play(move);
    this.plies++;
    return true;
  }
}

/** All moves of a game that are legal, with the positions in which they are made: { start, moves: [{ position, move }] }. */
export function replayed(game, info) {
  const replay = new Replay(game, { ...info, keyed: "position" }), start = replay.node, moves = [];
  for (let { move } = replay; move !== null; { move } = replay) {
    moves.push({ position: replay.node, move });
    replay.step();
  }
  return { start, moves };
}
