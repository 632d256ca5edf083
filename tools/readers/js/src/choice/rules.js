// The rules by which a book chooses that look at each move by itself and draw nothing at random: those of `tabia play --rule` (tools/play/src/choice), with what
// each asks by itself.

import { averageRating, performanceRating } from "../book/meaning.js";
import { Surd } from "./surd.js";

/** Above every eval. */
const PROVEN = 65536, PROOFS = 7;
const FLOOR = 20;

const halfPoints = ({ wins, draws }) => BigInt(2 * wins + draws);
const ofGames = (value) => (known) => (known.games > 0 ? value(halfPoints(known), BigInt(known.games)) : null);
const ofRatings = (value) => ({ ratings }) => (ratings && ratings.games > 0 ? new Surd(BigInt(Math.round(value(ratings) * 1000)), 1000n) : null);

/** (p + z²/2n - z √(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96, p being half points h of 2n. */
function wilson(h, n) {
  // z² = 2401/625; all times 625.
  const under = 2n * (625n * n + 2401n);
  return new Surd(625n * h + 2401n, under, 2401n * (2401n * n + 625n * h * (2n * n - h)), n * under * under);
}

function evalOf({ flags, eval: value }) {
  const proof = { 1: PROVEN, 2: 0, 4: -PROVEN }[flags & PROOFS] ?? value;
  return proof === null || proof === undefined ? null : new Surd(BigInt(proof));
}

const SIGNS = [
  [4, 3],
  [1, 2],
  [16, 1],
  [8, -3],
  [2, -2],
  [32, -1],
];

/** The best that annotators said of a move, and the worst. */
function annotation({ marks }) {
  const said = SIGNS.filter(([mark]) => marks & mark).map(([, worth]) => worth);
  return new Surd(BigInt(Math.max(0, ...said) + Math.min(0, ...said)));
}

/** A part of the whole in percent. */
const percent = (part, decimals = 1) => `${fixed(100 * part, decimals).replace(/\.0$/, "")} %`;
const plain = (number) => String(number);
const evalText = (number) => (number >= PROVEN ? "win" : number <= -PROVEN ? "loss" : number >= 0 ? `+${number}` : String(number));

/** As a program in Rust writes it: what lies in the middle is rounded to an even digit. */
export function fixed(number, decimals) {
  // Just in the middle are odd multiples of a power of 1/2.
  if (Math.abs(number * 2 ** (decimals + 1)) % 2 !== 1) return number.toFixed(decimals);
  const below = Math.floor(number * 10 ** decimals);
  return ((below % 2 === 0 ? below : below + 1) / 10 ** decimals).toFixed(decimals);
}

/**
 * By names: `name` and `shown` are what values are called and how they are written; `value(known)` is what a move is worth, null if nothing tells; `by` the games
 * that count: those in which it was played here (moves), that came to the position behind it (positions), or moves where the book has them (known); `least` the
 * least value, `minScore` the least score in percent, `minGames` the least games, `rare` the share of the most played move's games that a move needs, in percent;
 * `rated` whether rated games are what is counted, `needsResults` whether results must be known.
 */
export const RULES = {
  games: rule("known", "games", plain, ofGames((h, n) => new Surd(n))),
  best: rule("known", "points", plain, ofGames((h) => new Surd(h))),
  v: rule("positions", "score", percent, ofGames((h, n) => new Surd(h, 2n * n)), { least: new Surd(1n, 2n), rare: 1, needsResults: true }),
  q: rule("moves", "score", percent, ofGames((h, n) => new Surd(h, 2n * n)), { least: new Surd(1n, 2n), rare: 1, needsResults: true }),
  lcb: rule("positions", "lcb", percent, ofGames((h, n) => new Surd(h, 2n * n, 4n, n)), { least: new Surd(1n, 2n), rare: 1, needsResults: true }),
  wilson: rule("positions", "wilson", percent, ofGames(wilson), { minScore: 45, rare: 1, needsResults: true }),
  eval: rule("positions", "eval", evalText, evalOf),
  rating: rule("moves", "rating", (number, decimals = 1) => fixed(number, decimals), ofRatings(averageRating), { minGames: FLOOR, rare: 1, rated: true }),
  performance: rule("moves", "performance", (number, decimals = 1) => fixed(number, decimals), ofRatings(performanceRating), { minGames: FLOOR, rare: 1, rated: true, needsResults: true }),
  marks: rule("known", "marks", plain, annotation, { rare: 1 }),
};

function rule(by, name, shown, value, { least = null, minScore = 0, minGames = 0, rare = 0, rated = false, needsResults = false } = {}) {
  return { by, name, shown, value, least, minScore, minGames, rare, rated, needsResults };
}

/** Whether a value of a rule is a sure win, than which nothing is better. */
export const isWon = (rule, value) => rule === RULES.eval && value.toNumber() >= PROVEN;
