// Books of all games, built by `tabia` from small archives, against `tabia explore --json`; and what explore does with wrong arguments.

import assert from "node:assert/strict";
import { openAsBlob, writeFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { ChessPosition } from "../src/chess.js";
import { DraughtsPosition } from "../src/draughts.js";
import { explore, Line, movesByCode } from "../src/explore.js";
import { GoPosition } from "../src/go.js";
import { FileBook, formatKey, LocalBook } from "../src/index.js";
import { OthelloPosition } from "../src/othello.js";
import { exploredAsJson } from "./support/explored.js";
import { portable, randomGame, sgf, transcripts } from "./support/games.js";
import { goldenBook } from "./support/golden.js";
import { Random } from "./support/random.js";
import { jsonOfTabia, NO_TABIA, tabia, temporaryFolder } from "./support/tabia.js";

const file = temporaryFolder();

test("the golden example", async () => {
  const book = LocalBook.from(goldenBook("example.tabia")), start = ChessPosition.start();
  const { key, row, moves } = await explore(book, start);
  assert.equal(formatKey(key), "463b96181691fc9c");
  assert.equal(row.games, 4);
  assert.deepEqual(moves.map(({ name, games, marks, next }) => [name, games, marks, next.row?.games ?? null]), [["e4", 3, 1, 3], ["d4", 1, 0, null]]);
  assert.equal(moves[0].next.position.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  const unknown = await explore(book, ChessPosition.parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
  assert.deepEqual([unknown.row, unknown.moves], [null, []]);
});

test("codes that are no legal move are shown as what they are", async () => {
  const book = LocalBook.from(goldenBook("small.tabia")), { moves } = await explore(book, ChessPosition.start());
  assert.ok(moves.some(({ move, name, next }) => move === null && name === null && next === null));
  assert.ok(moves.length > 20);
});

test("a book of another game, of other keys, or keyed otherwise is refused", async () => {
  const chess = LocalBook.from(goldenBook("example.tabia"));
  await assert.rejects(explore(chess, OthelloPosition.start()), RangeError);
  await assert.rejects(explore(chess, Line.from(ChessPosition.start())), RangeError);
  const info = { ...chess.info, keys: "zobrist" };
  await assert.rejects(explore({ ...chess, info }, ChessPosition.start()), RangeError);
  await assert.rejects(explore({ info: { ...chess.info, keyed: "line" } }, ChessPosition.start()), RangeError);
});

test("moves by code: of those that share one, the least in rank is the first", () => {
  const names = (position) => [...movesByCode(position)].map(([code, moves]) => [code, ...moves.map((move) => position.name(move))]);
  assert.deepEqual(names(OthelloPosition.start()), [[19, "f5", "e6", "d3", "c4"]]);
  const go = new Map(names(GoPosition.start(9)).map(([code, ...moves]) => [code, moves]));
  assert.deepEqual(go.get(21).slice(0, 2), ["F7", "G6"]);
  assert.deepEqual(go.get(81), ["pass"]);
});

const CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
const SAMPLE = fileURLToPath(new URL("../../../../tests/sample.pgn", import.meta.url));

/** So many random games from a position. */
function games(start, count, plies) {
  const random = new Random(10);
  return Array.from({ length: count }, () => ({
    ...randomGame(start, random, plies), result: random.pick(["1-0", "0-1", "1/2-1/2"]), black: random.below(2) === 0,
  }));
}

/** Books: a position to begin with, the options of `tabia build`, and an archive's name and text. */
const books = {
  chess: { start: ChessPosition.start(), archive: SAMPLE },
  "chess, few plies": { start: ChessPosition.start(), build: ["--max-ply", "9"], archive: SAMPLE },
  "chess by line": { start: Line.from(ChessPosition.start()), build: ["--keyed", "line"], archive: SAMPLE },
  chess960: {
    start: ChessPosition.parse(CHESS960), build: [],
    text: ["games.pgn", portable(games(ChessPosition.parse(CHESS960), 80, 30), [["Variant", "Chess960"], ["SetUp", "1"], ["FEN", CHESS960]])],
  },
  ...Object.fromEntries(ChessPosition.games.slice(1).map((game) => [game, {
    start: ChessPosition.start(game), build: ["--game", game],
    text: ["games.pgn", portable(games(ChessPosition.start(game), 60, 60), [["Variant", game]])],
  }])),
  ...booksOf("othello", OthelloPosition.start(), ["games.txt", transcripts(games(OthelloPosition.start(), 60, 100))], ["zobrist-8", "zobrist"]),
  ...booksOf("checkers", DraughtsPosition.start(), ["games.pdn", portable(games(DraughtsPosition.start(), 80, 120), [])], ["zobrist-2", "zobrist"]),
  ...booksOf("draughts-10", DraughtsPosition.start("draughts-10"),
    ["games.pdn", portable(games(DraughtsPosition.start("draughts-10"), 80, 120), [["GameType", "20"]])], ["zobrist-2", "zobrist"]),
  ...Object.assign({}, ...[3, 5, 9, 19].map((size) => booksOf(`go-${size}`, GoPosition.start(size),
    ["games.sgf", sgf(games(GoPosition.start(size), size > 9 ? 8 : 40, Math.min(200, 5 * size * size)), size)], ["zobrist-8", "zobrist-16", "zobrist"]))),
};

/** A game's books in all its key schemes, by position and by line, and one of positions alone. */
function booksOf(game, start, text, schemes) {
  const symmetry = { "zobrist-8": "board", "zobrist-2": "board", "zobrist-16": "colors", zobrist: "none" };
  const all = { [`${game}, positions only`]: { start, build: ["--game", game, "--tables", "positions"], text } };
  for (const scheme of schemes) {
    const build = ["--game", game, "--symmetry", symmetry[scheme]];
    all[`${game}, ${scheme}`] = { start, build, text };
    all[`${game}, ${scheme}, by line`] = { start: Line.from(start, scheme), build: [...build, "--keyed", "line"], text };
  }
  return all;
}

for (const [name, { start, build = [], archive, text }] of Object.entries(books)) {
  test(`${name}: walks through the book are those of tabia explore`, { skip: NO_TABIA }, async () => {
    const path = file(`${name.replaceAll(/\W+/g, "-")}.tabia`), random = new Random(9);
    if (text) writeFileSync(file(text[0]), text[1]);
    tabia("build", "-q", "--force", "-o", path, ...build, archive ?? file(text[0]));
    const book = await FileBook.open(await openAsBlob(path));
    let compared = 0;
    for (let walk = 0; walk < 4; walk++) compared += await compareWalk(book, path, start, random);
    assert.ok(compared >= 5, `${compared} positions`);
  });
}

/** Plays random moves of the book, and compares each third position. */
async function compareWalk(book, path, position, random) {
  const names = [];
  let compared = 0;
  for (let ply = 0; ply < 40; ply++) {
    const explored = await explore(book, position);
    if (ply % 3 === random.below(3)) {
      const where = position instanceof Line ? ["--moves", names.join(" ")] : ["--fen", position.toString()];
      const json = jsonOfTabia(tabia("explore", "--json", path, ...where), position.uci !== undefined);
      assert.deepEqual(exploredAsJson(explored, position, formatKey), json, position.toString());
      compared++;
    }
    const known = explored.moves.filter(({ move }) => move !== null);
    if (known.length === 0) break;
    const row = random.pick(random.below(2) === 0 ? known.slice(0, 1) : known), move = random.pick([row.move, ...row.images]);
    names.push(position.name(move));
    position = position.play(move);
  }
  return compared;
}
