// The best games that pass a position, found by walking down a book from there, always at the best game that was named so far. See tools/play/src/top_games.rs,
// whose answers these are; here what may be asked next is read together, as it may have to come from a server.

import { movesByCode } from "../explore.js";
import { formatKey, hashOf, out } from "../numbers/u64.js";
import { Replay } from "./replay.js";

/** So many positions on a game's way are read at once, and so many games. */
const AHEAD = 8, AT_ONCE = 3;
/** Of a position where more games end, not all are looked at. */
const MOST_ENDS = 16;
/** How many positions a game counts for. */
const A_GAME = 10;

/** How a book's archives were read, as far as it matters here: { maxPly, side }, both null if all is counted. */
export async function planOf(book, options) {
  const [sources, facts] = [await book.sources(options), await book.facts(options)];
  const values = (name) => sources.map(({ digest }) => facts.find((fact) => fact.subject === digest && fact.name === `plan.${name}`)?.value);
  const plies = values("max-ply"), sides = values("side");
  const known = plies.every((value) => value !== undefined) ? plies.map(Number).filter(Number.isSafeInteger) : [];
  const isOne = sides.length > 0 && sides.every((side) => side !== undefined && side === sides[0]);
  return { maxPly: known.length > 0 ? Math.max(...known) : null, side: isOne ? sides[0].toLowerCase() : null };
}

export async function topGames(book, file, position, { count = 8, plan, mostProbes = 20_000, signal } = {}) {
  const walk = new Walk(book, file, position, plan ?? (await planOf(book, { signal })), mostProbes, signal);
  return walk.run(count);
}

class Walk {
  #found = [];
  #missing = 0;
  #probes = 0;
  #isComplete = true;
  /** What may lead to games no better than its bound, the best last. */
  #heap = [];
  #seen = new Set();
  #judged = new Set();
  /** What was read: entries of the book by keys, games by digests. */
  #entries = new Map();
  #games = new Map();
  /** By the keys of positions on the ways of games that were found: these games, as replays. */
  #ways = new Map();

  constructor(book, file, asked, plan, most, signal) {
    Object.assign(this, { book, file, asked, plan, most, signal, scheme: book.info.keys });
    this.askedKey = this.#keyOf(asked);
    this.codes = movesByCode(asked, this.scheme);
  }

  async run(count) {
    const { position } = await this.#entry(this.asked), wanted = (this.wanted = Math.min(count, position?.games ?? Infinity));
    if (wanted > 0) await this.#expand(this.asked, { rank: 65535, digest: "ffffffffffff" });
    while (this.#found.length < wanted && this.#heap.length > 0) {
      const best = this.#heap.pop();
      this.signal?.throwIfAborted();
      if (!best.isUnknown) await this.#judge(best.digest, wanted);
      // Where no more may be read of the book, those are taken that are named already.
      if (best.node && best.hasOthers && this.#isOpen) await this.#follow(best);
    }
    return { games: this.#found, complete: this.#isComplete, missing: this.#missing, probes: this.#probes };
  }

  /** Whether the walk may go on; if not, there may be better games than those that are found. */
  get #isOpen() {
    if (this.#probes >= this.most && this.#found.length < this.wanted) this.#isComplete = false;
    return this.#probes < this.most;
  }

  #keyOf(node) {
    return formatKey(node.key(this.scheme));
  }

  #push(candidate) {
    let low = 0, high = this.#heap.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isLess(this.#heap[middle], candidate)) low = middle + 1;
      else high = middle;
    }
    this.#heap.splice(low, 0, candidate);
  }

  /** What the book says of a node; of nodes on the way of a known game with those that come behind it. */
  async #entry(node) {
    const key = this.#keyOf(node);
    if (!this.#entries.has(key)) {
      const keys = this.#wayFrom(key).filter((other) => !this.#entries.has(other));
      const entries = await this.book.probeMany(keys, { columns: ["game"], signal: this.signal });
      this.#probes += keys.length;
      keys.forEach((other, i) => this.#entries.set(other, entries[i]));
    }
    return this.#entries.get(key);
  }

  /** A key, and those behind it on the way of a game that comes by. */
  #wayFrom(key) {
    const replay = this.#ways.get(key), keys = [key];
    for (let isHere = false; replay && keys.length < AHEAD;) {
      const here = this.#keyOf(replay.node);
      if (isHere && here !== key) keys.push(here);
      isHere ||= here === key;
      this.#ways.set(here, replay);
      if ((this.plan.maxPly !== null && replay.plies >= this.plan.maxPly) || !replay.step()) break;
    }
    if (replay) this.#ways.set(this.#keyOf(replay.node), replay);
    return keys;
  }

  /** Takes a game that wasn't looked at before, if it passes the position. */
  async #judge(digest, wanted) {
    if (this.#judged.has(digest)) return;
    this.#judged.add(digest);
    const game = await this.#game(digest, Math.min(AT_ONCE, wanted - this.#found.length));
    if (game === null) this.#missing++;
    else this.#pass(game);
  }

  /** A game; with it those are read that are most likely asked for next. */
  async #game(digest, most) {
    if (!this.#games.has(digest)) {
      const digests = new Set([digest]);
      for (let i = this.#heap.length - 1; i >= 0 && digests.size < most; i--) {
        const { digest: other, isUnknown } = this.#heap[i];
        if (!isUnknown && !this.#games.has(other) && !this.#judged.has(other)) digests.add(other);
      }
      await this.#read([...digests]);
    }
    return this.#games.get(digest);
  }

  async #read(digests) {
    const games = await this.file.games(digests, { signal: this.signal });
    digests.forEach((digest, i) => this.#games.set(digest, games[i]));
  }

  /** Takes the game if it comes to the position within the plies that count. */
  #pass(game) {
    const replay = startReplay(game, this.book.info), most = this.plan.maxPly ?? Infinity;
    if (replay === null) return;
    while (this.#keyOf(replay.node) !== this.askedKey) if (replay.plies >= most || !replay.step()) return;
    const { plies, move } = replay, code = move === null || plies >= most ? null : replay.node.code(move, this.scheme);
    this.#found.push({ ...game, ply: plies, move: this.codes.get(code)?.[0] ?? null });
    if (replay.step()) this.#ways.set(this.#keyOf(replay.node), replay);
  }

  async #follow({ node, code, rank, digest }) {
    const [move] = movesByCode(node, this.scheme).get(code) ?? [];
    if (move !== undefined) await this.#expand(node.play(move), { rank, digest });
  }

  /** Takes what is known of a node. */
  async #expand(node, bound) {
    const key = this.#keyOf(node);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { position, moves } = await this.#entry(node);
    await this.#ends(key, position, moves);
    const named = moves.filter(({ game }) => game);
    if (this.plan.side !== null && this.plan.side !== node.turn && named.length === 0) {
      for (const code of movesByCode(node, this.scheme).keys()) this.#push({ ...bound, node, code, hasOthers: true, isUnknown: true });
    }
    for (const { code, games, game } of named) this.#push({ ...game, node, code, hasOthers: games !== 1 });
  }

  /** Games that end at a node, if there can be any: a move counts each game that goes on. */
  async #ends(key, position, moves) {
    const { keys, keyed } = this.file.info, rest = position ? position.games - moves.reduce((sum, { games }) => sum + games, 0) : 1;
    if (rest <= 0 || keys !== this.scheme || keyed !== this.book.info.keyed) return;
    hashOf(key);
    // To know how good a game is takes a frame, which is as much as some positions.
    const isTooMuch = rest > MOST_ENDS || this.#probes + A_GAME * rest > this.most;
    if (!isTooMuch) this.#probes += A_GAME * rest;
    const digests = isTooMuch ? null : await this.file.endingAt(out[1], MOST_ENDS, { signal: this.signal });
    if (digests === null) this.#isComplete = false;
    const fresh = (digests ?? []).filter((digest) => !this.#judged.has(digest));
    await this.#read(fresh.filter((digest) => !this.#games.has(digest)));
    for (const digest of fresh) {
      const game = this.#games.get(digest);
      if (game) this.#push({ rank: game.rank, digest });
    }
  }
}

/** Whether a candidate leads to less than another one. */
function isLess(one, other) {
  return one.rank !== other.rank ? one.rank < other.rank : one.digest < other.digest;
}

function startReplay(game, info) {
  try {
    return new Replay(game, info);
  } catch {
    return null;
  }
}
