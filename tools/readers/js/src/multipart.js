// The body of an answer with several ranges, multipart/byteranges (RFC 9110, section 14.6).

const MOST_HEAD = 4096;
const CONTENT_RANGE = /^content-range: *bytes (\d{1,16})-(\d{1,16})\/(\d{1,16}|\*) *$/im;

/** { from, bytes, total } of each part; null if the body is malformed. The bytes are those of the body, not copies. */
export function readParts(body, boundary) {
  const parts = [], delimiter = `--${boundary}`;
  let at = 0;
  for (;;) {
    const start = find(body, delimiter, at, at + 4);
    if (start < 0) return null;
    at = start + delimiter.length;
    if (text(body, at, at + 2) === "--") return parts;
    const end = find(body, "\r\n\r\n", at, at + MOST_HEAD);
    const match = end < 0 ? null : CONTENT_RANGE.exec(text(body, at, end));
    if (match === null) return null;
    const from = Number(match[1]), length = Number(match[2]) - from + 1;
    at = end + 4;
    if (length < 1 || at + length > body.length) return null;
    parts.push({ from, bytes: body.subarray(at, at + length), total: match[3] === "*" ? null : Number(match[3]) });
    at += length;
  }
}

/** Where a text begins in bytes, from `from` to `to`; -1 if it doesn't. */
function find(bytes, wanted, from, to) {
  for (let at = from; at <= to && at + wanted.length <= bytes.length; at++) {
    if (text(bytes, at, at + wanted.length) === wanted) return at;
  }
  return -1;
}

function text(bytes, from, to) {
  return String.fromCharCode(...bytes.subarray(from, to));
}
