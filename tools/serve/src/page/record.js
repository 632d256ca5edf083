// SPDX-License-Identifier: GPL-3.0-or-later
// Records of games that are opened in the page: PGN, PDN, SGF and GGF, with their variations and comments. Moves stay as they are written: the source knows the
// rules, and reads any notation of the game.
//
// A game is { title, tags, fen, comment, moves }: `tags` as the file has them, `fen` the position it starts from or null, `comment` what is said before the
// first move. A move is
//   text                 as it is written
//   line, column         where it is in the file, from 1
//   signs, comment       what is said of it: `!?` and words, empty where nothing is
//   variations           lines of moves in its place, each a list of moves

import { readPgn } from "./record_pgn.js";
import { readSgf } from "./record_sgf.js";

/** So many games of a file are taken. */
export const MOST_GAMES = 500;

/** The games of a text, at most MOST_GAMES; none if there are none. */
export function readRecord(text) {
  const read = /^[\s\ufeff]*\(\s*;/.test(text) ? readSgf : readPgn;
  return read(text, MOST_GAMES).map((game, place) => ({ title: titled(game.tags, place), ...game }));
}

function titled(tags, place) {
  const named = namedBy(tags),
    players = (tags.PB === undefined ? [named.white, named.black] : [named.black, named.white]).map(({ name }) => name).filter(Boolean),
    names = players.join(" \u2013 ") || `Game ${place + 1}`;
  return [names, named.result, named.event, named.date].filter(Boolean).join(", ");
}

/** What tags say of a game, in whatever format: white and black ({ name, rating }), result, event, date, round, site; empty where nothing is known. */
export function namedBy(tags) {
  const known = (value) => (value && !/^[?*.\s]+$/.test(value) && !/^\?{4}/.test(value) ? value.trim() : "");
  const one = (...names) => known(names.map((name) => tags[name]).find(Boolean)),
    white = [one("White", "PW"), one("WhiteElo", "WhiteRating", "WR", "RW")],
    black = [one("Black", "PB"), one("BlackElo", "BlackRating", "BR", "RB")];
  return {
    white: { name: white[0], rating: Number(white[1]) || null },
    black: { name: black[0], rating: Number(black[1]) || null },

    result: one("Result", "RE"),
    event: one("Event", "EV"),
    date: one("Date", "DT"),
    round: one("Round", "RO"),
    site: one("Site", "PC"),
  };
}
