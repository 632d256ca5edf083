// Random books made by `tabia load`, in all forms, against what `tabia dump` says of them.

import assert from "node:assert/strict";
import { mkdirSync, openAsBlob, readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import { BookSet, FileBook, LocalBook } from "../src/index.js";
import { bookLines, entryLines } from "./support/lines.js";
import { Random } from "./support/random.js";
import { dumpedLines, NO_TABIA, tabia, temporaryFolder } from "./support/tabia.js";

const file = temporaryFolder();

/** Rows of random keys, some of which are near each other in the table, as text for `tabia load`. */
function randomRows(random, columns) {
  const keys = Array.from({ length: 1 + random.below(random.pick([3, 40, 3000])) }, () => random.bits().toString(16).padStart(16, "0"));
  const count = () => random.pick([0, 0, 1, 2, random.below(20), random.below(2 ** 32)]);
  const positions = keys.filter(() => random.below(8) > 0).map((key) => {
    const hasEval = random.below(4) === 0;
    return [key, count(), count(), count(), hasEval ? random.below(65535) - 32767 : "-", hasEval ? random.below(256) : 0, random.below(10) === 0 ? random.below(32) : 0];
  });
  const fields = {
    ratings: () => [random.below(2 ** 48), random.below(2 ** 48), random.below(2 ** 32), random.bits()],
    game: () => [random.bits().toString(16).padStart(16, "0")],
    years: () => [random.below(2100), random.below(2100)],
  };
  const moves = keys.flatMap((key) => Array.from({ length: random.below(random.pick([2, 4, 60])) }, () =>
    [key, random.below(random.pick([10, 4096, 65536])), count(), count(), count(), random.below(6) === 0 ? random.below(256) : 0,
      ...columns.flatMap((column) => (random.below(3) === 0 ? fields[column]().map((value) => (column === "game" ? "0".repeat(16) : 0)) : fields[column]()))]));
  const names = { ratings: ["mover_rating_sum", "opponent_rating_sum", "rated_games", "rated_score"], game: ["game"], years: ["first_year", "last_year"] };
  const lines = [
    ["#positions", "key", "wins", "draws", "losses", "eval", "depth", "flags"], ...positions,
    ["#moves", "key", "move", "wins", "draws", "losses", "marks", ...columns.flatMap((column) => names[column])], ...moves,
  ];
  return lines.map((line) => `${line.join("\t")}\n`).join("");
}

test("random books hold what `tabia dump` says, in every form", { skip: NO_TABIA }, async () => {
  const random = new Random(7);
  let rows = 0;
  for (let i = 0; i < 60; i++) {
    const columns = ["ratings", "game", "years"].filter(() => random.below(2) === 0);
    writeFileSync(file("rows.tsv"), randomRows(random, columns));
    const options = [...(random.below(2) === 0 ? ["--filter"] : []), ...(random.below(2) === 0 ? ["--pack"] : [])];
    const load = (500 + random.below(481)) / 1000;
    tabia("load", "-q", "--force", "-o", file("book.tabia"), "--game", "chess", "--keys", "polyglot", "--load", String(load), ...options, file("rows.tsv"));
    const lines = dumpedLines(tabia("dump", "-q", file("book.tabia")));
    const local = LocalBook.from(readFileSync(file("book.tabia")), { columns: true }), ranged = await FileBook.open(await openAsBlob(file("book.tabia")), { columns: true });
    const entries = [...local.entries({ verify: true })];
    assert.deepEqual(bookLines(entries, [], []), lines, `book ${i}`);
    const keys = entries.map(({ key }) => key), found = await ranged.probeMany(keys), verified = await ranged.probeMany(keys, { verify: true });
    entries.forEach((entry, n) => {
      const wanted = entryLines(entry.key, entry);
      for (const answer of [local.probe(entry.key), found[n], verified[n]]) assert.deepEqual(entryLines(entry.key, answer), wanted, `book ${i}`);
    });
    for (let n = 0; n < 200; n++) assert.deepEqual(local.probe(random.bits()), { position: null, moves: [] });
    rows += lines.length;
  }
  assert.ok(rows > 10_000, `${rows} rows`);
});

const opened = (name) => LocalBook.from(readFileSync(file(name)), { columns: true }), keysOf = (book) => [...book.entries()].map(({ key }) => key);

/** Builds a book of each third game of the sample. */
function build(name, first) {
  const games = readFileSync(new URL("../../../../tests/sample.pgn", import.meta.url), "utf8").split(/^(?=\[Event )/m).filter((_, i) => i % 3 === first);
  writeFileSync(file(`${name}.pgn`), games.join(""));
  tabia("build", "-q", "--ratings", "--years", "-o", file(name), file(`${name}.pgn`));
  return opened(name);
}

/** Makes all shares of a book, in a folder; `open` opens them. */
function shareOut(folder, count, book, ...options) {
  const names = Array.from({ length: count }, (_, i) => `${folder}/${i + 1}.tabia`);
  mkdirSync(file(folder));
  names.forEach((name, i) => tabia("merge", "-q", "-o", file(name), "--share", `${i + 1}/${count}`, ...options, file(book)));
  return { folder: file(folder), files: names.map(file), open: () => names.map(opened) };
}

function isWhole(set, whole, keys) {
  assert.deepEqual(set.probeMany(keys), whole.probeMany(keys));
  assert.deepEqual([set.info.positions, set.info.moves, set.sources(), set.facts()], [whole.info.positions, whole.info.moves, whole.sources(), whole.facts()]);
}

test("shares made by `tabia merge` are the whole book", { skip: NO_TABIA }, () => {
  writeFileSync(file("rows.tsv"), randomRows(new Random(8), ["years"]));
  tabia("load", "-q", "-o", file("loaded.tabia"), "--game", "chess", "--keys", "polyglot", file("rows.tsv"));
  build("foreign.tabia", 1);
  for (const [name, whole] of [["loaded.tabia", opened("loaded.tabia")], ["built.tabia", build("built.tabia", 0)]]) {
    const random = new Random(9), keys = [...keysOf(whole), ...Array.from({ length: 50 }, () => random.bits())];
    for (const [count, ...pack] of [[2], [8], [8, "--pack"]]) {
      const shares = shareOut(`${name}-${count}${pack}`, count, name, ...pack).open();
      isWhole(BookSet.of(shares), whole, keys);
      isWhole(BookSet.of([...shares.slice(1).reverse(), shares[0]]), whole, keys);
      assert.throws(() => BookSet.of(shares.slice(1)), (error) => error.rule === "S-2" && error.place === `share 1/${count}`);
      const [foreign] = shareOut(`${name}-foreign-${count}${pack}`, count, "foreign.tabia", ...pack).open();
      assert.throws(() => BookSet.of([...shares.slice(1), foreign]), (error) => error.rule === "S-1" && error.place === `book ${count} of ${count}`);
    }
  }
});

test("a set that is added to: journals are not read, and shares of which some are compacted are no set", { skip: NO_TABIA }, () => {
  const before = build("before.tabia", 0), set = shareOut("set", 4, "before.tabia");
  build("week.tabia", 1);
  tabia("merge", "-q", "-o", file("after.tabia"), file("before.tabia"), file("week.tabia"));
  tabia("merge", "-q", "--into", set.folder, file("week.tabia"));
  isWhole(BookSet.of(set.open()), before, keysOf(before));
  tabia("compact", "-q", set.files[2]);
  assert.throws(() => BookSet.of(set.open()), (error) => error.rule === "S-1" && error.place === "book 3 of 4");
  for (const share of set.files.filter((_, i) => i !== 2)) tabia("compact", "-q", share);
  isWhole(BookSet.of(set.open()), opened("after.tabia"), keysOf(opened("after.tabia")));
});
