// Books in a page of headless Chromium, served by nginx: golden books, other origins, and a walk through 200 positions of the master games. With
// CHROMIUM (the browser) and PLAYWRIGHT (the folder of playwright-core).

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { ChessPosition } from "../src/chess.js";
import { LocalBook } from "../src/index.js";
import { goldenBook } from "./support/golden.js";
import { layOutGolden } from "./support/golden-folder.js";
import { NO_NGINX, startNginx } from "./support/nginx.js";
import { jsonOfTabia, NO_TABIA, tabia, temporaryFolder } from "./support/tabia.js";

const { CHROMIUM = "", PLAYWRIGHT = "", TABIA_BOOKS = "" } = process.env;
const skip = NO_NGINX || (existsSync(CHROMIUM) && existsSync(PLAYWRIGHT) ? false : "Chromium or playwright-core is not here (CHROMIUM, PLAYWRIGHT)");
const file = temporaryFolder(), POSITIONS = 200;
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
let nginx, context, page, complaints;

before(async () => {
  if (skip) return;
  layOutGolden(file("golden"));
  const folders = { "/golden/": file("golden"), "/package/": new URL("..", import.meta.url).pathname };
  nginx = await startNginx(file("nginx"), TABIA_BOOKS ? { ...folders, "/books/": TABIA_BOOKS } : folders);
  const { chromium } = (await import(pathToFileURL(join(PLAYWRIGHT, "index.js")).href)).default;
  context = await chromium.launchPersistentContext(file("chromium"), { executablePath: CHROMIUM, args: FLAGS });
  page = await context.newPage();
  complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${nginx.url}/blank.html`);
});
after(async () => {
  await context?.close();
  await nginx?.close();
});

test("all golden books, right and wrong", { skip }, async () => {
  const { keys, refused, wrong } = await page.evaluate(async () => {
    const { readEverything } = await import("/package/test/support/anywhere.js");
    return readEverything(new URL("/golden/", location.href));
  });
  assert.deepEqual(wrong, []);
  assert.ok(keys > 17_000 && refused > 180, `${keys} keys, ${refused} refused`);
  assert.deepEqual(complaints.filter((text) => !/416/.test(text)), []);
});

/** What a page gets from a book at a URL: the games of the start of chess and how many requests of which method it took, or the error's kind. */
function gamesAt(url) {
  return page.evaluate(async (address) => {
    const { RemoteBook } = await import("/package/src/index.js");
    try {
      const book = await RemoteBook.open(address);
      return [(await book.position("463b96181691fc9c")).games, (await book.movesMany(["463b96181691fc9c", "823c9b50fd114196"])).map((moves) => moves.length)];
    } catch (error) {
      return error.kind ?? String(error);
    }
  }, url);
}

test("a server of another origin: by its permission, without a request for it first", { skip }, async () => {
  const games = [LocalBook.from(goldenBook("example.tabia")).position("463b96181691fc9c").games, [2, 1]];
  assert.deepEqual(await gamesAt("/golden/example.tabia"), games);
  assert.deepEqual(await gamesAt(`${nginx.other}/open/golden/example.tabia`), games);
  assert.deepEqual(await gamesAt(`${nginx.other}/shown/golden/example.tabia`), games);
  assert.equal(await gamesAt(`${nginx.other}/golden/example.tabia`), "network");
  assert.deepEqual(nginx.log().filter(({ method }) => method === "OPTIONS"), []);
  assert.equal(nginx.log().filter(({ path, range }) => path.startsWith("/open/") && range.includes(",")).length, 0);
});

test("no ranges, compression, nothing there", { skip }, async () => {
  assert.equal(await gamesAt("/whole/golden/example.tabia"), "no-ranges");
  assert.equal(await gamesAt("/gzip/golden/example.tabia"), "compressed");
  assert.equal(await gamesAt("/golden/missing.tabia"), "status");
  assert.deepEqual(await gamesAt("/moved/golden/example.tabia"), await gamesAt("/golden/example.tabia"));
});

test("a file that a page was given", { skip }, async () => {
  const found = await page.evaluate(async () => {
    const { FileBook } = await import("/package/src/index.js");
    const file = new File([await (await fetch("/golden/example.tabia")).blob()], "example.tabia");
    return (await (await FileBook.open(file)).moves("463b96181691fc9c")).map(({ code }) => code);
  });
  assert.deepEqual(found, [0x2db, 0x31c]);
});

/** The FENs of random walks through a book, that a page makes: each with what it explored there, the requests and bytes it took. */
function walk(url, positions, options) {
  return page.evaluate(async ([address, count, openOptions]) => {
    const { RemoteBook, formatKey } = await import("/package/src/index.js");
    const { explore } = await import("/package/src/explore.js");
    const { ChessPosition } = await import("/package/src/chess.js");
    const { Random } = await import("/package/test/support/random.js");
    const { exploredAsJson } = await import("/package/test/support/explored.js");
    const book = await RemoteBook.open(address, openOptions), random = new Random(13), visited = [], opened = book.traffic;
    while (visited.length < count) {
      let position = ChessPosition.start();
      for (let ply = 0; ply < 20 && visited.length < count; ply++) {
        const before = book.traffic, explored = await explore(book, position);
        const { requests, bytes } = book.traffic;
        visited.push({ fen: position.fen(), json: exploredAsJson(explored, position, formatKey), requests: requests - before.requests, bytes: bytes - before.bytes });
        const known = explored.moves.filter(({ move }) => move !== null);
        if (known.length === 0) break;
        position = position.play(random.pick(known.slice(0, 4)).move);
      }
    }
    return { opened, visited };
  }, [url, positions, options]);
}

for (const name of ["masters.tabia", "masters-packed.tabia"]) {
  const path = join(TABIA_BOOKS, name), noBook = skip || NO_TABIA || (TABIA_BOOKS && existsSync(path) ? false : `${name} is not here (TABIA_BOOKS)`);
  for (const [how, options] of [["several ranges a request", {}], ["one range a request", { multipart: false }]]) {
    test(`${name}: a walk through ${POSITIONS} positions is that of tabia explore, ${how}`, { skip: noBook }, async () => {
      const before = nginx.log().length, { opened, visited } = await walk(`/books/${name}`, POSITIONS, options);
      for (const { fen, json } of visited) {
        assert.deepEqual(json, jsonOfTabia(tabia("explore", "--json", path, "--fen", fen), true), fen);
        assert.equal(ChessPosition.parse(fen).fen(), fen);
      }
      const sent = nginx.log().slice(before).filter(({ path: place }) => place === `/books/${name}`), sum = (list, field) => list.reduce((all, one) => all + one[field], 0);
      assert.ok(sent.every(({ status, method }) => status === 206 && method === "GET"));
      assert.equal(sent.length, opened.requests + sum(visited, "requests"), "requests that nginx saw");
      const moves = visited.reduce((all, { json }) => all + json.moves.length, 0), each = (number) => (number / visited.length).toFixed(1);
      console.log(`# ${name}, ${how}: opened by ${opened.requests} request of ${opened.bytes} bytes; ${visited.length} positions with ${each(moves)} moves each and the positions `
        + `behind them: ${each(sum(visited, "requests"))} requests and ${each(sum(visited, "bytes"))} bytes a position, ${each(sum(sent, "bytes"))} with HTTP headers`);
    });
  }

  test(`${name}: a probe is one request`, { skip: noBook }, async () => {
    const found = await page.evaluate(async (address) => {
      const { RemoteBook } = await import("/package/src/index.js");
      const { ChessPosition } = await import("/package/src/chess.js");
      const { Random } = await import("/package/test/support/random.js");
      const book = await RemoteBook.open(address, { cacheBytes: 0 }), random = new Random(14), requests = { positions: 0, moves: 0, probes: 0 }, bytes = { ...requests };
      const count = 200, asked = async (what, ask) => {
        const before = book.traffic;
        await ask();
        requests[what] += book.traffic.requests - before.requests;
        bytes[what] += book.traffic.bytes - before.bytes;
      };
      let position = ChessPosition.start();
      for (let i = 0; i < count; i++) {
        const key = position.key();
        await asked("positions", () => book.position(key));
        await asked("moves", () => book.moves(key));
        await asked("probes", () => book.probe(key));
        const moves = position.legalMoves();
        position = moves.length === 0 || random.below(12) === 0 ? ChessPosition.start() : position.play(random.pick(moves));
      }
      return { count, requests, bytes };
    }, `/books/${name}`);
    const each = ([what, number]) => `${(number / found.count).toFixed(3)} requests and ${Math.round(found.bytes[what] / found.count)} bytes for ${what}`;
    console.log(`# ${name}, nothing kept: ${Object.entries(found.requests).map(each).join(", ")}`);
    assert.ok(found.requests.positions < 1.05 * found.count);
    assert.ok(found.requests.moves < 1.25 * found.count);
  });
}
