// The body of an answer with several ranges, multipart/byteranges (RFC 9110, section 14.6).

const MOST_HEAD = 4096;
const CONTENT_RANGE = /^content-range: *bytes (\d{1,16})-(\d{1,16})\/(\d{1,16}|\*) *$/im;

/** { from, bytes, total } of each part; null if the body is malformed. The bytes are those of the body, not copies. */
export function readParts(body, boundary) {
  const parts = [], delimiter = `\r\n--${boundary}`;
  let at = text(body, 0, 2) === "--" ? -2 : 0;
  for (;;) {
    if (text(body, Math.max(at, 0), at + delimiter.length) !== delimiter.slice(Math.max(-at, 0))) return null;
    at += delimiter.length;
    if (text(body, at, at + 2) === "--") return parts;
    const end = endOfHead(body, at);
    const match = end < 0 ? null : CONTENT_RANGE.exec(text(body, at, end));
    if (match === null) return null;
    const from = Number(match[1]), length = Number(match[2]) - from + 1;
    at = end + 4;
    if (length < 1 || at + length > body.length) return null;
    parts.push({ from, bytes: body.subarray(at, at + length), total: match[3] === "*" ? null : Number(match[3]) });
    at += length;
  }
}

/** Where the empty line begins behind the head of a part; -1 if there is none. */
function endOfHead(body, from) {
  const end = text(body, from, from + MOST_HEAD).indexOf("\r\n\r\n");
  return end < 0 ? -1 : from + end;
}

function text(bytes, from, to) {
  return String.fromCharCode(...bytes.subarray(from, to));
}
