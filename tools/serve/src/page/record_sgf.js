// SPDX-License-Identifier: GPL-3.0-or-later
// SGF of Go and Othello, and GGF, which is written like it: the first variation everywhere is the game.

const COLUMNS = "ABCDEFGHJKLMNOPQRST";
/** Properties that annotate a move. */
const SIGNS = { TE: "!", BM: "?", DO: "?!", IT: "!?" };

/** The games of a text, at most so many. */
export function readSgf(text, most) {
  const games = [],
    reader = new Reader(text);
  while (games.length < most && reader.find("(")) {
    const game = reader.game();
    if (game.moves.length > 0) games.push(game);
  }
  return games;
}

class Reader {
  #text;
  #at = 0;
  #line = 1;
  #start = 0;

  constructor(text) {
    this.#text = text;
  }

  /** Goes to the next of such a sign; whether there is one. */
  find(sign) {
    const at = this.#text.indexOf(sign, this.#at);
    if (at >= 0) this.#at = at;
    return at >= 0;
  }

  /** The tree that begins here. */
  game() {
    const text = this.#text,
      tree = new Tree();
    for (; this.#at < text.length; this.#at++) {
      const sign = text[this.#at];
      if (sign === "(") tree.open();
      else if (sign === ")") {
        if (tree.close()) break;
      } else if (/[A-Za-z]/.test(sign)) this.#property(tree);
    }
    this.#at += 1;
    return tree.made();
  }

  #property(tree) {
    const text = this.#text,
      [word] = /^[A-Za-z]+/.exec(text.slice(this.#at, this.#at + 64)),
      name = word.replace(/[a-z]/g, "");
    for (this.#at += word.length; ; this.#at++) {
      while (/\s/.test(text[this.#at] ?? "")) this.#at += 1;
      if (text[this.#at] !== "[") break;
      const place = this.#place();
      let value = "";
      for (this.#at += 1; this.#at < text.length && text[this.#at] !== "]"; this.#at++) {
        value += text[this.#at] === "\\" ? (text[++this.#at] ?? "") : text[this.#at];
      }
      if (name !== "") tree.property(name, value, place);
    }
    this.#at -= 1;
  }

  #place() {
    for (let next = this.#text.indexOf("\n", this.#start); next >= 0 && next < this.#at; next = this.#text.indexOf("\n", this.#start)) {
      [this.#line, this.#start] = [this.#line + 1, next + 1];
    }
    return { line: this.#line, column: this.#at - this.#start + 1 };
  }
}

/** A game tree as its properties come. */
class Tree {
  #tags = {};
  #comment = "";
  #moves = [];
  #stones = { AB: [], AW: [], PL: [] };
  /** The sequences that are open, each with its list of moves, and where in the list its variations begin once it has some. */
  #open = [];

  open() {
    const above = this.#open.at(-1);
    if (!above) this.#open.push({ moves: this.#moves, branch: null });
    else if (above.branch === null) {
      above.branch = above.moves.length;
      this.#open.push({ moves: above.moves, branch: null });
    } else this.#open.push({ moves: [], branch: null, of: above, before: above.moves[above.branch - 1] });
  }

  /** Ends a sequence; whether it was the last that was open. */
  close() {
    const { moves, of } = this.#open.pop() ?? {},
      instead = of?.moves[of.branch];
    if (instead && moves.length > 0) instead.variations.push(moves);
    else if (of && moves.length > 0) of.moves.push(...moves);
    return this.#open.length === 0;
  }

  property(name, value, place) {
    const { moves, before } = this.#open.at(-1) ?? { moves: this.#moves },
      last = moves.at(-1);
    if (name === "B" || name === "W") this.#move(name, value, place, moves, last ?? before);
    else if (name === "C") this.#say(last, value);
    else if (name in SIGNS) last && (last.signs ||= SIGNS[name]);
    else if (name in this.#stones && this.#moves.length === 0) this.#stones[name].push(value);
    else if (this.#moves.length === 0) this.#tags[name] ??= value;
  }

  #say(of, comment) {
    const words = comment.replace(/\s+/g, " ").trim(),
      what = of ?? (this.#open.length <= 1 ? { comment: this.#comment } : {});
    what.comment = [what.comment, words].filter(Boolean).join(" ");
    if (!of && this.#open.length <= 1) this.#comment = what.comment;
  }

  #move(side, value, { line, column }, moves, before) {
    const text = this.#isOthello ? square(value) : vertex(value.trim(), this.#size);
    if (text === null) return;
    const move = (text) => ({ text, line, column, signs: "", comment: "", variations: [], side });
    // Who moves twice has let the other side pass.
    if (!this.#isOthello && side === (before?.side ?? (this.#first === "B" ? "W" : "B")))
      moves.push({ ...move("pass"), side: side === "B" ? "W" : "B" });
    moves.push(move(text));
  }

  get #isOthello() {
    return /^(2|othello)$/i.test(this.#tags.GM ?? "");
  }

  get #size() {
    return Number(/^\d+/.exec(this.#tags.SZ ?? "19")) || 19;
  }

  /** Who moves first: White after stones of handicap. */
  get #first() {
    const { AB, AW, PL } = this.#stones;
    return (PL[0] ?? (AB.length > 0 && AW.length === 0 ? "W" : "B")).toUpperCase().startsWith("W") ? "W" : "B";
  }

  made() {
    return { tags: this.#tags, fen: this.#isOthello ? othelloStart(this.#tags.BO) : this.#goStart(), comment: this.#comment, moves: this.#moves };
  }

  #goStart() {
    const { AB, AW, PL } = this.#stones,
      size = this.#size;
    if (AB.length + AW.length + PL.length === 0) return null;
    const board = Array.from({ length: size }, () => Array(size).fill("."));
    for (const [sign, points] of [
      ["X", AB],
      ["O", AW],
    ]) {
      for (const [x, y] of points.flatMap(rectangle)) if (x < size && y < size) board[y][x] = sign;
    }
    const rows = board.map((row) => row.join("").replace(/\.+/g, (empty) => empty.length));
    return `${rows.join("/")} ${this.#first.toLowerCase()}`;
  }
}

const index = (letter) => letter.toLowerCase().charCodeAt(0) - 97;

/** The points of `ab`, or of a rectangle `ab:cd`. */
function rectangle(value) {
  const [from, to = from] = value
    .trim()
    .split(":")
    .map((point) => [...point].map(index));
  if (from.length !== 2 || to.length !== 2) return [];
  const points = [];
  for (let y = from[1]; y <= Math.min(to[1], from[1] + 18); y++) for (let x = from[0]; x <= Math.min(to[0], from[0] + 18); x++) points.push([x, y]);
  return points.filter(([x, y]) => x >= 0 && y >= 0);
}

/** SGF's point as people write it: `ee` of a board of 9 is E5. */
function vertex(point, size) {
  if (point === "" || (point === "tt" && size <= 19)) return "pass";
  const [x, y] = [...point].map(index);
  return point.length === 2 && x >= 0 && y >= 0 && x < Math.min(size, 19) && y < size ? COLUMNS[x] + (size - y) : point;
}

/** A move of Othello, which is written as people do, with eval and time behind it; null for a pass, which needs no move. */
function square(value) {
  const [text] = value.trim().split("/");
  return /^pa(ss)?$|^$/i.test(text) ? null : text.toLowerCase();
}

/** The position of GGF's `8 ---...* *`; null for that of every game. */
function othelloStart(board) {
  const signs = [...(board ?? "").replace(/^\s*8\s/, "").replace(/\s/g, "")].map((sign) => ({ "*": "X", o: "O" })[sign] ?? sign);
  if (signs.length !== 65) return null;
  const start = `${"-".repeat(27)}OX${"-".repeat(6)}XO${"-".repeat(27)} X`,
    text = `${signs.slice(0, 64).join("")} ${signs[64]}`;
  return text === start ? null : text;
}
