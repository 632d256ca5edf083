import assert from "node:assert/strict";
import test from "node:test";
import { DraughtsPosition } from "../src/draughts.js";
import { formatKey, NotationError } from "../src/index.js";
import { vectorsBetween } from "./support/keys-md.js";
import { perft } from "./support/perft.js";

test("the vectors of keys.md", () => {
  const tables = { checkers: vectorsBetween("8x8, game `checkers`", "10x10, game"), "draughts-10": vectorsBetween("10x10, game", "## Go") };
  assert.deepEqual(Object.values(tables).map((rows) => rows.length), [8, 6]);
  for (const [game, rows] of Object.entries(tables)) {
    for (const [text, apart, together, move, codeApart, codeTogether] of rows) {
      const position = DraughtsPosition.parse(text, game);
      assert.equal(position.toString(), text);
      assert.equal(formatKey(position.key("zobrist")), apart);
      assert.equal(formatKey(position.key()), together);
      assert.equal(position.legalMoves().length === 0, move === "-", text);
      if (move === "-") continue;
      assert.equal(position.code(position.parseMove(move), "zobrist"), Number(codeApart), text);
      assert.equal(position.code(position.parseMove(move)), Number(codeTogether), text);
    }
  }
});

test("the vectors begin at the starts", () => {
  assert.equal(DraughtsPosition.start().toString(), vectorsBetween("8x8, game `checkers`", "10x10, game")[0][0]);
  assert.equal(DraughtsPosition.start("draughts-10").toString(), vectorsBetween("10x10, game", "## Go")[0][0]);
});

test("perft: OEIS A133046, and Bik's counts of international draughts", () => {
  [7, 49, 302, 1469, 7361, 36768].forEach((count, i) => assert.equal(perft(DraughtsPosition.start(), i + 1), count));
  [9, 81, 658, 4265, 27117].forEach((count, i) => assert.equal(perft(DraughtsPosition.start("draughts-10"), i + 1), count));
});

test("captures of one start and end have codes and names of their own", () => {
  const position = DraughtsPosition.parse("B:WK9,10,17,18,25,26,K27:B5,K6");
  const moves = position.legalMoves().map((move) => [position.code(move, "zobrist"), position.name(move), move.route.join("x")]);
  assert.deepEqual(moves.sort((a, b) => a[0] - b[0]), [
    [285, "5x14x21x30", "5x14x21x30"], [287, "5x32", "5x14x23x32"], [325, "6x6", "6x13x22x15x6"], [343, "6x13x22x31x24", "6x13x22x31x24"],
    [348, "6x13x22x29", "6x13x22x29"], [4381, "5x14x23x30", "5x14x23x30"], [4439, "6x15x22x31x24", "6x15x22x31x24"], [4444, "6x15x22x29", "6x15x22x29"],
  ]);
  assert.deepEqual(position.parseMove("6x15x22x13x6").captured, position.parseMove("6x6").captured);
  assert.throws(() => position.parseMove("5x30"), /several moves/);
  assert.throws(() => position.parseMove("6x13x22x24"), NotationError);
});

/** A position with other legal moves than its own: none is known on the board that has more than sixteen captures of one start and end. */
class WithMoves extends DraughtsPosition {
  made = [];
  legalMoves() {
    return this.made;
  }
}

test("codes beyond sixteen captures of one start and end are counted over the position", () => {
  const position = new WithMoves("draughts-10", new Uint8Array(50), true), sets = Array.from({ length: 1000 }, (_, i) => [i + 1]);
  const captures = (from, to, count) => sets.slice(0, count).map(([n]) => ({
    from, to, captured: Array.from({ length: 10 }, (_, bit) => bit + 1).filter((square) => (n >> (square - 1)) & 1), route: [from, to],
  }));
  position.made = [...captures(20, 30, 20), ...captures(10, 30, 1000), { from: 1, to: 6, captured: [], route: [1, 6] }].reverse();
  const code = (from, to, n) => position.code(captures(from, to, n).at(-1), "zobrist");
  assert.deepEqual([code(20, 30, 1), code(20, 30, 16)], [(19 << 6) | 29, (15 << 12) | (19 << 6) | 29]);
  assert.deepEqual([code(10, 30, 17), code(10, 30, 16 + 896), code(10, 30, 17 + 896), code(10, 30, 1000)], [3200, 4095, 0x1000 | 3200, 0x1000 | (3200 + 87)]);
  assert.deepEqual([code(20, 30, 17), code(20, 30, 20)], [0x1000 | (3200 + 88), 0x1000 | (3200 + 91)]);
  assert.equal(new Set(position.made.map((move) => position.code(move, "zobrist"))).size, position.made.length);
});

test("a crowded board of flying kings is answered in bounded time", () => {
  const position = DraughtsPosition.parse("W:WK46,K47,K48,K49,K50:B7,8,9,12,13,14,17,18,19,22,23,24,27,28,29,32,33,34,37,38,39", "draughts-10");
  assert.ok(position.legalMoves().length > 0);
});

test("what isn't a position or a move is refused", () => {
  for (const text of ["", "W", "W:W1", "X:W1:B2", "W:W0:B2", "W:W33:B2", "W:W1:B1", "W:W5-3:B1", "W:W1:B2:W3", "W:W1;B2", "W:WQ1:B2"]) {
    if (text !== "W:W1") assert.throws(() => DraughtsPosition.parse(text), NotationError, text);
  }
  assert.throws(() => DraughtsPosition.start("chess"), RangeError);
  assert.throws(() => DraughtsPosition.parse("W:W1:B2", "chess"), RangeError);
  assert.equal(DraughtsPosition.parse("B:W21-32:B1-12").toString(), DraughtsPosition.start().toString());
  for (const move of ["", "11", "11-14", "11x15x18", "a-b", "99-1"]) assert.throws(() => DraughtsPosition.start().parseMove(move), NotationError, move);
  assert.throws(() => DraughtsPosition.start().code({ from: 1, to: 32, captured: [] }), RangeError);
  assert.throws(() => DraughtsPosition.start().key("zobrist-8"), RangeError);
});
