// Records that are opened, games that are replayed, lines that are saved.

import assert from "node:assert/strict";
import { readRecord } from "../../tools/serve/src/page/record.js";
import { accessible, checked, is, open, play, shot, text } from "./support.mjs";

export const records = {
  async "records: a game is walked, its tags are text"() {
    const page = await open("#book=club");
    const pgn =
      '[White "<script>alert(2)</script>"]\n[Black "<img src=x onerror=alert(3)>"]\n[Result "1-0"]\n\n1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 3. Ba6 1-0\n\n[White "Second"]\n[Black "Game"]\n\n1. d4 d5 *\n';
    await page.setInputFiles("#record-file", { name: "dropped.pgn", mimeType: "text/plain", buffer: Buffer.from(pgn) });
    await is(page, "#view .headline", /3\. Ba6 leaves club/);
    assert.match(await page.locator("#view select[name=game]").innerText(), /<script>alert\(2\)<\/script> \u2013 <img src=x onerror=alert\(3\)>/);
    assert.equal(await page.locator("#view script, #view img").count(), 0);
    await play(page, "e2e4,e7e5,g1f3,b8c6");
    await shot(page, "record");
    await accessible(page, "record");
    await is(page, "#view select[name=game]", /leaves with 3\. Ba6[^]*2\. Second \u2013 Game \u2014 all in the book/);
    await page.selectOption("#view select[name=game]", "1");
    await is(page, "#view .headline", /All 2 plies are in club/);
    // Dropped, a file of another game's rules.
    const go = await open("#book=go");
    const sgf = "(;GM[1]SZ[9]PB[One]PW[Two];B[ee];W[ge](;B[cc];W[gc])(;B[gg]))";
    await go.evaluate((sgf) => {
      const data = new DataTransfer();
      data.items.add(new File([sgf], "dropped.sgf"));
      dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
    }, sgf);
    await is(go, "#view .headline", /All 4 plies are in go/);
  },

  async "best games: their tags are text"() {
    const games = [
      {
        id: "1",
        rank: 1,
        players: [
          { name: "<script>alert(4)</script>", rating: 2700 },
          { name: "Black & Co", rating: null },
        ],
        result: "1-0",
        year: 1999,
        event: "<b>bold</b>",
        site: "",
        moves: ["e2e4", "e7e5", "g1f3"],
        ply: 1,
      },
    ];
    const page = await open("#book=club&play=e2e4", {
      before: async (page) => {
        await page.route("**/v1/books", async (route) => {
          const answer = await (await route.fetch()).json();
          answer.books[0].games = true;
          await route.fulfill({ json: answer });
        });
        await page.route("**/v1/chess/games?*", (route) => route.fulfill({ json: { games } }));
      },
    });
    await is(page, "#games", /<script>alert\(4\)<\/script> 2700 \u2013 Black & Co/);
    assert.match(await text(page, "#games"), /<b>bold<\/b>/);
    await page.locator("#games button.play").click();
    await is(page, "#line", /e4\s+e5\s+2\. Nf3/);
    await page.keyboard.press("End");
    await play(page, "e2e4,e7e5,g1f3");
  },

  async "records are read"() {
    const [game] = readRecord("1.e4 e5 2.Nf3! {x (y} Nc6 (2...d6 (2...f5) 3.d4) 3.Bb5 a6 $1 ; rest\n4.0-0 1-0");
    assert.deepEqual(game.moves, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]);
    assert.deepEqual(readRecord("1. 11-15 23-19 2. 8-11 22x17 1-0")[0].moves, ["11-15", "23-19", "8-11", "22x17"]);
    assert.deepEqual(readRecord("(;SZ[19];B[pd]C[a\\]b];W[])")[0].moves, ["Q16", "pass"]);
    assert.deepEqual(
      readRecord("(;SZ[9];B[aa])(;SZ[9];B[ii])").map(({ moves }) => moves),
      [["A9"], ["J1"]],
    );
    assert.deepEqual(readRecord("1. F5 D6 2. C3")[0].moves, ["F5", "D6", "C3"]);
    assert.deepEqual(readRecord("no game"), [{ title: "Game 1", fen: null, moves: ["no", "game"] }]);
    assert.deepEqual(readRecord(""), []);
    checked(7);
  },
};
