// A file on a server, read by HTTP ranges. Whatever a server may do wrong, and whatever it may lack, has an error of its own.

import { BookReplacedError, RequestError } from "../errors.js";
import { readParts } from "./multipart.js";

const MOST_RANGES = 64, PART_OVERHEAD = 1024;
const CONTENT_RANGE = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16}|\*)$/i;

export class HttpSource {
  /** Bytes of the file; null if the server doesn't say it, or doesn't let this page see it. */
  length = null;
  requests = 0;
  bytes = 0;
  #fetch;
  #request;
  #multipart;
  /** Where the server redirected to, which may change. */
  #target = null;
  #seen = { etag: null, modified: null };
  #replaced = null;

  constructor(url, { fetch, request = {}, multipart = !isElsewhere(url) }) {
    this.url = url;
    this.#fetch = fetch ?? ((...args) => globalThis.fetch(...args));
    this.#request = request;
    this.#multipart = multipart;
  }

  /** How many ranges one request may ask for. */
  get mostRanges() {
    return this.#multipart ? MOST_RANGES : 1;
  }

  /** The first `length` bytes of the file, or all it has. Learns the file's length and version. */
  async start(length, signal) {
    const response = await this.#ask(`bytes=0-${length - 1}`, signal).catch((error) => this.#explain(error, signal));
    if (isOfEmptyFile(response)) {
      await discard(response);
      this.length = 0;
      return new Uint8Array(0);
    }
    await this.#expect(206, response);
    const { etag, modified } = versionOf(response);
    this.#seen = { etag, modified };
    const range = rangeOf(response);
    if (range === null) return this.#body(response, length, signal, "as much as there is");
    if (range === undefined || range.from !== 0 || range.to >= length || (range.to < length - 1 && range.total !== null && range.to !== range.total - 1)) {
      await this.#fail("wrong-range", response, `it sent the range ${response.headers.get("content-range")}, asked for 0-${length - 1}`);
    }
    this.length = range.total ?? null;
    return this.#body(response, range.to + 1, signal);
  }

  /** Whether the file ends at `length`, for a server that doesn't say so. */
  async endsAt(length, signal) {
    const response = await this.#ask(`bytes=${length - 1}-${length}`, signal);
    if (response.status === 416) return discard(response).then(() => false);
    await this.#expect(206, response);
    const bytes = await this.#body(response, 2, signal, "as much as there is");
    if (bytes.length === 1) this.length = length;
    return bytes.length === 1;
  }

  async read(offset, length, signal) {
    const response = await this.#ask(`bytes=${offset}-${offset + length - 1}`, signal);
    await this.#expect(206, response);
    await this.#checkRange(response, rangeOf(response), offset, length);
    return this.#body(response, length, signal);
  }

  /** The bytes of several ranges by one request; by several if the server can't. */
  async readMany(ranges, signal) {
    if (this.#multipart) {
      try {
        return await this.#readTogether(ranges, signal);
      } catch (error) {
        if (!(error instanceof RequestError) || signal?.aborted) throw error;
        this.#multipart = false;
      }
    }
    return Promise.all(ranges.map(({ offset, length }) => this.read(offset, length, signal)));
  }

  async #readTogether(ranges, signal) {
    const header = ranges.map(({ offset, length }) => `${offset}-${offset + length - 1}`).join(",");
    const response = await this.#ask(`bytes=${header}`, signal);
    await this.#expect(206, response);
    const boundary = /^multipart\/byteranges;.*boundary="?([^";]{1,70})"?/i.exec(response.headers.get("content-type") ?? "")?.[1];
    if (boundary === undefined) await this.#fail("wrong-range", response, "it sent one range, asked for several");
    const most = ranges.reduce((sum, { length }) => sum + length + PART_OVERHEAD, PART_OVERHEAD);
    const body = await this.#body(response, most, signal, "as much as there is");
    const parts = readParts(body, boundary);
    if (parts?.some((part) => part.total !== null && part.total !== this.length && this.length !== null)) this.#noteReplaced("its length");
    const found = parts && ranges.map(({ offset, length }) => {
      const part = parts.find(({ from, bytes }) => from <= offset && from + bytes.length >= offset + length);
      return part?.bytes.slice(offset - part.from, offset - part.from + length);
    });
    if (!found || found.includes(undefined)) throw new RequestError("wrong-range", this.url, "the server sent other ranges than asked for", { status: 206 });
    return found;
  }

  async #ask(range, signal) {
    if (this.#replaced) throw this.#replaced;
    const response = await this.#send(this.#target ?? this.url, range, signal);
    if (this.#target && response.status >= 400 && response.status !== 416) {
      this.#target = null;
      await discard(response);
      return this.#ask(range, signal);
    }
    if (response.redirected && response.url) this.#target = response.url;
    return response;
  }

  async #send(url, range, signal) {
    const headers = new Headers(this.#request.headers);
    headers.set("range", range);
    this.requests++;
    try {
      const request = this.#fetch;
      return await request(url, { cache: "no-store", ...this.#request, headers, signal });
    } catch (cause) {
      throw this.#failure(cause, signal);
    }
  }

  /** An abort as it is; anything else is a failure of the network. */
  #failure(cause, signal) {
    if (signal?.aborted) return signal.reason;
    const detail = cause.cause?.message ?? cause.message;
    return new RequestError("network", this.url, `the server can't be reached, or the connection broke: ${detail}`, { cause });
  }

  /** Why the first request failed: browsers don't show an answer that is compressed although they asked for one that isn't. */
  async #explain(error, signal) {
    if (!(error instanceof RequestError) || error.kind !== "network") throw error;
    const request = this.#fetch;
    const head = await request(this.url, { cache: "no-store", ...this.#request, method: "HEAD", signal }).catch(() => null);
    if (isCompressed(head)) throw this.#compressed(head);
    throw error;
  }

  #compressed({ status, headers }) {
    const what = `the server compresses the file (${headers.get("content-encoding")}), so that no range of it can be read: it has to send it as it is`;
    return new RequestError("compressed", this.url, what, { status });
  }

  /** Checks status, coding and version of an answer; ends it if they are wrong. */
  async #expect(status, response) {
    if (isCompressed(response)) {
      await discard(response);
      throw this.#compressed(response);
    }
    if (response.status === 416) {
      const total = /^bytes \*\/(\d{1,16})$/i.exec(response.headers.get("content-range") ?? "")?.[1];
      if (total !== undefined && Number(total) !== this.length) await this.#failReplaced(response, `it has ${total} bytes now`);
    }
    if (response.status === 200) {
      await this.#fail("no-ranges", response,
        "the server sends the whole file (200) instead of a range (206): it needs support of HTTP ranges, and no compression of this file");
    }
    if (response.status !== status) {
      await this.#fail("status", response, `the server answered ${response.status} ${response.statusText}`.trimEnd());
    }
    const now = versionOf(response), { etag, modified } = this.#seen;
    if (etag !== null && now.etag !== null) {
      if (etag !== now.etag) await this.#failReplaced(response, `its ETag was ${etag}, and is ${now.etag}`);
    } else if (modified !== null && now.modified !== null && modified !== now.modified) {
      await this.#failReplaced(response, `it was last modified ${modified}, and is ${now.modified}`);
    }
  }

  async #checkRange(response, range, offset, length) {
    if (range === null) return;
    if (range !== undefined && range.total !== null && this.length !== null && range.total !== this.length) {
      await this.#failReplaced(response, `it had ${this.length} bytes, and has ${range.total}`);
    }
    if (range === undefined || range.from !== offset || range.to !== offset + length - 1) {
      const got = response.headers.get("content-range");
      await this.#fail("wrong-range", response, `it sent the range ${got}, asked for ${offset}-${offset + length - 1}`);
    }
  }

  async #fail(kind, response, what) {
    await discard(response);
    throw new RequestError(kind, this.url, what, { status: response.status });
  }

  async #failReplaced(response, what) {
    await discard(response);
    this.#noteReplaced(what);
  }

  #noteReplaced(what) {
    this.#replaced = new BookReplacedError(this.url, what);
    throw this.#replaced;
  }

  /** The body of an answer: just `length` bytes, or, if said so, at most. No more are read. */
  async #body(response, length, signal, exactly = true) {
    let body;
    try {
      body = await readBody(response, length);
    } catch (cause) {
      throw this.#failure(cause, signal);
    }
    this.bytes += body.length;
    if (body.more) throw new RequestError("long", this.url, `more than the ${length} bytes came that were asked for`, { status: response.status });
    if (exactly === true && body.length !== length) {
      throw new RequestError("short", this.url, `${body.length} bytes came of ${length}`, { status: response.status });
    }
    return body.bytes;
  }
}

/** Whether a page asks a server other than its own, so that a request that is not simple would be preceded by another (CORS). */
function isElsewhere(url) {
  const { location } = globalThis;
  return location?.origin !== undefined && new URL(url, location.href).origin !== location.origin;
}

function isCompressed(response) {
  return (response?.headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity";
}

/** Whether an answer is that of a file without bytes, of which no range can be sent: 416, or 200 of nginx. */
function isOfEmptyFile({ status, headers }) {
  return status === 416 ? /^bytes \*\/0$/i.test(headers.get("content-range") ?? "") : status === 200 && headers.get("content-length") === "0";
}

function versionOf(response) {
  return {
    etag: response.headers.get("etag")?.replace(/^W\//, "") ?? null,
    modified: response.headers.get("last-modified"),
  };
}

/** { from, to, total } of an answer; null if it isn't said or may not be seen, undefined if it is malformed. */
function rangeOf(response) {
  const text = response.headers.get("content-range");
  if (text === null) return null;
  const match = CONTENT_RANGE.exec(text);
  return match === null ? undefined : { from: Number(match[1]), to: Number(match[2]), total: match[3] === "*" ? null : Number(match[3]) };
}

async function discard(response) {
  await response.body?.cancel().catch(() => {});
}

/** At most `most` bytes of a body: { bytes, length, more }. */
async function readBody(response, most) {
  const bytes = new Uint8Array(most);
  let length = 0;
  const reader = response.body?.getReader();
  for (let step = await reader?.read(); step && !step.done; step = await reader.read()) {
    if (length + step.value.length > most) {
      await reader.cancel().catch(() => {});
      return { bytes, length, more: true };
    }
    bytes.set(step.value, length);
    length += step.value.length;
  }
  return { bytes: length === most ? bytes : bytes.slice(0, length), length, more: false };
}
