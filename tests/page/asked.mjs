// What the page asks for, and when; how long it takes.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { address, browser, checked, is, open, rebound, token, until } from "./support.mjs";

const ROUTES = ["", "v1/books", "v1/chess/explore?book=club", "v1/chess/games?book=club", "v1/openapi.json", "masters", "lichess"].concat(
  ["player?player=Carlsen&color=white", "api/cloud-eval?fen=startpos", "cdb.php?action=queryall&board=startpos", "healthz", "metrics"],
);

export const asked = {
  async "what is asked for, and when"() {
    const asked = [];
    const page = await open("#book=club&play=e2e4", {
      before: (page) => page.on("request", (request) => asked.push(request.url().slice(address.length))),
    });
    await is(page, "#choice", /The book plays/);
    // The first figures are asked for while modules are still on their way, once each.
    const order = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name, startTime, responseEnd }) => ({ name: name.split("/").at(-1).split("?")[0], startTime, responseEnd })),
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
    await until(
      page,
      "figures before the choice",
      () => document.querySelectorAll("table.moves tbody tr").length > 0 && /play=e2e4,/.test(location.hash),
    );
    // What is behind the pointer now may be asked for, too.
    const moved = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("play"));
    const figures = asked.filter(
      (target) => target.startsWith("v1/chess/explore") && new URLSearchParams(target.split("?")[1]).get("play") === moved,
    );
    assert.equal(figures.length, 1, asked.join());
    free();
    await is(page, "#choice", /The book plays/);
  },

  async "another site's page, and another name, read nothing"() {
    const theirs = createServer((request, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<title>theirs</title>"));
    await new Promise((done) => theirs.listen(0, "127.0.0.1", done));
    const context = await browser.newContext(),
      page = await context.newPage();
    const answered = async () => {
      const metrics = await (await fetch(`${address}metrics`)).text();
      return [...metrics.matchAll(/^tabia_requests_total\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await answered();
    // Pages of the same machine, of another port and of another name.
    for (const name of ["127.0.0.1", "localhost", rebound]) {
      await page.goto(`http://${name}:${theirs.address().port}/`);
      const read = await page.evaluate(
        async ([address, routes, token]) => {
          const read = [];
          const found = (way, route, content) => content && read.push(`${way} ${route}: ${String(content).slice(0, 80)}`);
          const fetched = (route, options) => fetch(address + route, options).then((answer) => answer.text(), () => "");
          for (const route of routes) {
            found("fetch", route, await fetched(route));
            found("fetch without cors", route, await fetched(route, { mode: "no-cors" }));
            found("fetch with a header", route, await fetched(route, { headers: { Authorization: `Bearer ${token}` } }));
            found("post", route, await fetched(route, { method: "POST", body: "{}" }));
            const asked = new XMLHttpRequest();
            asked.open("GET", address + route, false);
            try {
              asked.send();
            } catch {}
            found("XMLHttpRequest", route, asked.responseText);
          }
          for (const route of routes.slice(0, 3)) {
            const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { src: address + route }));
            await new Promise((done) => (frame.onload = done));
            found("iframe", route, frame.contentDocument?.body?.innerText);
            const script = document.head.appendChild(Object.assign(document.createElement("script"), { src: address + route }));
            if (await new Promise((done) => ([script.onload, script.onerror] = [() => done(true), () => done(false)])))
              found("script", route, "it ran");
          }
          return read;
        },
        [address, ROUTES, token],
      );
      assert.deepEqual(read, [], name);
      checked(ROUTES.length);
    }
    assert.ok((await answered()) > before + 12 * ROUTES.length, "the server was asked");
    // A page whose name came to lead here later is of the server's own origin for the browser.
    for (const route of ROUTES) {
      const answer = await page.goto(address.replace("127.0.0.1", rebound) + route);
      assert.ok(answer.status() >= 400 && answer.status() < 500, `${route}: ${answer.status()}`);
      assert.doesNotMatch(await answer.text(), /club|e2e4|tabia_/, route);
      checked();
    }
    await context.close();
    theirs.close();
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
