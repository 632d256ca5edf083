// The engine beside the book. It is a small server here that streams reports as /v1/{game}/engine does.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { accessible, address, checked, folder, is, open, play, shot, text, token, until } from "./support.mjs";

const REPORTS = [
  { depth: 4, eval: 20, score: "+0.20", line: ["e2e4 e4", "e7e5 e5"] },
  { depth: 300, eval: 31, score: "+0.31", line: ["e2e4 e4", "c7c5 c5", "g1f3 Nf3", "d7d6 d6"] },
];

/** What answers in place of the API, in front of it; its searches are noted. */
async function mock() {
  const asked = { open: 0, ended: 0, queries: [], busy: 0, wait: null };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://host/");
    if (!url.pathname.endsWith("/engine")) {
      const body = await new Promise((done) => {
        const parts = [];
        request.on("data", (part) => parts.push(part)).on("end", () => done(Buffer.concat(parts)));
      });
      // Neither the name nor the origin of this one are the server's.
      const { host, origin, ...headers } = request.headers;
      const answer = await fetch(new URL(request.url, address), { method: request.method, headers, ...(body.length > 0 ? { body } : {}) });
      let told = Buffer.from(await answer.arrayBuffer());
      if (url.pathname === "/v1/books")
        told = Buffer.from(JSON.stringify({ ...JSON.parse(told), engines: [{ game: "chess", name: "Mock <b>1</b>" }] }));
      return response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") }).end(told);
    }
    asked.queries.push(Object.fromEntries(url.searchParams));
    if (asked.busy > 0) {
      asked.busy -= 1;
      return response.writeHead(503, { "Content-Type": "application/json" }).end('{"error":"the engine is busy"}');
    }
    asked.open += 1;
    response.on("close", () => ((asked.open -= 1), (asked.ended += 1)));
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    const line = (report, done) =>
      JSON.stringify({
        engine: "Mock <b>1</b>",
        nodes: 9,
        ...report,
        line: report.line.map((move) => ({ san: move.split(" ")[1], uci: move.split(" ")[0] })),
        done,
      });
    // A line may come in two pieces.
    const first = line(REPORTS[0], false);
    response.write(first.slice(0, 30));
    await new Promise((done) => setTimeout(done, 50));
    response.write(`${first.slice(30)}\n`);
    if (asked.wait) await asked.wait;
    else await new Promise((done) => setTimeout(done, 50));
    response.end(`${line(REPORTS[1], true)}\n`);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { at: `http://127.0.0.1:${server.address().port}/`, asked, close: () => (server.closeAllConnections(), server.close()) };
}

export const engine = {
  async "an engine beside the book: on and off, its line, other positions, into the book"() {
    const { at, asked, close } = await mock();
    const page = await open("#book=club", { at });
    await is(page, "#engine", /Engine/);
    assert.deepEqual(asked.queries, [], "it is off until it is switched on");
    await page.locator("#engine [role=switch]").click();
    await is(page, "#engine .report", /Mock <b>1<\/b>\s+\+0\.31\s+depth 300/);
    assert.equal(await page.locator("#engine b").count(), 0);
    assert.deepEqual(asked.queries, [{ play: "", seconds: "5" }]);
    await accessible(page, "engine");
    await shot(page, "engine");
    // A move of its line plays all that leads there.
    await page.locator("#engine .engine-line button", { hasText: "Nf3" }).click();
    await play(page, "e2e4,c7c5,g1f3");
    await until(page, "another search", () => document.querySelector("#engine .engine-line .number")?.textContent === "2... ");
    assert.equal(asked.queries.at(-1).play, "e2e4,c7c5,g1f3");
    // A search ends when the position changes, and with it its answer.
    let free;
    asked.wait = new Promise((done) => (free = done));
    await page.keyboard.press("ArrowLeft");
    await play(page, "e2e4,c7c5");
    await is(page, "#engine .report", /depth 4/);
    const ended = asked.ended;
    await page.keyboard.press("Home");
    await play(page, "");
    await is(page, "#engine .report", /depth 4/);
    for (let times = 0; asked.ended === ended && times < 100; times++) await page.waitForTimeout(20);
    assert.deepEqual([asked.ended, asked.open], [ended + 1, 1], "one search at a time");
    free();
    asked.wait = null;
    await is(page, "#engine .report", /depth 300/);
    // Turning the board isn't another position.
    const searches = asked.queries.length;
    await page.keyboard.press("f");
    await page.keyboard.press("s");
    await page.waitForTimeout(200);
    assert.equal(asked.queries.length, searches);
    // Busy with what was asked before: again, a moment later. The browser reports such answers by itself.
    page.expected = /503|403/;
    asked.busy = 2;
    await page.selectOption("#engine select", "1");
    await is(page, "#engine .report", /depth 300/);
    assert.deepEqual(asked.queries.at(-1), { play: "", seconds: "1" });
    asked.busy = 99;
    await page.selectOption("#engine select", "3");
    await is(page, "#engine .report", /the engine is busy/);
    asked.busy = 0;
    await page.selectOption("#engine select", "1");
    await is(page, "#engine .report", /depth 300/);
    // Into the book: the token is asked for, then the eval is the position's.
    const post = page.locator("#engine .put");
    await post.click();
    await is(page, "#message", /token/);
    assert.equal(await page.evaluate(() => document.activeElement.name), "token");
    await page.fill("input[name=token]", "wrong");
    await post.click();
    await is(page, "#message", /token/);
    await page.fill("input[name=token]", token);
    await post.click();
    await is(page, "#position", /eval \+0\.31/);
    const { depth } = await (await fetch(`${address}v1/chess/explore?book=club`)).json();
    assert.equal(depth, 255, "depths end there");
    checked(8);
    // Switch and seconds are remembered; switched off, nothing is asked.
    await page.reload();
    await is(page, "#engine .report", /depth 300/);
    assert.equal(await page.locator("#engine select").inputValue(), "1");
    await page.locator("#engine [role=switch]").click();
    const before = asked.queries.length;
    await page.keyboard.press("End");
    await page.goto(`${at}#book=club&play=e2e4`);
    await play(page, "e2e4");
    await page.waitForTimeout(200);
    assert.equal(asked.queries.length, before);
    assert.equal((await text(page, "#engine")).includes("depth"), false);
    // No engine of this game; and a game that is over.
    await page.locator("#engine [role=switch]").click();
    await is(page, "#engine .report", /depth 300/);
    await page.goto(`${at}#book=othello`);
    await until(page, "no engine of Othello", () => document.querySelector(".board.othello") && document.getElementById("engine").hidden);
    await page.goto(`${at}#book=club&play=f2f3,e7e5,g2g4,d8h4`);
    await is(page, "#engine .report", /The game is over/);
    const phone = await open("#book=club&play=e2e4", { at, width: 390, height: 800, scheme: "dark" });
    await phone.locator("#engine [role=switch]").click();
    await is(phone, "#engine .report", /depth 300/);
    await accessible(phone, "engine, dark, phone");
    await phone.screenshot({ path: `${folder}phone-engine.png`, fullPage: true });
    close();
  },
};
