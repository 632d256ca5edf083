// Ranges of a file or of a server's file: those read before are kept up to a number of bytes, those asked for twice at once are read once, and those near
// each other are read together.
//
// What is read comes from a `source`: `read(offset, length, signal)` gives a promise of just these bytes, `readMany(ranges, signal)`, if it is
// there, one of the bytes of several ranges by one request, at most `mostRanges` at once.

const MOST_MERGED = 1 << 18;

export class Ranges {
  #source;
  #mergeGap;
  #slots;
  #kept;
  #store;
  #flights = new Map();

  /** `store` keeps ranges beyond memory: see RangeStore of index.d.ts. */
  constructor(source, { cacheBytes = 8 << 20, mergeGap = 4096, concurrency = 8, store = null } = {}) {
    holdNumber("cacheBytes", cacheBytes, 0);
    holdNumber("mergeGap", mergeGap, 0);
    holdNumber("concurrency", concurrency, 1);
    this.#source = source;
    this.#mergeGap = mergeGap;
    this.#slots = new Slots(concurrency);
    this.#kept = new Cache(cacheBytes);
    this.#store = store;
  }

  /** The bytes of each range. */
  async read(ranges, signal) {
    signal?.throwIfAborted();
    if (this.#store) await this.#take(ranges);
    const missing = new Map();
    const found = ranges.map((range) => {
      const bytes = range.length === 0 ? new Uint8Array(0) : this.#kept.get(range);
      if (!bytes && !this.#flights.has(nameOf(range))) missing.set(nameOf(range), range);
      return bytes;
    });
    for (const batch of this.#batches([...missing.values()])) this.#start(batch);
    const flights = new Set(ranges.filter((_, i) => !found[i]).map((range) => this.#flights.get(nameOf(range))));
    const landed = new Map();
    await Promise.all([...flights].map(async (flight) => {
      for (const [name, bytes] of await flight.join(signal)) landed.set(name, bytes);
    }));
    return ranges.map((range, i) => found[i] ?? landed.get(nameOf(range)));
  }

  /** Keeps bytes that were read in another way. */
  keep(range, bytes) {
    this.#kept.set(range, bytes);
  }

  /** Takes from the store what isn't in memory. */
  async #take(ranges) {
    const missing = ranges.filter((range) => range.length > 0 && !this.#kept.get(range) && !this.#flights.has(nameOf(range)));
    if (missing.length === 0) return;
    const found = await this.#store.get(missing).catch(() => []);
    found.forEach((bytes, i) => bytes?.length === missing[i].length && this.#kept.set(missing[i], bytes));
  }

  /** Requests for ranges: each is a list of spans, which are ranges that are read as one. */
  #batches(ranges) {
    const spans = [];
    for (const range of ranges.sort((a, b) => a.offset - b.offset)) {
      const span = spans.at(-1), end = range.offset + range.length;
      if (span && range.offset <= span.end + this.#mergeGap && end - span.offset <= MOST_MERGED) {
        span.end = Math.max(span.end, end);
        span.ranges.push(range);
      } else {
        spans.push({ offset: range.offset, end, ranges: [range] });
      }
    }
    const most = this.#source.mostRanges ?? 1;
    return Array.from({ length: Math.ceil(spans.length / most) }, (_, i) => spans.slice(most * i, most * (i + 1)));
  }

  #start(spans) {
    const names = spans.flatMap((span) => span.ranges.map(nameOf));
    const flight = new Flight(async (signal) => {
      await this.#slots.take(signal);
      try {
        return this.#share(spans, await this.#fetch(spans, signal));
      } finally {
        this.#slots.give();
      }
    }, () => names.forEach((name) => this.#flights.get(name) === flight && this.#flights.delete(name)));
    for (const name of names) this.#flights.set(name, flight);
  }

  async #fetch(spans, signal) {
    const wanted = spans.map(({ offset, end }) => ({ offset, length: end - offset }));
    if (wanted.length > 1) return this.#source.readMany(wanted, signal);
    return [await this.#source.read(wanted[0].offset, wanted[0].length, signal)];
  }

  /** The bytes of each range of a request, by name. They are kept, too. */
  #share(spans, parts) {
    const shared = new Map();
    spans.forEach((span, i) => {
      for (const range of span.ranges) {
        const from = range.offset - span.offset;
        const bytes = span.ranges.length === 1 ? parts[i] : parts[i].slice(from, from + range.length);
        shared.set(nameOf(range), bytes);
        this.#kept.set(range, bytes);
        this.#store?.set(range, bytes);
      }
    });
    return shared;
  }
}

function holdNumber(name, value, least) {
  if (!Number.isFinite(value) || value < least) throw new RangeError(`${name} is a number of at least ${least}, not ${value}`);
}

function nameOf({ offset, length }) {
  return `${offset}+${length}`;
}

/** A request that several callers may wait for. It is aborted when the last of them has given up. */
class Flight {
  #controller = new AbortController();
  #promise;
  #waiting = 0;

  constructor(start, end) {
    this.#promise = start(this.#controller.signal);
    this.#promise.then(end, end);
    this.end = end;
  }

  join(signal) {
    this.#waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        if (--this.#waiting > 0) return;
        this.end();
        this.#controller.abort(signal.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", leave));
    });
  }
}

/** At most so many requests at once; others wait for their turn. */
class Slots {
  #free;
  #queue = [];

  constructor(count) {
    this.#free = count;
  }

  async take(signal) {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise((turn) => this.#queue.push(turn));
    if (signal.aborted) {
      this.give();
      signal.throwIfAborted();
    }
  }

  give() {
    const turn = this.#queue.shift();
    if (turn) turn();
    else this.#free++;
  }
}

/** Bytes by their offset, those that were not used for the longest time dropped first. */
class Cache {
  #room;
  #parts = new Map();

  constructor(room) {
    this.#room = room;
  }

  get({ offset, length }) {
    const bytes = this.#parts.get(offset);
    if (!bytes || bytes.length < length) return undefined;
    this.#parts.delete(offset);
    this.#parts.set(offset, bytes);
    return bytes.length === length ? bytes : bytes.subarray(0, length);
  }

  set({ offset }, bytes) {
    const before = this.#parts.get(offset);
    if (before && before.length >= bytes.length) return;
    if (before) this.#drop(offset);
    this.#room -= bytes.length;
    this.#parts.set(offset, bytes);
    while (this.#room < 0) this.#drop(this.#parts.keys().next().value);
  }

  #drop(offset) {
    this.#room += this.#parts.get(offset).length;
    this.#parts.delete(offset);
  }
}
