// A server on loopback that answers ranges of bytes, rightly or in whatever wrong way a test wants.

import { createServer } from "node:http";

/**
 * Serves files: `files` maps paths to bytes. `change(answer, request)` may change each answer ({ status, headers, body }) or, if it returns "stop",
 * break the connection. Returns { url, requests, files, set change, close() }.
 */
export async function serve(files) {
  const state = { files, requests: [], change: () => {} };
  const server = createServer((request, response) => {
    state.requests.push({ path: request.url, range: request.headers.range, headers: request.headers });
    const answer = answerOf(state.files[request.url], request.headers.range);
    if (state.change(answer, request) === "stop") return request.socket.destroy();
    if (answer.late) return undefined;
    response.writeHead(answer.status, answer.headers);
    response.flushHeaders();
    if (answer.cut !== undefined) {
      response.write(answer.body.subarray(0, answer.cut));
      return setImmediate(() => request.socket.destroy());
    }
    return response.end(answer.body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  state.url = `http://127.0.0.1:${server.address().port}`;
  state.close = () => new Promise((closed) => {
    server.close(closed);
    server.closeAllConnections();
  });
  return state;
}

function answerOf(file, range) {
  if (file === undefined) return { status: 404, headers: {}, body: new Uint8Array(0) };
  const headers = { "accept-ranges": "bytes", etag: `"${file.version ?? 1}"`, "last-modified": "Sat, 21 Nov 2026 10:00:00 GMT" };
  const bytes = file.bytes ?? file, wanted = rangesOf(range, bytes.length);
  if (wanted === null) return { status: 200, headers, body: bytes };
  if (wanted.length === 0) return { status: 416, headers: { ...headers, "content-range": `bytes */${bytes.length}` }, body: new Uint8Array(0) };
  if (wanted.length > 1) return severalParts(bytes, wanted, headers);
  const [[from, to]] = wanted;
  return { status: 206, headers: { ...headers, "content-range": `bytes ${from}-${to}/${bytes.length}` }, body: bytes.subarray(from, to + 1) };
}

function rangesOf(header, length) {
  if (!/^bytes=\d+-\d+(,\d+-\d+)*$/.test(header ?? "")) return null;
  return header.slice(6).split(",").map((range) => range.split("-").map(Number))
    .filter(([from]) => from < length).map(([from, to]) => [from, Math.min(to, length - 1)]);
}

function severalParts(bytes, wanted, headers) {
  const parts = wanted.map(([from, to]) => Buffer.concat([
    Buffer.from(`\r\n--limit\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ${from}-${to}/${bytes.length}\r\n\r\n`),
    bytes.subarray(from, to + 1),
  ]));
  const body = Buffer.concat([...parts, Buffer.from("\r\n--limit--\r\n")]);
  return { status: 206, headers: { ...headers, "content-type": "multipart/byteranges; boundary=limit" }, body };
}
