// The table of moves and the views of several books; light, dark, wide and phone.

import assert from "node:assert/strict";
import { accessible, address, checked, folder, is, open, play, shot, text, token, until } from "./support.mjs";

export const views = {
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

  async "a grown book: what is behind its moves, as negamax plays by it"() {
    const page = await open("#book=grown");
    const { behind, moves } = await (await fetch(`${address}v1/othello/explore?book=grown`)).json();
    const discs = (value) => `${value < 0 ? "\u2212" : value > 0 ? "+" : ""}${Math.abs(value)}`;
    await until(page, "the value", (shown) => document.querySelector("#position .value")?.innerText === shown, `value ${discs(behind.value)}`);
    assert.match(await page.getAttribute("#position .value", "title"), /by negamax, of \d+ positions from here on\nengine=tabia-search/);
    // The first moves are images of each other; behind the next one they aren't worth the same.
    assert.equal(await page.locator("table.moves th", { hasText: "Value" }).count(), 1);
    const shown = await page.$$eval("table.moves tbody tr", (rows) => rows.map((row) => row.innerText.split(/\s+/)));
    for (const [at, { value }] of moves.entries()) assert.ok(shown[at].includes(discs(value)), `${shown[at]}: ${value}`);
    await shot(page, "grown");
    await accessible(page, "grown");
    // A book that didn't grow says nothing of it.
    await page.goto(`${address}#book=othello`);
    await until(page, "the other book", () => document.querySelector("#position .value") === null);
    assert.equal(await page.locator("table.moves th", { hasText: "Value" }).count(), 0);
    checked(3);
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
};
