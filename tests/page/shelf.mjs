// A shelf: filters, tabs beside each other.

import assert from "node:assert/strict";
import { accessible, address, checked, click, folder, is, open, play, shot, until } from "./support.mjs";

export const shelf = {
  async "a shelf: filters, tabs beside each other, keys, addresses"() {
    const facts = (query) => fetch(`${address}v1/chess/explore?book=online&${query}`).then((answer) => answer.json());
    const rows = (page) =>
      page.$$eval("#view table.moves tbody tr", (rows) =>
        rows.map((row) => [row.querySelector("button.play").innerText, row.querySelector(".column-games").innerText]),
      );
    /** The page shows what the server tells of these games. */
    const shows = async (page, query) => {
      const { games, moves } = await facts(query);
      await is(page, "#position", games > 0 ? new RegExp(`\\b${games} games?`) : /None of these games comes here/);
      const told = moves.map(({ san, games }) => [san, String(games)]);
      assert.deepEqual((await rows(page)).map(([move, games]) => [move.replace(/[?!]+$/, ""), games]).sort(), told.sort(), query);
      checked();
    };
    const hash = (page, pattern) => until(page, `${pattern}`, (source) => new RegExp(source).test(location.hash), pattern.source);
    const press = (page, key) => page.locator(`#filter [data-key="${key}"]`).click();
    const page = await open("#book=club"),
      count = () => page.locator("#books button").count();
    const tabs = await count();
    /** Into the tab of this place, by its key where it has one. */
    const look = (place) =>
      place <= 9
        ? page.keyboard.press(String(place))
        : page
            .locator("#books button")
            .nth(place - 1)
            .click();
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
      ["online: blitz", "online: rapid", "club"].every((name) =>
        [...document.querySelectorAll("table.compare thead button")].some((one) => one.innerText === name),
      ),
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
};
