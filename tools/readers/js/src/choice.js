// @tabia/reader/choice: the move that a book would play by a rule, as `tabia play --rule` decides. choice.d.ts documents each item.

import { Flags, Marks } from "./book/meaning.js";
import { RULES, isWon } from "./choice/rules.js";
import { movesByCode } from "./explore.js";

/** The rules that are known here. */
export const RULE_NAMES = Object.freeze(Object.keys(RULES));

export async function choose(book, position, ruleName, { explored = null, ...options } = {}) {
  const rule = Object.hasOwn(RULES, ruleName) ? RULES[ruleName] : undefined;
  if (rule === undefined) throw new RangeError(`there is no rule ${JSON.stringify(ruleName)} here: ${RULE_NAMES.join(", ")}`);
  const wrong = whyNot(rule, book.info);
  if (wrong) return { move: null, name: null, why: wrong };
  const candidates = await candidatesOf(book, position, rule, explored, options);
  return decide(candidates, rule, book.info, (candidate) => position.name(candidate.move));
}

/** Why a rule can't be followed in a book. */
function whyNot({ by, name, rated }, { moves, positions, columns }) {
  if (name === "eval" && positions === null) return "the book has no positions table, and so no evals: take another rule, such as `q`";
  if (by === "moves" && moves === null) return rated ? "ratings and marks are those of moves, and the book has none" : "the book has no moves table: add `by=positions`";
  if (rated && !columns.includes("ratings")) return "the book has no ratings: take another rule, such as `wilson`, or build it with --ratings";
  return by === "positions" && positions === null ? "the book has no positions table: add `by=moves`" : null;
}

/** What the book knows of each legal move, by ascending codes: { move, made, reached, marks, ratings }, what is unknown null. Counts are seen by who makes the move. */
async function candidatesOf(book, position, rule, explored, options) {
  const scheme = book.info.keys, moves = movesByCode(position, scheme), here = explored ?? (await book.probe(position.key(scheme), { ...options, columns: ["ratings"] }));
  const rows = new Map((book.info.moves ? here.moves : []).map((row) => [row.code, row]));
  // What is behind a move matters where rules go by it, and beside the games of one of which nothing is known.
  const needsAll = rule.by === "positions" || book.info.moves === null;
  const codes = [...moves.keys()].filter((code) => needsAll || rows.has(code)).sort((a, b) => a - b);
  const after = codes.map((code) => position.play(moves.get(code)[0]));
  const behind = await book.positionMany(after.map((next) => next.key(scheme)), options);
  return codes.flatMap((code, i) => {
    const row = rows.get(code) ?? null, reached = behind[i] && seenBefore(behind[i], after[i].turn === position.turn);
    if (row === null && reached === null) return [];
    return [{ code, move: moves.get(code)[0], made: row, reached, marks: row?.marks ?? 0, ratings: row?.ratings }];
  });
}

/** A position as the side sees it that moved there. */
function seenBefore(row, isSameSide) {
  if (isSameSide) return row;
  const proofs = row.flags & (Flags.provenWin | Flags.provenLoss);
  const turned = proofs === Flags.provenWin ? Flags.provenLoss : proofs === Flags.provenLoss ? Flags.provenWin : proofs;
  return { ...row, wins: row.losses, losses: row.wins, eval: row.eval === null ? null : -row.eval, flags: (row.flags & ~proofs) | turned };
}

const gamesThere = ({ made, reached }) => Math.max(made?.games ?? 0, reached?.games ?? 0);
const isAlways = ({ marks }) => (marks & (Marks.always | Marks.never)) === Marks.always;

/** What holds whatever the rule: moves marked never are out, and where moves are marked always all others are. */
function decide(candidates, rule, info, nameOf) {
  const nothing = (why) => ({ move: null, name: null, why }), chosen = (candidate, why) => ({ move: candidate.move, name: nameOf(candidate), why });
  let allowed = candidates.filter(({ marks }) => (marks & Marks.never) === 0);
  if (allowed.some(isAlways)) allowed = allowed.filter(isAlways);
  if (candidates.length === 0) return nothing("the position is out of the book");
  if (allowed.length === 0) return nothing("no move of the book may be played");
  const { place, why } = select(allowed, rule, info, nameOf);
  if (place !== null) return chosen(allowed[place], why);
  if (!isAlways(allowed[0])) return nothing(why);
  const most = allowed.reduce((best, other) => ((other.made?.games ?? 0) > (best.made?.games ?? 0) ? other : best));
  return chosen(most, `marked always; the rule itself has no move: ${why}`);
}

function select(candidates, rule, info, nameOf) {
  if (!info.results && rule.needsResults) return { place: null, why: "the book doesn't know how its games ended: take the rule `games` or `random`" };
  const found = candidates.map((candidate) => judge(candidate, rule, info));
  const most = Math.max(0, ...found.map(({ told }) => told)), what = rule.rated ? "rated games" : "games";
  for (const one of found) {
    if (one.value === null || one.out !== null || one.told * 100 >= most * rule.rare) continue;
    one.out = `${one.told} ${what} are less than ${rule.rare} % of the ${most} of the most played move`;
  }
  const standing = found.map((one, place) => ({ ...one, place })).filter(({ value, out }) => value !== null && out === null);
  if (standing.length === 0) return { place: null, why: whyNone(candidates, found, nameOf) };
  const best = standing.reduce((best, other) => ((other.value.compare(best.value) || other.games - best.games) > 0 ? other : best));
  return heeded({ place: best.place, why: whyBest(rule, best, standing) }, candidates, found, isWon(rule, best.value), nameOf);
}

/** What a candidate is worth, and why it is out of the question, if it is. */
function judge(candidate, rule, info) {
  const none = (out, isUnknown) => ({ value: null, out, isUnknown, games: 0, told: 0 });
  const isMade = rule.by === "moves" || (rule.by === "known" && info.moves !== null);
  if (isMade && candidate.made === null) return none("never played here", false);
  if (!isMade && candidate.reached === null) return none("the position behind it isn't in the book", rule.by === "positions");
  const { wins, draws, losses, games } = isMade ? candidate.made : candidate.reached;
  const known = { eval: null, flags: 0, ...candidate.reached, wins, draws, losses, games, marks: candidate.marks, ratings: candidate.ratings };
  const told = rule.rated ? (candidate.ratings?.games ?? 0) : games, value = rule.value(known);
  if (value === null) return { ...none(rule.name === "eval" ? "no eval" : rule.rated ? "no rated games" : "no games", rule.name === "eval" || rule.rated), games, told };
  return { value, out: fault(rule, known, told, value), isUnknown: false, games, told };
}

function fault(rule, { wins, draws, games }, told, value) {
  if (told < rule.minGames) return `${told} ${rule.rated ? "rated " : ""}${told === 1 ? "game is" : "games are"} fewer than ${rule.minGames}`;
  if (rule.minScore > 0 && (games === 0 || (2 * wins + draws) * 100 < 2 * games * rule.minScore)) {
    if (games === 0) return "no games, and so no score";
    return below(RULES.v, (2 * wins + draws) / (2 * games), rule.minScore / 100);
  }
  return rule.least !== null && value.compare(rule.least) < 0 ? below(rule, value.toNumber(), rule.least.toNumber()) : null;
}

/** With so many decimals that the difference shows. */
function below({ name, shown }, value, least) {
  let decimals = 1;
  while (decimals < 8 && shown(value, decimals) === shown(least, decimals)) decimals++;
  return `${name} ${shown(value, decimals)} is below ${shown(least, decimals)}`;
}

function whyNone(candidates, found, nameOf) {
  let best = -1;
  found.forEach(({ value }, place) => {
    if (value !== null && (best < 0 || value.compare(found[best].value) >= 0)) best = place;
  });
  return best >= 0 ? `${nameOf(candidates[best])} would be the best, but ${found[best].out}` : `nothing is known of any move: ${found[0].out}`;
}

function whyBest({ name, shown }, best, standing) {
  const text = `${name} ${shown(best.value.toNumber())}`, equal = standing.filter(({ value }) => value.compare(best.value) === 0);
  if (standing.length === 1) return `${text}, the only candidate`;
  if (equal.length === 1) return `${text} is the best of ${standing.length}`;
  const inAsMany = equal.filter(({ games }) => games === best.games).length;
  if (inAsMany === 1) return `${text}, the same as ${equal.length - 1} more, but in more games`;
  return `${text}, the same as ${inAsMany - 1} more, all in ${best.games} ${best.games === 1 ? "game" : "games"}: the first of them`;
}

/** No move where another was played more, of which nothing is known by which to judge it. */
function heeded(choice, candidates, found, isSure, nameOf) {
  const unknown = candidates.map((_, place) => place).filter((place) => found[place].isUnknown && !isSure);
  if (unknown.length === 0) return choice;
  const most = unknown.reduce((best, other) => (gamesThere(candidates[other]) > gamesThere(candidates[best]) ? other : best));
  const [own, others] = [gamesThere(candidates[choice.place]), gamesThere(candidates[most])];
  if (others <= own) return choice;
  const why = `${nameOf(candidates[choice.place])} would be chosen (${choice.why}), but it was played in ${own} games, ${nameOf(candidates[most])} in ${others}, and nothing is known of that by which to judge it: \`unknown=ignore\` leaves it out`;
  return { place: null, why };
}
