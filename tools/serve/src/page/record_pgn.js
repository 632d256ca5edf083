// SPDX-License-Identifier: GPL-3.0-or-later
// PGN and PDN: tags, then moves until the result or the tags of the next game.

const TOKEN = /^\[(\w+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]|\{[^}]*\}?|;[^\n]*|^%[^\n]*|[()]|\$\d+|[^\s(){};]+/gm;
const RESULT = /^(1-0|0-1|1\/2-1\/2|\*|2-0|0-2|1-1|0-0)$/;
/** Annotations that have a number in place of signs. */
const SIGNS = { $1: "!", $2: "?", $3: "!!", $4: "??", $5: "!?", $6: "?!" };
/** Variations deeper than this are left out. */
const MOST_DEEP = 200;

/** The games of a text, at most so many. */
export function readPgn(text, most) {
  const games = [];
  let game = null,
    where = { line: 1, start: 0 };
  const end = () => {
    if (game?.hasMoves) games.push(game.made());
    game = null;
  };
  for (const found of text.matchAll(TOKEN)) {
    if (games.length >= most) break;
    const [word, tag, value] = found;
    if (tag) {
      if (game?.hasMoves) end();
      (game ??= new Game()).tags[tag] = value.replace(/\\(.)/g, "$1");
      continue;
    }
    if (word.startsWith("%")) continue;
    game ??= new Game();
    if (RESULT.test(word) && !game.isDeep) {
      game.tags.Result ??= word;
      end();
    } else {
      where = moveOn(where, text, found.index);
      game.take(word, { line: where.line, column: found.index - where.start + 1 });
    }
  }
  if (games.length < most) end();
  return games;
}

/** The line of a place, told from that of an earlier place. */
function moveOn({ line, start }, text, to) {
  for (let next = text.indexOf("\n", start); next >= 0 && next < to; next = text.indexOf("\n", start)) [line, start] = [line + 1, next + 1];
  return { line, start };
}

class Game {
  tags = {};
  comment = "";
  #moves = [];
  /** The lists of moves that are open: the game's own, and those of variations; null for one that is left out. */
  #open = [this.#moves];

  get isDeep() {
    return this.#open.length > 1;
  }

  /** Something that was said at the end of a move's number alone is no move. */
  get hasMoves() {
    return this.#moves.length > 0;
  }

  take(word, place) {
    const moves = this.#open.at(-1),
      last = moves?.at(-1);
    if (word === "(") this.#open.push(this.#variation(moves));
    else if (word === ")") this.isDeep && this.#open.pop();
    else if (moves === null) return;
    else if (/^[{;]/.test(word)) this.#say(last, word.replace(/^[{;]|\}$/g, ""));
    else if (word.startsWith("$")) last && (last.signs ||= SIGNS[word] ?? "");
    else this.#move(word, moves, last, place);
  }

  #variation(moves) {
    const last = moves?.at(-1);
    if (!last || this.#open.length > MOST_DEEP) return null;
    const variation = [];
    last.variations.push(variation);
    return variation;
  }

  /** A comment; what programs say in it to each other (`[%clk 0:01:00]`) is left out. */
  #say(of, comment) {
    const words = comment
      .replace(/\[%[^\]]*\]/g, "")
      .replace(/\s+/g, " ")
      .trim();
    if (words === "") return;
    const what = of ?? (this.#open.length === 1 ? this : {});
    what.comment = what.comment ? `${what.comment} ${words}` : words;
  }

  #move(word, moves, last, { line, column }) {
    const [, number, rest, signs] = /^(\d+\.+|\.+)?(.*?)([!?]*)$/.exec(word);
    const text = rest.replace(/^0-0-0/, "O-O-O").replace(/^0-0/, "O-O");
    if (text === "" && signs && last && !number) last.signs ||= signs;
    if (text === "" || /^(\d+|e\.p\.|--|Z0)$/.test(text)) return;
    moves.push({ text, line, column: column + (number?.length ?? 0), signs, comment: "", variations: [] });
  }

  made() {
    const { tags, comment } = this;
    return { tags, fen: tags.FEN ?? null, comment, moves: this.#moves };
  }
}
