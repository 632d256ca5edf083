// Files of games: golden ones right and wrong, damaged ones, and the best games of positions against `tabia games`.

import assert from "node:assert/strict";
import { openAsBlob, writeFileSync } from "node:fs";
import test from "node:test";
import { BookError, FileBook, LocalBook } from "../src/index.js";
import { explore, Line } from "../src/explore.js";
import { GameFile, planOf, replayed, topGames } from "../src/gamefile.js";
import { parseMoves, startOf } from "../src/games.js";
import { portable, randomGame, sgf, transcripts } from "./support/games.js";
import { gamesAnswers, goldenGames } from "./support/golden.js";
import { Random } from "./support/random.js";
import { serve } from "./support/server.js";
import { NO_TABIA, tabia, temporaryFolder } from "./support/tabia.js";

const file = temporaryFolder(), answers = gamesAnswers(), RESULTS = ["*", "1-0", "1/2-1/2", "0-1"];
const open = (bytes, options) => GameFile.open(new Blob([bytes]), options);
const escaped = (text) => text.replace(/[\\\t\n\r]/g, (letter) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" })[letter]);

/** What a file says of the games that lines name, as such lines. */
async function linesOf(games, lines) {
  const said = [];
  const ask = {
    digest: () => said.push(`digest ${games.info.digest}`),
    of: () => said.push(`of ${games.info.game} ${games.info.keys} ${games.info.keyed} ${games.info.kept}`),
    counts: (line) => said.push(`counts ${games.info.games} ${line.split(" ")[2]} ${games.info.names} ${games.info.sources} ${line.split(" ")[5]}`),
    game: async (line) => said.push(...(await gameLines(games, line.split(" ")[1]))),
    ending: async (line) => said.push(`ending ${line.split(" ")[1]} ${(await games.endingAt(Number.parseInt(line.split(" ")[1], 16), 100)).join(" ")}`),
    absent: async (line) => said.push((await games.game(line.split(" ")[1])) === null ? line : `there ${line}`),
  };
  for (const line of lines) await ask[line.split(" ")[0]]?.(line);
  return said;
}

async function gameLines(games, digest) {
  const game = await games.game(digest), source = await games.source(game);
  const texts = [["first", game.players[0]], ["second", game.players[1]], ["event", game.event], ["place", game.site], ["round", game.round], ["setup", game.setup]];
  const runs = [];
  for (const code of game.moves) {
    if (runs.at(-1)?.[0] === code) runs.at(-1)[1]++;
    else runs.push([code, 1]);
  }
  return [
    `game ${digest} ${game.id} ${game.end.toString(16).padStart(8, "0")} ${game.rank}`,
    `told ${RESULTS.indexOf(game.result)} ${game.year} ${game.month} ${game.day} ${game.ratings.join(" ")}`,
    `from ${source} ${game.offset}`,
    ...texts.filter(([, text]) => text !== "").map(([name, text]) => `${name} ${escaped(text)}`),
    ["moves", ...runs.map(([code, times]) => (times === 1 ? code : `${code}x${times}`))].join(" "),
  ];
}

for (const { name, bytes, expect, rule } of goldenGames()) {
  if (expect === "open-refused") {
    test(`${name} is refused`, () => assert.rejects(open(bytes), (error) => error instanceof BookError && error.rule === rule));
  } else if (expect !== "check-finds" && answers.has(name)) {
    test(`${name} holds what it should`, async () => {
      for (const verify of [true, false]) assert.deepEqual(await linesOf(await open(bytes, { verify }), answers.get(name)), answers.get(name));
    });
  } else if (expect === "check-finds") {
    test(`${name}: never a wrong game where pages are verified`, async () => {
      const games = await open(bytes), sound = await open(goldenGames()[0].bytes);
      for (const line of answers.get("games.tabia-games").filter((line) => line.startsWith("game "))) {
        const digest = line.split(" ")[1], found = await games.game(digest).catch((error) => error);
        if (found instanceof Error) assert.ok(found instanceof BookError && /^G-\d+$/.test(found.rule), found.stack);
        else if (rule === "G-9" && found !== null) assert.deepEqual(found, await sound.game(digest));
      }
    });
  }
}

test("damage is an error of the format, whatever it hits", async () => {
  const random = new Random(5), { bytes } = goldenGames().find(({ name }) => name === "games-frames.tabia-games");
  const digests = answers.get("games-frames.tabia-games").filter((line) => line.startsWith("game ")).map((line) => line.split(" ")[1]).slice(0, 3);
  for (let times = 0; times < 150; times++) {
    const damaged = bytes.slice();
    for (let i = 0; i < 3; i++) damaged[4096 + random.below(bytes.length - 8192)] ^= 1 << random.below(8);
    const games = await open(damaged, { verify: false });
    const found = await games.games(digests).catch((error) => error);
    assert.ok(Array.isArray(found) || found instanceof BookError, found.stack);
  }
});

test("a server is asked for little", async () => {
  const { bytes } = goldenGames().find(({ name }) => name === "games.tabia-games"), server = await serve({ "/games": bytes });
  try {
    const games = await GameFile.openUrl(`${server.url}/games`), before = games.traffic.requests;
    const found = await games.games(["5eed5a2ac0de", "000000000001", "5eed5a2ac0df"]);
    assert.deepEqual(found.map((game) => game?.players[0] ?? null), ["Tal, Mikhail", null, "Botvinnik, Mikhail"]);
    // Index, frames' places, frame, names' places, names.
    assert.ok(games.traffic.requests - before <= 5, `${games.traffic.requests - before} requests`);
  } finally {
    await server.close();
  }
});

test("who gives up takes nothing from others", async () => {
  const { bytes } = goldenGames()[0], stop = new AbortController(), late = { size: bytes.length, read: async (offset, length) => (await new Promise((done) => setTimeout(done, 20)), bytes.slice(offset, offset + length)) };
  const games = await GameFile.open(late), given = games.game("5eed5a2ac0de", { signal: stop.signal }), other = games.game("5eed5a2ac0de");
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(given, { name: "AbortError" });
  assert.equal((await other).players[0], "Tal, Mikhail");
});

const tags = [["White", "w"], ["Black", "b"]];
const KINDS = [
  ["chess", "pgn", (games) => games.map((game, i) => portable([game], [["WhiteElo", `${2000 + (i % 7)}`], ["BlackElo", `${2100 + (i % 5)}`], ["Round", `${i}`], ...tags])).join("")],
  ["othello", "txt", transcripts],
  ["go-9", "sgf", (games) => sgf(games, 9)],
  ["checkers", "pdn", (games) => portable(games, [["GameType", "21"]])],
];
for (const [game, ending, write] of KINDS) {
  for (const keyed of game === "chess" ? ["position", "line"] : ["position"]) {
    test(`best games of ${game}, keyed by ${keyed}`, { skip: NO_TABIA }, async () => {
      const random = new Random(9), start = startOf(game), all = Array.from({ length: 40 }, (_, i) => ({ ...randomGame(start, random, game === "othello" ? 99 : 4 + random.below(20)), result: ["1-0", "0-1", "1/2-1/2"][i % 3], black: i % 2 === 0 }));
      const archive = file(`${game}.${ending}`), path = file(`${game}-${keyed}.tabia`);
      writeFileSync(archive, write(all));
      tabia("build", "-q", "-o", path, "--game", game, "--games", "--keyed", keyed, archive);
      const book = await FileBook.open(await openAsBlob(path)), games = await GameFile.open(await openAsBlob(`${path}-games`)), plan = await planOf(book);
      for (let times = 0; times < 12; times++) {
        const names = random.pick(all).names.slice(0, random.below(6)), reached = parseMoves(start, names.join(" ")), { info } = book;
        const position = reached.moves.reduce((line, move) => line.play(move), info.keyed === "line" ? Line.from(start, info.keys) : start);
        const found = await topGames(book, games, position, { count: 5, plan });
        const wanted = JSON.parse(tabia("games", path, "--json", "--top", "5", "--moves", names.join(" ")));
        assert.deepEqual(found.games.map(({ id, ply }) => [id, ply]), wanted.games.map(({ id, ply }) => [id, ply]), names.join(" "));
        for (const one of found.games) assert.equal(replayed(one, info).moves.length, one.moves.length);
        // With less to read there may be fewer, but only games of the position, the best of them first.
        const some = await topGames(book, games, position, { count: 5, plan, mostProbes: 1 }), every = JSON.parse(tabia("games", path, "--json", "--top", "100", "--moves", names.join(" "))).games.map(({ id }) => id);
        assert.ok(some.games.every(({ id }) => every.includes(id)) && (some.games.length === 0 || some.games[0].id === every[0]));
      }
    });
  }
}

test("a limit of plies and a side are those of the book", { skip: NO_TABIA }, async () => {
  const random = new Random(2), all = Array.from({ length: 12 }, () => ({ ...randomGame(startOf("chess"), random, 14), result: "1-0" }));
  writeFileSync(file("some.pgn"), portable(all, tags));
  for (const options of [["--max-ply", "4"], ["--player", "w", "--color", "white"]]) {
    tabia("build", "-q", "--force", "-o", file("some.tabia"), "--games", ...options, file("some.pgn"));
    const book = await FileBook.open(await openAsBlob(file("some.tabia"))), games = await GameFile.open(await openAsBlob(file("some.tabia-games")));
    for (const names of [[], all[3].names.slice(0, 2), all[5].names.slice(0, 3), all[5].names.slice(0, 5)]) {
      const { position } = parseMoves(startOf("chess"), names.join(" "));
      const wanted = JSON.parse(tabia("games", file("some.tabia"), "--json", "--top", "4", "--moves", names.join(" ")));
      assert.deepEqual((await topGames(book, games, position, { count: 4 })).games.map(({ id }) => id), wanted.games.map(({ id }) => id), `${options} ${names}`);
    }
  }
});

test("ranges that a store keeps aren't asked for again, and those of another digest are never taken", async () => {
  const { goldenBook } = await import("./support/golden.js"), bytes = goldenBook("example.tabia"), stores = new Map();
  const store = (digest) => {
    if (!stores.has(digest)) stores.set(digest, new Map());
    const kept = stores.get(digest);
    return { get: async (ranges) => ranges.map(({ offset, length }) => kept.get(`${offset}+${length}`)), set: ({ offset, length }, part) => kept.set(`${offset}+${length}`, part.slice()) };
  };
  const asked = [], reading = { size: bytes.length, read: async (offset, length) => (asked.push(offset), bytes.slice(offset, offset + length)) };
  const ask = async (from = reading) => (await explore(await FileBook.open(from, { store }), startOf("chess"))).moves.map(({ name }) => name);
  const first = await ask(), before = asked.length;
  assert.deepEqual([await ask(), asked.length], [first, before + 1], "only the header is read again");
  assert.ok(stores.has(LocalBook.from(bytes).info.digest) && stores.size === 1);
  const other = goldenBook("blocks.tabia");
  await FileBook.open(new Blob([other]), { store });
  assert.equal(stores.size, 2);
});
