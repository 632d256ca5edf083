// The move that a book would play, by each rule, against a server's own choice (`tabia serve`); values that decide are compared without rounding.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { openAsBlob, writeFileSync } from "node:fs";
import test from "node:test";
import { choose, RULE_NAMES } from "../src/choice.js";
import { fixed } from "../src/choice/rules.js";
import { Surd } from "../src/choice/surd.js";
import { explore } from "../src/explore.js";
import { startOf } from "../src/games.js";
import { FileBook } from "../src/index.js";
import { portable, randomGame } from "./support/games.js";
import { Random } from "./support/random.js";
import { NO_TABIA, TABIA, tabia, temporaryFolder } from "./support/tabia.js";

const file = temporaryFolder();

test("a - √b is compared without rounding", () => {
  const surds = [new Surd(-1n), new Surd(1n, 2n, 1n, 2n), new Surd(0n), new Surd(1n, 1n, 1n, 3n), new Surd(1n, 2n), new Surd(2n, 1n, 2n), new Surd(3n, 5n), new Surd(10n ** 30n + 1n, 10n ** 30n), new Surd(3n, 1n, 2n)];
  surds.forEach((one, i) => surds.forEach((other, j) => {
    const wanted = Math.sign(one.toNumber() - other.toNumber()) || Math.sign(Number(one.over * other.under - other.over * one.under));
    assert.equal(one.compare(other), wanted, `${i} ${j}`);
  }));
  assert.equal(new Surd(2n, 4n, 8n, 32n).compare(new Surd(1n, 2n, 1n, 4n)), 0);
  assert.equal(new Surd(1n, 3n).toNumber(), 1 / 3);
  assert.equal(new Surd(-(10n ** 40n), 3n * 10n ** 40n).toNumber(), -1 / 3);
});

test("halves are rounded to even digits", () => {
  assert.deepEqual([6.25, 6.35, 0.75, 18.75, 31.25, -0.25].map((number) => fixed(number, 1)), ["6.2", "6.3", "0.8", "18.8", "31.2", "-0.2"]);
});

async function choosesAsServed(path, games, random, plies) {
  const server = spawn(TABIA, ["serve", path, "--bind", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
  try {
    const at = await new Promise((done) => server.stderr.on("data", (text) => /serving on (\S+)/.test(text) && done(/serving on (\S+)/.exec(text)[1])));
    const book = await FileBook.open(await openAsBlob(path), { columns: true }), found = { ties: 0, none: 0, moves: 0 };
    for (let times = 0; times < games; times++) {
      let position = startOf(book.info.game);
      const line = [];
      for (let ply = random.below(plies); ply > 0; ply--) {
        const known = (await explore(book, position)).moves.filter(({ move }) => move !== null);
        if (known.length === 0) break;
        const one = random.pick(known);
        line.push(one.name);
        position = position.play(one.move);
      }
      if ((await explore(book, position)).moves.length === 0) continue;
      for (const rule of RULE_NAMES) {
        const own = await choose(book, position, rule);
        const served = await (await fetch(`${at}v1/${book.info.game}/play?${new URLSearchParams({ play: line.join(), rule })}`)).json();
        const about = `${line.join(" ")}, ${rule}: ${own.why}; ${served.why ?? served.error}`;
        assert.equal(own.name, served.move?.san ?? null, about);
        // Moves that lead to known positions and were never played are told apart by the server alone.
        if (served.error) assert.ok(served.error.endsWith(own.why), about);
        else if (!/never played here/.test(served.why)) assert.equal(own.why, served.why, about);
        if (/the same as/.test(own.why)) found.ties++;
        found[own.move === null ? "none" : "moves"]++;
      }
    }
    return found;
  } finally {
    server.kill();
  }
}

test("random games, with ties, marks and evals", { skip: NO_TABIA }, async (t) => {
  const random = new Random(4), games = Array.from({ length: 300 }, (_, i) => ({ ...randomGame(startOf("chess"), random, 8), result: ["1-0", "0-1", "1/2-1/2"][i % 3] }));
  const marked = games.map(({ names, result }, i) => portable([{ names: names.map((name) => `${name}${random.pick(["", "", "!", "?", "!?", "??"])}${random.below(3) === 0 ? ` {[%eval ${random.below(9) / 10 - 0.4},${random.below(20)}]}` : ""}`), result }], [["WhiteElo", `${2000 + i}`], ["BlackElo", `${2300 - i}`]])).join("");
  writeFileSync(file("random.pgn"), marked);
  tabia("build", "-q", "-o", file("random.tabia"), "--ratings", "--evals", file("random.pgn"));
  tabia("mark", "-q", file("random.tabia"), "never", "--move", "a3");
  tabia("mark", "-q", file("random.tabia"), "always", "--moves", "b3", "--move", "a6");
  tabia("compact", "-q", file("random.tabia"));
  const found = await choosesAsServed(file("random.tabia"), 60, random, 7);
  t.diagnostic(JSON.stringify(found));
  assert.ok(found.ties > 20 && found.none > 20 && found.moves > 100, JSON.stringify(found));
});

const masters = process.env.TABIA_BOOKS;
test("200 positions of master games", { skip: NO_TABIA || (masters ? false : "no master games (TABIA_BOOKS)") }, async (t) => {
  const found = await choosesAsServed(`${masters}/masters.tabia`, 200, new Random(8), 14);
  t.diagnostic(JSON.stringify(found));
});

test("a rule that isn't known is a mistake", async () => {
  const book = await FileBook.open(new Blob([(await import("./support/golden.js")).goldenBook("example.tabia")]));
  await assert.rejects(choose(book, startOf("chess"), "toString"), RangeError);
  assert.equal((await choose(book, startOf("chess"), "rating")).why, "the book has no ratings: take another rule, such as `wilson`, or build it with --ratings");
  assert.equal((await choose(book, startOf("chess"), "games")).name, "e4");
});
