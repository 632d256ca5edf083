import assert from "node:assert/strict";
import test from "node:test";
import { Line } from "../src/explore.js";
import { GoPosition } from "../src/go.js";
import { formatKey, NotationError } from "../src/index.js";
import { symmetryBits, vectorsBetween } from "./support/keys-md.js";
import { perft } from "./support/perft.js";

test("the vectors of keys.md, and of lines", () => {
  const vectors = vectorsBetween("## Go", "## Connect");
  assert.equal(vectors.length, 12);
  for (const [size, moves, text, apart, eight, sixteen, symmetries, lineKey, move, code8, code16] of vectors) {
    let position = GoPosition.start(Number(size)), line = Line.from(position, "zobrist-8");
    for (const name of moves === "" ? [] : moves.split(" ")) {
      const made = position.parseMove(name);
      position = position.play(made);
      line = line.play(made);
    }
    assert.equal(position.toString(), text);
    assert.equal(GoPosition.parse(text).toString(), text);
    assert.equal(formatKey(position.key("zobrist")), apart);
    assert.equal(formatKey(position.key("zobrist-8")), eight);
    assert.equal(formatKey(position.key("zobrist-16")), sixteen);
    assert.equal(symmetryBits(position.canonical("zobrist-16").symmetries, 16), symmetries);
    assert.equal(formatKey(line.key()), lineKey);
    assert.equal(position.code(position.parseMove(move), "zobrist-8"), Number(code8));
    assert.equal(position.code(position.parseMove(move), "zobrist-16"), Number(code16));
  }
});

test("81 points of the first move are 15 classes, and the pass", () => {
  const start = GoPosition.start(9);
  assert.equal(start.legalMoves().length, 82);
  assert.equal(new Set(start.legalMoves().map((move) => start.code(move))).size, 16);
  assert.equal(new Set(start.legalMoves().map((move) => start.play(move).key())).size, 16);
});

test("perft of small boards, counted with sets of connected stones by hand", () => {
  assert.equal(perft(GoPosition.start(2), 1), 5);
  assert.equal(perft(GoPosition.start(2), 2), 4 * 4 + 5);
  assert.equal(perft(GoPosition.start(3), 2), 9 * 9 + 10);
});

test("stones without liberties are taken, ko and suicide are forbidden", () => {
  const play = (position, moves) => moves.split(" ").reduce((now, name) => now.play(now.parseMove(name)), position);
  const taken = play(GoPosition.start(5), "B1 A1 A2");
  assert.equal(taken.toString(), "5/5/5/X4/1X3 w");
  assert.throws(() => taken.parseMove("A1"), NotationError);
  const fight = play(GoPosition.parse("5/1XO2/X1XO1/1XO2/5 w"), "B3");
  assert.equal(fight.toString(), "5/1XO2/XO1O1/1XO2/5 b C3");
  assert.throws(() => fight.parseMove("C3"), NotationError);
  assert.equal(GoPosition.parse(fight.toString()).ko, fight.ko);
  assert.equal(play(fight, "E1 A1 C3").pieceAt(11), null);
  const corner = GoPosition.parse("1X3/X4/5/5/5 w");
  assert.ok(!corner.legalMoves().some(({ point }) => point === 0));
  assert.ok(GoPosition.parse("1X3/X4/5/5/5 b").legalMoves().some(({ point }) => point === 0));
});

test("what isn't a position or a move is refused", () => {
  for (const text of ["", "9 b", "9/9 b", "2/2", "2/2 x", "3/2/2 b", "OX/XX b", "2/2 b Z9", "2/2 b A1 A2", "A1/2 b", "99/2 b", `${"9/".repeat(20)} b`, "X1/2 w A2"]) {
    assert.throws(() => GoPosition.parse(text), NotationError, text);
  }
  for (const size of [1, 20, 9.5, "9", undefined]) assert.throws(() => GoPosition.start(size), RangeError);
  for (const move of ["", "I5", "A0", "A10", "K1", "E55", "passs"]) assert.throws(() => GoPosition.start(9).parseMove(move), NotationError);
  assert.equal(GoPosition.start(9).parseMove("e5").point, 40);
  assert.throws(() => GoPosition.start(9).key("zobrist-2"), RangeError);
});
