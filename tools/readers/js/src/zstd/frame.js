// A Zstandard frame (RFC 8878) as bytes. No browser reads them by itself. Checksums of contents are not verified, dictionaries not known.

import { FrameError, hold } from "./bits.js";
import { Blocks } from "./block.js";

export { FrameError };

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const MOST_BLOCK = 1 << 17;

/** The content, of `length` bytes, of the one frame in these bytes, behind which nothing comes. Throws a FrameError. */
export function decompress(bytes, length) {
  hold(bytes.length > 5 && MAGIC.every((byte, i) => bytes[i] === byte), "this is no frame");
  const { next: start, hasChecksum, said } = readHead(bytes);
  hold(said === null || said === length, `the frame says it has ${said} bytes`);
  const blocks = new Blocks(new Uint8Array(length));
  let at = start;
  for (let isLast = false; !isLast;) {
    hold(at + 3 <= bytes.length, "a block is cut off");
    const head = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16), kind = (head >> 1) & 3, size = head >> 3;
    isLast = (head & 1) === 1;
    at += 3;
    const end = at + (kind === 1 ? 1 : size);
    hold(kind < 3 && size <= MOST_BLOCK && end <= bytes.length, "a block is cut off");
    if (kind === 0) blocks.copy(bytes.subarray(at, end));
    else if (kind === 1) blocks.copy(new Uint8Array(size).fill(bytes[at]));
    else blocks.decode(bytes, at, end);
    at = end;
  }
  hold(blocks.at === length, `a frame has ${blocks.at} bytes in place of ${length}`);
  hold(at + (hasChecksum ? 4 : 0) === bytes.length, "something is behind the frame");
  return blocks.out;
}

function readHead(bytes) {
  const flags = bytes[4], isSingle = (flags & 32) !== 0, dictionary = [0, 1, 2, 4][flags & 3], width = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6];
  hold((flags & 8) === 0, "a reserved bit is not zero");
  let at = isSingle ? 5 : 6;
  hold(at + dictionary + width <= bytes.length, "the head of a frame is cut off");
  hold(bytes.subarray(at, at + dictionary).every((byte) => byte === 0), "a frame that needs a dictionary");
  at += dictionary;
  let said = width === 2 ? 256 : 0;
  for (let i = 0; i < width; i++) said += bytes[at + i] * 2 ** (8 * i);
  return { next: at + width, hasChecksum: (flags & 4) !== 0, said: width === 0 ? null : said };
}
