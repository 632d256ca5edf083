// Random books made by `tabia load`, in all forms, against what `tabia dump` says of them.

import assert from "node:assert/strict";
import { openAsBlob, readFileSync, writeFileSync } from "node:fs";
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

test("shares made by `tabia merge` are the whole book", { skip: NO_TABIA }, () => {
  writeFileSync(file("rows.tsv"), randomRows(new Random(8), ["years"]).replace("#moves", "#moves"));
  tabia("load", "-q", "--force", "-o", file("whole.tabia"), "--game", "chess", "--keys", "polyglot", file("rows.tsv"));
  const whole = LocalBook.from(readFileSync(file("whole.tabia")), { columns: true });
  for (const pack of [[], ["--pack"]]) {
    const shares = [1, 2, 3, 4, 5, 6, 7, 8].map((share) => {
      tabia("merge", "-q", "--force", "-o", file(`share.tabia`), "--share", `${share}/8`, ...pack, file("whole.tabia"));
      return LocalBook.from(readFileSync(file("share.tabia")), { columns: true });
    });
    const keys = [...whole.entries()].map(({ key }) => key);
    assert.deepEqual(BookSet.of(shares).probeMany(keys), whole.probeMany(keys));
    assert.deepEqual(BookSet.of(shares).info.positions, whole.info.positions);
  }
});
