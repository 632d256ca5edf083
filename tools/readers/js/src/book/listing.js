// All entries of a book in memory, in the order of their hashes.

import { BookError } from "../errors.js";
import { checkPage, groupsOf, PAGE } from "./group.js";
import { tellGames } from "./games.js";
import { readCell, readMove, readPosition, ROW } from "./rows.js";
import { unmix } from "../numbers/u64.js";
import { xxh3 } from "../numbers/xxh3.js";

/** { key, position, moves } of each key. */
export function* entries(core, bytes, { columns, verify }) {
  if (verify) for (const section of core.header.sections.values()) checkSection(section, bytes);
  for (const { h, position, moves } of core.pack ? packed(core, bytes, columns, verify) : plain(core, bytes, columns)) {
    yield { key: unmix(h), position, moves };
  }
}

function checkSection(section, bytes) {
  const { sums, offset, length, tag } = section;
  if (!sums) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset + sums.offset, sums.length);
  for (let at = 0, i = 0; at < length; at += PAGE, i++) {
    const good = xxh3(bytes.subarray(offset + at, offset + Math.min(at + PAGE, length))) === view.getBigUint64(8 * i, true);
    if (!good) throw new BookError("B-13", `block ${i} of ${tag} is damaged`, `bytes ${offset + at} and behind`);
  }
}

function* plain(core, bytes, columns) {
  yield* joined(rowsOf(core, core.positions, [], bytes), rowsOf(core, core.moves, columns, bytes));
}

/** One entry for each hash of two lists of rows, each in the order of hashes. */
function* joined(positions, moves) {
  let position = positions.next().value, move = moves.next().value;
  while (position || move) {
    const h = !move || (position && position.h <= move.h) ? position.h : move.h;
    const entry = { h, position: null, moves: [] };
    for (; position?.h === h && entry.position === null; position = positions.next().value) entry.position = position.row;
    for (; move?.h === h; move = moves.next().value) entry.moves.push(move.row);
    yield entry;
  }
}

/** { h, row } of the slots of a table that are not empty, `count` slots from `slot` on. */
function* rowsOf(core, table, columns, bytes, slot = 0, count = table?.slots ?? 0) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const end = slot + count; slot < end; slot++) {
    const at = table.offset + ROW * slot;
    if (view.getUint8(at + 23) === 0xff) continue;
    const row = table === core.positions ? readPosition(view, at) : readMove(view, at);
    for (const column of columns) {
      const section = core.header.section(column.tag);
      readCell(row, column, view, section.offset + section.cell * slot);
    }
    yield { h: view.getBigUint64(at, true), row };
  }
}

function* packed(core, bytes, columns, verify) {
  const { pack } = core, next = { group: 0, position: 0, move: 0 };
  const hold = (good, what, number) => {
    if (!good) throw new BookError("B-32", what, `page ${number} of PAGE`);
  };
  for (let number = 0; number < pack.pages; number++) {
    const base = pack.pagesAt + PAGE * number;
    if (verify) checkPage(bytes.subarray(base, base + PAGE), number);
    for (const [home, place, group] of groupsOf(core, bytes, base, number)) {
      hold(home * pack.groups + place === next.group++, "groups are not in the order of their numbers", number);
      if (group.isLarge) {
        const rows = group.largeRows();
        hold(rows.positionsAt === next.position && rows.movesAt === next.move, "a large group doesn't have the rows that follow", number);
        next.position += rows.positions;
        next.move += rows.moves;
        yield* large(core, bytes, rows, columns);
      } else yield* small(core, bytes, group, home * pack.pageBuckets + place * pack.groupBuckets, columns);
    }
  }
  hold(next.group === core.header.section("PAGE").homes * pack.groups, "groups are missing behind the last page", pack.pages - 1);
  hold(next.position === (core.positions?.slots ?? 0) && next.move === (core.moves?.slots ?? 0), "there are rows that no large group has", pack.pages - 1);
}

function* large(core, bytes, { positionsAt, positions, movesAt, moves }, columns) {
  yield* joined(
    rowsOf(core, core.positions, [], bytes, positionsAt, positions),
    rowsOf(core, core.moves, columns, bytes, movesAt, moves),
  );
}

function* small(core, bytes, group, firstBucket, columns) {
  const { shareBits, shareNumber } = core.header, w = BigInt(core.pack.remainderBits);
  const share = shareBits === 0 ? 0n : BigInt(shareNumber) << BigInt(64 - shareBits);
  let i = 0;
  for (const [bucket, low, high] of group.remainders()) {
    const h = share | (BigInt(firstBucket + bucket) << w) | (BigInt(high) << 32n) | BigInt(low);
    const entry = group.entry(i++, true, columns);
    const games = tellGames(core, group.named), asked = games.next();
    if (!asked.done) games.next(asked.value.map(({ offset, length }) => bytes.subarray(offset, offset + length)));
    yield { h: BigInt.asUintN(64, h), ...entry };
  }
}
