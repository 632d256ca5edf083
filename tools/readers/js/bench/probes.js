// How long a probe of a book in memory takes: `node bench/probes.js BOOK...`, plain or packed. In one process, for each book: positions that are there, absent ones,
// all moves of a position, position and moves together, keys as text; beside them the least that a probe can be, one read at a random place of the same
// bytes, and a Map from keys to numbers with the keys that are asked for. Prints ns a probe: medians of the rounds' CPU times, and ratios to the read.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { cpuUsage } from "node:process";
import { formatKey, LocalBook } from "../src/index.js";
import { Random } from "../test/support/random.js";

const KEYS = 100_000, ROUNDS = 9;

/** Keys of a book's positions: those of which the hash is next above a random one would be fairest, every n-th of all entries comes close. */
function someKeys(book, random) {
  const every = Math.max(1, Math.floor(book.info.positions.rows / KEYS)), keys = [];
  let n = 0;
  for (const { key, position } of book.entries()) {
    if (position !== null && n++ % every === 0) keys.push(key);
    if (keys.length === KEYS) break;
  }
  for (let i = keys.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [keys[i], keys[j]] = [keys[j], keys[i]];
  }
  return keys;
}

/** CPU time of one run in ns a key. */
function time(run, count) {
  const before = cpuUsage();
  run();
  const { user, system } = cpuUsage(before);
  return ((user + system) * 1000) / count;
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** What is timed: for each name a function that goes through all keys, and what it has to find. */
function contenders(book, bytes, keys, random) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), absent = keys.map(() => random.bits()), texts = keys.map(formatKey);
  const places = Float64Array.from(keys, () => 8 * random.below(Math.floor(bytes.length / 8))), map = new Map(keys.map((key, i) => [key, i]));
  let sink = 0;
  const each = (list, found, ask) => ({ found, run: () => list.reduce((sum, key) => sum + (ask(key) ? 1 : 0), 0) });
  return {
    "random read": { found: keys.length, run: () => places.reduce((sum, place) => ((sink ^= view.getUint32(place, true)), sum + 1), 0) },
    "Map.get": each(keys, keys.length, (key) => map.get(key) !== undefined),
    "position, hit": each(keys, keys.length, (key) => book.position(key) !== null),
    "position, miss": each(absent, 0, (key) => book.position(key) !== null),
    "moves": each(keys, null, (key) => book.moves(key).length > 0),
    "position and moves": each(keys, keys.length, (key) => book.probe(key).position !== null),
    "position, key as text": each(texts, keys.length, (key) => book.position(key) !== null),
  };
}

function bench(path) {
  const bytes = readFileSync(path), random = new Random(1), book = LocalBook.from(bytes), keys = someKeys(book, random);
  const all = Object.entries(contenders(book, bytes, keys, random)).map(([name, one]) => ({ name, ...one, times: [] }));
  for (let round = -1; round < ROUNDS; round++) {
    for (const { name, run, found, times } of all) {
      let count;
      const taken = time(() => (count = run()), keys.length);
      if (found !== null && count !== found) throw new Error(`${name}: ${count} found, not ${found}`);
      if (round >= 0) times.push(taken);
    }
  }
  console.log(`${basename(path)}: ${book.info.packed ? "packed" : "plain"}, ${book.info.positions.rows} positions, ${bytes.length} bytes; ${keys.length} keys, ${ROUNDS} rounds, node ${process.version}`);
  const base = median(all[0].times);
  for (const { name, times } of all) console.log(`  ${name.padEnd(22)} ${median(times).toFixed(0).padStart(6)} ns ${(median(times) / base).toFixed(1).padStart(6)} x`);
}

process.argv.slice(2).forEach(bench);
