// The golden files of format-spec/golden: the books of INDEX.tsv, and what answers.tsv says that they hold.

import { readFileSync } from "node:fs";
import { Buffer } from "node:buffer";

const FOLDER = new URL("../../../../../format-spec/golden/", import.meta.url);
/** The lines of answers.tsv that are about a key. */
const OF_A_KEY = ["position", "move", "ratings", "game", "years", "absent"];
const OF_CONTENTS = ["position", "move", "ratings", "game", "years", "source", "fact"];

let books = null, games = null;

/** Books, without journals: { name, bytes, expect, rule, about, base }. */
export function goldenBooks() {
  books ??= readBooks("INDEX.tsv");
  return [...books.values()];
}

export function goldenBook(name) {
  return goldenBooks().find((book) => book.name === name).bytes;
}

/** Files of games, likewise: those of games.tsv. */
export function goldenGames() {
  games ??= readBooks("games.tsv");
  return [...games.values()];
}

/** What they hold, as games-answers.tsv says: for each its lines. */
export function gamesAnswers() {
  const answers = new Map();
  for (const [file, line] of table("games-answers.tsv")) answers.set(file, [...(answers.get(file) ?? []), line]);
  return answers;
}

function readBooks(index) {
  const books = new Map();
  for (const [name, expect, rule, about, base, patch] of table(index)) {
    if (name.endsWith("-journal")) continue;
    const bytes = patch === "-" ? bytesOf(readFileSync(new URL(name, FOLDER))) : patched(books.get(base).bytes, patch);
    books.set(name, { name, bytes, expect, rule, about, base });
  }
  return books;
}

/** What books hold by themselves: for each its lines, and those of each key. */
export function goldenAnswers() {
  const answers = new Map();
  for (const [book, journal, line] of table("answers.tsv")) {
    if (journal !== "-") continue;
    if (!answers.has(book)) answers.set(book, { lines: [], header: [], keys: new Map() });
    const { lines, header, keys } = answers.get(book), [kind, key] = line.split(" ");
    if (OF_CONTENTS.includes(kind)) lines.push(line);
    if (["digest", "share", "table"].includes(kind)) header.push(line);
    if (!OF_A_KEY.includes(kind)) continue;
    if (!keys.has(key)) keys.set(key, []);
    if (kind !== "absent") keys.get(key).push(line);
  }
  return answers;
}

function table(name) {
  return readFileSync(new URL(name, FOLDER), "utf8").split("\n").slice(1, -1).map((line) => line.split("\t"));
}

function patched(base, patch) {
  let bytes = base.slice();
  for (const [place, value] of patch.split(" ").map((item) => item.split("="))) {
    if (place === "length") {
      const resized = new Uint8Array(Number(value));
      resized.set(bytes.subarray(0, resized.length));
      bytes = resized;
    } else {
      bytes.set(Buffer.from(value, "hex"), Number(place));
    }
  }
  return bytes;
}

function bytesOf(buffer) {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length).slice();
}
