// The two ways in which a Zstandard frame holds bits (RFC 8878): from the first byte on, and from the last one back.

/** What is wrong with a frame. */
export class FrameError extends Error {}

export function hold(good, what) {
  if (!good) throw new FrameError(what);
}

/** How many bits a number below 2^32 has, less one; -1 for 0. */
export const highestBit = (number) => 31 - Math.clz32(number);

/** Bits from the lowest one of the first byte on. */
export class ForwardBits {
  #at;

  constructor(bytes, from, end) {
    [this.bytes, this.end, this.#at] = [bytes, end, 8 * from];
  }

  /** At most 24 bits. */
  take(width) {
    const { bytes } = this, byte = this.#at >>> 3;
    hold(this.#at + width <= 8 * this.end, "a table goes beyond its end");
    const word = bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16) | (bytes[byte + 3] << 24);
    const value = (word >>> (this.#at & 7)) & ((1 << width) - 1);
    this.#at += width;
    return value;
  }

  giveBack(width) {
    this.#at -= width;
  }

  /** The first byte behind what was read. */
  get next() {
    return (this.#at + 7) >>> 3;
  }
}

/** Bits from the highest one below the last 1 back. In front of the first byte there are zeros. */
export class BackwardBits {
  constructor(bytes, from, end) {
    hold(end > from && bytes[end - 1] !== 0, "a stream of bits has no end");
    [this.bytes, this.from] = [bytes, from];
    /** How many bits are left; negative once more were taken than there are. */
    this.left = 8 * (end - from - 1) + highestBit(bytes[end - 1]);
  }

  /** At most 24 bits, without moving. */
  peek(width) {
    const start = this.left - width;
    if (start < 0) return this.left <= 0 ? 0 : this.#bits(0, this.left) << -start;
    return this.#bits(start, width);
  }

  #bits(start, width) {
    const { bytes } = this, byte = this.from + (start >>> 3);
    const word = bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16) | (bytes[byte + 3] << 24);
    return (word >>> (start & 7)) & ((1 << width) - 1);
  }

  /** A number of at most 32 bits. */
  take(width) {
    if (width > 16) {
      const high = this.take(width - 16);
      return high * 65536 + this.take(16);
    }
    const value = this.peek(width);
    this.left -= width;
    return value;
  }
}
