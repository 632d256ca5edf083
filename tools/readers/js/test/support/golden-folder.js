// The golden books laid out in a folder, for servers: with wanted.json, as anywhere.js reads it.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { goldenAnswers, goldenBooks } from "./golden.js";

export function layOutGolden(folder) {
  mkdirSync(folder, { recursive: true });
  const answers = goldenAnswers(), books = {}, refused = {};
  for (const { name, bytes, expect, rule } of goldenBooks()) {
    writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes));
    if (expect === "open-refused") refused[name] = rule;
    else if (answers.has(name)) books[name] = [...answers.get(name).keys];
  }
  writeFileSync(join(folder, "wanted.json"), JSON.stringify({ books, refused }));
  return { books, refused };
}
