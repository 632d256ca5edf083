// A server on loopback, with every kind of misbehaviour.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import test, { after, before, beforeEach } from "node:test";
import { BookError, BookReplacedError, BookSet, JournalError, LocalBook, RemoteBook, RequestError, TabiaError } from "../src/index.js";
import { goldenAnswers, goldenBook } from "./support/golden.js";
import { mendHeader } from "./support/mend.js";
import { serve } from "./support/server.js";

const plain = goldenBook("columns.tabia"), packed = goldenBook("packed-pages.tabia"), small = goldenBook("example.tabia");
const local = LocalBook.from(plain), keys = [...local.entries()].map(({ key }) => key);
let server;
before(async () => (server = await serve({})));
after(() => server.close());
beforeEach(() => {
  server.files = { "/plain.tabia": plain, "/packed.tabia": packed, "/small.tabia": small };
  server.change = () => {};
  server.requests.length = 0;
});

/** The greatest displacements of the tables, of answers.tsv. */
const displacements = Object.fromEntries(goldenAnswers().get("columns.tabia").header.filter((line) => line.startsWith("table"))
  .map((line) => line.split(" ")).map(([, table, , , displacement]) => [table, Number(displacement)]));

const open = (options, path = "/plain.tabia") => RemoteBook.open(server.url + path, options);
const failsWith = (kind, status) => (error) => {
  assert.ok(error instanceof RequestError, error.stack);
  assert.equal(error.kind, kind, error.message);
  if (status !== undefined) assert.equal(error.status, status);
  assert.ok(error.message.startsWith(error.url), error.message);
  return true;
};
/** Opens a book rightly, then lets the server answer as `change` says. */
async function opened(change, options) {
  server.change = () => {};
  const book = await open({ multipart: false, ...options });
  server.change = change;
  return book;
}

test("opening is one request, a probe one for each table that is asked", async () => {
  const book = await open({ multipart: false });
  assert.deepEqual(server.requests.map(({ range }) => range), ["bytes=0-16383"]);
  const asked = async (ask) => {
    const before = server.requests.length;
    await ask();
    return server.requests.slice(before).map(({ range }) => range.slice(6).split("-").map(Number)).map(([from, to]) => to - from + 1);
  };
  const most = (tag) => Math.min(504, 24 * (displacements[tag] + 1));
  assert.deepEqual(await asked(() => book.position(keys[0])), [most("positions")]);
  assert.deepEqual(await asked(() => book.position(keys[0])), [], "what was read is kept");
  assert.deepEqual(await asked(() => book.probe(keys[0])), [most("moves")]);
  assert.equal((await asked(() => book.probe(keys.at(-1)))).length, 2);
  assert.equal(book.traffic.requests, server.requests.length);
});

test("a probe of a packed book is one request of a page", async () => {
  const book = await open({ multipart: false }, "/packed.tabia"), entries = [...LocalBook.from(packed).entries()];
  const before = server.requests.length;
  assert.deepEqual(await book.probe(entries[0].key), { position: entries[0].position, moves: entries[0].moves });
  assert.deepEqual(server.requests.slice(before).map(({ range }) => range), ["bytes=8192-12287"]);
  for (const { key, position, moves } of entries) assert.deepEqual(await book.probe(key), { position, moves });
  assert.ok(server.requests.length - before <= 4, "a page is kept");
});

test("many keys are asked for by few requests", async () => {
  const book = await open({ mergeGap: 0 });
  assert.deepEqual(await book.probeMany(keys), local.probeMany(keys));
  assert.ok(server.requests.length <= 2 + Math.ceil((2 * keys.length) / 64), `${server.requests.length} requests for ${keys.length} keys`);
  assert.ok(server.requests.some(({ range }) => range.includes(",")));
  const single = await open({ multipart: false });
  assert.deepEqual(await single.probeMany(keys), local.probeMany(keys));
  assert.ok(single.traffic.requests <= 5, `${single.traffic.requests} requests where all is near`);
});

test("a server that can't send several ranges at once is asked for single ones", async () => {
  const changes = {
    "200 for them": (answer, request) => request.headers.range.includes(",") && Object.assign(answer, { status: 200, body: plain }),
    "one part": (answer, request) => request.headers.range.includes(",") && Object.assign(answer.headers, { "content-type": "text/plain", "content-range": "bytes 0-5/100" }),
    "garbage": (answer, request) => request.headers.range.includes(",") && Object.assign(answer, { body: Buffer.from("garbage") }),
    "other ranges": (answer, request) => request.headers.range.includes(",") && Object.assign(answer, { body: Buffer.from(answer.body.toString("latin1").replace(/bytes \d+-/, "bytes 7-"), "latin1") }),
    "501": (answer, request) => request.headers.range.includes(",") && Object.assign(answer, { status: 501 }),
    "too much": (answer, request) => request.headers.range.includes(",") && Object.assign(answer, { body: Buffer.alloc(1 << 20) }),
  };
  for (const [what, change] of Object.entries(changes)) {
    server.change = change;
    server.requests.length = 0;
    const book = await open({ mergeGap: 0 });
    assert.deepEqual(await book.probeMany(keys.slice(0, 20)), local.probeMany(keys.slice(0, 20)), what);
    const many = server.requests.filter(({ range }) => range.includes(",")).length;
    assert.equal(many, 1, what);
    assert.deepEqual(await book.probeMany(keys.slice(20, 40)), local.probeMany(keys.slice(20, 40)), what);
    assert.equal(server.requests.filter(({ range }) => range.includes(",")).length, many, what);
  }
});

test("verified reads ask for whole blocks and their sums", async () => {
  const book = await open({ verify: true, multipart: false, mergeGap: 0 });
  for (const key of keys.slice(0, 10)) assert.deepEqual(await book.probe(key, { columns: true }), local.probe(key, { columns: true }));
  const blocks = server.requests.map(({ range }) => range.slice(6).split("-").map(Number)).filter(([from, to]) => to - from + 1 >= 4096);
  assert.ok(blocks.length > 0 && blocks.every(([from]) => from % 4096 === 0));
  const damaged = plain.slice();
  for (let at = 4096; at < damaged.length - 4096; at += 4096) damaged[at + 9] ^= 1;
  server.files["/plain.tabia"] = damaged;
  const other = await open({ verify: true });
  await assert.rejects(other.probe(keys[0]), (error) => error instanceof BookError && error.rule === "B-13");
});

test("a server without ranges is told apart, when opening and later", async () => {
  server.change = (answer) => Object.assign(answer, { status: 200, body: plain });
  await assert.rejects(open(), failsWith("no-ranges", 200));
  server.change = () => {};
  const book = await opened((answer) => Object.assign(answer, { status: 200, body: plain }));
  await assert.rejects(book.position(keys[0]), failsWith("no-ranges", 200));
});

test("a server that compresses is told apart, when opening and later", async () => {
  for (const [status, coding] of [[200, "gzip"], [206, "br"], [206, "GZIP"], [200, "zstd"]]) {
    const change = (answer) => {
      answer.status = status;
      answer.headers["content-encoding"] = coding;
    };
    server.change = change;
    await assert.rejects(open(), failsWith("compressed", status));
    server.change = () => {};
    const book = await opened(change);
    await assert.rejects(book.position(keys[0]), failsWith("compressed", status));
  }
  const identity = await opened((answer) => (answer.headers["content-encoding"] = "identity"));
  assert.deepEqual(await identity.position(keys[0]), local.position(keys[0]));
});

test("another range than that asked for is refused", async () => {
  for (const range of ["bytes 0-503/N", "bytes 5-2/N", "lines 1-2/N", "bytes 1-*/*", "bytes -5-3/9", "", "bytes 0-503/99999999999999999999"]) {
    const book = await opened((answer) => {
      answer.headers["content-range"] = range.replace("N", plain.length);
    });
    await assert.rejects(book.position(keys[0]), failsWith("wrong-range", 206), range);
  }
  for (const range of [`bytes 1-16384/${plain.length}`, `bytes 0-99/${plain.length}`, `bytes 0-16384/${plain.length}`, "bytes x"]) {
    server.change = (answer) => (answer.headers["content-range"] = range);
    await assert.rejects(open(), failsWith("wrong-range", 206), range);
  }
});

test("fewer or more bytes than announced are refused", async () => {
  const short = await opened((answer) => (answer.body = answer.body.subarray(0, 100)));
  await assert.rejects(short.position(keys[0]), failsWith("short", 206));
  const long = await opened((answer) => (answer.body = Buffer.concat([answer.body, Buffer.alloc(1)])));
  await assert.rejects(long.position(keys[0]), failsWith("long", 206));
  const none = await opened((answer) => (answer.body = Buffer.alloc(0)));
  await assert.rejects(none.position(keys[0]), failsWith("short", 206));
  server.change = (answer) => (answer.body = answer.body.subarray(0, 5000));
  await assert.rejects(open(), failsWith("short", 206));
});

test("a connection that breaks, within an answer or before, is a failure of the network", async () => {
  const cut = await opened((answer) => {
    answer.headers["content-length"] = answer.body.length;
    answer.cut = 100;
  });
  await assert.rejects(cut.position(keys[0]), failsWith("network"));
  const stopped = await opened(() => "stop");
  await assert.rejects(stopped.position(keys[0]), failsWith("network"));
  const nobody = createServer();
  await new Promise((listening) => nobody.listen(0, "127.0.0.1", listening));
  const { port } = nobody.address();
  await new Promise((closed) => nobody.close(closed));
  await assert.rejects(RemoteBook.open(`http://127.0.0.1:${port}/book.tabia`), failsWith("network"));
  await assert.rejects(RemoteBook.open("not a URL"), failsWith("network"));
});

test("a book answers again when the network does", async () => {
  const book = await opened(() => "stop");
  await assert.rejects(book.position(keys[0]), failsWith("network"));
  server.change = () => {};
  assert.deepEqual(await book.position(keys[0]), local.position(keys[0]));
});

test("statuses of errors are told", async () => {
  await assert.rejects(RemoteBook.open(`${server.url}/missing.tabia`), failsWith("status", 404));
  for (const status of [204, 400, 401, 403, 404, 410, 429, 500, 503, 416]) {
    const book = await opened((answer) => Object.assign(answer, { status, headers: {}, body: Buffer.alloc(0) }));
    await assert.rejects(book.position(keys[0]), failsWith("status", status));
  }
});

test("what isn't a book is refused with its rule, whatever the server sends", async () => {
  const rules = { "B-1": Buffer.from("<!doctype html>".repeat(1000)), "B-2": Buffer.from(small).fill(7, 100, 101), "B-5": small.subarray(0, 20480) };
  for (const [rule, bytes] of Object.entries(rules)) {
    server.files["/wrong.tabia"] = bytes;
    await assert.rejects(open({}, "/wrong.tabia"), (error) => error instanceof BookError && error.rule === rule);
  }
  server.files["/wrong.tabia"] = new Uint8Array(0);
  await assert.rejects(open({}, "/wrong.tabia"), (error) => error instanceof BookError && error.rule === "B-1");
});

test("a book that was replaced is told apart by its ETag, then by its date, and by its length", async () => {
  const replacements = {
    etag: (answer) => (answer.headers.etag = '"2"'),
    modified: (answer) => {
      delete answer.headers.etag;
      answer.headers["last-modified"] = "Sun, 22 Nov 2026 10:00:00 GMT";
    },
    length: (answer) => (answer.headers["content-range"] = answer.headers["content-range"].replace(/\d+$/, String(plain.length + 4096))),
    "shorter than asked": (answer) => Object.assign(answer, { status: 416, headers: { "content-range": "bytes */4096" }, body: Buffer.alloc(0) }),
  };
  for (const [what, change] of Object.entries(replacements)) {
    const book = await opened(change);
    const replaced = (error) => error instanceof BookReplacedError && error.url === book.url;
    await assert.rejects(book.position(keys[0]), replaced, what);
    server.change = () => {};
    const asked = server.requests.length;
    await assert.rejects(book.position(keys[0]), replaced, `${what}, again`);
    assert.equal(server.requests.length, asked, "a replaced book asks no more");
    const again = await book.reopen();
    assert.deepEqual(await again.position(keys[0]), local.position(keys[0]));
  }
  const many = await open({ mergeGap: 0 });
  server.files["/plain.tabia"] = { bytes: plain, version: 2 };
  await assert.rejects(many.probeMany(keys), BookReplacedError);
});

test("a weak ETag, and one that goes missing, are no replacement", async () => {
  const weak = await opened((answer) => (answer.headers.etag = 'W/"1"'));
  assert.deepEqual(await weak.position(keys[0]), local.position(keys[0]));
  const missing = await opened((answer) => delete answer.headers.etag);
  assert.deepEqual(await missing.position(keys[0]), local.position(keys[0]));
});

test("a reopened book is the new one, with the same options", async () => {
  server.files["/moving.tabia"] = { bytes: plain, version: 1 };
  const book = await open({ columns: true, multipart: false }, "/moving.tabia");
  server.files["/moving.tabia"] = { bytes: goldenBook("columns-example.tabia"), version: 2 };
  await assert.rejects(book.moves("463b96181691fc9c"), BookReplacedError);
  const again = await book.reopen();
  assert.equal(again.url, book.url);
  assert.equal((await again.moves("463b96181691fc9c"))[1].years.first, 1987);
  assert.equal(book.info.digest, LocalBook.from(plain).info.digest);
});

test("a page that may not see Content-Range and ETag reads the book all the same", async () => {
  const hide = (answer) => ["content-range", "etag", "last-modified"].forEach((name) => delete answer.headers[name]);
  server.change = hide;
  const book = await open({ multipart: false });
  assert.deepEqual(server.requests.map(({ range }) => range), ["bytes=0-16383", `bytes=${plain.length - 1}-${plain.length}`]);
  assert.deepEqual(await book.probeMany(keys), local.probeMany(keys));
  server.files["/plain.tabia"] = Buffer.concat([plain, Buffer.alloc(4096)]);
  await assert.rejects(open(), (error) => error instanceof BookError && error.rule === "B-5");
  server.files["/plain.tabia"] = plain.subarray(0, plain.length - 4096);
  await assert.rejects(open(), (error) => error instanceof BookError && error.rule === "B-5");
  server.files["/small.tabia"] = goldenBook("packed-one-row.tabia");
  await open({}, "/small.tabia");
});

test("a server that doesn't say the length ('*') is believed as far as the bytes go", async () => {
  server.change = (answer) => (answer.headers["content-range"] = answer.headers["content-range"]?.replace(/\d+$/, "*"));
  const book = await open({ multipart: false });
  assert.deepEqual(await book.probeMany(keys), local.probeMany(keys));
});

test("redirects are followed, and not gone through each time", async () => {
  server.files["/moved.tabia"] = plain;
  let target = "/plain.tabia";
  server.change = (answer, request) => {
    if (request.url === "/moved.tabia") Object.assign(answer, { status: 302, headers: { location: target }, body: Buffer.alloc(0) });
  };
  const book = await open({ multipart: false }, "/moved.tabia");
  await book.position(keys[0]);
  assert.deepEqual(server.requests.map(({ path }) => path), ["/moved.tabia", "/plain.tabia", "/plain.tabia"]);
  delete server.files["/plain.tabia"];
  server.files["/new.tabia"] = plain;
  target = "/new.tabia";
  assert.deepEqual(await book.position(keys.at(-1)), local.position(keys.at(-1)));
  assert.equal(server.requests.at(-1).path, "/new.tabia");
  server.change = (answer) => Object.assign(answer, { status: 302, headers: { location: "/moved.tabia" }, body: Buffer.alloc(0) });
  await assert.rejects(open({}, "/moved.tabia"), failsWith("network"));
});

test("a signal ends the waiting for a server that doesn't answer", async () => {
  const controller = new AbortController(), reason = new Error("too slow");
  const book = await opened((answer) => (answer.late = true));
  const asked = book.position(keys[0], { signal: controller.signal });
  while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  controller.abort(reason);
  await assert.rejects(asked, reason);
  await assert.rejects(book.position(keys[0], { signal: AbortSignal.abort() }), { name: "AbortError" });
  await assert.rejects(open({ signal: AbortSignal.abort(reason) }), reason);
  server.change = () => {};
  assert.deepEqual(await book.position(keys[0]), local.position(keys[0]));
});

test("requests are as the caller wants them", async () => {
  const book = await open({ request: { headers: { authorization: "Bearer x" } } });
  await book.position(keys[0]);
  for (const { headers } of server.requests) {
    assert.equal(headers.authorization, "Bearer x");
    assert.equal(headers["accept-encoding"], "identity", "an answer to a range may not be compressed");
  }
  let called = 0;
  await open({ fetch: (url, init) => (called++, fetch(url, init)) });
  assert.equal(called, 1);
});

test("a server that sends without an end is stopped", async () => {
  let stopped = false;
  const endless = await RemoteBook.open(`${server.url}/plain.tabia`, {
    multipart: false,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (server.requests.length < 2) return answer;
      const body = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(4096)), cancel: () => (stopped = true) });
      return new Response(body, { status: 206, headers: answer.headers });
    },
  });
  await assert.rejects(endless.position(keys[0]), failsWith("long", 206));
  assert.ok(stopped);
});

test("a journal beside the book is refused if that is asked for, unless the book has taken it in", async () => {
  const journal = new Uint8Array(readFileSync(new URL("../../../../format-spec/golden/example.tabia-journal", import.meta.url)));
  const openBeside = (bytes, options) => {
    server.files = { "/small.tabia?v=1": small, ...(bytes && { "/small.tabia-journal?v=1": bytes }) };
    return open({ journal: "refuse", ...options }, "/small.tabia?v=1");
  };
  const stale = journal.slice().fill(0, 80, 88), foreign = stale.slice().fill(1, 32, 48);
  for (const harmless of [null, journal.slice(0, 64), stale, new Uint8Array(0), new TextEncoder().encode("<!doctype html>".repeat(20))]) {
    assert.equal((await (await openBeside(harmless)).position("463b96181691fc9c")).games, 4);
    assert.equal(server.requests.filter(({ path }) => path === "/small.tabia-journal?v=1").length, 1);
    server.requests.length = 0;
  }
  for (const more of [journal, foreign, journal.slice(0, 70)]) {
    await assert.rejects(openBeside(more), (error) => error instanceof JournalError && error.url === `${server.url}/small.tabia-journal?v=1`);
    assert.equal((await openBeside(more, { journal: "ignore" })).info.game, "chess");
  }
});

const openShares = (options) => Promise.all([2, 0, 3, 1].map((i) => open(options, `/share-${i}.tabia`)));
const serveShares = () => [0, 1, 2, 3].forEach((i) => (server.files[`/share-${i}.tabia`] = goldenBook(`share-${i}.tabia`)));

test("a set of shares on a server: a key is looked for in its share alone", async () => {
  serveShares();
  const whole = LocalBook.from(goldenBook("share-whole.tabia")), all = [...whole.entries()], set = BookSet.of(await openShares({ cacheBytes: 0 }));
  assert.deepEqual(await set.probeMany(all.map(({ key }) => key)), all.map(({ position, moves }) => ({ position, moves })));
  for (const { key, position } of all.slice(0, 10)) {
    server.requests.length = 0;
    assert.deepEqual(await set.position(key), position);
    assert.equal(new Set(server.requests.map(({ path }) => path)).size, 1);
  }
  assert.deepEqual([set.info.positions, set.info.moves], [whole.info.positions, whole.info.moves]);
});

test("a share on a server that has a journal, is missing, of another book, or is replaced", async () => {
  serveShares();
  const set = BookSet.of(await openShares({ journal: "refuse", cacheBytes: 0 })), [{ key }] = LocalBook.from(goldenBook("share-1.tabia")).entries();
  server.files["/share-1.tabia-journal"] = new Uint8Array(readFileSync(new URL("../../../../format-spec/golden/journal-share.tabia-journal", import.meta.url)));
  await assert.rejects(openShares({ journal: "refuse" }), (error) => error instanceof JournalError && error.url === `${server.url}/share-1.tabia-journal`);
  assert.deepEqual(await BookSet.of(await openShares()).probe(key), await set.probe(key));
  server.files["/share-1.tabia"] = { bytes: goldenBook("s-01-facts.tabia"), version: 2 };
  await assert.rejects(set.probe(key), (error) => error instanceof BookReplacedError && error.url === `${server.url}/share-1.tabia`);
  const shares = await openShares();
  assert.throws(() => BookSet.of(shares), (error) => error.rule === "S-1" && error.place === `book 4 of 4, ${server.url}/share-1.tabia`);
  delete server.files["/share-1.tabia"];
  await assert.rejects(openShares(), failsWith("status", 404));
});

test("options that can't be are refused", async () => {
  for (const wrong of [{ concurrency: 0 }, { cacheBytes: -1 }, { mergeGap: Number.NaN }, { journal: "overlay" }]) await assert.rejects(open(wrong), RangeError);
});

test("a book that claims to be larger than memory is no reason to take memory", async () => {
  const bytes = small.slice(), view = new DataView(bytes.buffer), entries = Array.from({ length: view.getUint32(76, true) }, (_, i) => 256 + 96 * i);
  const tagOf = (entry) => String.fromCharCode(...bytes.subarray(entry, entry + 4)), more = 2n ** 45n;
  const sources = entries.find((entry) => tagOf(entry) === "SRCS"), facts = entries.find((entry) => tagOf(entry) === "FACT");
  const add = (at) => view.setBigUint64(at, view.getBigUint64(at, true) + more, true);
  add(sources + 16);
  add(facts + 8);
  add(80);
  mendHeader(bytes);
  const total = BigInt(small.length) + more;
  const fetch = async (_, { headers }) => {
    const [from, to] = headers.get("range").slice(6).split("-").map(Number);
    return new Response(bytes.slice(from, to + 1), { status: 206, headers: { "content-range": `bytes ${from}-${to}/${total}` } });
  };
  const book = await RemoteBook.open("http://large/", { fetch });
  assert.equal((await book.position("463b96181691fc9c")).games, 4);
  await assert.rejects(book.sources(), (error) => error instanceof BookError && error.rule === "B-19");
  await assert.rejects(book.facts(), TabiaError);
});
