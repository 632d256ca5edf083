// Large books of master games, plain and packed (masters.tabia and masters-packed.tabia in the folder TABIA_BOOKS), against `tabia dump` and
// `tabia get`: 100,000 keys each, and as many that are absent.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, openAsBlob, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { FileBook, Flags, LocalBook, Marks } from "../src/index.js";
import { Random } from "./support/random.js";
import { NO_TABIA, TABIA } from "./support/tabia.js";

const WANTED = 100_000, READ_AT_ONCE = 2 ** 31;
/** Keys that a FileBook is asked for: files are slow to read in node. */
const OF_FILE = 3_000;
const folder = process.env.TABIA_BOOKS ?? "";

/** Keys of a book as `tabia dump` says them, about `WANTED`, equally far apart. awk is much faster at so many lines than node. */
function dumpedKeys(path, rows) {
  const every = Math.max(1, Math.floor(rows / WANTED));
  const pick = `!/^#/ { if (n % ${every} == 0) print substr($0, 1, 16); n++ } END { print n }`;
  const keys = execFileSync("sh", ["-c", '"$1" dump -q --table positions "$2" | awk "$3"', "sh", TABIA, path, pick], { encoding: "utf8", maxBuffer: 2 ** 30 }).trim().split("\n");
  assert.equal(Number(keys.pop()), rows);
  return keys.slice(0, WANTED);
}

/** An entry as `tabia get --json` prints it. */
function asJson(key, { position, moves }) {
  const bits = (set, names) => Object.entries(names).filter(([, bit]) => set & bit).length;
  return {
    key,
    position: position && { ...counts(position), eval: position.eval, depth: position.depth, flags: bits(position.flags, Flags) },
    moves: moves.map((move) => ({ move: move.code, ...counts(move), marks: bits(move.marks, Marks) })),
  };
}

function counts({ wins, draws, losses }) {
  return { wins, draws, losses };
}

/** What `tabia get --json` printed, with numbers of flags and marks. */
function asPrinted({ key, position, moves }) {
  return {
    key,
    position: position && { ...counts(position), eval: position.eval, depth: position.depth, flags: position.flags.length },
    moves: moves.map((move) => ({ move: move.move, ...counts(move), marks: move.marks.length })),
  };
}

for (const name of ["masters.tabia", "masters-packed.tabia"]) {
  const path = join(folder, name), skip = NO_TABIA || (folder && existsSync(path) ? false : `${name} is not here (TABIA_BOOKS)`);
  test(`${name}: ${WANTED} keys, and as many absent ones`, { skip }, async () => {
    const file = await FileBook.open(await openAsBlob(path), { cacheBytes: 1 << 26 });
    const books = statSync(path).size < READ_AT_ONCE ? [LocalBook.from(readFileSync(path)), file] : [file];
    const keys = dumpedKeys(path, file.info.positions.rows);
    const printed = JSON.parse(execFileSync(TABIA, ["get", path, "-", "--json"], { input: keys.join("\n"), encoding: "utf8", maxBuffer: 2 ** 30 }));
    assert.equal(printed.length, keys.length);
    const random = new Random(12), absent = Array.from({ length: keys.length }, () => random.bits());
    for (const book of books) {
      const count = book === file ? OF_FILE : keys.length;
      const found = await book.probeMany(keys.slice(0, count));
      found.forEach((entry, i) => assert.deepEqual(asJson(keys[i], entry), asPrinted(printed[i])));
      for (const position of await book.positionMany(absent.slice(0, count))) assert.equal(position, null);
    }
    console.log(`# ${name}: ${keys.length} keys found as tabia get prints them, ${absent.length} absent`);
  });
}
