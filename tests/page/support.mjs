// What the tests of the page in Chromium share: pages, what they must not do, places on the board, a static host.

import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gameOf } from "../../tools/serve/src/page/games.js";

/** The server that is tested, its token, and a folder of `tabia site`, if there is one. */
export const [, , address, token, siteFolder, only] = process.argv;
export const folder = fileURLToPath(new URL("../../target/page/", import.meta.url));
const require = createRequire(fileURLToPath(new URL("../../target/node/", import.meta.url)));
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");

/** A name that leads here without being the server's, as a site's name may that an attacker owns. */
export const rebound = "rebound.example";
export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", `--host-resolver-rules=MAP ${rebound} 127.0.0.1`],
});
export const faults = [];
let checks = 0;
/** Counts what was found to be right. */
export const checked = (more = 1) => (checks += more);

/** A page at an address. What it must not do is noted. */
export async function open(hash, { width = 1360, height = 860, scheme = "light", before = null, at = address } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, bypassCSP: false, acceptDownloads: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(at).origin });
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

export const shot = (page, name) => page.screenshot({ path: `${folder}${name}.png` });

/** Waits until something is true in the page. */
export const until = async (page, what, test, argument) => {
  await page.waitForFunction(test, argument, { timeout: 20_000 }).catch(() => assert.fail(`${what} didn't happen; the page is at ${page.url()}`));
  checked();
};
export const play = (page, moves) =>
  until(page, `play=${moves}`, (moves) => (new URLSearchParams(location.hash.slice(1)).get("play") ?? "") === moves, moves);
export const text = (page, where) => page.locator(where).first().innerText();
export const is = async (page, where, pattern) => {
  await until(page, `${where} showing ${pattern}`, ([where, source]) => new RegExp(source).test(document.querySelector(where)?.innerText ?? ""), [
    where,
    pattern.source,
  ]);
};

/** Where a square's middle is on the screen. */
export async function point(page, game, square, flipped = false) {
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
export const click = async (page, game, square, flipped) => page.mouse.click(...(await point(page, game, square, flipped)));
export async function drag(page, game, from, to, flipped) {
  const [start, end] = [await point(page, game, from, flipped), await point(page, game, to, flipped)];
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, { steps: 3 });
  await page.mouse.move(...end, { steps: 3 });
  await page.mouse.up();
}

/** No serious fault for those who use the page otherwise than by eye and mouse. */
export async function accessible(page, name) {
  // Games of the position before are dimmed while others are looked for.
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"] .best-games') === null);
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
  checked();
}

/** A static host of a folder, with ranges; what it sent is counted. */
export async function host(folder) {
  const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" },
    sent = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    const path = join(folder, decodeURIComponent(new URL(request.url, "http://host/").pathname).replace(/\/$/, "/index.html"));
    if (!path.startsWith(folder) || !existsSync(path)) return response.writeHead(404).end();
    const { size, mtimeMs } = statSync(path),
      range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const start = range ? Number(range[1]) : 0,
      end = range && range[2] !== "" ? Math.min(Number(range[2]), size - 1) : size - 1;
    const headers = {
      "Content-Type": kinds[extname(path)] ?? "application/octet-stream",
      "Content-Length": end - start + 1,
      "Accept-Ranges": "bytes",
      ETag: `"${size}-${mtimeMs}"`,
    };
    if (/\.tabia(-games)?$/.test(path)) [sent.requests, sent.bytes] = [sent.requests + 1, sent.bytes + end - start + 1];
    response.writeHead(range ? 206 : 200, range ? { ...headers, "Content-Range": `bytes ${start}-${end}/${size}` } : headers);
    createReadStream(path, { start, end }).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const cut = () => (server.closeAllConnections(), server.close());
  /** Ends it, and before it all that asks it. */
  const close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    cut();
  };
  return { at: `http://127.0.0.1:${server.address().port}/`, sent, cut, close };
}
