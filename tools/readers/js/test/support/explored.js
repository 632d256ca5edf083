// What `explore` found, as `tabia explore --json` prints it. Runs in pages, too.

/** An Explored as `tabia explore --json` prints it, as far as both have it. */
export function exploredAsJson(explored, position, formatKey) {
  const known = (row) => ({ games: row?.games ?? 0, wins: row?.wins ?? 0, draws: row?.draws ?? 0, losses: row?.losses ?? 0, eval: row?.eval ?? null, depth: row?.depth ?? 0 });
  const moves = explored.moves.map((row) => ({
    code: row.code, san: row.name, games: row.games, wins: row.wins, draws: row.draws, losses: row.losses,
    ...(position.uci && row.move ? { uci: position.uci(row.move) } : {}),
    position: row.next?.row ? { key: formatKey(row.next.key), ...known(row.next.row) } : null,
  }));
  return { key: formatKey(explored.key), known: explored.row !== null, ...known(explored.row), moves: moves.sort((a, b) => a.code - b.code) };
}
