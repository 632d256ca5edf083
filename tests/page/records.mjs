// Records that are opened, games that are replayed, lines that are saved.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readRecord } from "../../tools/serve/src/page/record.js";
import { accessible, checked, drag, folder, is, open, play, shot, text, until } from "./support.mjs";

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

  async "best games: folded while they are looked for, they stay folded"() {
    const page = await open("#book=club&play=e2e4");
    await is(page, "#games", /Played/);
    let release;
    const held = new Promise((done) => (release = done));
    await page.route("**/v1/chess/games?*", async (route) => (await held, route.continue()));
    await drag(page, "chess", "e7", "e5");
    await play(page, "e2e4,e7e5");
    await until(page, "looked for", () => document.querySelector('#games[aria-busy="true"]') !== null);
    await page.locator("#games summary").click();
    await until(page, "folded", () => localStorage.getItem("tabia-games") === "false");
    release();
    await until(page, "found", () => document.querySelector('#games[aria-busy="false"]') !== null);
    await page.waitForTimeout(200);
    assert.equal(await page.locator("#games table").count(), 0);
    assert.equal(await page.evaluate(() => localStorage.getItem("tabia-games")), "false");
    await page.locator("#games summary").click();
    await until(page, "unfolded", () => document.querySelector("#games table") !== null);
  },

  async "records: variations and comments stand beside the line; what can't be played is told with its place"() {
    const page = await open("#book=club"),
      // The browser reports answers of 400 by itself.
      expected = /400/,
      pgn =
        '[White "Anna"]\n[Black "<b>Berta</b>"]\n[Result "1-0"]\n[Event "Club"]\n[Date "2001.02.03"]\n[Round "4"]\n\n{Before all.}\n1. e4 $1 {<i>Best</i> by test [%clk 0:10]}\n' +
        "(1. d4 {or this} d5 (1... Nf6 2. c4) 2. c4) e5 2. Nf3 Nc6\n3. Ke3 a6 1-0\n";
    page.expected = expected;
    await page.setInputFiles("#record-file", { name: "broken.pgn", mimeType: "text/plain", buffer: Buffer.from(pgn) });
    await is(page, "#view .fault", /Game 1: 3\. Ke3 \(line 11, column 4 of the file\) can't be played: .*; the 4 plies before it are here\./);
    await play(page, "e2e4,e7e5,g1f3,b8c6");
    await is(page, "#named", /Anna \u2013 <b>Berta<\/b>, 1-0\s+Club, round 4, 2001\.02\.03/);
    await is(
      page,
      "#line",
      /Before all\.\s*1\. e4!\s*<i>Best<\/i> by test\s*\(1\. d4\s*or this\s*1\.\.\. d5\s*\(1\.\.\. Nf6\s*2\. c4\)\s*2\. c4\)\s*e5\s*2\. Nf3\s*Nc6/,
    );
    assert.equal(await page.locator("#line i, #line b, #named b").count(), 0);
    await accessible(page, "notes");
    await shot(page, "notes");
    // A move of a variation within a variation is looked at; the game goes on being there.
    await page.locator("#line .variation .variation button", { hasText: "c4" }).click();
    await play(page, "d2d4,g8f6,c2c4");
    assert.equal(await page.locator("#named").isVisible(), false, "another line has no name");
    await page.goBack();
    await play(page, "e2e4,e7e5,g1f3,b8c6");
    await is(page, "#named", /Anna/);
    await page.keyboard.press("ArrowLeft");
    await play(page, "e2e4,e7e5,g1f3");
    await is(page, "#named", /Anna/);
    const dark = await open("#book=club", { scheme: "dark", width: 390, height: 800 });
    dark.expected = expected;
    await dark.setInputFiles("#record-file", { name: "broken.pgn", mimeType: "text/plain", buffer: Buffer.from(pgn) });
    await is(dark, "#line", /Before all/);
    await accessible(dark, "notes, dark, phone");
    await dark.screenshot({ path: `${folder}phone-notes.png`, fullPage: true });
    const wide = await dark.evaluate(() => document.scrollingElement.scrollWidth);
    assert.ok(wide <= 390, `notes are ${wide} wide on a phone`);
    // GGF, in which one node has all moves.
    const othello = await open("#book=othello");
    const ggf =
      "(;GM[Othello]PC[GGS]PB[One]PW[Two]TY[8]RE[+4]BO[8 ---------------------------O*------*O--------------------------- *]B[f5//1.2]W[d6/0.3]B[c3];)";
    await othello.setInputFiles("#record-file", { name: "one.ggf", mimeType: "text/plain", buffer: Buffer.from(ggf) });
    await is(othello, "#view .headline", /All 3 plies are in othello/);
    await is(othello, "#named", /One \u2013 Two, \+4\s+GGS/);
  },

  async "lines are copied and saved, and read again"() {
    const chess = "e2e4,e7e5,g1f3",
      start = encodeURIComponent("8/P6k/8/8/8/8/8/K7 w - - 3 40");
    for (const { hash, ending, says, games = 1 } of [
      { hash: `book=club&play=${chess}`, ending: "pgn", says: /\[White "\?"\]\n\[Black "\?"\]\n\[Result "\*"\]\n\n1\. e4 e5 2\. Nf3 \*\n/ },
      { hash: `book=club&fen=${start}&play=a7a8q,h7h6`, ending: "pgn", says: /\[FEN "8\/P6k.*3 40"\]\n\n40\. a8=Q Kh6 \*/ },
      { hash: "book=club&play=f2f3,e7e5,g2g4,d8h4", ending: "pgn", says: /\[Result "0-1"\]\n\n1\. f3 e5 2\. g4 Qh4# 0-1/ },
      { hash: "book=draughts&play=11-15,22-18,15x22", ending: "pdn", says: /\[GameType "21"\]\n\n1\. 11-15 22-18 2\. 15x22 \*/ },
      { hash: "book=international&play=32-28", ending: "pdn", says: /\[GameType "20"\]\n\n1\. 32-28 \*/ },
      { hash: "book=go&play=E5,pass,C3", ending: "sgf", says: /^\(;GM\[1\]FF\[4\]CA\[UTF-8\]SZ\[9\]\n;B\[ee\];W\[\];B\[cg\]\)\n$/ },
      { hash: `book=go&fen=${encodeURIComponent("9/9/2X6/9/9/9/6X2/9/9 w")}&play=E5`, ending: "sgf", says: /AB\[cc\]\[gg\]PL\[W\]\n;W\[ee\]/ },
      // Black passes behind the fifth move.
      { hash: "book=othello&play=f5,d6,c3,d3,c4", ending: "ggf", says: /BO\[8 -{27}O\*-{6}\*O-{27} \*\]B\[f5\]W\[d6\]B\[c3\]W\[d3\]B\[c4\];\)/i },
    ]) {
      const page = await open(`#${hash}`);
      await page.locator("#copy-line").click();
      await is(page, "#live", /copied/);
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#save-line").click()]);
      assert.equal(saved.suggestedFilename(), `line.${ending}`);
      const path = `${folder}line.${ending}`;
      await saved.saveAs(path);
      assert.equal(readFileSync(path, "utf8"), copied);
      assert.match(copied, says);
      readAgain(path, hash, games);
      // And the page itself.
      const plies = new URLSearchParams(hash).get("play").split(",").length;
      await page.setInputFiles("#record-file", path);
      await page.waitForSelector("#view .strip li");
      assert.equal(await page.locator("#view .strip li").count(), plies);
      checked(4);
      await page.context().close();
    }
  },

  async "a game of the book: its move here, date, event, round; it is named, and saved with its names"() {
    const page = await open("#book=club&play=e2e4,e7e5");
    const { games } = await page.evaluate(() => fetch("v1/chess/games?book=club&play=e2e4,e7e5&top=8").then((answer) => answer.json()));
    await is(page, "#games", /Played/);
    const rows = await page.$$eval("#games tbody tr", (rows) => rows.map((row) => row.innerText));
    assert.equal(rows.length, games.length);
    games.forEach(({ players, date, event, result }, at) =>
      [players[0].name, date, event, result].forEach((said) => assert.ok(rows[at].includes(said), `${rows[at]}: ${said}`)),
    );
    await accessible(page, "games");
    await shot(page, "games");
    const [game] = games;
    await page.locator("#games button.play").first().click();
    await is(page, "#named", new RegExp(game.players[1].name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
    await is(page, "#named", new RegExp(game.date || "."));
    const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#save-line").click()]);
    const path = `${folder}game.pgn`;
    await saved.saveAs(path);
    const pgn = readFileSync(path, "utf8");
    assert.ok(pgn.includes(`[White "${game.players[0].name}"]`) && pgn.includes(`[Result "${game.result}"]`), pgn);
    readAgain(path, "book=club", 1);
    // With another move it isn't that game any more.
    await page.keyboard.press("Home");
    await is(page, "#named", /\S/);
    await drag(page, "chess", "a2", "a3");
    await until(page, "no name", () => document.getElementById("named").hidden);
  },

  async "records are read"() {
    const [game] = readRecord("1.e4 e5 2.Nf3! {x (y} Nc6 (2...d6 (2...f5) 3.d4) 3.Bb5 a6 $1 ; rest\n4.0-0 1-0");
    const texts = ({ moves }) => moves.map(({ text }) => text);
    assert.deepEqual(texts(game), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]);
    assert.deepEqual(texts({ moves: game.moves[3].variations[0] }), ["d6", "d4"]);
    assert.deepEqual(game.moves.map(({ signs }) => signs).join(), ",,!,,,!,");
    assert.deepEqual([game.moves[2].comment, game.moves[6].line, game.moves[6].column], ["x (y", 2, 3]);
    for (const [text, ...games] of [
      ["1. 11-15 23-19 2. 8-11 22x17 1-0", "11-15 23-19 8-11 22x17"],
      ["(;SZ[19];B[pd]C[a\\]b];W[])", "Q16 pass"],
      ["(;SZ[9];B[aa])(;SZ[9];B[ii])", "A9", "J1"],
      // Who moves twice has let the other side pass; handicap stones let White begin.
      ["(;SZ[9];W[aa];W[bb])", "pass A9 pass B8"],
      ["(;SZ[9]AB[cc][gg];W[aa];B[bb])", "A9 B8"],
      ["(;GM[2];B[f5];W[d6])", "f5 d6"],
      ["(;GM[Othello]BO[8 - *]B[f5//1.2]W[PASS]B[d6/0.3];)", "f5 d6"],
      ["1. F5 D6 2. C3", "F5 D6 C3"],
      ["no game", "no game"],
      ["1. e4 (1. d4 (((( d5", "e4"],
      [""],
      ["(;"],
      ['[White "a"]'],
    ])
      assert.deepEqual(
        readRecord(text).map((game) => texts(game).join(" ")),
        games,
        text,
      );
    const [go] = readRecord("(;SZ[9]AB[cc][gg]C[hi];W[aa](;B[bb]N[x]C[main])(;B[dd];W[ee](;B[ff])(;B[gg])))");
    assert.deepEqual([go.fen, go.comment, go.moves[1].comment], ["9/9/2X6/9/9/9/6X2/9/9 w", "hi", "main"]);
    assert.deepEqual(texts({ moves: go.moves[1].variations[0] }), ["D6", "E5", "F4"]);
    assert.deepEqual(texts({ moves: go.moves[1].variations[0][2].variations[0] }), ["G3"]);
    const deep = readRecord(`(;SZ[9]${"(;B[aa];W[bb])(;B[cc]".repeat(20_000)}`);
    assert.equal(deep.length, 1);
    assert.equal(readRecord("1. e4 e5 *\n".repeat(900)).length, 500);
    checked(22);
  },
};

/** The command reads a file that the page saved, as one game of the same game; python-chess, where it is there, finds no error in PGN. */
function readAgain(path, hash, games) {
  const { TABIA: tabia, PYTHON: python } = process.env;
  if (!tabia) return;
  const game = { club: "chess", draughts: "checkers", international: "draughts-10", go: "go-9", othello: "othello" }[
    new URLSearchParams(hash).get("book")
  ];
  const made = `${folder}again.tabia`;
  const said = JSON.parse(
    execFileSync(
      tabia,
      ["build", "--force", "--game", game, "--results", "unknown", ...(game === "go-9" ? ["--set-up"] : []), "--json", "-o", made, path],
      { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    ),
  );
  assert.equal(said.games_in ?? said.games, games, JSON.stringify(said));
  checked();
  if (!python || !path.endsWith(".pgn")) return;
  writeFileSync(
    `${folder}check.py`,
    "import chess.pgn, sys\ngame = chess.pgn.read_game(open(sys.argv[1]))\nassert not game.errors, game.errors\nprint(game.end().ply() > 0)\n",
  );
  assert.match(execFileSync(python, [`${folder}check.py`, path], { encoding: "utf8" }), /True/);
  rmSync(`${folder}check.py`);
  checked();
}
