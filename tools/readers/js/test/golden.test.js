// The golden files, right and wrong, through all three kinds of books.

import assert from "node:assert/strict";
import test from "node:test";
import { BookError, BookSet, FileBook, LocalBook, RemoteBook } from "../src/index.js";
import { goldenAnswers, goldenBook, goldenBooks } from "./support/golden.js";
import { bookLines, entryLines } from "./support/lines.js";

const books = goldenBooks(), answers = goldenAnswers();
const opens = books.filter(({ expect }) => expect !== "open-refused");
/** Rules that only `tabia check` tests, or that a reader meets only in books where all else is right. */
const FOUND_BY_READING = ["B-13", "B-14", "B-19", "B-27", "B-31", "B-32"];
/** Golden files of these rules whose damage a reader doesn't meet: it is in sections, or in fields, that it doesn't read. */
const NOT_MET = [
  "b-14-sums", "b-14-column-sums", "b-14-unknown", "b-14-pages", "b-14-copy", "b-32-group-buckets", "b-32-class-twice", "b-32-sum", "b-32-rest", "b-32-gap",
  "b-32-padding", "b-32-record-long", "b-32-zero", "b-32-long", "b-32-forced", "b-32-order", "b-32-twice", "b-32-large-order",
  "b-32-large-bucket", "b-32-large-flags", "b-32-large-count", "b-32-depth", "b-32-games-order", "b-32-games-twice", "b-32-games-none", "b-32-games-other", "b-32-games-year",
  "b-32-games-rating", "b-32-games-more", "b-32-games-fewer", "b-32-game-0", "b-32-game-spelled", "b-32-start-end",
];

/** A server's answers without a server. */
function fetchOf(bytes) {
  return async (url, { headers }) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.get("range")).map(Number);
    if (from >= bytes.length) return new Response(null, { status: 416, headers: { "content-range": `bytes */${bytes.length}` } });
    const last = Math.min(to, bytes.length - 1);
    return new Response(bytes.slice(from, last + 1), { status: 206, headers: { "content-range": `bytes ${from}-${last}/${bytes.length}` } });
  };
}

const kinds = {
  LocalBook: (bytes, options) => LocalBook.from(bytes, options),
  FileBook: (bytes, options) => FileBook.open(new Blob([bytes]), options),
  RemoteBook: (bytes, options) => RemoteBook.open("http://golden/", { fetch: fetchOf(bytes), multipart: false, ...options }),
};

for (const [kind, open] of Object.entries(kinds)) {
  test(`${kind}: wrong books are refused, with their rule`, async () => {
    for (const { name, bytes, rule } of books.filter(({ expect }) => expect === "open-refused")) {
      await assert.rejects(async () => open(bytes), (error) => error instanceof BookError && error.rule === rule, name);
    }
  });

  for (const verify of [false, true]) {
    test(`${kind}: each key of right books has the wanted answers, ${verify ? "" : "not "}verified`, async () => {
      let keys = 0;
      for (const { name, bytes } of opens) {
        if (!answers.has(name)) continue;
        const book = await open(bytes, { columns: true, verify });
        for (const [key, lines] of answers.get(name).keys) {
          assert.deepEqual(entryLines(key, await book.probe(key)), lines, `${name} ${key}`);
          const [position, moves] = [await book.position(BigInt(`0x${key}`)), await book.moves(key)];
          assert.deepEqual(entryLines(key, { position, moves }), lines, `${name} ${key}`);
          keys++;
        }
      }
      assert.ok(keys > 4000, `${keys} keys`);
    });
  }

  test(`${kind}: many keys at once`, async () => {
    for (const name of ["small.tabia", "columns.tabia", "packed-small.tabia", "packed-pages.tabia", "packed-large-columns.tabia"]) {
      const book = await open(goldenBook(name), { columns: true });
      const { keys } = answers.get(name);
      const found = await book.probeMany(keys.keys());
      [...keys.values()].forEach((lines, i) => assert.deepEqual(entryLines([...keys.keys()][i], found[i]), lines, name));
      assert.deepEqual(await book.positionMany(keys.keys()), found.map((entry) => entry.position));
      assert.deepEqual(await book.movesMany(keys.keys()), found.map((entry) => entry.moves));
    }
  });

  test(`${kind}: sources, facts and header`, async () => {
    for (const { name, bytes } of opens) {
      if (!answers.has(name)) continue;
      const book = await open(bytes), { lines, header } = answers.get(name);
      assert.deepEqual(bookLines([], await book.sources(), await book.facts()), lines.filter((line) => /^(source|fact) /.test(line)), name);
      if (header.length === 0) continue;
      const { digest, share, positions, moves } = book.info;
      assert.equal(header.find((line) => line.startsWith("digest")), `digest ${digest}`, name);
      assert.equal(header.find((line) => line.startsWith("share")), share.bits ? `share ${share.bits} ${share.number}` : undefined, name);
      const rows = header.filter((line) => line.startsWith("table")).map((line) => line.split(" ").slice(1, 3).join(" "));
      assert.deepEqual(rows, [positions && `positions ${positions.rows}`, moves && `moves ${moves.rows}`].filter(Boolean), name);
    }
  });
}

test("LocalBook lists all of a book, in order", () => {
  for (const { name, bytes } of opens) {
    if (!answers.has(name)) continue;
    const book = LocalBook.from(bytes, { columns: true });
    const lines = bookLines([...book.entries({ verify: true })], book.sources(), book.facts());
    assert.deepEqual(lines, answers.get(name).lines, name);
  }
});

test("damage that a reader meets is found when all is read and verified", () => {
  let found = 0;
  for (const { name, bytes, rule } of books.filter(({ expect, rule }) => expect === "check-finds" && FOUND_BY_READING.includes(rule))) {
    if (NOT_MET.includes(name.replace(".tabia", ""))) continue;
    const book = LocalBook.from(bytes, { columns: true, verify: true });
    assert.throws(() => [...book.entries(), ...book.sources(), ...book.facts()].length, (error) => error instanceof BookError && error.rule === rule, name);
    found++;
  }
  assert.ok(found > 40, `${found} books`);
});

test("damage is found by the probe that meets it, in every kind of book", async () => {
  const wanted = { "b-13-row.tabia": "B-13", "b-13-ratings.tabia": "B-13", "b-31-bit.tabia": "B-31", "b-13-large.tabia": "B-13" };
  for (const [name, rule] of Object.entries(wanted)) {
    const { bytes, base } = books.find((book) => book.name === name), { keys } = answers.get(base);
    for (const open of Object.values(kinds)) {
      const book = await open(bytes, { verify: true, columns: true });
      await assert.rejects(async () => book.probeMany(keys.keys()), (error) => error instanceof BookError && error.rule === rule, name);
    }
  }
});

test("a wrong tag hides a row from a LocalBook that doesn't verify, and from no other", async () => {
  const { bytes } = books.find(({ name }) => name === "b-21-row.tabia");
  const file = await FileBook.open(new Blob([bytes])), local = LocalBook.from(bytes);
  const keys = [...local.entries()].filter(({ position }) => position).map(({ key }) => key);
  const hidden = keys.filter((key) => local.position(key) === null);
  assert.equal(hidden.length, 1);
  for (const key of keys) {
    assert.notEqual(await file.position(key), null);
    assert.notEqual(local.position(key, { verify: true }), null);
  }
});

test("what isn't a book in memory is refused", () => {
  for (const wrong of ["text", 5, null, undefined, {}]) assert.throws(() => LocalBook.from(wrong), TypeError);
  assert.throws(() => LocalBook.from(new Uint8Array(0)), (error) => error instanceof BookError && error.rule === "B-1");
});

test("a book may be any part of any buffer", () => {
  const bytes = goldenBook("small.tabia"), odd = new Uint8Array(bytes.length + 10);
  odd.set(bytes, 5);
  const book = LocalBook.from(odd.subarray(5, 5 + bytes.length)), buffer = LocalBook.from(Buffer.from(bytes));
  for (const [key, lines] of answers.get("small.tabia").keys) {
    assert.deepEqual(entryLines(key, book.probe(key)), lines);
    assert.deepEqual(entryLines(key, buffer.probe(key)), lines);
  }
  assert.equal(LocalBook.from(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)).info.digest, book.info.digest);
});

test("keys and options that aren't any are refused", async () => {
  const bytes = goldenBook("columns.tabia"), local = LocalBook.from(bytes), file = await FileBook.open(new Blob([bytes]));
  for (const key of ["", "463b96181691fc9", "463b96181691fc9cc", "0x463b96181691fc9c", "463b96181691fc9g", 5, null, undefined]) {
    assert.throws(() => local.position(key), TypeError);
    await assert.rejects(file.position(key), TypeError);
  }
  for (const key of [-1n, 1n << 64n]) assert.throws(() => local.probe(key), RangeError);
  for (const columns of [["rating"], ["RTNG"], "years"]) {
    assert.throws(() => local.moves(1n, { columns }), RangeError);
    await assert.rejects(file.moves(1n, { columns }), RangeError);
    assert.throws(() => LocalBook.from(bytes, { columns }), RangeError);
  }
  assert.deepEqual(local.position("463B96181691FC9C"), local.position("463b96181691fc9c"));
});

test("columns are read if they are asked for", async () => {
  const local = LocalBook.from(goldenBook("columns-example.tabia"));
  const names = (options) => Object.keys(local.moves("463b96181691fc9c", options)[1]).slice(6);
  assert.deepEqual(names(), []);
  assert.deepEqual(names({ columns: ["years"] }), ["years"]);
  assert.deepEqual(names({ columns: true }), ["ratings", "game", "years"]);
  assert.deepEqual(local.info.columns, ["ratings", "game", "years"]);
  const packed = LocalBook.from(goldenBook("packed-columns.tabia"), { columns: ["game"] });
  assert.deepEqual(packed.moves("463b96181691fc9c")[1].game, { rank: 4721, digest: "5eed5a2ac0de" });
});

test("a set of shares is one book", async () => {
  const share = (number) => goldenBook(`share-${number}.tabia`);
  const { keys } = answers.get("share-whole.tabia"), whole = LocalBook.from(goldenBook("share-whole.tabia"));
  const sets = [BookSet.of([2, 0, 3, 1].map((i) => LocalBook.from(share(i)))), BookSet.of(await Promise.all([3, 2, 1, 0].map((i) => kinds.FileBook(share(i)))))];
  for (const set of sets) {
    const found = await set.probeMany(keys.keys());
    assert.deepEqual(found, whole.probeMany(keys.keys()));
    assert.deepEqual(await set.positionMany(keys.keys()), found.map((entry) => entry.position));
    assert.deepEqual(await set.movesMany(keys.keys()), found.map((entry) => entry.moves));
    for (const [key, lines] of keys) assert.deepEqual(entryLines(key, await set.probe(key, { columns: true })), lines);
    assert.deepEqual(await set.sources(), whole.sources());
    assert.deepEqual(await set.facts(), whole.facts());
    assert.deepEqual([set.info.positions, set.info.moves], [whole.info.positions, whole.info.moves]);
  }
  assert.equal(sets[0].position([...keys.keys()][0]) instanceof Promise, false);
});

test("a set of one whole book is that book", () => {
  const { keys } = answers.get("share-whole.tabia"), whole = LocalBook.from(goldenBook("share-whole.tabia")), set = BookSet.of(new Set([whole]));
  assert.deepEqual(set.probeMany(keys.keys()), whole.probeMany(keys.keys()));
  assert.deepEqual(set.info, { ...whole.info, digest: null, parent: null, sequence: null });
});

test("books that are no set are refused", () => {
  const open = (name) => LocalBook.from(goldenBook(name)), shares = [0, 1, 2, 3].map((i) => open(`share-${i}.tabia`)), [zero, one, two, three] = shares;
  const whole = open("share-whole.tabia"), packed = [1, 2].map((i) => open(`packed-share-${i}.tabia`));
  const refused = (list, rule, what) => assert.throws(() => BookSet.of(list), (error) => {
    assert.ok(error instanceof BookError && error.rule === rule && error.message.includes(what), error.stack);
    return true;
  });
  refused([], "S-2", "without books");
  shares.forEach((share, i) => {
    const others = shares.filter((other) => other !== share);
    refused(others, "S-2", `missing (share ${i + 1}/4)`);
    refused([share], "S-2", `missing (share ${i === 0 ? 2 : 1}/4)`);
    refused([...others, others[0]], "S-2", `twice (share ${others[0].info.share.number + 1}/4)`);
    refused([share, ...shares], "S-2", `twice (share ${i + 1}/4)`);
  });
  refused([whole, whole], "S-2", "twice (share 1/1)");
  refused(packed, "S-2", "missing (share 1/4)");
  refused([three, whole, one, two], "S-1", "shares (book 2 of 4)");
  refused([three, two, one, open("share-32.tabia")], "S-1", "(book 4 of 4)");
  refused([zero, packed[0], two, three], "S-1", "packed, the other is not (book 2 of 4)");
  const wrong = books.filter(({ expect }) => expect === "set-refused");
  const why = { sources: "other archives", facts: "another way", keys: "other keys", keyed: "by position", load: "another load", columns: "tables or columns", bits: "of fewer, shares" };
  assert.equal(wrong.length, 7);
  for (const { name } of wrong) {
    const what = why[name.slice(5, -6)];
    refused([zero, open(name), two, three], "S-1", `${what} (book 2 of 4)`);
    refused([three, two, zero, open(name)], "S-1", `${what} (book 4 of 4)`);
    refused([open(name), zero, two, three], "S-1", `${what} (book 2 of 4)`);
  }
  for (const wrongBook of [null, {}, "share-0.tabia", BookSet.of(shares)]) assert.throws(() => BookSet.of([wrongBook]), TypeError);
});
