// What has to be read of a book to answer a question, whatever the bytes come from. Each question is a generator: it yields arrays of
// ranges ({ offset, length }), takes arrays of their bytes, and returns the answer. So the same code serves bytes in memory, files and servers,
// and questions that are asked together have their ranges read together.

import { BookError } from "../errors.js";
import { tellGames } from "./games.js";
import { findGroup, checkPage, PAGE } from "./group.js";
import { readCell, readMove, readPosition, ROW } from "./rows.js";
import { ABSENT, findRow, isRow, Place, UNDECIDED } from "./table.js";
import { xxh3 } from "../numbers/xxh3.js";

/** Bytes of a table that are read at first: 21 slots, enough for all but one in a thousand positions. */
export const WINDOW = 504;
const MOST_WINDOW = 1 << 17;
/** Bytes of a large group's rows that are searched by reading them all. */
const SMALL_SEARCH = 1 << 14;

/** A question's parts, of which the ranges are read together. Returns all answers. */
export function* together(questions) {
  const steps = questions.map((question) => question.next());
  while (steps.some((step) => !step.done)) {
    const bytes = yield steps.flatMap((step) => (step.done ? [] : step.value));
    let at = 0;
    steps.forEach((step, i) => {
      if (step.done) return;
      const from = at;
      at += step.value.length;
      steps[i] = questions[i].next(bytes.slice(from, at));
    });
  }
  return steps.map((step) => step.value);
}

/** A hash's position and moves, as far as they are wanted: { position, moves }. */
export function* probe(core, lo, hi, { position = true, moves = true, columns, verify }) {
  const nothing = { position: null, moves: [] };
  if (!core.header.holds(hi)) return nothing;
  if (core.pack) return (yield* packedEntry(core, lo, hi, { position, moves, columns, verify })) ?? nothing;
  const parts = [];
  if (position && core.positions) parts.push(tableRows(core, core.positions, [], lo, hi));
  if (moves && core.moves) parts.push(tableRows(core, core.moves, columns, lo, hi));
  const found = (yield* together(parts)).flat();
  return {
    position: found.find((row) => row.code === undefined) ?? null,
    moves: found.filter((row) => row.code !== undefined),
  };
}

function* tableRows(core, table, columns, lo, hi) {
  const { home } = new Place(core.header, table.homes, lo, hi);
  return yield* scan(core, table, home, home + table.maxDisplacement, columns, lo, hi, WINDOW);
}

/**
 * The rows of a hash in the slots from `slot` to `last` of a table, which ascend, with the cells of `columns`. Reads at most `window` bytes at
 * first, then twice as many each time.
 */
function* scan(core, table, slot, last, columns, lo, hi, window) {
  const rows = [];
  for (let size = window; slot <= last; size = Math.min(2 * size, MOST_WINDOW)) {
    const slots = Math.min(Math.max(Math.floor(size / ROW), 1), last - slot + 1);
    const sections = columns.map((column) => core.header.section(column.tag));
    const bytes = yield [table, ...sections].map(({ offset, cell }) => ({ offset: offset + cell * slot, length: cell * slots }));
    const views = bytes.map((part) => new DataView(part.buffer, part.byteOffset, part.length));
    let at = rows.length === 0 ? findRow(views[0], 0, ROW * slots, lo, hi) : 0;
    if (at === ABSENT) return rows;
    if (at === UNDECIDED) at = ROW * slots;
    for (; at < ROW * slots; at += ROW) {
      if (!isRow(views[0], at, lo, hi)) return rows;
      rows.push(rowOf(table, views, at, columns));
      if (table.tag === "POSN") return rows;
    }
    slot += slots;
  }
  return rows;
}

function rowOf(table, views, at, columns) {
  if (table.tag === "POSN") return readPosition(views[0], at);
  const move = readMove(views[0], at);
  columns.forEach((column, i) => readCell(move, column, views[i + 1], (at / ROW) * column.cell));
  return move;
}

/** The entry of a hash in a packed book, null if it has none. */
function* packedEntry(core, lo, hi, wanted) {
  const { pack } = core, spot = pack.spot(core.header, lo, hi);
  for (let number = spot.page; number < Math.min(spot.page + 3, pack.pages); number++) {
    const [bytes] = yield [{ offset: pack.pagesAt + PAGE * number, length: PAGE }];
    if (wanted.verify !== false) checkPage(bytes, number);
    const group = findGroup(core, bytes, 0, number, spot);
    if (group === null) continue;
    if (group.isLarge) return yield* largeEntry(core, group.largeRows(), lo, hi, wanted);
    const i = group.find(spot);
    if (i < 0) return null;
    const entry = group.entry(i, wanted.moves, wanted.columns);
    yield* tellGames(core, group.named);
    return entry;
  }
  throw groupMissing(spot);
}

export function groupMissing(spot) {
  return new BookError("B-32", "the group of a position is in none of its pages", `page ${spot.page} of PAGE`);
}

/** The rows of a hash in a large group (5.1 of packed.md). */
export function* largeEntry(core, rows, lo, hi, wanted) {
  const parts = [];
  if (wanted.position !== false) parts.push(largeRows(core, core.positions, rows.positionsAt, rows.positions, [], lo, hi));
  if (wanted.moves) parts.push(largeRows(core, core.moves, rows.movesAt, rows.moves, wanted.columns, lo, hi));
  const found = (yield* together(parts)).flat();
  const position = found.find((row) => row.code === undefined) ?? null;
  return { position, moves: found.filter((row) => row.code !== undefined) };
}

function* largeRows(core, table, first, count, columns, lo, hi) {
  let low = first, behind = first + count;
  while ((behind - low) * ROW > SMALL_SEARCH) {
    const middle = Math.floor((low + behind) / 2);
    const [bytes] = yield [{ offset: table.offset + ROW * middle, length: ROW }];
    const view = new DataView(bytes.buffer, bytes.byteOffset, ROW);
    if (findRow(view, 0, ROW, lo, hi) === UNDECIDED) low = middle + 1;
    else behind = middle;
  }
  return count === 0 ? [] : yield* scan(core, table, low, first + count - 1, columns, lo, hi, SMALL_SEARCH);
}

/** A question, of which all bytes are verified: whole blocks are read with their sums (B-13). */
export function* verified(core, question) {
  for (let step = question.next(); ; ) {
    if (step.done) return step.value;
    const plans = step.value.map((range) => blocksOf(core, range));
    const bytes = yield plans.flatMap((plan) => plan.ranges);
    let at = 0;
    step = question.next(plans.map((plan) => {
      const parts = bytes.slice(at, (at += plan.ranges.length));
      return plan.section ? checkBlocks(plan, ...parts) : parts[0];
    }));
  }
}

function blocksOf(core, range) {
  const section = [...core.header.sections.values()].find((one) =>
    one.sums && range.offset >= one.offset && range.offset + range.length <= one.offset + one.length);
  if (!section || range.length === 0) return { ranges: [range] };
  const first = Math.floor((range.offset - section.offset) / PAGE);
  const last = Math.floor((range.offset + range.length - 1 - section.offset) / PAGE);
  const blocks = { offset: section.offset + PAGE * first, length: Math.min(section.length, PAGE * (last + 1)) - PAGE * first };
  const sums = { offset: section.sums.offset + 8 * first, length: 8 * (last - first + 1) };
  return { ranges: [blocks, sums], section, range, first };
}

function checkBlocks({ section, range, first, ranges }, blocks, sums) {
  const view = new DataView(sums.buffer, sums.byteOffset, sums.length);
  for (let at = 0, i = 0; at < blocks.length; at += PAGE, i++) {
    if (xxh3(blocks.subarray(at, at + PAGE)) !== view.getBigUint64(8 * i, true)) {
      throw new BookError("B-13", `block ${first + i} of ${section.tag} is damaged`, `bytes ${ranges[0].offset + at} and behind`);
    }
  }
  const from = range.offset - ranges[0].offset;
  return blocks.subarray(from, from + range.length);
}
