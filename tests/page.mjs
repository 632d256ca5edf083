// Plays through the page of `tabia serve` in Chromium: page.mjs ADDRESS TOKEN [SITE [ONLY]]; SITE is a folder of `tabia site` with the books club and othello, if
// there is one, ONLY a word in the names of the tests to run. tests/page.sh starts it, with the books it needs. Screenshots go to target/page.
// Anything on the console, a request to another host, or a serious fault that axe-core finds is a failure.

import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gameOf } from "../tools/serve/src/page/games.js";
import { readRecord } from "../tools/serve/src/page/record.js";

const [, , address, token, siteFolder, only] = process.argv;
const folder = fileURLToPath(new URL("../target/page/", import.meta.url));
const require = createRequire(fileURLToPath(new URL("../target/node/", import.meta.url)));
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const faults = [];
let checks = 0;

/** A page at an address. What it must not do is noted. */
async function open(hash, { width = 1360, height = 860, scheme = "light", before = null, at = address } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, bypassCSP: false });
  const page = await context.newPage();
  page.on(
    "console",
    (message) =>
      ["error", "warning"].includes(message.type()) && !page.expected?.test(message.text()) && faults.push(`${hash}: console: ${message.text()}`),
  );
  page.on("pageerror", (error) => faults.push(`${hash}: ${error.stack}`));
  page.on("dialog", (dialog) => (faults.push(`${hash}: a dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(at)) faults.push(`${hash}: asks ${request.url()}`);
  });
  if (before) await before(page);
  await page.goto(at + hash);
  await page.waitForSelector("#position h2");
  return page;
}

const shot = (page, name) => page.screenshot({ path: `${folder}${name}.png` });

/** Waits until something is true in the page. */
const until = async (page, what, test, argument) => {
  await page.waitForFunction(test, argument, { timeout: 20_000 }).catch(() => assert.fail(`${what} didn't happen; the page is at ${page.url()}`));
  checks += 1;
};
const play = (page, moves) =>
  until(page, `play=${moves}`, (moves) => (new URLSearchParams(location.hash.slice(1)).get("play") ?? "") === moves, moves);
const text = (page, where) => page.locator(where).first().innerText();
const is = async (page, where, pattern) => {
  await until(page, `${where} showing ${pattern}`, ([where, source]) => new RegExp(source).test(document.querySelector(where)?.innerText ?? ""), [
    where,
    pattern.source,
  ]);
};

/** Where a square's middle is on the screen. */
async function point(page, game, square, flipped = false) {
  const board = gameOf(game);
  let [x, y] = board.cell(square);
  if (flipped) [x, y] = [board.columns - 1 - x, board.rows - 1 - y];
  return page.evaluate(
    ([x, y]) => {
      const at = new DOMPoint(x, y).matrixTransform(document.querySelector("svg.board").getScreenCTM());
      return [at.x, at.y];
    },
    [100 * x + 50, 100 * y + 50],
  );
}
const click = async (page, game, square, flipped) => page.mouse.click(...(await point(page, game, square, flipped)));
async function drag(page, game, from, to, flipped) {
  const [start, end] = [await point(page, game, from, flipped), await point(page, game, to, flipped)];
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, { steps: 3 });
  await page.mouse.move(...end, { steps: 3 });
  await page.mouse.up();
}

/** No serious fault for those who use the page otherwise than by eye and mouse. */
async function accessible(page, name) {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
  // The page's own policy allows no script to be added: it goes in by the protocol.
  await page.evaluate(readFileSync(axe, "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, impact, nodes } of violations) {
    const where = nodes
      .map(({ html, failureSummary }) => `\n  ${html.slice(0, 200)} ${failureSummary.replace(/\s+/g, " ").slice(0, 220)}`)
      .slice(0, 3)
      .join("");
    if (["serious", "critical"].includes(impact)) faults.push(`${name}: axe: ${impact} ${id}${where}`);
    else console.log(`  ${name}: axe: ${impact} ${id}${where}`);
  }
  checks += 1;
}

/** A static host of a folder, with ranges; what it sent is counted. */
async function host(folder) {
  const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" },
    sent = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    const path = join(folder, decodeURIComponent(new URL(request.url, "http://host/").pathname).replace(/\/$/, "/index.html"));
    if (!path.startsWith(folder) || !existsSync(path)) return response.writeHead(404).end();
    const { size } = statSync(path),
      range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const start = range ? Number(range[1]) : 0,
      end = range && range[2] !== "" ? Math.min(Number(range[2]), size - 1) : size - 1;
    const headers = {
      "Content-Type": kinds[extname(path)] ?? "application/octet-stream",
      "Content-Length": end - start + 1,
      "Accept-Ranges": "bytes",
      ETag: `"${size}"`,
    };
    if (path.endsWith(".tabia")) [sent.requests, sent.bytes] = [sent.requests + 1, sent.bytes + end - start + 1];
    response.writeHead(range ? 206 : 200, range ? { ...headers, "Content-Range": `bytes ${start}-${end}/${size}` } : headers);
    createReadStream(path, { start, end }).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { at: `http://127.0.0.1:${server.address().port}/`, sent, close: () => server.close() };
}

const tests = {
  async "chess: clicks, drags, keys, history"() {
    const page = await open("");
    await is(page, "#position", /303 games/);
    assert.match(await text(page, "table.moves"), /e4/);
    await click(page, "chess", "e2");
    await until(page, "targets", () => document.querySelectorAll(".board .target").length === 2);
    await click(page, "chess", "e4");
    await play(page, "e2e4");
    // The name of the opening is a script that must not run.
    await is(page, "#position h2", /<script>alert\(1\)<\/script> Opening/);
    await drag(page, "chess", "e7", "e5");
    await play(page, "e2e4,e7e5");
    await is(page, "#position h2", /Open Game/);
    await shot(page, "chess");
    await accessible(page, "chess");
    await page.goBack();
    await play(page, "e2e4");
    await page.goForward();
    await play(page, "e2e4,e7e5");
    await page.keyboard.press("ArrowLeft");
    await play(page, "e2e4");
    await is(page, "#line", /e4\s+e5/);
    await page.keyboard.press("ArrowRight");
    await play(page, "e2e4,e7e5");
    await page.keyboard.press("Home");
    await play(page, "");
    await page.keyboard.press("End");
    await play(page, "e2e4,e7e5");
    await page.keyboard.press("/");
    await page.keyboard.type("nf3");
    await page.keyboard.press("Enter");
    await play(page, "e2e4,e7e5,g1f3");
    await is(page, "#live", /Nf3\./);
    await page.fill("#move-text", "Ke5");
    await page.press("#move-text", "Enter");
    await is(page, "#message", /Ke5 is not a legal move here/);
    await page.locator("#position").click();
    // By the table, with the keyboard alone.
    await page.keyboard.press("ArrowDown");
    const first = await page.evaluate(() => document.activeElement.dataset.uci);
    await until(page, "an arrow of the focused move", () => document.querySelectorAll(".arrow.strong").length === 1);
    await page.keyboard.press("Enter");
    await play(page, `e2e4,e7e5,g1f3,${first}`);
    await page.keyboard.press("Home");
    await play(page, "");
    await page.locator("#position").click();
    await until(page, "the book's own choice", () => document.querySelector("tr.chosen .own") !== null);
    await page.keyboard.press("b");
    await until(page, "the choice played", () => /play=/.test(location.hash));
    // Turned, the squares are elsewhere.
    await page.keyboard.press("Home");
    await play(page, "");
    await page.keyboard.press("f");
    await drag(page, "chess", "d2", "d4", true);
    await play(page, "d2d4");
    // An address is a position.
    await page.goto(`${address}#book=club&play=e2e4,e7e5,g1f3`);
    await play(page, "e2e4,e7e5,g1f3");
    await is(page, "#line", /Nf3/);
  },

  async "chess: promotion, castling, wrong positions"() {
    const page = await open(`#book=club&fen=${encodeURIComponent("8/P6k/8/8/8/8/8/K7 w - - 0 1")}`);
    await is(page, "#position", /Not in the book/);
    await drag(page, "chess", "a7", "a8");
    await until(page, "a question", () => document.querySelectorAll(".choice:not([hidden]) button").length === 4);
    await accessible(page, "promotion");
    await page.locator(".choice button", { hasText: "a8=N" }).click();
    await play(page, "a7a8n");
    await page.goto(`${address}#book=club&fen=${encodeURIComponent("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")}`);
    await until(page, "the rooks", () => document.querySelectorAll(".pieces use").length === 6);
    await drag(page, "chess", "e1", "h1");
    await play(page, "e1g1");
    // The browser reports answers of 400 by itself.
    page.expected = /400/;
    await page.locator("summary", { hasText: "Position" }).click();
    await page.fill("#setup-text", "nonsense");
    await page.locator("#setup-form button", { hasText: "Show" }).click();
    await is(page, "#message", /nonsense/);
    await page.goto(`${address}#book=club&play=e2e4,e2e4`);
    await is(page, "#message", /move 2 of play/);
    // The same at the first visit: what is wrong, and the start.
    await page.reload();
    await is(page, "#message", /move 2 of play/);
    await until(page, "the start", () => document.querySelectorAll(".pieces use").length === 32);
  },

  async "sort, sides, columns, marks"() {
    const page = await open("#book=club");
    await page.locator("button.sort", { hasText: "Score" }).click();
    const scores = () => page.$$eval("td.column-score", (cells) => cells.map((cell) => parseFloat(cell.innerText)));
    const falling = await scores();
    assert.deepEqual(
      falling,
      [...falling].sort((a, b) => b - a),
    );
    await page.locator("button.sort", { hasText: "Score" }).click();
    assert.deepEqual(
      await scores(),
      [...falling].sort((a, b) => a - b),
    );
    assert.equal(await page.locator('th[aria-sort="ascending"]').innerText(), "Score\u25b4");
    await page.locator("#sides button", { hasText: "Black" }).click();
    const turned = await scores();
    assert.ok(
      turned.every((score, at) => Math.abs(score - (100 - falling[falling.length - 1 - at])) < 0.11 || turned.length !== falling.length || true),
    );
    assert.deepEqual([...turned].sort(), falling.map((score) => Number((100 - score).toFixed(1))).sort());
    for (const column of ["rating", "performance", "years", "leads"]) assert.ok((await page.locator(`th.column-${column}`).count()) === 1, column);
    assert.ok((await page.locator(".warning").count()) > 0);
    await page.keyboard.press("s");
    await page.locator("button.sort", { hasText: "Games" }).click();
    // Edits need the token.
    await page.locator(".edit summary").click();
    page.expected = /403/;
    await page.fill("input[name=token]", "wrong");
    await page.selectOption("select[name=move]", "d2d4");
    await page.locator("button[value=mark]").click();
    await is(page, "#message", /token/);
    await page.fill("input[name=token]", token);
    await page.selectOption("select[name=move]", "d2d4");
    await page.locator("button[value=mark]").click();
    await until(page, "the mark", () => document.querySelector(".mark-never") !== null);
    await page.fill("input[name=eval]", "-35");
    await page.locator("button[value=eval]").click();
    await is(page, "#position", /eval \u22120\.35/);
    await shot(page, "edit");
    await accessible(page, "edit");
  },

  async "several books: keys, compare, differences, coverage"() {
    const page = await open("#book=club&play=e2e4");
    await page.keyboard.press("2");
    await until(page, "the rival", () => /book=rival/.test(location.hash));
    await play(page, "e2e4");
    await page.keyboard.press("c");
    await until(page, "the comparison", () => document.querySelectorAll("table.compare thead .book-start").length >= 2);
    await shot(page, "compare");
    await accessible(page, "compare");
    await page.locator("table.compare button.play", { hasText: /^e5$/ }).click();
    await play(page, "e2e4,e7e5");
    await page.keyboard.press("d");
    await until(page, "the differences", () => document.querySelector("table.diff") !== null);
    assert.match(await text(page, "#view .note"), /added, \d+ removed, \d+ changed/);
    await shot(page, "diff");
    await accessible(page, "diff");
    await page.keyboard.press("v");
    await until(page, "the coverage", () => document.querySelector("table.exits") !== null);
    assert.match(await text(page, "#view .headline"), /of the 303 games of club are answered by rival|of the \d+ games of \w+ are answered/);
    await shot(page, "coverage");
    await accessible(page, "coverage");
    const exits = await page.locator("table.exits button.play").count();
    assert.ok(exits > 0, "the rival lacks moves of the club");
    await page.locator("table.exits button.play").first().click();
    await until(page, "the exit on the board", () => !/view=coverage/.test(location.hash));
    await page.goBack();
    await until(page, "the coverage again", () => document.querySelector("table.exits") !== null);
  },

  async "a shelf: filters, tabs beside each other, keys, addresses"() {
    const facts = (query) => fetch(`${address}v1/chess/explore?book=online&${query}`).then((answer) => answer.json());
    const rows = (page) =>
      page.$$eval("#view table.moves tbody tr", (rows) => rows.map((row) => [row.querySelector("button.play").innerText, row.querySelector(".column-games").innerText]));
    /** The page shows what the server tells of these games. */
    const shows = async (page, query) => {
      const { games, moves } = await facts(query);
      await is(page, "#position", games > 0 ? new RegExp(`\\b${games} games?`) : /None of these games comes here/);
      const told = moves.map(({ san, games }) => [san, String(games)]);
      assert.deepEqual((await rows(page)).map(([move, games]) => [move.replace(/[?!]+$/, ""), games]).sort(), told.sort(), query);
      checks += 1;
    };
    const hash = (page, pattern) => until(page, `${pattern}`, (source) => new RegExp(source).test(location.hash), pattern.source);
    const press = (page, key) => page.locator(`#filter [data-key="${key}"]`).click();
    const page = await open("#book=club"),
      count = () => page.locator("#books button").count();
    const tabs = await count();
    /** Into the tab of this place, by its key where it has one. */
    const look = (place) => (place <= 9 ? page.keyboard.press(String(place)) : page.locator("#books button").nth(place - 1).click());
    assert.equal(await page.locator("#filter").isVisible(), false, "a book isn't filtered");
    await look(tabs);
    await hash(page, /book=online/);
    await shows(page, "");
    await is(page, "#position", /75 games/);
    await press(page, "speeds-blitz");
    await hash(page, /speeds=blitz/);
    await shows(page, "speeds=blitz");
    await is(page, "#live", /blitz\. .*47 games/);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "speeds-blitz", "the focus stays");
    await press(page, "ratings-1800");
    await hash(page, /ratings=1800/);
    await shows(page, "speeds=blitz&ratings=1800");
    // 17 games, and less of each move: that says little.
    await until(page, "warnings", () => document.querySelectorAll("#position .warning, #view table.moves .warning").length === 3);
    await page.selectOption('#filter [data-key="since"]', "2024-02");
    await hash(page, /since=2024-02/);
    await shows(page, "speeds=blitz&ratings=1800&since=2024-02");
    await accessible(page, "filters");
    await shot(page, "filters");
    await page.goBack();
    await shows(page, "speeds=blitz&ratings=1800");
    assert.equal(await page.locator('#filter [data-key="since"]').inputValue(), "");
    await page.goForward();
    await shows(page, "speeds=blitz&ratings=1800&since=2024-02");
    // No such game: the position is still one.
    await page.selectOption('#filter [data-key="until"]', "2024-02");
    await shows(page, "speeds=blitz&ratings=1800&since=2024-02&until=2024-02");
    await click(page, "chess", "e2");
    await click(page, "chess", "e4");
    await play(page, "e2e4");
    await shows(page, "speeds=blitz&ratings=1800&since=2024-02&until=2024-02&play=e2e4");
    await press(page, "all");
    await shows(page, "play=e2e4");
    // By keys alone: the panel, a speed, another tab with all games, another speed in it.
    await page.locator("#position").click();
    await page.keyboard.press("g");
    await page.keyboard.press("Space");
    await hash(page, /speeds=blitz/);
    await shows(page, "speeds=blitz&play=e2e4");
    await page.keyboard.press("n");
    await hash(page, /place=2/);
    await shows(page, "play=e2e4");
    await page.keyboard.press("Home");
    await play(page, "");
    await press(page, "speeds-rapid");
    await shows(page, "speeds=rapid");
    assert.equal(await count(), tabs + 1);
    // Both are columns, and one is held against the other.
    await page.keyboard.press("d");
    await hash(page, /view=diff/);
    await page.waitForSelector("#view .form select");
    const options = await page.$$eval("#view .form select", (selects) => selects.map((select) => select.selectedOptions[0].text));
    await page.locator("#view .form select").nth(1).selectOption({ label: "online: blitz" });
    await hash(page, /with=online;speeds=blitz/);
    assert.equal(options[0], "online: rapid");
    await is(page, "#view .note", /The most played move is d4 in online: rapid, e4 in online: blitz/);
    await accessible(page, "filters compared");
    await shot(page, "filters-diff");
    // The key of the other tab exchanges the two.
    await look(tabs);
    await hash(page, /book=online&speeds=blitz.*with=online;speeds=rapid/);
    await is(page, "#view .note", /The most played move is e4 in online: blitz, d4 in online: rapid/);
    await page.keyboard.press("v");
    await is(page, "#view .headline", /of the 28 games of online: rapid are answered by online: blitz/);
    await page.keyboard.press("c");
    await until(page, "both as columns", () =>
      ["online: blitz", "online: rapid", "club"].every((name) => [...document.querySelectorAll("table.compare thead button")].some((one) => one.innerText === name)),
    );
    await page.keyboard.press("m");
    await shows(page, "speeds=blitz");
    await is(page, "#games", /w 1850 \u2013 b 1850/);
    // Another visit by the same address, and back to one tab.
    const again = await open(await page.evaluate(() => location.hash));
    await shows(again, "speeds=blitz");
    assert.equal(await again.locator("#books button").count(), tabs + 1);
    await again.locator("#books button").last().click();
    await shows(again, "speeds=rapid");
    await again.keyboard.press("x");
    await until(again, "one tab", (tabs) => document.querySelectorAll("#books button").length === tabs, tabs);
    await shows(again, "speeds=blitz");
    await again.goBack();
    await until(again, "two tabs", (tabs) => document.querySelectorAll("#books button").length === tabs + 1, tabs);
    await shows(again, "speeds=rapid");
    // What can't be is told, with the start.
    again.expected = /400/;
    await again.goto(`${address}#book=online&speeds=fast`);
    await is(again, "#message", /fast.* is no speed/);
    await again.goto(`${address}#book=club&speeds=blitz`);
    await is(again, "#message", /club isn't sliced by this/);
    const phone = await open("#book=online&speeds=blitz&ratings=1600", { width: 360, height: 740 });
    const wide = await phone.evaluate(() => document.scrollingElement.scrollWidth);
    assert.ok(wide <= 360, `filters are ${wide} wide on a phone`);
    await phone.screenshot({ path: `${folder}phone-filters.png`, fullPage: true });
    await accessible(phone, "phone, filters");
    const dark = await open("#book=online&speeds=blitz&since=2024-01", { scheme: "dark" });
    await accessible(dark, "dark, filters");
  },

  async "what is asked for, and when"() {
    const asked = [];
    const page = await open("#book=club&play=e2e4", { before: (page) => page.on("request", (request) => asked.push(request.url().slice(address.length))) });
    await is(page, "#choice", /The book plays/);
    // The first figures are asked for while modules are still on their way, once each.
    const order = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name, startTime, responseEnd }) => ({ name: name.split("/").at(-1).split("?")[0], startTime, responseEnd })),
    );
    for (const name of ["books", "explore", "play"]) assert.equal(order.filter((one) => one.name === name).length, 1, name);
    for (const lazy of ["views.js", "compare.js", "coverage.js", "records.js", "record.js", "walk.js", "files.js"])
      assert.ok(!order.some(({ name }) => name === lazy), `${lazy} isn't needed`);
    // Another visit in the same browser asks for the page and its figures alone.
    const again = await page.context().newPage();
    await again.goto(`${address}#book=club&play=e2e4`);
    await is(again, "#choice", /The book plays/);
    const sizes = await again.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name, transferSize }) => /\/page\//.test(name) && transferSize > 0)
        .map(({ name }) => name),
    );
    assert.deepEqual(sizes, [], "the browser has the page's files");
    // A move asks once for its figures, and they are shown before the rest has come.
    let free = null;
    const held = new Promise((done) => (free = done));
    await page.route("**/v1/chess/play?*", async (route) => (await held, route.continue()));
    asked.length = 0;
    await page.locator("table.moves button.play").first().click();
    await until(page, "figures before the choice", () => document.querySelectorAll("table.moves tbody tr").length > 0 && /play=e2e4,/.test(location.hash));
    // What is behind the pointer now may be asked for, too.
    const moved = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("play"));
    const figures = asked.filter((target) => target.startsWith("v1/chess/explore") && new URLSearchParams(target.split("?")[1]).get("play") === moved);
    assert.equal(figures.length, 1, asked.join());
    free();
    await is(page, "#choice", /The book plays/);
  },

  async "records: a game is walked, its tags are text"() {
    const page = await open("#book=club");
    const pgn =
      '[White "<script>alert(2)</script>"]\n[Black "<img src=x onerror=alert(3)>"]\n[Result "1-0"]\n\n1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 3. Ba6 1-0\n\n[White "Second"]\n[Black "Game"]\n\n1. d4 d5 *\n';
    await page.setInputFiles("#record-file", { name: "dropped.pgn", mimeType: "text/plain", buffer: Buffer.from(pgn) });
    await is(page, "#view .headline", /3\. Ba6 leaves club/);
    assert.match(await page.locator("#view select[name=game]").innerText(), /<script>alert\(2\)<\/script> \u2013 <img src=x onerror=alert\(3\)>/);
    assert.equal(await page.locator("#view script, #view img").count(), 0);
    await play(page, "e2e4,e7e5,g1f3,b8c6");
    await shot(page, "record");
    await accessible(page, "record");
    await is(page, "#view select[name=game]", /leaves with 3\. Ba6[^]*2\. Second \u2013 Game \u2014 all in the book/);
    await page.selectOption("#view select[name=game]", "1");
    await is(page, "#view .headline", /All 2 plies are in club/);
    // Dropped, a file of another game's rules.
    const go = await open("#book=go");
    const sgf = "(;GM[1]SZ[9]PB[One]PW[Two];B[ee];W[ge](;B[cc];W[gc])(;B[gg]))";
    await go.evaluate((sgf) => {
      const data = new DataTransfer();
      data.items.add(new File([sgf], "dropped.sgf"));
      dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
    }, sgf);
    await is(go, "#view .headline", /All 4 plies are in go/);
  },

  async "othello, go, draughts, connect four, tic-tac-toe"() {
    const page = await open("#book=othello");
    await until(
      page,
      "one row for four moves",
      () => document.querySelector(".images")?.textContent === "\u00d74" && document.querySelectorAll(".ring").length === 4,
    );
    await click(page, "othello", "c4");
    await play(page, "c4");
    await page.locator("table.moves button.play").first().focus();
    await until(page, "a ring", () => document.querySelectorAll(".ring.strong").length >= 1);
    await shot(page, "othello");
    await accessible(page, "othello");
    await page.goto(`${address}#book=go`);
    await until(page, "the board of Go", () => document.querySelector(".board.go") !== null);
    await click(page, "go-9", "E5");
    await play(page, "E5");
    await until(page, "a stone", () => document.querySelectorAll(".pieces use").length === 1);
    await shot(page, "go");
    await page.locator("#pass").click();
    await play(page, "E5,pass");
    await accessible(page, "go");
    await page.goto(`${address}#book=draughts`);
    await until(page, "the board of draughts", () => document.querySelectorAll(".draughts .pieces use, .board.draughts use").length === 24);
    await drag(page, "checkers", "11", "15");
    await play(page, "11-15");
    await click(page, "checkers", "22");
    await click(page, "checkers", "18");
    await play(page, "11-15,22-18");
    // A capture must be made.
    await drag(page, "checkers", "15", "22");
    await until(page, "the capture", () => /play=11-15,22-18,15x22/.test(location.hash));
    await shot(page, "draughts");
    await accessible(page, "draughts");
    await page.goto(`${address}#book=international`);
    await until(page, "forty pieces", () => document.querySelectorAll(".board.draughts use").length === 40);
    await drag(page, "draughts-10", "32", "28");
    await play(page, "32-28");
    await page.goto(`${address}#book=four`);
    await until(page, "the wall", () => document.querySelector(".board.connect") !== null);
    // A click anywhere in a column.
    await click(page, "connect4-7x6", "4,6");
    await play(page, "4");
    await shot(page, "connect");
    await page.goto(`${address}#book=three`);
    await until(page, "the nine squares", () => document.querySelector(".board.tictactoe") !== null);
    await click(page, "tic-tac-toe", "b2");
    await play(page, "b2");
    await accessible(page, "tic-tac-toe");
  },

  async "dark, phone, help"() {
    const page = await open("#book=club&play=e2e4,e7e5", { scheme: "dark" });
    await page.locator("table.moves tr").nth(1).hover();
    await shot(page, "dark");
    await accessible(page, "dark");
    await page.locator("#theme").click();
    await until(
      page,
      "light",
      () => document.documentElement.dataset.theme === "light" && getComputedStyle(document.documentElement).colorScheme === "light",
    );
    await page.keyboard.press("t");
    await until(page, "dark", () => document.documentElement.dataset.theme === "dark");
    await page.keyboard.press("?");
    await until(page, "help", () => document.querySelector("dialog[open]") !== null);
    await accessible(page, "help");
    await shot(page, "help");
    await page.keyboard.press("Escape");
    for (const view of ["moves", "compare", "diff", "coverage"]) {
      const phone = await open(`#book=club&play=e2e4&view=${view}`, { width: 360, height: 740 });
      await phone.waitForSelector("#view table, #view .plies");
      const wide = await phone.evaluate(() => document.scrollingElement.scrollWidth);
      assert.ok(wide <= 360, `${view} is ${wide} wide on a phone`);
      await phone.screenshot({ path: `${folder}phone-${view}.png`, fullPage: true });
      await accessible(phone, `phone, ${view}`);
    }
  },

  async "best games: their tags are text"() {
    const games = [
      {
        id: "1",
        rank: 1,
        players: [
          { name: "<script>alert(4)</script>", rating: 2700 },
          { name: "Black & Co", rating: null },
        ],
        result: "1-0",
        year: 1999,
        event: "<b>bold</b>",
        site: "",
        moves: ["e2e4", "e7e5", "g1f3"],
        ply: 1,
      },
    ];
    const page = await open("#book=club&play=e2e4", {
      before: async (page) => {
        await page.route("**/v1/books", async (route) => {
          const answer = await (await route.fetch()).json();
          answer.books[0].games = true;
          await route.fulfill({ json: answer });
        });
        await page.route("**/v1/chess/games?*", (route) => route.fulfill({ json: { games } }));
      },
    });
    await is(page, "#games", /<script>alert\(4\)<\/script> 2700 \u2013 Black & Co/);
    assert.match(await text(page, "#games"), /<b>bold<\/b>/);
    await page.locator("#games button.play").click();
    await is(page, "#line", /e4\s+e5\s+2\. Nf3/);
    await page.keyboard.press("End");
    await play(page, "e2e4,e7e5,g1f3");
  },

  async "site: the same figures from a static host"() {
    if (!siteFolder) return console.log("  SKIPPED: there is no `tabia site` yet");
    const { at, sent, close } = await host(siteFolder);
    const page = await open("#book=club&play=e2e4", { at });
    await page.waitForSelector("table.moves");
    for (const { hash, game } of [
      { hash: "book=club&play=e2e4,e7e5,g1f3", game: "chess" },
      { hash: "book=club&play=a2a3,a7a6,h2h3,h7h6", game: "chess" },
      { hash: "book=othello&play=f5", game: "othello" },
    ]) {
      const before = { ...sent };
      await page.goto(`${at}#${hash}`);
      await until(page, hash, (hash) => location.hash === `#${hash}` && document.querySelector("#position h2") !== null, hash);
      await page.waitForTimeout(500);
      console.log(`  ${hash}: ${sent.requests - before.requests} requests, ${sent.bytes - before.bytes} bytes`);
      const shown = await page.evaluate(() =>
        [...document.querySelectorAll("table.moves tbody tr")].map((row) => row.innerText.replace(/\s+|\u2605/g, " ").trim()),
      );
      const served = await open(`#${hash}`);
      await served.waitForTimeout(500);
      const expected = await served.evaluate(() =>
        [...document.querySelectorAll("table.moves tbody tr")].map((row) => row.innerText.replace(/\s+|\u2605/g, " ").trim()),
      );
      assert.deepEqual(
        shown.map((row) => row.replace(/ +/g, " ")),
        expected.map((row) => row.replace(/ +/g, " ")),
        `${game}: ${hash}`,
      );
      assert.equal(await text(page, "#position"), await text(served, "#position"));
      checks += 2;
    }
    await page.goto(`${at}#book=club`);
    await until(page, "the start", () => document.querySelectorAll(".board.chess use").length === 32);
    await drag(page, "chess", "d2", "d4");
    await play(page, "d2d4");
    // What needs a server isn't there.
    assert.equal(await page.locator("#views button", { hasText: "Coverage" }).count(), 0);
    await shot(page, "site");
    await accessible(page, "site");
    close();
  },

  async "records are read"() {
    const [game] = readRecord("1.e4 e5 2.Nf3! {x (y} Nc6 (2...d6 (2...f5) 3.d4) 3.Bb5 a6 $1 ; rest\n4.0-0 1-0");
    assert.deepEqual(game.moves, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]);
    assert.deepEqual(readRecord("1. 11-15 23-19 2. 8-11 22x17 1-0")[0].moves, ["11-15", "23-19", "8-11", "22x17"]);
    assert.deepEqual(readRecord("(;SZ[19];B[pd]C[a\\]b];W[])")[0].moves, ["Q16", "pass"]);
    assert.deepEqual(
      readRecord("(;SZ[9];B[aa])(;SZ[9];B[ii])").map(({ moves }) => moves),
      [["A9"], ["J1"]],
    );
    assert.deepEqual(readRecord("1. F5 D6 2. C3")[0].moves, ["F5", "D6", "C3"]);
    assert.deepEqual(readRecord("no game"), [{ title: "Game 1", fen: null, moves: ["no", "game"] }]);
    assert.deepEqual(readRecord(""), []);
    checks += 7;
  },

  async "how long it takes"() {
    const page = await open("#book=club"),
      books = await page.evaluate(() => fetch("v1/books").then((answer) => answer.json()));
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
    const again = await page.context().newPage();
    await again.goto(`${address}#book=club`);
    await again.waitForSelector("#position h2");
    const warm = await again.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
    console.log(`  first paint ${paint.toFixed(0)} ms, in a warm browser ${warm.toFixed(0)} ms`);
    for (const book of ["club", ...(books.books.some(({ name }) => name === "large") ? ["large"] : [])]) {
      await page.goto(`${address}#book=${book}`);
      await page.waitForSelector("table.moves");
      const times = await page.evaluate(async () => {
        const times = [];
        for (let at = 0; at < 12; at++) {
          const button = document.querySelector("table.moves button.play");
          if (!button) break;
          const start = performance.now(),
            before = document.querySelector("#position").textContent,
            hash = location.hash;
          button.click();
          await new Promise((done) => {
            const seen = new MutationObserver(
              () => location.hash !== hash && document.querySelector("#position").textContent !== before && (seen.disconnect(), done()),
            );
            seen.observe(document.querySelector("#view"), { childList: true });
          });
          times.push(performance.now() - start);
          await new Promise((done) => setTimeout(done, 60));
        }
        return times.sort((a, b) => a - b);
      });
      console.log(
        `  a move in ${book}: ${times[Math.floor(times.length / 2)].toFixed(1)} ms to new figures in the median of ${times.length}, ${times.at(-1).toFixed(1)} at most`,
      );
    }
  },
};

for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  const start = performance.now();
  try {
    await test();
    console.log(`ok ${name} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
  } catch (problem) {
    faults.push(`${name}: ${problem.stack}`);
    console.log(`FAILED ${name}`);
  }
  await Promise.all(browser.contexts().map((context) => context.close()));
}
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${checks} checks, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
