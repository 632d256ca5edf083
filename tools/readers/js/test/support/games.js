// Random games, as archives that `tabia build` reads.

/**
 * The moves of a random game of at most so many plies. In Go no board comes twice, and two passes end the game: `tabia` refuses
 * what comes after that in a line.
 */
export function randomGame(position, random, plies) {
  const moves = [], names = [], seen = new Set(), board = (one) => one.toString().split(" ")[0];
  for (let ply = 0; ply < plies; ply++) {
    seen.add(board(position));
    const legal = position.legalMoves().filter((move) => move.point === undefined || isPass(position, move) || !seen.has(board(position.play(move))));
    if (legal.length === 0 || names.slice(-2).join() === "pass,pass") break;
    const move = random.pick(ply < 6 ? legal.slice(0, 3) : legal);
    moves.push(move);
    names.push(position.name(move));
    position = position.play(move);
  }
  return { moves, names };
}

function isPass(position, move) {
  return position.name(move) === "pass";
}

/** PGN or PDN. `tags` of each game: a list of [name, value]. */
export function portable(games, tags) {
  return games.map(({ names, result }) => {
    const numbered = names.map((name, i) => (i % 2 === 0 ? `${i / 2 + 1}. ${name}` : name)).join(" ");
    const head = [["Event", "random"], ...tags, ["Result", result]].map(([tag, value]) => `[${tag} "${value}"]\n`).join("");
    return `${head}\n${numbered} ${result}\n\n`;
  }).join("");
}

/** SGF. */
export function sgf(games, size) {
  const letters = "abcdefghijklmnopqrs", place = (point) => (point === size * size ? "" : letters[point % size] + letters[Math.floor(point / size)]);
  return games.map(({ moves, black }) =>
    `(;GM[1]FF[4]SZ[${size}]RE[${black ? "B" : "W"}+1]${moves.map(({ point }, i) => `;${i % 2 === 0 ? "B" : "W"}[${place(point)}]`).join("")})\n`).join("");
}

/** Othello's transcripts: games that are over. */
export function transcripts(games) {
  return games.map(({ names }) => `${names.join("")}\n`).join("");
}

