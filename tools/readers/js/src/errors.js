// What can go wrong with a book, as errors that a program can tell apart. Wrong arguments are TypeError and RangeError, as elsewhere.

export class TabiaError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

export class BookError extends TabiaError {
  constructor(rule, what, place = "") {
    super(`${rule}: ${what}${place && ` (${place})`}`);
    this.rule = rule;
    this.place = place;
  }
}

export class BookReplacedError extends TabiaError {
  constructor(url, what) {
    super(`${url}: the book was replaced while it was open (${what}): reopen it`);
    this.url = url;
  }
}

export class JournalError extends TabiaError {
  constructor(url) {
    super(`${url}: the book has a journal with more games, which this reader doesn't read: compact the book (tabia compact), or open it with journal: "ignore"`);
    this.url = url;
  }
}

export class RequestError extends TabiaError {
  constructor(kind, url, what, { status = null, cause } = {}) {
    super(`${url}: ${what}`, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.url = url;
    this.status = status;
  }
}

export class NotationError extends TabiaError {
  constructor(text, what) {
    super(`${JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text)}: ${what}`);
    this.text = text;
  }
}

/** Throws a BookError unless `good`. */
export function hold(good, rule, what, place) {
  if (!good) throw new BookError(rule, what, place);
}
