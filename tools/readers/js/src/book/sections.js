// A section of a book: its entry in the header, and the rules that the entry has to keep by itself (3.1 and 3.2 of the format).

import { hold } from "../errors.js";

const PAGE = 4096, ROW = 24;
export const TABLES = ["POSN", "MOVE"];
export const KNOWN = ["POSN", "TAGS", "MOVE", "RTNG", "GAME", "YEAR", "SRCS", "FACT"];
export const PACKED = ["PACK", "PAGE", ...KNOWN.slice(0, -2), "DICT", "SRCS", "FACT", "COPY"];
const BESIDE = { TAGS: ["POSN", 2], RTNG: ["MOVE", 24], GAME: ["MOVE", 8], YEAR: ["MOVE", 4], DICT: ["MOVE", 16] };
const WITHOUT_CELLS = ["SRCS", "FACT", "PACK", "COPY"];

export class Section {
  constructor(tag, entry) {
    this.tag = tag;
    this.cell = entry.getUint32(4, true);
    this.saidOffset = entry.getBigUint64(8, true);
    this.saidLength = entry.getBigUint64(16, true);
    this.checksum = entry.getBigUint64(24, true);
    this.saidRows = entry.getBigUint64(32, true);
    this.saidHomes = entry.getBigUint64(40, true);
    this.saidDisplacement = entry.getBigUint64(48, true);
    this.totals = { wins: entry.getBigUint64(56, true), draws: entry.getBigUint64(64, true), losses: entry.getBigUint64(72, true) };
    const beside = [80, 81, 82, 83].map((at) => entry.getUint8(at));
    this.beside = beside.some((byte) => byte !== 0) ? String.fromCharCode(...beside) : null;
    this.sums = null;
  }

  /** Checks offset and length: the section begins at `at`, and ends at `end` at the latest. */
  place(at, end) {
    hold(this.saidOffset === BigInt(at), "B-6", `it begins at ${this.saidOffset}, not at ${at}`, `the entry of ${this.tag}`);
    hold(this.saidLength <= BigInt(end - at), "B-6", `its ${this.saidLength} bytes end outside the book`, `the entry of ${this.tag}`);
    this.offset = at;
    this.length = Number(this.saidLength);
  }

  get isTable() {
    return TABLES.includes(this.tag);
  }

  /** Whether the next section has to be the sums of this one's blocks. */
  get hasSums() {
    return !this.isSums && (this.isTable || this.tag in BESIDE || (this.beside !== null && !WITHOUT_CELLS.includes(this.tag)));
  }

  /** Checks that this section is the sums of another. */
  beSumsOf(section) {
    this.isSums = true;
    hold(this.tag === section.tag.toLowerCase(), "B-6", `the section behind ${section.tag} is not its sums`, this.tag);
    this.holdFields(this.cell === 0 && this.beside === null && this.hasNoTableFields());
    hold(this.length === 8 * Math.ceil(section.length / PAGE), "B-7",
      `${this.length} bytes of sums can't be those of ${section.length} bytes`, this.tag);
    section.sums = this;
  }

  /** Checks a section that isn't sums, with those in front of it. */
  open(sections, header) {
    hold(/^[A-Z]{4}$/.test(this.tag), "B-6", "a tag is not of four letters A to Z", JSON.stringify(this.tag));
    if (this.isTable) this.openTable(header);
    else if (header.packed && this.tag === "PAGE") this.openPages();
    else if (this.hasSums) this.openBeside(sections, header);
    else this.holdFields(this.cell === 0 && this.beside === null && this.hasNoTableFields());
  }

  openTable(header) {
    this.holdFields(this.beside === null && this.checksum === 0n);
    const rule = header.packed ? "B-30" : "B-7";
    hold(this.cell === ROW && this.length % ROW === 0, rule, `a table of ${this.length} bytes and cells of ${this.cell}`, this.tag);
    this.slots = this.length / ROW;
    if (header.packed) {
      hold(this.saidHomes === 0n && this.saidDisplacement === 0n, "B-30", "it has homes or a max displacement", this.tag);
    } else {
      this.openPlainTable(header.load);
    }
    this.rows = Number(this.saidRows);
  }

  openPlainTable(load) {
    const slots = BigInt(this.slots), rows = this.saidRows, homes = this.saidHomes, displacement = this.saidDisplacement;
    hold(homes >= 1n && homes <= slots && rows <= slots, "B-7", `${rows} rows and ${homes} homes in ${slots} slots`, this.tag);
    const wanted = (rows * 1000n + BigInt(load) - 1n) / BigInt(load);
    hold(homes === (wanted > 1n ? wanted : 1n), "B-8", `${homes} homes are not those of ${rows} rows`, this.tag);
    hold(displacement <= slots - homes, "B-23", `max displacement ${displacement} is greater than slack`, this.tag);
    let slack = rows <= 1024n ? rows : 1024n;
    while (rows > 1024n && slack < displacement) slack *= 4n;
    hold(slots - homes === slack, "B-23", `a slack of ${slots - homes} slots is not that of ${rows} rows`, this.tag);
    this.homes = Number(homes);
    this.maxDisplacement = Number(displacement);
  }

  openPages() {
    hold(this.cell === PAGE && this.length % PAGE === 0, "B-30", `pages of ${this.cell} bytes, ${this.length} bytes in all`, this.tag);
    const { wins, draws, losses } = this.totals;
    hold(this.saidDisplacement === 0n && wins === 0n && draws === 0n && losses === 0n, "B-30", "it has totals", this.tag);
    this.holdFields(this.beside === null);
    this.pages = this.length / PAGE;
    const over = BigInt(this.pages) - this.saidHomes;
    hold(this.saidHomes >= 1n && over >= 0n && over <= 2n, "B-30", `${this.pages} pages, of which ${this.saidHomes} are home`, this.tag);
    this.homes = Number(this.saidHomes);
  }

  openBeside(sections, header) {
    this.holdFields(this.checksum === 0n && this.hasNoTableFields());
    const rule = header.packed ? "B-30" : "B-25";
    const [beside, cell] = BESIDE[this.tag] ?? [this.beside, this.cell];
    hold(!header.packed || this.tag in BESIDE, "B-30", "an unknown column can't be in a packed book", this.tag);
    const table = TABLES.includes(this.beside) ? sections.get(this.beside) : undefined;
    hold(table !== undefined && this.beside === beside, rule, "the table that it is beside", this.tag);
    hold(this.cell >= 1 && this.cell === cell, rule, `cells of ${this.cell} bytes`, this.tag);
    if (this.tag === "DICT" && this.length % cell === 0) return;
    const cells = header.packed && this.tag === "TAGS" ? 0 : table.slots;
    hold(this.length % this.cell === 0 && this.length / this.cell === cells, rule,
      `${this.length} bytes are not ${cells} cells of ${this.cell}`, this.tag);
  }

  hasNoTableFields() {
    const { wins, draws, losses } = this.totals;
    return [this.saidRows, this.saidHomes, this.saidDisplacement, wins, draws, losses].every((field) => field === 0n);
  }

  holdFields(good) {
    hold(good, "B-10", "a field that has to be zero is not", `the entry of ${this.tag}`);
  }
}
