// The command `tabia`, as the oracle of tests: TABIA names it. Tests that need it say that they are skipped without it.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const TABIA = process.env.TABIA;
export const NO_TABIA = TABIA ? false : "the command tabia is not here (TABIA)";

export function tabia(...args) {
  return execFileSync(TABIA, args, { encoding: "utf8", maxBuffer: 2 ** 30, stdio: ["pipe", "pipe", "pipe"] });
}

/** A folder for one test file, removed when its process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "tabia-reader-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** The rows of a dump in text, as lines: see lines.js. */
export function dumpedLines(text) {
  const lines = [];
  let table = null, names = [];
  for (const line of text.split("\n")) {
    const fields = line.split("\t");
    if (fields[0] === "#positions" || fields[0] === "#moves") [table, names] = [fields[0].slice(1), fields.slice(1)];
    else if (line !== "" && !line.startsWith("#")) lines.push(...rowLines(table, Object.fromEntries(names.map((name, i) => [name, fields[i]]))));
  }
  return lines;
}

function rowLines(table, row) {
  const counts = `${row.wins} ${row.draws} ${row.losses}`, hex = (text, digits) => Number(text).toString(16).padStart(digits, "0");
  if (table === "positions") return [`position ${row.key} ${counts} ${row.eval} ${row.depth} ${hex(row.flags, 2)}`];
  const name = `${row.key} ${hex(row.move, 4)}`, lines = [`move ${name} ${counts} ${hex(row.marks, 2)}`];
  if ("rated_games" in row) lines.push(`ratings ${name} ${row.mover_rating_sum} ${row.opponent_rating_sum} ${row.rated_games} ${row.rated_score}`);
  if ("game" in row) lines.push(`game ${name} ${Number.parseInt(row.game.slice(0, 4), 16)} ${row.game.slice(4)}`);
  if ("first_year" in row) lines.push(`years ${name} ${row.first_year} ${row.last_year}`);
  return lines;
}

/** What `tabia explore --json` printed, without what the reader doesn't say. */
export function jsonOfTabia(text, isChess) {
  const { key, known, games, wins, draws, losses, eval: value, depth, moves } = JSON.parse(text);
  return {
    key, known, games, wins, draws, losses, eval: value, depth,
    moves: moves.map((row) => ({
      code: row.code, san: row.san, games: row.games, wins: row.wins, draws: row.draws, losses: row.losses,
      ...(isChess && row.uci ? { uci: row.uci } : {}),
      position: row.position && (({ flags, ...rest }) => rest)(row.position),
    })).sort((a, b) => a.code - b.code),
  };
}
