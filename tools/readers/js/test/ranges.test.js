// What is read of a file or a server: how much, how often, how it is shared and given up.

import assert from "node:assert/strict";
import test from "node:test";
import { Ranges } from "../src/book/ranges.js";
import { Random } from "./support/random.js";

const bytes = Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 2654435761) >>> 24);

/** A source that notes what is asked of it, and answers when it is told to, or at once. */
class Source {
  reads = [];
  aborted = 0;
  waiting = [];
  constructor({ held = false, mostRanges } = {}) {
    this.held = held;
    this.mostRanges = mostRanges;
    this.most = 0;
    this.now = 0;
  }

  async read(offset, length, signal) {
    this.reads.push([offset, length]);
    await this.turn(signal);
    return bytes.slice(offset, offset + length);
  }

  async readMany(ranges, signal) {
    this.reads.push(ranges.map(({ offset, length }) => [offset, length]));
    await this.turn(signal);
    return ranges.map(({ offset, length }) => bytes.slice(offset, offset + length));
  }

  async turn(signal) {
    this.most = Math.max(this.most, ++this.now);
    signal.addEventListener("abort", () => this.aborted++);
    if (this.held) await new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    else await null;
    this.now--;
  }

  release() {
    for (const { resolve } of this.waiting.splice(0)) resolve();
  }
}

const range = (offset, length = 500) => ({ offset, length });
const same = (found, ranges) => ranges.forEach(({ offset, length }, i) => assert.deepEqual(found[i], bytes.subarray(offset, offset + length)));
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("what was read is kept, up to so many bytes, the least recently used dropped first", async () => {
  const source = new Source(), ranges = new Ranges(source, { cacheBytes: 2000 });
  for (const offset of [0, 50_000, 100_000, 150_000]) same(await ranges.read([range(offset)]), [range(offset)]);
  assert.equal(source.reads.length, 4);
  await ranges.read([range(0), range(50_000, 200), range(100_000)]);
  assert.equal(source.reads.length, 4);
  await ranges.read([range(200_000)]);
  await ranges.read([range(0), range(50_000), range(100_000)]);
  assert.equal(source.reads.length, 5);
  await ranges.read([range(150_000)]);
  assert.equal(source.reads.length, 6);
  same(await ranges.read([range(0, 600)]), [range(0, 600)]);
  assert.equal(source.reads.length, 7);
});

test("a range of more bytes than are kept is read", async () => {
  const ranges = new Ranges(new Source(), { cacheBytes: 100 });
  same(await ranges.read([range(0), range(900_000)]), [range(0), range(900_000)]);
  same(await ranges.read([range(5, 0)]), [range(5, 0)]);
});

test("ranges near each other are read as one, those apart by requests of their own", async () => {
  const source = new Source(), ranges = new Ranges(source, { mergeGap: 1000 });
  const wanted = [range(5000), range(0), range(1400), range(900), range(0), range(0, 100), range(700_000)];
  same(await ranges.read(wanted), wanted);
  assert.deepEqual(source.reads.sort((a, b) => a[0] - b[0]), [[0, 1900], [5000, 500], [700_000, 500]]);
});

test("ranges merged into one don't grow without bounds", async () => {
  const source = new Source(), wanted = Array.from({ length: 200 }, (_, i) => range(5000 * i, 4096));
  same(await new Ranges(source).read(wanted), wanted);
  assert.ok(source.reads.every(([, length]) => length <= (1 << 18) + 4096));
  assert.ok(source.reads.length < 10);
});

test("a source that can is asked for many ranges at once", async () => {
  const source = new Source({ mostRanges: 3 }), wanted = [0, 1, 2, 3, 4, 5, 6].map((i) => range(100_000 * i));
  same(await new Ranges(source).read(wanted), wanted);
  assert.deepEqual(source.reads, [[[0, 500], [100_000, 500], [200_000, 500]], [[300_000, 500], [400_000, 500], [500_000, 500]], [600_000, 500]]);
});

test("no more requests than allowed are under way", async () => {
  const source = new Source(), wanted = Array.from({ length: 50 }, (_, i) => range(20_000 * i));
  same(await new Ranges(source, { concurrency: 3 }).read(wanted), wanted);
  assert.equal(source.most, 3);
  assert.equal(source.reads.length, 50);
});

test("what is being read is not read twice", async () => {
  const source = new Source({ held: true }), ranges = new Ranges(source);
  const both = [ranges.read([range(0)]), ranges.read([range(0), range(90_000)])];
  await settled();
  assert.equal(source.reads.length, 2);
  source.release();
  const [first, second] = await Promise.all(both);
  same(first, [range(0)]);
  same(second, [range(0), range(90_000)]);
});

test("a call is given up by its signal, a request when nobody waits for it", async () => {
  const source = new Source({ held: true }), ranges = new Ranges(source);
  const [one, two] = [new AbortController(), new AbortController()], reason = new Error("enough");
  const first = ranges.read([range(0)], one.signal), second = ranges.read([range(0)], two.signal);
  await settled();
  one.abort(reason);
  await assert.rejects(first, reason);
  assert.equal(source.aborted, 0);
  two.abort();
  await assert.rejects(second, { name: "AbortError" });
  assert.equal(source.aborted, 1);
  source.held = false;
  same(await ranges.read([range(0)]), [range(0)]);
  assert.equal(source.reads.length, 2);
  await assert.rejects(ranges.read([range(0)], AbortSignal.abort(reason)), reason);
});

test("what waits for its turn is given up, too", async () => {
  const source = new Source({ held: true }), ranges = new Ranges(source, { concurrency: 1 }), controller = new AbortController();
  const first = ranges.read([range(0)]), second = ranges.read([range(90_000)], controller.signal), third = ranges.read([range(200_000)]);
  await settled();
  controller.abort();
  await assert.rejects(second, { name: "AbortError" });
  source.held = false;
  source.release();
  same(await first, [range(0)]);
  same(await third, [range(200_000)]);
  assert.deepEqual(source.reads, [[0, 500], [200_000, 500]]);
});

test("a failure is everybody's who waits, and nobody's later", async () => {
  const source = new Source({ held: true }), ranges = new Ranges(source), failure = new Error("broken");
  const calls = [ranges.read([range(0)]), ranges.read([range(0)])];
  await settled();
  source.waiting.splice(0).forEach(({ reject }) => reject(failure));
  for (const call of calls) await assert.rejects(call, failure);
  source.held = false;
  same(await ranges.read([range(0)]), [range(0)]);
});

test("random reads are those of the bytes", async () => {
  const random = new Random(3), source = new Source({ mostRanges: 4 }), ranges = new Ranges(source, { cacheBytes: 20_000, mergeGap: 300 });
  for (let i = 0; i < 2000; i++) {
    const wanted = Array.from({ length: random.below(6) }, () => range(random.below(200) * 512, random.below(1500)));
    same(await ranges.read(wanted), wanted);
  }
});
