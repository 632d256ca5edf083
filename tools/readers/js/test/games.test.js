// Positions of a game that is known by its name only.

import assert from "node:assert/strict";
import test from "node:test";
import { parseMoves, parsePosition, startOf } from "../src/games.js";
import { NotationError } from "../src/index.js";

const GAMES = {
  chess: ["1. e4 e5 2.Nf3", 3], othello: ["f5 d6 c3", 3], checkers: ["1. 11-15 22-17", 2], "draughts-10": ["32-28 19-23", 2], "go-9": ["E5 pass C3", 3], "go-19": ["Q16", 1],
};

test("a start, its text read again, and moves from it", () => {
  for (const [game, [text, count]] of Object.entries(GAMES)) {
    const start = startOf(game);
    assert.equal(start.game, game);
    assert.equal(parsePosition(game, start.toString()).key(), start.key());
    const { moves, position } = parseMoves(start, text);
    assert.equal(moves.length, count, text);
    assert.notEqual(position.key(), start.key());
    assert.deepEqual(parseMoves(start, " "), { moves: [], position: start });
    assert.throws(() => parseMoves(start, "z0"), NotationError);
    assert.throws(() => parsePosition(game, "nonsense"), NotationError);
  }
});

test("a game that isn't known, or is another one", () => {
  for (const game of ["shogi", "go-1", "go-20", "go-", "go-9x", "connect-4", "", undefined]) {
    assert.throws(() => startOf(game), RangeError, String(game));
    assert.throws(() => parsePosition(game, "x"), RangeError, String(game));
  }
  assert.throws(() => parsePosition("go-9", startOf("go-13").toString()), NotationError);
});
