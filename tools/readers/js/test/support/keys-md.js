// The tables of vectors in format-spec/keys.md.

import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../../../../format-spec/keys.md", import.meta.url), "utf8");

/** The rows of the vectors between two texts, each a list of cells. */
export function vectorsBetween(from, to) {
  const part = text.slice(text.indexOf(from), text.indexOf(to));
  const rows = part.split("\n").filter((line) => /^\| .*\b[0-9a-f]{16} \|/.test(line));
  return rows.map((line) => line.slice(2, -2).split(" | ").map((cell) => cell.replaceAll("`", "")));
}

/** The symmetries that lead to the canonical board, the highest bit first. */
export function symmetryBits(symmetries, count) {
  return Array.from({ length: count }, (_, i) => (symmetries.includes(count - 1 - i) ? 1 : 0)).join("");
}
