// SPDX-License-Identifier: GPL-3.0-or-later
// What the page knows of each game: how positions and moves are written, and where they are on a board. No rules: those are the source's.
//
// A game has
//   title, columns, rows   its name for people, and the size of its board
//   style                  which board is drawn: chess, draughts, othello, go, connect, tictactoe
//   places                 whether a move puts a piece somewhere, rather than moving one
//   flips                  whether the board can be turned
//   lightFirst             whether the first player has the light pieces
//   evalUnit               how many of an eval make one of the unit that people use
//   read(setup)            the position of a set-up text: { pieces: Map(square -> { shape, light }), side: 0 or 1, and in variants of chess
//                          hands: of each side the letters of its pieces in hand, checks: how many each may still give }
//   tag                    what PGN's tag Variant says, of variants of chess
//   goals                  squares that a king wins on
//   cell(square)           column and row of a square, from the top left; null for a pass
//   square(column, row)    the square there; null for none
//   path(uci)              the squares that a move goes over: none for a pass

const LETTERS = "abcdefghijklmnopqrst",
  GO_LETTERS = "ABCDEFGHJKLMNOPQRST";

/** The game that books call by this name; null for one that the page can't draw. */
export function gameOf(name) {
  const go = /^go-(\d+)$/.exec(name),
    connect = /^connect4-(\d+)x(\d+)$/.exec(name);
  if (go) return goBoard(name, Number(go[1]));
  if (connect) return connectFour(name, Number(connect[1]), Number(connect[2]));
  if (Object.hasOwn(VARIANTS, name)) return { ...chess, name, ...VARIANTS[name] };
  return { chess, othello, "tic-tac-toe": ticTacToe, checkers: draughts("checkers", 8), "draughts-10": draughts("draughts-10", 10) }[name] ?? null;
}

/** What the files of a game's records are called, and how their names end. */
export function formatOf(name) {
  if (name === "othello") return { name: "GGF", ending: "ggf" };
  if (name.startsWith("go-")) return { name: "SGF", ending: "sgf" };
  return name === "checkers" || name === "draughts-10" ? { name: "PDN", ending: "pdn" } : { name: "PGN", ending: "pgn" };
}

/** Rows of text with counts of empty squares, as FEN has them. */
function readRows(text, columns, shapeOf, squareAt) {
  const pieces = new Map();
  text.split("/").forEach((row, y) => {
    let x = 0;
    for (const [part] of row.matchAll(/\d+|[^\d]/g)) {
      if (/\d/.test(part)) x += Number(part);
      else {
        const piece = shapeOf(part);
        if (piece && x < columns) pieces.set(squareAt(x, y), piece);
        x += 1;
      }
    }
  });
  return pieces;
}

/** Squares that are a letter for the column and the number of the row from the bottom. */
function lettered(columns, rows, letters) {
  return {
    square: (x, y) => (x >= 0 && x < columns && y >= 0 && y < rows ? letters[x] + (rows - y) : null),
    cell(square) {
      const x = letters.indexOf(square[0]),
        y = rows - Number(square.slice(1));
      return x >= 0 && x < columns && y >= 0 && y < rows ? [x, y] : null;
    },
  };
}

const chessSquares = lettered(8, 8, LETTERS);
const chess = {
  name: "chess",
  title: "Chess",
  style: "chess",
  columns: 8,
  rows: 8,
  places: false,
  flips: true,
  lightFirst: true,
  evalUnit: 100,
  ...chessSquares,
  read(setup) {
    const [placed, side, , , more] = setup.split(/[ _]/),
      [board, held] = placed.split(/[[\]]/);
    const shape = (letter) => (/[pnbrqk]/i.test(letter) ? { shape: letter.toUpperCase(), light: letter < "a" } : null);
    // A tilde is behind a piece that was a pawn.
    const pieces = readRows(board.replaceAll("~", ""), 8, shape, chessSquares.square);
    const hands = held === undefined ? null : [/[A-Z]/, /[a-z]/].map((own) => [...held].filter((letter) => own.test(letter)).map((letter) => letter.toUpperCase()));
    return { pieces, side: side === "b" ? 1 : 0, hands, checks: /^\d\+\d$/.test(more) ? more.split("+").map(Number) : null };
  },
  // A drop comes from a piece in hand: "N@".
  path: (uci) => /^([a-h][1-8]|[PNBRQ]@)([a-h][1-8])/.exec(uci)?.slice(1) ?? [],
};

const VARIANTS = {
  crazyhouse: { title: "Crazyhouse", tag: "Crazyhouse" },
  antichess: { title: "Antichess", tag: "Antichess" },
  atomic: { title: "Atomic chess", tag: "Atomic" },
  "king-of-the-hill": { title: "King of the Hill", tag: "King of the Hill", goals: ["d4", "e4", "d5", "e5"] },
  "three-check": { title: "Three-check chess", tag: "Three-check" },
  horde: { title: "Horde", tag: "Horde" },
  "racing-kings": { title: "Racing Kings", tag: "Racing Kings", goals: [...LETTERS.slice(0, 8)].map((file) => `${file}8`) },
};

const othello = {
  name: "othello",
  title: "Othello",
  style: "othello",
  columns: 8,
  rows: 8,
  places: true,
  flips: true,
  lightFirst: false,
  evalUnit: 1,
  // Rows are counted from the top.
  square: (x, y) => (x >= 0 && x < 8 && y >= 0 && y < 8 ? LETTERS[x] + (y + 1) : null),
  cell: (square) => (/^[a-h][1-8]$/.test(square) ? [LETTERS.indexOf(square[0]), Number(square[1]) - 1] : null),
  read(setup) {
    const [board, side] = setup.trim().split(/\s+/),
      pieces = new Map();
    [...board].forEach((sign, at) => {
      if (/[XO]/i.test(sign)) pieces.set(this.square(at % 8, Math.floor(at / 8)), { shape: "disc", light: /o/i.test(sign) });
    });
    return { pieces, side: /o/i.test(side ?? "") ? 1 : 0 };
  },
  path: (uci) => (/^[a-h][1-8]$/i.test(uci) ? [uci.toLowerCase()] : []),
};

function goBoard(name, size) {
  const squares = lettered(size, size, GO_LETTERS);
  return {
    name,
    title: `Go ${size}\u00d7${size}`,
    style: "go",
    columns: size,
    rows: size,
    places: true,
    flips: false,
    lightFirst: false,
    evalUnit: 1,
    ...squares,
    read(setup) {
      const [board, side] = setup.split(/\s+/);
      const stone = (sign) => (/[XO]/.test(sign) ? { shape: "stone", light: sign === "O" } : null);
      return { pieces: readRows(board, size, stone, squares.square), side: side === "w" ? 1 : 0 };
    },
    path: (uci) => (/^[A-T]\d+$/.test(uci) ? [uci] : []),
  };
}

function draughts(name, size) {
  const half = size / 2;
  return {
    name,
    title: size === 8 ? "English draughts" : "International draughts",
    style: "draughts",
    columns: size,
    rows: size,
    places: false,
    flips: true,
    lightFirst: size === 10,
    evalUnit: 100,
    // Numbered along the rows, dark squares only, from the top left.
    square(x, y) {
      if (x < 0 || x >= size || y < 0 || y >= size || (x + y) % 2 === 0) return null;
      return String(y * half + Math.floor(x / 2) + 1);
    },
    cell(square) {
      const at = Number(square) - 1,
        y = Math.floor(at / half);
      if (!(at >= 0 && y < size)) return null;
      return [2 * (at % half) + (y % 2 === 0 ? 1 : 0), y];
    },
    read(setup) {
      const [side, ...groups] = setup.trim().replace(/\.$/, "").split(":"),
        pieces = new Map();
      for (const group of groups) {
        const light = group[0] === "W";
        for (const [, king, first, last] of group.slice(1).matchAll(/(K?)(\d+)(?:-(\d+))?/g)) {
          for (let at = Number(first); at <= Number(last ?? first); at++) pieces.set(String(at), { shape: king ? "king" : "man", light });
        }
      }
      return { pieces, side: (side === "W") === (size === 10) ? 0 : 1 };
    },
    path: (uci) => uci.split(/[-x:]/).filter((square) => /^\d+$/.test(square)),
  };
}

function connectFour(name, columns, rows) {
  return {
    name,
    title: `Connect Four ${columns}\u00d7${rows}`,
    style: "connect",
    columns,
    rows,
    places: true,
    flips: false,
    lightFirst: true,
    evalUnit: 1,
    // Where a piece falls to is known by the position: a move is its column.
    square: (x, y) => (x >= 0 && x < columns && y >= 0 && y < rows ? `${x + 1},${rows - y}` : null),
    cell(square) {
      const [x, y] = square.split(",").map(Number);
      return x >= 1 && x <= columns ? [x - 1, rows - (y || 1)] : null;
    },
    read(setup) {
      const shape = (sign) => (/[XO]/.test(sign) ? { shape: "counter", light: sign === "X" } : null);
      return { pieces: readRows(setup.trim(), columns, shape, this.square), side: balance(setup) };
    },
    path(uci, position) {
      if (!/^\d+$/.test(uci)) return [];
      let height = 1;
      while (position?.pieces.has(`${uci},${height}`)) height += 1;
      return [`${uci},${Math.min(height, rows)}`];
    },
    /** The move that a click on a square means. */
    moveAt: (square) => square.split(",")[0],
  };
}

const ticTacToe = {
  name: "tic-tac-toe",
  title: "Tic-tac-toe",
  style: "tictactoe",
  columns: 3,
  rows: 3,
  places: true,
  flips: false,
  lightFirst: true,
  evalUnit: 1,
  ...lettered(3, 3, LETTERS),
  read(setup) {
    const shape = (sign) => (/[XO]/i.test(sign) ? { shape: sign.toUpperCase(), light: sign === "X" } : null);
    return { pieces: readRows(setup.trim(), 3, shape, this.square), side: balance(setup) };
  },
  path: (uci) => (/^[a-c][1-3]$/.test(uci) ? [uci] : []),
};

/** The side to move where the sides take turns: by the number of their pieces. */
function balance(setup) {
  const [crosses, noughts] = [/X/gi, /O/gi].map((sign) => setup.match(sign)?.length ?? 0);
  return crosses > noughts ? 1 : 0;
}

/** The number and the dots before a move: `1. `, `1... `, or nothing for the second of a pair. `half` counts half moves from 0. */
export const numbered = (half, opens) => (half % 2 === 0 ? `${half / 2 + 1}. ` : opens ? `${(half + 1) / 2}... ` : "");

/** The legal moves ({ san, uci }) that a typed text means: those with this name, or else with one that differs in case, signs or zeros for O. */
export function movesNamed(text, legal) {
  const plain = (name) =>
    name
      .toLowerCase()
      .replace(/[+#!?=\s]/g, "")
      .replace(/^[0o]-[0o](-[0o])?$/, (castling) => castling.replaceAll("0", "o"));
  const exact = legal.filter(({ san, uci }) => san === text || uci === text);
  return exact.length > 0 ? exact : legal.filter(({ san, uci }) => plain(san) === plain(text) || plain(uci) === plain(text));
}
