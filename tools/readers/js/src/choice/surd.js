// What a move is worth: numbers of the form a - √b with fractions a and b, compared without rounding, so that equal values are equal. Fractions are of BigInt.

export class Surd {
  /** over / under - √(rootOver / rootUnder); the lower halves are positive. */
  constructor(over, under = 1n, rootOver = 0n, rootUnder = 1n) {
    [this.over, this.under] = [over, under];
    [this.rootOver, this.rootUnder] = rootOver < 0n ? [0n, 1n] : [rootOver, rootUnder];
  }

  /** Less than 0, 0 or more, as this is less than another one, equal or more. */
  compare(other) {
    // a - √b against c - √d is a - c against √b - √d: by their signs, and where these are the same by their squares.
    const gapOver = this.over * other.under - other.over * this.under, gapUnder = this.under * other.under;
    const byGap = sign(gapOver), byRoot = sign(this.rootOver * other.rootUnder - other.rootOver * this.rootUnder);
    if (byGap !== byRoot || byGap === 0) return sign(BigInt(byGap - byRoot));
    // gap² against b + d - √(4bd), all times what is below them.
    const square = gapUnder * gapUnder, roots = this.rootUnder * other.rootUnder;
    const rest = (this.rootOver * other.rootUnder + other.rootOver * this.rootUnder) * square - gapOver * gapOver * roots;
    const further = rest < 0n ? 1 : sign(4n * this.rootOver * other.rootOver * roots * square * square - rest * rest);
    return byGap > 0 ? further : -further;
  }

  /** For people. */
  toNumber() {
    return ratio(this.over, this.under) - Math.sqrt(ratio(this.rootOver, this.rootUnder));
  }
}

const sign = (number) => (number > 0n ? 1 : number < 0n ? -1 : 0);

/** The number that is nearest to a fraction. */
function ratio(over, under) {
  if (over < 0n) return -ratio(-over, under);
  if (over === 0n) return 0;
  const bits = (number) => number.toString(2).length, shift = BigInt(Math.max(0, 66 - bits(over) + bits(under)));
  // So many bits that one more decides in which way the last one is rounded.
  const quotient = (over << shift) / under, isMore = (over << shift) % under !== 0n;
  return Number((quotient << 1n) | (isMore ? 1n : 0n)) / 2 ** (Number(shift) + 1);
}
