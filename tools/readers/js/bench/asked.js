// `node asked.js BOOK KEYS`: what this reader costs with the book in memory, for tools/readers/python/benches/probes.py, which measures all readers in turn. KEYS is a file
// of keys of eight bytes each. Every line of standard input names some work (`get`, `find_all`) and how many of the keys it is for; the answer is how many
// nanoseconds of the processor it took, and the games that were found, which have to be those of other readers. It has no batches.

import { readFileSync } from "node:fs";
import { argv, cpuUsage, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { LocalBook } from "../src/index.js";

const book = LocalBook.from(readFileSync(argv[2]));
const bytes = readFileSync(argv[3]), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const keys = Array.from({ length: bytes.length / 8 }, (_, i) => view.getBigUint64(8 * i, true));
const games = ({ wins, draws, losses }) => wins + draws + losses;
const works = {
  get: (key) => games(book.position(key) ?? { wins: 0, draws: 0, losses: 0 }),
  find_all: (key) => book.moves(key).reduce((sum, move) => sum + games(move), 0),
};

for await (const line of createInterface({ input: stdin })) {
  const [work, count] = line.split(" "), ask = works[work], before = cpuUsage();
  let sum = 0;
  for (let i = 0; i < Number(count); i++) sum += ask(keys[i]);
  const { user, system } = cpuUsage(before);
  stdout.write(`${1000 * (user + system)} ${sum}\n`);
}
