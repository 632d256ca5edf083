// The page of `tabia site`.

import assert from "node:assert/strict";
import { accessible, checked, drag, host, is, open, play, shot, siteFolder, text, until } from "./support.mjs";

export const site = {
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
      checked(2);
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
};
