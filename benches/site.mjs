// Walks through the page that `tabia site` made: site.mjs TABIA BOOK FOLDER POSITIONS [games]; FOLDER/site is the page, BOOK the book it was made of; `games` walks with
// the best games of each position unfolded. benches/site.sh starts it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Random } from "../tools/readers/js/test/support/random.js";
import { startNginx } from "../tools/readers/js/test/support/nginx.js";

const [, , tabia, book, folder, positions, withGames] = process.argv;
const { chromium } = createRequire(fileURLToPath(new URL("../target/node/", import.meta.url)))("playwright-core");
const MOST_PLIES = 14;

/** The moves of a position by what `tabia explore` says: games by uci. */
function expected(play) {
  const line = play.length ? ["--moves", play.join(" ")] : [];
  const { moves } = JSON.parse(execFileSync(tabia, ["explore", book, "--json", ...line], { encoding: "utf8", maxBuffer: 1 << 26 }));
  return Object.fromEntries(moves.filter(({ uci }) => uci !== null).map(({ uci, games }) => [uci, games]));
}

/** The same, as the page shows it. */
const shown = (page) =>
  page.$$eval("#view table.moves tbody tr", (rows) =>
    Object.fromEntries(
      rows.map((row) => [row.querySelector("button.play").dataset.uci, Number(row.querySelector("[title$=games]").title.replace(/\D/g, ""))]),
    ),
  );

/** The best games of a position that came first: those that are shown have to be among them. */
const bestGames = (play) => JSON.parse(execFileSync(tabia, ["games", book, "--json", "--top", "100", "--moves", play.join(" ")], { encoding: "utf8", maxBuffer: 1 << 26 })).games;

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const nginx = await startNginx(join(folder, `nginx-${withGames ?? "moves"}`), { "/site/": join(folder, "site") });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
// Without a store of its own each position is asked for as if it were the first.
const page = await browser.newPage();
await page.addInitScript((games) => {
  localStorage.setItem("tabia-games", JSON.stringify(games));
  Object.defineProperty(window, "isSecureContext", { value: false });
}, Boolean(withGames));
const faults = [];
page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
page.on("pageerror", (error) => faults.push(error.stack));

const cost = (log) => ({ requests: log.length, bytes: log.reduce((sum, { bytes }) => sum + bytes, 0) });

/** Waits until the page shows these moves and their games. */
async function shows(games) {
  for (let times = 0; times < 400; times++) {
    if (isDeepStrictEqual(await shown(page), games)) return;
    await sleep(25);
  }
  assert.deepEqual(await shown(page), games, page.url());
}

/** Waits until the page shows games of this position, of which the first one is the best. */
async function showsGames(play) {
  await page.waitForSelector('#games[aria-busy="false"]', { state: "attached", timeout: 60_000 });
  const told = bestGames(play).map(({ players, result, date }) => `${players[0].name} - ${players[1].name} ${result} ${date}`);
  const shown = await page.$$eval("#games tbody tr", (rows) =>
    rows.map((row) => {
      const [first, second] = row.querySelector("button").innerText.replace(/ \d+(?= \u2013 |$)/g, "").split(" \u2013 ");
      return `${first} - ${second} ${row.children[2].innerText} ${row.children[3].innerText}`.trim();
    }),
  );
  assert.ok(shown.length > 0 || told.length === 0, page.url());
  if (shown.length > 0) assert.equal(shown[0], told[0].trim(), page.url());
  // The command lists a hundred, which may not be all of them.
  if (told.length < 100) for (const game of shown) assert.ok(told.some((one) => one.trim() === game), `${game}: ${page.url()}`);
}

await page.goto(`${nginx.url}/site/index.html`);
await page.waitForSelector("#view table.moves tbody tr");
await page.waitForLoadState("networkidle");
const opening = cost(nginx.log());
console.log(`opened: ${opening.requests} requests, ${opening.bytes.toLocaleString("en")} bytes`);

const random = new Random(1), walked = { requests: [], bytes: [] };
let play = [], before = nginx.log().length;
while (walked.requests.length < Number(positions)) {
  const moves = Object.entries(await shown(page)).filter(([, games]) => games > 0);
  if (moves.length === 0 || play.length >= MOST_PLIES) {
    play = [];
    await page.evaluate(() => (location.hash = ""));
  } else {
    // By their games: what people look at.
    let left = random.below(moves.reduce((sum, [, games]) => sum + games, 0));
    const [uci] = moves.find(([, games]) => (left -= games) < 0);
    play = [...play, uci];
    await page.click(`button.play[data-uci="${uci}"]`);
  }
  await shows(expected(play));
  await page.waitForLoadState("networkidle");
  if (withGames) await showsGames(play);
  const log = nginx.log(), { requests, bytes } = cost(log.slice(before));
  before = log.length;
  walked.requests.push(requests), walked.bytes.push(bytes);
}
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
console.log(`${positions} positions equal to tabia explore${withGames ? ", with their best games" : ""}: ${mean(walked.requests).toFixed(1)} requests (${median(walked.requests)} in the median) and ${Math.round(mean(walked.bytes)).toLocaleString("en")} bytes a position`);
assert.deepEqual(faults, []);
await browser.close();
await nginx.close();
