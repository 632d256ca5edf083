// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of games, and how they are written.

/** Fewer games than these say little. */
export const FEW = 20;

/** Counts seen from the other side. */
export const turned = ({ games, wins, draws, losses }) => ({ games, wins: losses, draws, losses: wins });

/** Wins and half the draws, of all games: from 0 to 1. Null without games or results. */
export const scoreOf = ({ games, wins, draws }) => (games > 0 && wins !== null && wins !== undefined ? (wins + draws / 2) / games : null);

/** The 95 % interval of a score (Wilson 1927), with draws as half a win and half a loss: a little wider than it need be. */
export function interval(counts) {
  const Z = 1.96,
    { games } = counts,
    score = scoreOf(counts);
  if (score === null) return null;
  const middle = score + (Z * Z) / (2 * games);
  const spread = Z * Math.sqrt((score * (1 - score)) / games + (Z * Z) / (4 * games * games));
  const whole = 1 + (Z * Z) / games;
  return [(middle - spread) / whole, (middle + spread) / whole];
}

const whole = new Intl.NumberFormat("en");
/** A count: 12,345. */
export const count = (number) => whole.format(number);

/** A large count in few characters: 174.7k, 21M. */
export function short(number) {
  if (number < 10_000) return count(number);
  const [unit, sign] = number < 1_000_000 ? [1_000, "k"] : number < 1_000_000_000 ? [1_000_000, "M"] : [1_000_000_000, "G"];
  const value = number / unit;
  return (value < 100 ? value.toFixed(1) : value.toFixed(0)) + sign;
}

/** A share or a score: 53.9 %. Tiny ones don't become 0. */
export function percent(share, digits = 1) {
  if (share === null || share === undefined || Number.isNaN(share)) return "";
  const least = 10 ** -digits;
  if (share > 0 && share * 100 < least) return `<${least}\u202f%`;
  return `${(100 * share).toFixed(digits)}\u202f%`;
}

/** With a sign; a true minus. */
export const signed = (number, digits = 0) => (number > 0 ? "+" : number < 0 ? "\u2212" : "\u00b1") + Math.abs(number).toFixed(digits);

/** A range of percent: 53.7 to 54.1 %. */
export const range = ([low, high]) => `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}\u202f%`;
