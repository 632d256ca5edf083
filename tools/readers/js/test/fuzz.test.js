// Damaged books: whatever their bytes, a reader's answer is an answer or an error of its own. TABIA_FUZZ sets how many (12,000).

import assert from "node:assert/strict";
import test from "node:test";
import { BookSet, FileBook, LocalBook, TabiaError } from "../src/index.js";
import { xxh3 } from "../src/numbers/xxh3.js";
import { goldenAnswers, goldenBook, goldenBooks } from "./support/golden.js";
import { mendHeader } from "./support/mend.js";
import { Random } from "./support/random.js";

const COUNT = Number(process.env.TABIA_FUZZ ?? 12_000);
const PAGE = 4096;
const sound = goldenBooks().filter(({ expect }) => expect !== "open-refused"), answers = goldenAnswers();

/** One of the books with bytes changed, most often with header, digest and checksums made to match, so that the damage is met behind them. */
function damaged(random, books = sound) {
  const { name, bytes: whole } = random.pick(books), packed = (whole[16] & 16) !== 0;
  const view = new DataView(whole.buffer, whole.byteOffset, whole.length);
  const places = {
    header: () => random.pick([random.below(132), 256 + random.below(96 * 14), random.below(PAGE)]),
    pack: () => PAGE + random.below(view.getUint32(272, true)),
    page: () => 2 * PAGE + random.below(Math.min(600, whole.length - 2 * PAGE)),
    anywhere: () => random.below(whole.length),
  };
  const place = places[random.pick(packed ? ["header", "pack", "page", "page", "anywhere"] : ["header", "header", "anywhere"])];
  let bytes = whole.slice();
  for (let i = 1 + random.below(4); i > 0; i--) {
    const at = place();
    bytes[at] = random.pick([random.below(256), bytes[at] ^ (1 << random.below(8)), 0, 255]);
  }
  if (random.below(10) > 0) mend(bytes, packed);
  if (random.below(20) === 0) bytes = bytes.subarray(0, random.below(bytes.length));
  return { name, bytes };
}

function mend(bytes, packed) {
  const view = new DataView(bytes.buffer), part = (offset, length) => bytes.subarray(offset, offset + length);
  if (packed) {
    const pages = view.getUint32(368, true), sum = xxh3(part(PAGE, view.getUint32(272, true)));
    for (let at = 2 * PAGE; at < Math.min(2 * PAGE + pages, bytes.length - PAGE); at += PAGE) {
      view.setUint32(at + 4, Number(BigInt.asUintN(32, sum + BigInt(at / PAGE - 2))), true);
      view.setBigUint64(at + 4088, xxh3(part(at, 4088)), true);
    }
    view.setBigUint64(280, sum, true);
    for (let entry = 256; entry < 256 + 96 * 12; entry += 96) {
      if (String.fromCharCode(...part(entry, 4)) === "COPY") view.setBigUint64(entry + 24, sum, true);
    }
  }
  mendHeader(bytes);
}

/** Runs one question; counts an answer or an error of the reader's own, and fails on any other. */
async function ask(counts, what, question) {
  try {
    await question();
    counts.answers++;
  } catch (error) {
    if (!(error instanceof TabiaError)) assert.fail(`${what}: ${error.stack}`);
    counts.errors++;
  }
}

test(`${COUNT} damaged books give answers, or errors of the reader's own`, async () => {
  const random = new Random(5), counts = { answers: 0, errors: 0 };
  let opened = 0;
  for (let i = 0; i < COUNT; i++) {
    const { name, bytes } = damaged(random), known = [...(answers.get(name)?.keys.keys() ?? [])];
    const keys = [...(known.length > 0 ? [random.pick(known), random.pick(known), random.pick(known)] : []), random.bits(), 0n, 0xcf9a04affa6badc0n];
    const options = { verify: random.below(2) === 0, columns: random.below(2) === 0 };
    let local = null;
    await ask(counts, `${name}, book ${i}`, () => (local = LocalBook.from(bytes, options)));
    if (local !== null) {
      opened++;
      for (const key of keys) await ask(counts, `${name}, book ${i}, key ${key}`, () => local.probe(key));
      if (random.below(8) === 0) await ask(counts, `${name}, book ${i}, all`, () => [...local.entries(options)]);
      await ask(counts, `${name}, book ${i}, origins`, () => [local.sources(), local.facts()]);
    }
    if (i % 4 !== 0) continue;
    let file = null;
    await ask(counts, `${name}, file ${i}`, async () => (file = await FileBook.open(new Blob([bytes]), options)));
    assert.equal(file === null, local === null, `${name}, file ${i}: opened by one kind of book only`);
    if (file !== null) await ask(counts, `${name}, file ${i}`, () => file.probeMany(keys));
  }
  assert.ok(opened > COUNT / 20 && counts.errors > COUNT / 2, `${opened} opened, ${counts.errors} errors`);
  console.log(`# ${COUNT} damaged books: ${opened} opened, ${counts.answers} answers, ${counts.errors} errors`);
});

test("an error has a rule and a place", () => {
  const random = new Random(6);
  for (let i = 0; i < 500; i++) {
    const { bytes } = damaged(random);
    try {
      LocalBook.from(bytes);
    } catch (error) {
      assert.match(error.rule, /^B-\d+$/);
      assert.ok(error.place.length > 0, error.message);
      assert.ok(error.message.length < 300 && !/\n/.test(error.message), error.message);
    }
  }
});

test("a set with a damaged share gives answers, or errors of the reader's own", async () => {
  const random = new Random(7), counts = { answers: 0, errors: 0 }, names = [0, 1, 2, 3].map((i) => `share-${i}.tabia`);
  const shares = names.map((name) => LocalBook.from(goldenBook(name))), keys = [...answers.get("share-whole.tabia").keys.keys()].slice(0, 20);
  let sets = 0;
  for (let i = 0; i < COUNT / 4; i++) {
    const { name, bytes } = damaged(random, sound.filter((book) => names.includes(book.name)));
    let share = null, set = null;
    await ask(counts, `${name}, share ${i}`, () => (share = LocalBook.from(bytes, { verify: random.below(2) === 0 })));
    if (share === null) continue;
    await ask(counts, `${name}, set ${i}`, () => (set = BookSet.of([share, ...shares.filter((_, n) => names[n] !== name)])));
    if (set === null) continue;
    sets++;
    await ask(counts, `${name}, set ${i}`, () => set.probeMany([...keys, random.bits()]));
    await ask(counts, `${name}, set ${i}, origins`, () => [set.sources(), set.facts()]);
  }
  assert.ok(sets > COUNT / 100 && counts.errors > COUNT / 20, `${sets} sets, ${counts.errors} errors`);
});
