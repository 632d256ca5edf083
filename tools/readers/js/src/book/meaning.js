// What the bits and sums of rows mean.

export const Flags = Object.freeze({ provenWin: 1, provenDraw: 2, provenLoss: 4, publicDraw: 8, expanded: 16 });

export const Marks = Object.freeze({
  good: 1, mistake: 2, brilliant: 4, blunder: 8, interesting: 16, dubious: 32, never: 64, always: 128,
});

export function averageRating({ moverSum, games }) {
  return games === 0 ? null : moverSum / games;
}

/** Section 6.1 of the format. */
export function performanceRating({ opponentSum, games, score }) {
  if (games === 0) return null;
  const p = Math.min(1, Number(score) / (2 * games));
  const difference = p === 0 ? -800 : p === 1 ? 800 : 400 * Math.log10(p / (1 - p));
  return opponentSum / games + Math.max(-800, Math.min(800, difference));
}
