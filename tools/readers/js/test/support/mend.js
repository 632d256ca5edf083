// Makes the digest and the crc of a header right again.

import { crc32 } from "../../src/numbers/crc32.js";
import { xxh3Of128Bits } from "../../src/numbers/xxh3.js";

const PAGE = 4096;

export function mendHeader(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset), page = bytes.subarray(0, PAGE);
  page.fill(0, 88, 128);
  view.setUint32(PAGE - 4, 0, true);
  page.set(xxh3Of128Bits(page).match(/../g).map((digits) => Number.parseInt(digits, 16)), 88);
  view.setUint32(PAGE - 4, crc32(page.subarray(0, PAGE - 4)), true);
}
