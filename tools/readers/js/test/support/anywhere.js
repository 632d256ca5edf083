// What a browser, Deno and node all have to do alike: read golden books from memory and by ranges. `url` is a folder with the golden books, and
// wanted.json: for each book and key the wanted lines.

import { BookError, FileBook, LocalBook, RemoteBook } from "../../src/index.js";
import { ChessPosition } from "../../src/chess.js";
import { DraughtsPosition } from "../../src/draughts.js";
import { GoPosition } from "../../src/go.js";
import { OthelloPosition } from "../../src/othello.js";
import { entryLines } from "./lines.js";
import { perft } from "./perft.js";

/** { keys, refused, wrong }: how much was compared, and what was wrong. */
export async function readEverything(url) {
  const { books, refused } = await (await fetch(new URL("wanted.json", url))).json();
  const wrong = [];
  let keys = 0;
  for (const [name, wanted] of Object.entries(books)) {
    const address = new URL(name, url), bytes = await (await fetch(address)).arrayBuffer(), options = { columns: true, verify: true };
    const kinds = [LocalBook.from(bytes, options), LocalBook.from(bytes, { columns: true }), await FileBook.open(new Blob([bytes]), options), await RemoteBook.open(address, options)];
    for (const [kind, book] of kinds.entries()) {
      const found = await book.probeMany(wanted.map(([key]) => key));
      wanted.forEach(([key, lines], i) => {
        keys++;
        if (entryLines(key, found[i]).join("\n") !== lines.join("\n")) wrong.push(`${name} ${key}, kind ${kind}`);
      });
    }
  }
  for (const [name, rule] of Object.entries(refused)) {
    const error = await RemoteBook.open(new URL(name, url)).then(() => null, (one) => one);
    if (!(error instanceof BookError) || error.rule !== rule) wrong.push(`${name}: ${error}, not ${rule}`);
  }
  const counts = [perft(ChessPosition.start(), 3), perft(OthelloPosition.start(), 5), perft(GoPosition.start(3), 2), perft(DraughtsPosition.start(), 4)];
  if (counts.join() !== "8902,1396,91,1469") wrong.push(`perft ${counts}`);
  return { keys, refused: Object.keys(refused).length, wrong };
}
