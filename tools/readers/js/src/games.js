// @tabia/reader/games: the positions of whatever game a book is of. games.d.ts documents each item.

import { NotationError } from "./errors.js";
import { ChessPosition } from "./games/chess/position.js";
import { DraughtsPosition } from "./games/draughts/position.js";
import { GoPosition } from "./games/go.js";
import { OthelloPosition } from "./games/othello.js";

export function startOf(game) {
  if (ChessPosition.games.includes(game)) return ChessPosition.start(game);
  switch (game) {
    case "othello": return OthelloPosition.start();
    case "checkers":
    case "draughts-10": return DraughtsPosition.start(game);
    default: return GoPosition.start(sizeOf(game));
  }
}

export function parsePosition(game, text) {
  if (ChessPosition.games.includes(game)) return ChessPosition.parse(text, game);
  switch (game) {
    case "othello": return OthelloPosition.parse(text);
    case "checkers":
    case "draughts-10": return DraughtsPosition.parse(text, game);
    default: return parseGo(sizeOf(game), text);
  }
}

export function parseMoves(position, text) {
  const moves = [];
  for (const word of text.replace(/\d+\.+/g, " ").trim().split(/\s+/).filter(Boolean)) {
    const move = position.parseMove(word);
    moves.push(move);
    position = position.play(move);
  }
  return { moves, position };
}

function parseGo(size, text) {
  const position = GoPosition.parse(text);
  if (position.size !== size) throw new NotationError(text, `the board has ${position.size} points a side, not ${size}`);
  return position;
}

function sizeOf(game) {
  const size = Number(/^go-([1-9]\d?)$/.exec(game)?.[1]);
  if (!(size >= 2 && size <= 19)) throw new RangeError(`this package doesn't know the rules of ${JSON.stringify(game)}`);
  return size;
}
