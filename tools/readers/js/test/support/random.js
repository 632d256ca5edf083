// Random numbers that are the same in every run.

import { mix } from "../../src/numbers/u64.js";

export class Random {
  #state;

  constructor(seed) {
    this.#state = BigInt(seed);
  }

  /** 64 random bits. */
  bits() {
    this.#state = BigInt.asUintN(64, this.#state + 0x9e3779b97f4a7c15n);
    return mix(this.#state);
  }

  /** A number from 0 to count - 1. */
  below(count) {
    return Number(this.bits() % BigInt(count));
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}
