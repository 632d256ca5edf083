// The page of `tabia site`.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  accessible,
  address,
  browser,
  checked,
  click,
  drag,
  faults,
  folder,
  host,
  is,
  open,
  play,
  shot,
  siteFolder,
  text,
  until,
} from "./support.mjs";

/** What a server's page shows of the moves, without signs. */
const rows = (page) => page.$$eval("#view table.moves tbody tr", (rows) => rows.map((row) => row.innerText.replace(/[\s\u2605]+/g, " ").trim()));
/** Waits for what comes behind the figures. */
const settled = (page) => page.waitForSelector("#offline details, #offline .muted");
const kept = (page) =>
  page.evaluate(async () =>
    Promise.all(
      (await caches.keys())
        .sort()
        .map(async (name) => [name.split(" ")[0].split("-").slice(0, 2).join("-"), (await (await caches.open(name)).keys()).length]),
    ),
  );
/** How many files there are in the browser's own file system. */
const copies = (page) =>
  page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("tabia", { create: true });
    return (await Array.fromAsync(folder.keys())).length;
  });
const openOffline = async (page) => page.locator("#offline details").evaluate((details) => (details.open = true));

/** A position of a site, as a server shows it. */
async function sameFigures(page, at, sent, hash) {
  const before = { ...sent };
  await page.goto(`${at}#${hash}`);
  await until(page, hash, (hash) => location.hash === `#${hash}` && document.querySelector("#position h2") !== null, hash);
  const served = await open(`#${hash}`);
  const figures = async (page) => [await text(page, "#position"), await rows(page)],
    expected = await figures(served);
  // The position before is shown until the host has answered.
  for (let times = 0; times < 200 && !isDeepStrictEqual(await figures(page), expected); times++) await page.waitForTimeout(100);
  assert.deepEqual(await figures(page), expected, hash);
  console.log(`  ${hash}: ${sent.requests - before.requests} requests, ${sent.bytes - before.bytes} bytes`);
  checked(2);
}

export const site = {
  async "site: the same figures from a static host"() {
    if (!siteFolder) return console.log("  SKIPPED: there is no `tabia site` yet");
    const { at, sent, close } = await host(siteFolder);
    const page = await open("#book=club&play=e2e4", { at });
    await page.waitForSelector("table.moves");
    for (const hash of ["book=club&play=e2e4,e7e5,g1f3", "book=club&play=a2a3,a7a6,h2h3,h7h6", "book=othello&play=f5"]) {
      await sameFigures(page, at, sent, hash);
    }
    await page.goto(`${at}#book=club`);
    await until(page, "the start", () => document.querySelectorAll(".board.chess use").length === 32);
    await drag(page, "chess", "d2", "d4");
    await play(page, "d2d4");
    await is(page, "#position", /81 games/);
    // What needs a server isn't there.
    assert.equal(await page.locator("#views button", { hasText: "Coverage" }).count(), 0);
    await shot(page, "site");
    await accessible(page, "site");
    await close();
  },

  async "site: variants of chess"() {
    if (!siteFolder) return;
    const { at, sent, close } = await host(process.env.VARIANTS),
      line = "e2e4,d7d5,e4d5,d8d5,b1c3,d5d8",
      page = await open(`#book=house&play=${line}`, { at });
    for (const hash of [`book=house&play=${line}`, "book=checks&play=e2e4,e7e5,f1c4,b8c6,c4f7", "book=hill&play=e2e4,a7a6,e1e2,a6a5,e2e3,a5a4,e3d4"]) {
      await sameFigures(page, at, sent, hash);
    }
    await page.goto(`${at}#book=house&play=${line}`);
    await page.locator(".hands button:not(:disabled)").click();
    await click(page, "crazyhouse", "e5");
    await play(page, `${line},P@e5`);
    await close();
  },

  async "site: best games and the book's own choice, without a server"() {
    if (!siteFolder) return;
    const { at, close } = await host(siteFolder);
    const page = await open("#book=club&play=e2e4", { at });
    for (const moves of ["e2e4", "", "e2e4,e7e5", "d2d4,d7d5"]) {
      await page.goto(`${at}#book=club&play=${moves}`);
      await play(page, moves);
      const { games } = await (await fetch(`${address}v1/chess/games?book=club&play=${moves}&top=100`)).json();
      const name = ({ players }) => players.map(({ name, rating }) => `${name}${rating ? ` ${rating}` : ""}`).join(" \u2013 ");
      await until(page, `games of ${moves}, ${name(games[0])} first`, (name) => document.querySelector("#games tbody button")?.innerText === name, name(games[0]));
      const shown = await page.$$eval("#games tbody tr", (rows) =>
        rows.map((row) => [row.querySelector("button").innerText, ...[...row.querySelectorAll("td")].map((cell) => cell.innerText)]),
      );
      // From a host four are looked for, and not as long as a server does.
      assert.equal(shown.length, Math.min(4, games.length));
      const isSure = !/found soon/.test(await text(page, "#games summary")),
        places = shown.map(([players, , result, date]) =>
          games.findIndex((game) => name(game) === players && game.result === result && game.date === date),
        );
      assert.ok(!places.includes(-1) && places[0] === 0 && (!isSure || places.join() === [...places.keys()].join()), `${moves}: ${places}`);
      // Tests before this one have edited the start of the book that is served.
      if (moves === "") continue;
      for (const rule of ["games", "wilson", "best", "q", "v", "lcb", "eval", "rating", "performance", "marks"]) {
        await page.selectOption("#choice select", rule);
        const said = await (await fetch(`${address}v1/chess/play?book=club&play=${moves}&rule=${rule}`)).json();
        await until(page, `${rule} of ${moves}`, (why) => document.querySelector("#choice .why")?.innerText === why, said.why);
        assert.equal(await page.evaluate(() => document.querySelector("#choice button.play")?.dataset.uci), said.move?.uci, rule);
      }
      await page.selectOption("#choice select", "games");
      checked(10);
    }
    await accessible(page, "site, games");
    // One is replayed, and saved.
    await page.goto(`${at}#book=club&play=e2e4`);
    await play(page, "e2e4");
    await page.locator("#games button.play").first().click();
    await is(page, "#named", /Ada, Anna \(2500\) \u2013 Bela \(2400\), 1-0\s+2019\.05\.01/);
    await page.keyboard.press("End");
    await until(page, "the whole game", () => document.getElementById("forth").disabled);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#save-line").click()]);
    await saved.saveAs(`${folder}site.pgn`);
    assert.match(readFileSync(`${folder}site.pgn`, "utf8"), /\[White "Ada, Anna"\][^]*\[WhiteElo "2500"\][^]*\n\n1\. e4/);
    // Folded, games aren't asked for; that is remembered.
    await page.locator("#games summary").click();
    await until(page, "folded", () => localStorage.getItem("tabia-games") === "false");
    await page.reload();
    await settled(page);
    assert.equal(await page.locator("#games table").count(), 0);
    await page.locator("#games summary").click();
    await until(page, "games again", () => document.querySelector('#games[aria-busy="false"] table') !== null);
    checked(3);
    await close();
  },

  async "site: opened as a file it says what to do"() {
    if (!siteFolder) return;
    const page = await (await browser.newContext()).newPage();
    await page.goto(`file://${siteFolder}/index.html`);
    await is(page, "#message", /^A browser lets no page .*`tabia serve`.* any web server\.$/);
    await accessible(page, "file");
  },

  async "site: once visited, it works without a network"() {
    if (!siteFolder) return;
    const { at, cut, sent } = await host(siteFolder);
    const page = await open("#book=club", { at });
    await settled(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await drag(page, "chess", "e2", "e4");
    await play(page, "e2e4");
    await drag(page, "chess", "e7", "e5");
    await play(page, "e2e4,e7e5");
    await is(page, "#choice", /The book plays/);
    await until(page, "games", () => document.querySelector('#games[aria-busy="false"] table') !== null);
    const before = [await rows(page), await text(page, "#games")];
    assert.ok((await kept(page)).some(([name, count]) => name === "tabia-ranges" && count > 10));
    // The same again asks the host for nothing but whether the files are still these.
    await page.waitForLoadState("networkidle");
    const asked = sent.requests;
    await page.reload();
    await until(page, "the games again", () => document.querySelector('#games[aria-busy="false"] table') !== null);
    assert.ok(sent.requests - asked <= 3, `${sent.requests - asked} requests for what is kept`);
    const context = page.context();
    await context.setOffline(true);
    cut();
    page.expected = /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_FAILED/;
    const again = await context.newPage();
    again.on("pageerror", (error) => faults.push(`without a network: ${error.stack}`));
    await again.goto(`${at}#book=club&play=e2e4,e7e5`);
    await until(again, "the games without a network", () => document.querySelector('#games[aria-busy="false"] table') !== null);
    assert.deepEqual([await rows(again), await text(again, "#games")], before);
    await is(again, "#offline", /There is no network: this is what was kept/);
    await accessible(again, "without a network");
    await shot(again, "offline");
    // What wasn't looked at is told to be missing, and what is shown stays.
    await again.goto(`${at}#book=club&play=g2g3,g7g6,a2a3`);
    await is(again, "#message", /There is no network, and this isn't among what was looked at before/);
    await again.goto(`${at}#book=club`);
    await play(again, "");
    await is(again, "#position", /303 games/);
    checked(3);
  },

  async "site: a whole book is kept, with progress, or not; removed again"() {
    if (!siteFolder) return;
    const { at, cut } = await host(siteFolder);
    let hold = null;
    const page = await open("#book=club", {
      at,
      before: (page) =>
        page.route(
          /club\.tabia$/,
          async (route) => (
            hold && !route.request().headers().range && route.request().method() === "GET" && (await hold),
            route.continue().catch(() => {})
          ),
        ),
    });
    await settled(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await openOffline(page);
    await accessible(page, "offline, open");
    const key = (text) => page.locator(`#offline [data-key="club-${text}"]`);
    // Cancelled while the host is slow.
    hold = new Promise((done) => setTimeout(done, 2_000));
    await key("Keep all of it").click();
    await key("Cancel").click();
    await key("Keep all of it").waitFor();
    await is(page, "#live", /club is not kept/);
    assert.equal(await copies(page), 0, "nothing is left");
    hold = null;
    // Without room it says so.
    await page.evaluate(() => (navigator.storage.estimate = async () => ({ quota: 3e6, usage: 2e6 })));
    await key("Keep all of it").click();
    await is(page, "#offline", /It needs 2\.9 MB, and this browser has room for 0\.0 kB/);
    await page.evaluate(() => delete navigator.storage.estimate);
    await key("Try again").click();
    await is(page, "#offline", /all of it is kept, 2\.9 MB/);
    await is(page, "#live", /All of club is kept/);
    await until(page, "all games at once", () => document.querySelectorAll("#games tbody tr").length === 8);
    await accessible(page, "offline, kept");
    await shot(page, "kept");
    const { games: served } = await (await fetch(`${address}v1/chess/games?book=club&play=d2d4&top=8`)).json();
    // All positions, and all of the best games, without a network.
    const context = page.context();
    await context.setOffline(true);
    cut();
    page.expected = /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_FAILED/;
    const again = await context.newPage();
    await again.goto(`${at}#book=club&play=d2d4`);
    await until(again, "the games without a network", (count) => document.querySelectorAll("#games tbody tr").length === count, served.length);
    const server = await open("#book=club&play=d2d4");
    await is(server, "#choice", /The book plays/);
    await is(again, "#choice", /The book plays/);
    assert.deepEqual(await rows(again), await rows(server));
    assert.deepEqual(await again.$$eval("#games tbody button", (buttons) => buttons.length), served.length);
    await openOffline(again);
    await again.locator('#offline [data-key="club-Remove"]').click();
    await is(again, "#live", /Nothing of club is kept/);
    assert.equal(await copies(again), 0);
    checked(5);
  },

  async "site: a new version is noticed, and bytes of two versions never meet"() {
    if (!siteFolder) return;
    const site = mkdtempSync(join(tmpdir(), "tabia-site-"));
    try {
      cpSync(siteFolder, site, { recursive: true });
      const { at, close } = await host(site);
      const page = await open("#book=club", { at });
      await settled(page);
      await page.evaluate(() => navigator.serviceWorker.ready);
      await openOffline(page);
      await page.locator('#offline [data-key="club-Keep all of it"]').click();
      await is(page, "#offline", /all of it is kept/);
      // Another book in its place, as a host would do it: by renaming.
      const replace = () => {
        cpSync(process.env.RIVAL, join(site, "new"));
        renameSync(join(site, "new"), join(site, "club.tabia"));
      };
      const games = readFileSync(join(site, "club.tabia"));
      replace();
      await page.goto(`${at}#book=club&play=e2e4`);
      await page.reload();
      await settled(page);
      const served = await open("#book=rival&play=e2e4");
      assert.equal(await text(page, "#position .figures"), await text(served, "#position .figures"));
      await is(page, "#offline", /club is a new version since you were here/);
      await openOffline(page);
      await is(page, "#offline", /an earlier version is kept/);
      await accessible(page, "a new version");
      await page.locator('#offline [data-key="club-Update"]').click();
      await is(page, "#offline", /all of it is kept/);
      // While it is open: what is asked for next is of the new one, all of it.
      const fresh = await open("#book=club", { at });
      await fresh.waitForSelector("table.moves");
      writeFileSync(join(site, "new"), games);
      renameSync(join(site, "new"), join(site, "club.tabia"));
      await click(fresh, "chess", "d2");
      await click(fresh, "chess", "d4");
      await play(fresh, "d2d4");
      const club = await open("#book=club&play=d2d4");
      assert.equal(await text(fresh, "#position .figures"), await text(club, "#position .figures"));
      // A new page is noticed by its worker, and used if somebody wants it.
      writeFileSync(join(site, "worker.js"), readFileSync(join(site, "worker.js"), "utf8").replace(/"version":"[0-9a-f]+"/, '"version":"new"'));
      writeFileSync(
        join(site, "page", "theme.js"),
        `${readFileSync(join(site, "page", "theme.js"), "utf8")}\ndocument.documentElement.dataset.fresh = "yes";\n`,
      );
      await page.reload();
      await is(page, "#offline", /There is a new version of this page/);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.fresh), undefined, "the earlier one goes on until then");
      await page.locator("#offline button", { hasText: "Use it" }).click();
      await until(page, "the new page", () => document.documentElement.dataset.fresh === "yes");
      assert.equal((await kept(page)).filter(([name]) => name === "tabia-page").length, 1);
      checked(4);
      await close();
    } finally {
      rmSync(site, { recursive: true });
    }
  },

  async "site: where the browser keeps nothing it says why"() {
    if (!siteFolder) return;
    const { at, close } = await host(siteFolder);
    const page = await open("#book=club", {
      at,
      before: (page) => page.addInitScript(() => Object.defineProperty(window, "isSecureContext", { value: false })),
    });
    await is(page, "#offline", /has to come by HTTPS/);
    await is(page, "#position", /303 games/);
    const closed = await open("#book=club", {
      at,
      before: (page) =>
        page.addInitScript(() =>
          Object.defineProperty(window, "localStorage", {
            get: () => {
              throw new DOMException("no", "SecurityError");
            },
          }),
        ),
    });
    await is(closed, "#offline", /doesn't let pages keep files/);
    await is(closed, "#position", /303 games/);
    const old = await open("#book=club", { at, before: (page) => page.addInitScript(() => delete FileSystemFileHandle.prototype.createWritable) });
    await settled(old);
    await openOffline(old);
    await is(old, "#offline", /can't keep whole books/);
    await old.setViewportSize({ width: 360, height: 740 });
    const wide = await old.evaluate(() => document.scrollingElement.scrollWidth);
    assert.ok(wide <= 360, `the panel is ${wide} wide on a phone`);
    await close();
  },
};
