import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ChessPosition } from "../src/chess.js";
import { Line } from "../src/explore.js";
import { formatKey, NotationError } from "../src/index.js";
import { perft } from "./support/perft.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The positions with which Polyglot's book format describes its keys. */
const POLYGLOT = {
  [START]: "463b96181691fc9c",
  "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": "823c9b50fd114196",
  "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2": "0756b94461c50fb0",
  "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2": "662fafb965db29d4",
  "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3": "22a48b5a8e47ff78",
  "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3": "652a607ca3f242c1",
  "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4": "00fdd303c946bdd9",
  "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3": "3c8123ea7b067637",
  "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4": "5c3f9b829b279560",
};

/** Positions of the Chess Programming Wiki's page "Perft Results", and their counts; two of Chess960. */
const PERFT = {
  [START]: [20, 400, 8902, 197281],
  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [48, 2039, 97862],
  "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812, 43238],
  "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467],
  "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486, 62379],
  "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [46, 2079, 89890],
  "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528, 12189],
  "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [21, 807, 18002],
};

test("Polyglot's vectors", () => {
  for (const [fen, key] of Object.entries(POLYGLOT)) assert.equal(formatKey(ChessPosition.parse(fen).key()), key, fen);
});

test("Polyglot's vectors, by playing", () => {
  for (const moves of ["e4 d5 e5 f5 Ke2 Kf7", "a4 b5 h4 b4 c4 bxc3 Ra3"]) {
    let position = ChessPosition.start();
    for (const name of moves.split(" ")) {
      position = position.play(position.parseMove(name));
      const known = Object.entries(POLYGLOT).find(([fen]) => fen.split(" ").slice(0, 2).join() === position.fen().split(" ").slice(0, 2).join());
      if (known) assert.equal(formatKey(position.key()), known[1], known[0]);
    }
  }
});

test("en passant counts if a pawn stands beside the one that moved, pinned or not, and not otherwise", () => {
  const key = (fen) => formatKey(ChessPosition.parse(fen).key());
  assert.equal(key("8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1"), "63d08bc40c4e24f2");
  assert.equal(key("8/8/8/8/k2pP2Q/8/8/4K3 b - - 0 1"), "ace1ce1a0693667b");
  assert.equal(ChessPosition.parse("8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1").legalMoves().some((move) => move.isEnPassant), false);
  for (const square of ["e3", "a3", "e6", "d6"]) assert.equal(key(START.replace("- 0", `${square} 0`)), "463b96181691fc9c");
  const passed = ChessPosition.parse("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
  assert.match(passed.play(passed.parseMove("e4")).fen(), / e3 /);
  const edge = ChessPosition.parse("4k3/8/8/8/7p/8/P7/4K3 w - - 0 1");
  assert.match(edge.play(edge.parseMove("a4")).fen(), / - 0 1$/);
});

test("perft", () => {
  for (const [fen, counts] of Object.entries(PERFT)) {
    counts.forEach((count, i) => assert.equal(perft(ChessPosition.parse(fen), i + 1), count, fen));
  }
});

test("castling rights are read in all their forms, and those that can't be are dropped", () => {
  const fen = (text) => ChessPosition.parse(text).fen();
  assert.equal(fen("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  assert.equal(fen("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  assert.equal(fen("1r2k1rr/8/8/8/8/8/8/RR2K2R w Bg - 0 1"), "1r2k1rr/8/8/8/8/8/8/RR2K2R w Bg - 0 1");
  assert.equal(fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1");
});

test("castling is named as in chess, and in Chess960 as the king takes the rook", () => {
  const castle = (fen, name) => {
    const position = ChessPosition.parse(fen), move = position.parseMove(name), next = position.play(move);
    return [position.uci(move), position.name(move), move.code, next.fen().split(" ")[0]];
  };
  assert.deepEqual(castle("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"), ["e1g1", "O-O", 263, "r3k2r/8/8/8/8/8/8/R4RK1"]);
  assert.deepEqual(castle("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1"), ["e1g1", "O-O", 263, "r3k2r/8/8/8/8/8/8/R4RK1"]);
  assert.deepEqual(castle("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0-0-0"), ["e8c8", "O-O-O", 3896, "2kr3r/8/8/8/8/8/8/R3K2R"]);
  assert.deepEqual(castle("4k3/8/8/8/8/8/8/1RK4R w KB - 0 1", "O-O-O"), ["c1b1", "O-O-O", 129, "4k3/8/8/8/8/8/8/2KR3R"]);
  assert.deepEqual(castle("4k3/8/8/8/8/8/8/1RK4R w KB - 0 1", "O-O"), ["c1h1", "O-O", 135, "4k3/8/8/8/8/8/8/1R3RK1"]);
  assert.throws(() => castle("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O"), NotationError);
  assert.equal(castle("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O")[0], "e1c1");
  assert.throws(() => castle("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O"), NotationError);
});

test("names of moves tell apart what has to be told apart", () => {
  const names = (fen, pattern) => {
    const position = ChessPosition.parse(fen);
    return position.legalMoves().map((move) => position.name(move)).filter((name) => pattern.test(name)).sort();
  };
  assert.deepEqual(names("4k3/8/8/8/8/2N1N3/8/4K3 w - - 0 1", /^N.d[15]/), ["Ncd1", "Ncd5", "Ned1", "Ned5"]);
  assert.deepEqual(names("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", /a3/), ["R1a3", "R5a3"]);
  assert.deepEqual(names("6k1/8/8/8/Q6Q/8/8/K6Q w - - 0 1", /e[14]/), ["Q1e1", "Q1e4", "Q4e1", "Qae4", "Qh4e4"]);
  assert.deepEqual(names("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", /8/), ["a8=B", "a8=N", "a8=Q", "a8=R", "axb8=B", "axb8=N", "axb8=Q+", "axb8=R+"]);
  assert.deepEqual(names("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", /a8/), ["Ra8#"]);
  assert.deepEqual(names("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", /d6/), ["exd6"]);
  assert.deepEqual(names("4k3/8/8/8/8/8/4r3/R3K2r w Q - 0 1", /./), ["Kxe2"]);
});

test("names are read back, in other spellings too", () => {
  const random = "r1b1k2r/ppppqppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQ1RK1 b kq - 0 6";
  for (const fen of [START, random, ...Object.keys(PERFT)]) {
    const position = ChessPosition.parse(fen);
    for (const move of position.legalMoves()) {
      assert.equal(position.parseMove(position.name(move)), move);
      assert.equal(position.parseMove(position.uci(move)), move);
    }
  }
  const position = ChessPosition.parse("1n2k3/P7/8/3pP3/8/5N2/8/4K2R w K d6 0 1");
  for (const [text, uci] of [["exd6 e.p.", "e5d6"], ["e5xd6", "e5d6"], ["Nf3-d4!?", "f3d4"], ["a8Q", "a7a8q"], ["0-0", "e1g1"], ["Ng1 ", "f3g1"], ["axb8=Q+!!", "a7b8q"]]) {
    assert.equal(position.uci(position.parseMove(text)), uci, text);
  }
  for (const wrong of ["", "e4", "exd7", "Nd5", "a8", "a7a8", "a7a8k", "O-O-O", "Z5", "--", "e1e1", "<b>"]) {
    assert.throws(() => position.parseMove(wrong), NotationError, wrong);
  }
  assert.throws(() => ChessPosition.parse("4k3/8/8/8/8/2N1N3/8/4K3 w - - 0 1").parseMove("Nd5"), /several moves/);
});

test("what isn't a position is refused", () => {
  const wrong = [
    "", "8/8/8/8/8/8/8/8 w - - 0 1", "start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1", "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "rnbqkbnr/pppppppp/44p/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKKNR w - - 0 1",
    "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K2r b - - 0 1", "4k3/8/8/8/8/8/8/4K3 w XY - 0 1", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - x 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", "4k3/8/8/8/8/8/8/4Z3 w - - 0 1",
  ];
  for (const fen of wrong) assert.throws(() => ChessPosition.parse(fen), NotationError, fen);
  assert.throws(() => ChessPosition.parse(null), TypeError);
  assert.throws(() => ChessPosition.start().key("zobrist"), RangeError);
});

test("numbers of moves are counted, and positions don't change", () => {
  const start = ChessPosition.start(), fen = start.fen();
  const fens = ["Nf3", "d5", "Ng1"].reduce((all, name) => [...all, all.at(-1).play(all.at(-1).parseMove(name))], [start]).map(String);
  assert.deepEqual(fens.map((text) => text.split(" ").slice(4).join(" ")), ["0 1", "1 1", "0 2", "1 2"]);
  assert.equal(start.fen(), fen);
  start.legalMoves().pop();
  assert.equal(start.legalMoves().length, 20);
});

test("keys of lines are those of section 2.1", () => {
  const text = readFileSync(new URL("../../../../format-spec/README.md", import.meta.url), "utf8");
  const vectors = [...text.matchAll(/^\| (no move|1\. [^|(]*?)(?: \([^|]*\))? \| ([0-9a-f ]*)\| ([0-9a-f]{16}) \|$/gm)];
  assert.equal(vectors.length, 4);
  for (const [, moves, codes, key] of vectors) {
    let line = Line.from(ChessPosition.start());
    const made = [];
    for (const name of moves === "no move" ? [] : moves.replace(/\d\. /g, "").split(" ")) {
      made.push(line.code(line.parseMove(name)).toString(16).padStart(4, "0"));
      line = line.play(line.parseMove(name));
    }
    assert.equal(made.join(" "), codes.trim());
    assert.equal(formatKey(line.key()), key);
  }
});
