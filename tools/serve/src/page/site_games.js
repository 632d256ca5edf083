// SPDX-License-Identifier: GPL-3.0-or-later
// Best games and the book's own choice on a static host, in the form in which a server tells them. Loaded when they are asked for first.

import { choose } from "../reader/choice.js";
import { replayed, topGames } from "../reader/gamefile.js";

/** How many games are looked for, and how many positions of the book are read for them; more where nothing has to come from the host. */
const FROM_HOST = { count: 4, mostProbes: 16 },
  FROM_COPY = { count: 8, mostProbes: 4_000 };

/** The best games that came to a position of a book, as GET /v1/{game}/games lists them. `moveName(board, move)` is how programs write a move. */
export async function listedGames(book, games, position, { isLocal, sides, moveName, signal }) {
  const found = await topGames(book, games, position, { ...(isLocal ? FROM_COPY : FROM_HOST), signal });
  const board = position.position ?? position;
  return { complete: found.complete, missing: found.missing, games: found.games.map((game) => listed(game, board, book.info, sides, moveName)) };
}

function listed(game, board, info, sides, moveName) {
  const { id, players, ratings, result, year, event, site, round, setup, ply, move } = game;
  return {
    ...{ id, result, year: year || null, date: dateOf(game), event, site, round, setup, ply },
    players: players.map((name, side) => ({ side: sides[side].toLowerCase(), name, rating: ratings[side] || null })),
    ...(move === null ? {} : { move: moveName(board, move) }),
    /** All its moves: they are replayed when somebody asks. */
    get moves() {
      return replayed(game, info).moves.map((made) => moveName(made.position, made.move));
    },
  };
}

const dateOf = ({ year, month, day }) =>
  [year && String(year).padStart(4, "0"), month && String(month).padStart(2, "0"), day && String(day).padStart(2, "0")].filter(Boolean).join(".");

/** The move that a book plays by a rule, and why, as GET /v1/{game}/play tells it. */
export async function decided(book, position, rule, moveName) {
  const { move, name, why } = await choose(book, position, rule);
  return { move: move && { san: name, uci: moveName(position.position ?? position, move) }, why };
}
