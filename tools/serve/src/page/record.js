// SPDX-License-Identifier: GPL-3.0-or-later
// Records of games that are dropped on the page: PGN, PDN and SGF, read for their main lines alone. Moves stay as they are written: the source knows the
// rules, and reads any notation of the game.

/** So many games of a file are taken. */
export const MOST_GAMES = 500;

/** The games of a text: [{ title, fen, moves: [text] }]. Empty if there are none. */
export function readRecord(text) {
  return /^\s*\(\s*;/.test(text) ? readSgf(text) : readPgn(text);
}

function titled(tags, place) {
  const players = [tags.White ?? tags.PW, tags.Black ?? tags.PB].filter(Boolean);
  const names = players.length === 2 ? (tags.PB ? [players[1], players[0]] : players).join(" \u2013 ") : (players[0] ?? `Game ${place + 1}`);
  return [names, tags.Result ?? tags.RE, tags.Event ?? tags.EV, tags.Date ?? tags.DT].filter((part) => part && !/^[?*.]/.test(part)).join(", ");
}

/** PGN and PDN: tags, then moves until the result or the tags of the next game. */
function readPgn(text) {
  const games = [];
  let tags = {},
    moves = [],
    depth = 0;
  const end = () => {
    if (moves.length > 0) games.push({ title: titled(tags, games.length), fen: tags.FEN ?? null, moves });
    [tags, moves, depth] = [{}, [], 0];
  };
  const token = /^\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]|\{[^}]*\}|;[^\n]*|^%[^\n]*|[()]|\$\d+|[^\s(){};]+/gm;
  for (const [word, tag, value] of text.matchAll(token)) {
    if (games.length >= MOST_GAMES) break;
    if (tag) {
      if (moves.length > 0) end();
      tags[tag] = value.replace(/\\(.)/g, "$1");
    } else if (word === "(") depth += 1;
    else if (word === ")") depth = Math.max(0, depth - 1);
    else if (depth > 0 || /^[{;%$]/.test(word)) continue;
    else if (/^(1-0|0-1|1\/2-1\/2|\*|2-0|0-2|1-1|0-0)$/.test(word)) end();
    else {
      const move = word
        .replace(/^\d+\.+/, "")
        .replace(/[!?]+$/, "")
        .replace(/^0-0-0/, "O-O-O")
        .replace(/^0-0/, "O-O");
      if (move !== "" && !/^(\d+\.*|\.+|e\.p\.|--|Z0)$/.test(move)) moves.push(move);
    }
  }
  end();
  return games;
}

/** SGF: the first variation everywhere. */
function readSgf(text) {
  const games = [];
  let at = 0;
  while (at < text.length && games.length < MOST_GAMES) {
    const start = text.indexOf("(", at);
    if (start < 0) break;
    const { nodes, next } = mainLine(text, start);
    at = next;
    const tags = Object.fromEntries(nodes.flatMap((node) => Object.entries(node).map(([name, values]) => [name, values[0]])));
    const size = Number(tags.SZ ?? (nodes.some(({ B }) => B) ? 19 : 8)) || 19;
    const moves = nodes.flatMap((node) => ["B", "W"].filter((side) => node[side]).map((side) => vertex(node[side][0].trim(), size, tags.GM)));
    if (moves.length > 0) games.push({ title: titled(tags, games.length), fen: null, moves: moves.filter((move) => move !== null) });
  }
  return games;
}

/** The properties of the nodes on the first variation of the tree that opens at `start`, and where it ends. */
function mainLine(text, start) {
  const nodes = [];
  let depth = 0,
    isMain = true,
    at = start;
  for (; at < text.length; at++) {
    const sign = text[at];
    if (sign === "(") depth += 1;
    else if (sign === ")") {
      depth -= 1;
      // What comes behind a variation's end is another variation.
      isMain = false;
      if (depth <= 0) break;
    } else if (sign === ";") {
      if (isMain) nodes.push({});
    } else if (/[A-Za-z]/.test(sign)) {
      const name = /^[A-Za-z]+/.exec(text.slice(at, at + 64))[0].replace(/[a-z]/g, ""),
        values = [];
      at += /^[A-Za-z]+/.exec(text.slice(at, at + 64))[0].length;
      for (;;) {
        while (/\s/.test(text[at] ?? "")) at += 1;
        if (text[at] !== "[") break;
        let value = "";
        for (at += 1; at < text.length && text[at] !== "]"; at++) value += text[at] === "\\" ? (text[++at] ?? "") : text[at];
        values.push(value);
        at += 1;
      }
      at -= 1;
      if (isMain && nodes.length > 0 && values.length > 0) nodes.at(-1)[name] = values;
    }
  }
  return { nodes, next: at + 1 };
}

/** SGF's point as people write it: `ee` of a board of 9 is E5. Othello's (GM[2]) are written as they are played. */
function vertex(point, size, kind) {
  if (kind === "2") return /^[a-h][1-8]$/i.test(point) ? point.toLowerCase() : null;
  if (point === "" || (point === "tt" && size <= 19)) return "pass";
  const [x, y] = [...point.toLowerCase()].map((letter) => letter.charCodeAt(0) - 97);
  return x < size && y < size ? "ABCDEFGHJKLMNOPQRST"[x] + (size - y) : point;
}
