import assert from "node:assert/strict";
import test from "node:test";
import { formatKey, NotationError } from "../src/index.js";
import { OthelloPosition } from "../src/othello.js";
import { symmetryBits, vectorsBetween } from "./support/keys-md.js";
import { perft } from "./support/perft.js";

test("the vectors of keys.md", () => {
  const vectors = vectorsBetween("## Othello", "## English");
  assert.equal(vectors.length, 11);
  for (const [moves, text, apart, together, symmetries, move, code] of vectors) {
    let position = OthelloPosition.start();
    for (const name of moves.match(/../g) ?? []) position = position.play(position.parseMove(name));
    assert.equal(position.toString(), text);
    assert.equal(OthelloPosition.parse(text).toString(), text);
    assert.equal(formatKey(position.key("zobrist")), apart);
    assert.equal(formatKey(position.key()), together);
    assert.equal(symmetryBits(position.canonical().symmetries, 8), symmetries);
    assert.equal(position.legalMoves().length === 0, move === "-", text);
    if (move !== "-") assert.equal(position.code(position.parseMove(move)), Number(code));
  }
});

test("perft, in which no side passes before depth 9", () => {
  const counts = [4, 12, 56, 244, 1396, 8200, 55092];
  counts.forEach((count, i) => assert.equal(perft(OthelloPosition.start(), i + 1), count));
});

test("a side that can't move is skipped", () => {
  const text = "--OOO----X-O------XX-------XX------XX-------X-------------------";
  assert.equal(OthelloPosition.parse(`${text} X`).turn, "white");
  assert.equal(OthelloPosition.parse(`${text} O`).turn, "white");
});

test("moves that lead to images of one position share a code", () => {
  const start = OthelloPosition.start();
  assert.deepEqual(start.legalMoves().map((move) => start.code(move)), [19, 19, 19, 19]);
  assert.equal(new Set(start.legalMoves().map((move) => start.play(move).key())).size, 1);
  assert.deepEqual(start.legalMoves().map((move) => start.code(move, "zobrist")), [19, 26, 37, 44]);
});

test("what isn't a position or a move is refused", () => {
  for (const text of ["", "X", "-".repeat(64), `${"-".repeat(63)} X`, `${"-".repeat(64)} Y`, `${"?".repeat(64)} X`]) {
    assert.throws(() => OthelloPosition.parse(text), NotationError);
  }
  assert.throws(() => OthelloPosition.parse(5), TypeError);
  for (const move of ["", "a1", "f6 ", "i9", "pass", "f5f5"]) assert.throws(() => OthelloPosition.start().parseMove(move), NotationError);
  assert.equal(OthelloPosition.start().parseMove(" F5 ").square, 37);
  assert.throws(() => OthelloPosition.start().key("polyglot"), RangeError);
});
