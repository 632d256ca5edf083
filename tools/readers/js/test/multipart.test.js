// Bodies with several ranges, well-formed and not.

import assert from "node:assert/strict";
import test from "node:test";
import { readParts } from "../src/book/multipart.js";
import { Random } from "./support/random.js";

const bytes = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const part = (from, to, body, total = 100) => `--B\r\nContent-Type: x\r\nContent-Range: bytes ${from}-${to}/${total}\r\n\r\n${body}\r\n`;
const text = (parts) => parts?.map((one) => [one.from, String.fromCharCode(...one.bytes), one.total]) ?? null;

test("parts are read, with a line in front of them or without", () => {
  const wanted = [[0, "abc", 100], [50, "--B\r\n", null]];
  for (const start of ["", "\r\n"]) {
    assert.deepEqual(text(readParts(bytes(`${start}${part(0, 2, "abc")}${part(50, 54, "--B\r\n", "*")}--B--\r\n`), "B")), wanted);
  }
  assert.deepEqual(text(readParts(bytes("--B\r\nCONTENT-RANGE:bytes 5-5/9\r\n\r\nx\r\n--B--"), "B")), [[5, "x", 9]]);
  assert.deepEqual(text(readParts(bytes("--B--"), "B")), []);
});

test("malformed bodies are refused", () => {
  const wrong = [
    "", "--B", "--B\r\n\r\nabc", part(0, 2, "abc"), `${part(0, 2, "ab")}--B--`, `${part(0, 200, "abc")}--B--`, `${part(3, 2, "")}--B--`,
    `${part(0, 2, "abc")}--C--`, `--B\r\nContent-Range: bytes */100\r\n\r\nabc\r\n--B--`, `${part(0, 2, "abc").replace("bytes", "lines")}--B--`,
    `--B\r\nX: ${"y".repeat(5000)}\r\nContent-Range: bytes 0-2/9\r\n\r\nabc\r\n--B--`, `garbage in front of it${part(0, 2, "abc")}--B--`,
    `--B\r\nContent-Range: bytes 0-99999999999999999999/9\r\n\r\nabc\r\n--B--`,
  ];
  for (const body of wrong) assert.equal(readParts(bytes(body), "B"), null, body.slice(0, 60));
});

test("damaged bodies end, and give no bytes that they haven't", () => {
  const random = new Random(4), sound = bytes(`\r\n${part(0, 2, "abc")}${part(50, 54, "--B\r\n")}${part(7, 7, "z")}--B--\r\n`);
  for (let i = 0; i < 5000; i++) {
    const body = sound.slice(0, random.below(10) === 0 ? random.below(sound.length) : sound.length);
    for (let j = random.below(4); j >= 0 && body.length > 0; j--) body[random.below(body.length)] = random.below(256);
    for (const { bytes: found } of readParts(body, "B") ?? []) assert.ok(found.length <= body.length);
  }
});
