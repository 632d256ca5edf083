import assert from "node:assert/strict";
import test from "node:test";
import { ChessPosition } from "../src/chess.js";
import { startOf } from "../src/games.js";
import { formatKey, NotationError } from "../src/index.js";
import { vectorsBetween } from "./support/keys-md.js";
import { perft } from "./support/perft.js";

const VARIANTS = ChessPosition.games.slice(1);

/** Sequences of moves from the starts, and from positions where the variant's own rules decide; counted by python-chess. */
const PERFT = {
  crazyhouse: { "": [20, 400, 8902], "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1": [301, 75353], "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1": [42, 1347] },
  antichess: { "": [20, 400, 8067], "8/1p6/8/8/8/8/P7/8 w - - 0 1": [2, 4, 4, 3, 1], "8/P7/8/8/8/8/1k6/8 w - - 0 1": [5] },
  atomic: { "": [20, 400, 8902], "r3k1rR/5K2/8/8/8/8/8/8 b kq - 0 1": [25, 282, 6753], "8/8/8/8/8/8/2k5/rR4KR w KQ - 0 1": [18, 180, 4364] },
  "king-of-the-hill": { "": [20, 400, 8902], "8/8/8/8/8/2K5/8/k7 w - - 0 1": [7, 14] },
  "three-check": { "": [20, 400, 8902], "4k3/8/8/8/8/8/8/R3K3 w - - 1+1 0 1": [15, 65] },
  horde: { "": [8, 128, 1274], "k7/8/8/8/8/8/8/PP6 w - - 0 1": [4, 12] },
  "racing-kings": { "": [21, 421, 11264], "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1": [6, 33, 178] },
};

test("the vectors of keys.md", () => {
  const vectors = vectorsBetween("## Variants of chess", "## Othello");
  assert.equal(vectors.length, 12);
  for (const [game, moves, fen, key, san, code] of vectors) {
    let position = ChessPosition.start(game);
    for (const name of moves.split(" ").filter(Boolean)) position = position.play(position.parseMove(name));
    assert.equal(position.fen(), fen);
    for (const one of [position, ChessPosition.parse(fen, game)]) {
      assert.equal(formatKey(one.key()), key, fen);
      const move = one.parseMove(san);
      assert.equal(one.code(move), Number(code), san);
      assert.equal(one.parseMove(one.uci(move)), move);
    }
  }
});

test("perft", () => {
  assert.deepEqual(Object.keys(PERFT), VARIANTS);
  for (const [game, positions] of Object.entries(PERFT)) {
    for (const [fen, counts] of Object.entries(positions)) {
      const position = fen === "" ? startOf(game) : ChessPosition.parse(fen, game);
      counts.forEach((count, i) => assert.equal(perft(position, i + 1), count, `${game} ${fen} ${i + 1}`));
    }
  }
});

test("games end by the variant's rules, and their last move has the sign of a mate", () => {
  const end = (game, fen, name) => {
    const position = ChessPosition.parse(fen, game), move = position.parseMove(name), next = position.play(move);
    assert.equal(next.legalMoves().length === 0, next.outcome() !== null);
    return [position.name(move), next.outcome()];
  };
  assert.deepEqual(end("antichess", "8/8/8/8/8/1p6/P7/8 w - - 0 1", "axb3"), ["axb3#", "black"]);
  assert.deepEqual(end("antichess", "8/8/8/p7/8/P7/8/8 w - - 0 1", "a4"), ["a4#", "black"]);
  assert.deepEqual(end("atomic", "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "Qxd8"), ["Qxd8#", "white"]);
  assert.deepEqual(end("king-of-the-hill", "4k3/8/8/8/8/4K3/8/8 w - - 0 1", "Kd4"), ["Kd4#", "white"]);
  assert.deepEqual(end("three-check", "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", "Ra8+"), ["Ra8#", "white"]);
  assert.deepEqual(end("three-check", "4k3/8/8/8/8/8/8/R3K3 w - - 2+3 0 1", "Ra8+"), ["Ra8+", null]);
  assert.deepEqual(end("horde", "4k3/8/8/8/8/8/3r4/3P4 b - - 0 1", "Rxd1"), ["Rxd1#", "black"]);
  assert.deepEqual(end("racing-kings", "8/K7/8/8/k7/8/8/8 w - - 0 1", "Kb8"), ["Kb8#", "white"]);
  assert.deepEqual(end("racing-kings", "8/K4k2/8/8/8/8/8/8 w - - 0 1", "Kb8"), ["Kb8", null]);
  assert.deepEqual(end("racing-kings", "1K6/5k2/8/8/8/8/8/8 b - - 0 1", "Kf8"), ["Kf8", "draw"]);
  assert.deepEqual(end("racing-kings", "1K6/5k2/8/8/8/8/8/8 b - - 0 1", "Kf6"), ["Kf6#", "white"]);
  assert.deepEqual(end("crazyhouse", "6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7"), ["N@f7#", "white"]);
  assert.deepEqual(end("crazyhouse", "6rk/6pp/8/8/8/8/8/K7[R] w - - 0 1", "R@f8"), ["R@f8", null]);
});

test("what is in hand, what was a pawn, and checks are read in all their forms, and written in one", () => {
  const fen = (game, text) => ChessPosition.parse(text, game).fen();
  assert.equal(fen("crazyhouse", "4k3/8/8/8/8/8/8/4K3/QnP w - - 0 1"), "4k3/8/8/8/8/8/8/4K3[PQn] w - - 0 1");
  assert.equal(fen("crazyhouse", "4k3/8/8/8/8/8/8/4K3 w"), "4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
  assert.equal(fen("crazyhouse", "Q~3k3/8/8/8/8/8/8/4K3[-] b - - 0 1"), "Q~3k3/8/8/8/8/8/8/4K3[] b - - 0 1");
  assert.equal(fen("three-check", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+0"), "4k3/8/8/8/8/8/8/4K3 w - - 2+3 0 1");
  assert.equal(fen("three-check", "4k3/8/8/8/8/8/8/4K3 w"), "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1");
  for (const game of ["antichess", "racing-kings"]) assert.match(fen(game, "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"), / w - - 0 1$/);
});

test("drops are read in all spellings, and only of what is in hand", () => {
  const position = ChessPosition.parse("4k3/8/8/8/8/8/8/4K3[Nqp] b - - 0 1", "crazyhouse");
  for (const [text, name, uci] of [["P@d4", "@d4", "P@d4"], ["@d4", "@d4", "P@d4"], ["Q@a8+", "Q@a8", "Q@a8"], ["Q@d2", "Q@d2+", "Q@d2"]]) {
    const move = position.parseMove(text);
    assert.deepEqual([position.name(move), position.uci(move)], [name, uci]);
  }
  for (const text of ["N@d4", "@d1", "P@d8", "K@d4", "Q@e8", "R@d4", "@", "d4"]) assert.throws(() => position.parseMove(text), NotationError, text);
});

test("what isn't a position of a variant is refused", () => {
  const wrong = {
    chess: ["4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "Q~3k3/8/8/8/8/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1"],
    crazyhouse: ["4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[x] w - - 0 1", "~4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "4k~~3/8/8/8/8/8/8/4K3[ w - - 0 1"],
    "three-check": ["4k3/8/8/8/8/8/8/4K3 w - - 4+3 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1 +0+0"],
    horde: ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/p7 w - - 0 1"],
    atomic: ["k6R/8/8/8/8/8/8/4K3 w - - 0 1"],
    "racing-kings": ["8/8/8/8/8/8/k6R/7K b - - 0 1"],
  };
  for (const [game, fens] of Object.entries(wrong)) {
    for (const fen of fens) assert.throws(() => ChessPosition.parse(fen, game), NotationError, `${game} ${fen}`);
  }
  const start = ChessPosition.start();
  assert.throws(() => start.parseMove(`e4${"+".repeat(1e6)}x`), NotationError);
  assert.throws(() => ChessPosition.parse(`4k3/8/8/8/8/8/8/4K3[${"Q".repeat(256)}] w - - 0 1`, "crazyhouse"), NotationError);
  assert.equal(ChessPosition.parse("r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1").fen(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  for (const game of ["duck", "toString", ""]) assert.throws(() => ChessPosition.start(game), RangeError);
});
