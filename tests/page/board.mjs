// Moves on the board of each game, by clicks, drags and keys.

import assert from "node:assert/strict";
import { accessible, address, browser, click, drag, is, open, play, point, shot, text, until } from "./support.mjs";

export const board = {
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

  async "variants of chess: pieces in hand, checks to give, squares to win on"() {
    const line = "e2e4,d7d5,e4d5,d8d5,b1c3,d5d8",
      page = await open(`#book=house&play=${line}`);
    const held = page.getByRole("button", { name: "White: 1 pawn in hand" });
    await until(page, "two pawns in hand, one of them to be dropped", () => document.querySelectorAll(".hands button:not(:disabled)").length === 1 && document.querySelectorAll(".hands button").length === 2);
    // Squares where a pawn may stand: two rows less, and those that are taken.
    await held.click();
    await until(page, "the squares for it", () => document.querySelectorAll(".marks .target").length > 20);
    await shot(page, "crazyhouse");
    await accessible(page, "crazyhouse");
    await click(page, "crazyhouse", "d5");
    await play(page, `${line},P@d5`);
    await until(page, "nothing in hand", () => document.querySelectorAll(".hands button").length === 1);
    await page.goBack();
    await play(page, line);
    // By a drag, and by the keyboard.
    const from = await held.boundingBox(),
      to = await point(page, "crazyhouse", "e5");
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
    await play(page, `${line},P@e5`);
    await page.goBack();
    await play(page, line);
    await held.focus();
    await page.keyboard.press("Enter");
    await until(page, "the squares again", () => document.querySelectorAll(".marks .target").length > 20);
    await page.goto(`${address}#book=checks&play=e2e4,e7e5,f1c4,b8c6,c4f7`);
    await is(page, ".hands", /White\s*2 more checks/);
    await page.goto(`${address}#book=hill`);
    await until(page, "the hill", () => document.querySelectorAll(".ground .goal").length === 4);
    await shot(page, "hill");
    await accessible(page, "king-of-the-hill");
  },
};
