// Walks through the page that `tabia site` made: site.mjs TABIA BOOK FOLDER POSITIONS; FOLDER/site is the page, BOOK the book it was made of. benches/site.sh starts it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Random } from "../tools/readers/js/test/support/random.js";
import { startNginx } from "../tools/readers/js/test/support/nginx.js";

const [, , tabia, book, folder, positions] = process.argv;
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
  page.$$eval("table.moves tbody tr", (rows) =>
    Object.fromEntries(
      rows.map((row) => [row.querySelector("button.play").dataset.uci, Number(row.querySelector("[title$=games]").title.replace(/\D/g, ""))]),
    ),
  );

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const nginx = await startNginx(join(folder, "nginx"), { "/site/": join(folder, "site") });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
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

await page.goto(`${nginx.url}/site/index.html`);
await page.waitForSelector("table.moves tbody tr");
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
  const log = nginx.log(), { requests, bytes } = cost(log.slice(before));
  before = log.length;
  walked.requests.push(requests), walked.bytes.push(bytes);
}
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
console.log(`${positions} positions equal to tabia explore: ${mean(walked.requests).toFixed(1)} requests (${median(walked.requests)} in the median) and ${Math.round(mean(walked.bytes)).toLocaleString("en")} bytes a position`);
assert.deepEqual(faults, []);
await browser.close();
await nginx.close();
