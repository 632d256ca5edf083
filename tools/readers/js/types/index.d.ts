/**
 * Reads opening books of board games in Tabia's format, version 1, plain and packed, whole or in shares.
 *
 * Three classes have the same methods: {@link LocalBook} answers at once from bytes in memory, {@link FileBook} reads the ranges it needs of a
 * file, {@link RemoteBook} those of a file on a server. {@link BookSet} makes one book of shares. A journal beside a book (`NAME.tabia-journal`) is not
 * read by any of them: compact a book before it is published (`tabia compact`).
 *
 * @module
 */

/** The key of a position: a number of 64 bits without a sign, or 16 hexadecimal digits. */
export type Key = bigint | string;

/**
 * What a book says of a position, however it was reached. Counts are games (unless the book's facts say that they were learned), seen from the side to
 * move in this position.
 */
export interface PositionRow {
  /** Games won by the side to move, from 0 to 2^32 - 1, like the next two. */
  wins: number;
  draws: number;
  losses: number;
  /** The sum of wins, draws and losses. In a book without results (`info.results` is false) all games are in `draws`. */
  games: number;
  /** The value for the side to move in the game's unit (chess: centipawns, Othello: discs), from -32767 to 32767; null if there is none. */
  eval: number | null;
  /** What the eval is worth, such as the depth of the search; 0 without one. */
  depth: number;
  /** A set of {@link Flags}. */
  flags: number;
}

/** Bits of {@link PositionRow.flags}. */
export const Flags: {
  readonly provenWin: 1;
  readonly provenDraw: 2;
  readonly provenLoss: 4;
  readonly publicDraw: 8;
  readonly expanded: 16;
};

/** What a book says of a move in a position. Counts are seen from the side that makes the move. */
export interface MoveRow {
  /** The move's code, from 0 to 65535, as its game defines it. The modules of the games make it a move. */
  code: number;
  /** Games won by the side that makes the move, from 0 to 2^32 - 1, like the next two. */
  wins: number;
  draws: number;
  losses: number;
  /** The sum of wins, draws and losses. */
  games: number;
  /** A set of {@link Marks}. */
  marks: number;
  /** The ratings of the players: if the column was asked for and the book has it. */
  ratings?: Ratings;
  /** The best game with this move: if the column was asked for and the book has it; null if no game is known. */
  game?: BestGame | null;
  /** The years in which the move was played: if the column was asked for and the book has it. */
  years?: Years;
}

/** Bits of {@link MoveRow.marks}: the annotations ! ? !! ?? !? ?!, and what the book's maker decided. */
export const Marks: {
  readonly good: 1;
  readonly mistake: 2;
  readonly brilliant: 4;
  readonly blunder: 8;
  readonly interesting: 16;
  readonly dubious: 32;
  readonly never: 64;
  readonly always: 128;
};

/** Sums over the rated games of a move: those in which the ratings of both players are known. */
export interface Ratings {
  /** The sum of the ratings of those who made the move, less than 2^48. */
  moverSum: number;
  /** The sum of the ratings of their opponents, less than 2^48. */
  opponentSum: number;
  /** The number of rated games. */
  games: number;
  /** Two for each of them that the mover won, one for each that was drawn: 64 bits. */
  score: bigint;
}

/** The average rating of those who made a move; null if no game is rated. */
export function averageRating(ratings: Ratings): number | null;

/**
 * The performance rating of those who made a move: the rating for which their score against their opponents speaks, at most 800 from the average of
 * these; null if no game is rated. Means nothing in a book without results.
 */
export function performanceRating(ratings: Ratings): number | null;

/** By what the best game of a move is found. */
export interface BestGame {
  /** How much the game is worth showing, from 0 to 65535; greater is better. */
  rank: number;
  /** The digest of the game, 12 hexadecimal digits, the same in every archive that holds it. */
  digest: string;
}

export interface Years {
  /** The first year in which the move was played; 0 if it isn't known. */
  first: number;
  /** The last year; 0 if it isn't known. */
  last: number;
}

/** All that a book says of a key. */
export interface Entry {
  /** Null if the book doesn't know the position, or has no positions at all. */
  position: PositionRow | null;
  /** In ascending order of their codes; none if the book knows none, or has no moves at all. */
  moves: MoveRow[];
}

/** An entry with the key that it belongs to. */
export interface KeyedEntry extends Entry {
  key: bigint;
}

/** The columns that a book may have beside its moves. */
export type Column = "ratings" | "game" | "years";

/** Rows of a table, and the sums over all of them (modulo 2^64). */
export interface Totals {
  rows: number;
  wins: bigint;
  draws: bigint;
  losses: bigint;
}

/** What a book says of itself in its header. */
export interface BookInfo {
  /** Such as `chess`, `othello`, `go-9`, `checkers`. */
  game: string;
  /** The key scheme, such as `polyglot` or `zobrist-8`. */
  keys: string;
  /** Whether a key stands for a position, or for the sequence of moves that led there. */
  keyed: "position" | "line";
  /** Of 2^bits shares the book is the one with this number. A whole book has 0 bits. */
  share: { bits: number; number: number };
  packed: boolean;
  /** Whether the results of games were known; if not, all games are counted as draws. */
  results: boolean;
  /** How full the tables are (of a packed book: those of the plain one it was made of), from 0.5 to 0.98. */
  load: number;
  /** Whether the book has a filter, which makes probes of absent positions faster in a {@link LocalBook}. */
  tags: boolean;
  columns: Column[];
  /** Null if the book has no positions. */
  positions: Totals | null;
  /** Null if the book has no moves. */
  moves: Totals | null;
  /** The identity of the contents, 32 hexadecimal digits; null of a set of shares. */
  digest: string | null;
  /** The digest of the book that this one was compacted from, zeros if none; null of a set of shares. */
  parent: string | null;
  /** The sequence of the last journal frame that the book took in; null of a set of shares. */
  sequence: bigint | null;
  /** Bytes. */
  fileLength: number;
}

/** An archive whose games went into a book. */
export interface Source {
  /** 32 hexadecimal digits. */
  digest: string;
  games: bigint;
  name: string;
}

/** How a book was made. */
export interface Fact {
  /** The digest of the archive that the fact is about; null: the whole book. */
  subject: string | null;
  name: string;
  value: string;
}

/** How a book is asked. What a call doesn't say is taken from the options with which the book was opened. */
export interface ReadOptions {
  /**
   * Verify the checksum of every block that is read of a table, so that damage is an error (B-13) and never a wrong answer. Costs a `RemoteBook` whole
   * blocks of 4,096 bytes, and their sums. Pages of packed books are always verified, except by a `LocalBook` without this option. Default: false.
   */
  verify?: boolean;
  /** The columns wanted with moves: true for all, or their names. Columns that the book doesn't have are left out. Default: false. */
  columns?: boolean | readonly Column[];
}

/** How a book is asked whose answers take time. */
export interface WaitOptions extends ReadOptions {
  /** Ends the waiting: the call is rejected with the signal's reason. Requests that no other call waits for are aborted. */
  signal?: AbortSignal | undefined;
}

/** What is known at once, or later. */
export type When = "now" | "later";
/** An answer of a book that answers at once, or later. */
export type Answer<W extends When, T> = W extends "now" ? T : Promise<T>;

/**
 * What all books have in common. Each method throws (or is rejected with) a `TypeError` or `RangeError` for what isn't a key or an option, a
 * {@link BookError} if the book is damaged; {@link FileBook} and {@link RemoteBook} say what else can go wrong.
 */
export interface Book<W extends When = When> {
  readonly info: BookInfo;
  /** What the book says of a position; null if it doesn't know it. */
  position(key: Key, options?: WaitOptions): Answer<W, PositionRow | null>;
  /** The moves that the book knows in a position, in ascending order of their codes. */
  moves(key: Key, options?: WaitOptions): Answer<W, MoveRow[]>;
  /** Position and moves, read together. */
  probe(key: Key, options?: WaitOptions): Answer<W, Entry>;
  /** `position` of many keys, in their order. What has to be read is read together. */
  positionMany(keys: Iterable<Key>, options?: WaitOptions): Answer<W, Array<PositionRow | null>>;
  /** `moves` of many keys, likewise. */
  movesMany(keys: Iterable<Key>, options?: WaitOptions): Answer<W, MoveRow[][]>;
  /** `probe` of many keys, likewise. */
  probeMany(keys: Iterable<Key>, options?: WaitOptions): Answer<W, Entry[]>;
  /** The archives that went into the book. The section is verified. */
  sources(options?: { signal?: AbortSignal | undefined }): Answer<W, Source[]>;
  /** How the book was made. The section is verified. */
  facts(options?: { signal?: AbortSignal | undefined }): Answer<W, Fact[]>;
}

/** A book whose bytes are in memory. It answers at once. */
export class LocalBook implements Book<"now"> {
  private constructor();
  /**
   * The book in these bytes, which are not copied and must not change. Throws a {@link BookError} that names the broken rule if they aren't a
   * sound book of version 1: the header is checked, and PACK of a packed book; blocks and pages are as `verify` says.
   */
  static from(bytes: Uint8Array | ArrayBufferLike, options?: ReadOptions): LocalBook;
  /** The book in a file of the browser or of node, which is read into memory whole. */
  static load(file: Blob, options?: ReadOptions): Promise<LocalBook>;
  readonly info: BookInfo;
  position(key: Key, options?: ReadOptions): PositionRow | null;
  moves(key: Key, options?: ReadOptions): MoveRow[];
  probe(key: Key, options?: ReadOptions): Entry;
  positionMany(keys: Iterable<Key>, options?: ReadOptions): Array<PositionRow | null>;
  movesMany(keys: Iterable<Key>, options?: ReadOptions): MoveRow[][];
  probeMany(keys: Iterable<Key>, options?: ReadOptions): Entry[];
  sources(): Source[];
  facts(): Fact[];
  /** All entries, in the order of the book's hashes, which has no meaning. With `verify` all blocks are verified before the first. */
  entries(options?: ReadOptions): Generator<KeyedEntry, void, undefined>;
}

/** How a book is opened of which ranges are read. The options of {@link ReadOptions} become the defaults of its calls. */
export interface OpenOptions extends WaitOptions {
  /** The most bytes that are kept of what was read, the least recently used dropped first. Default: 8 MiB. */
  cacheBytes?: number;
  /** Ranges that are asked for together are read as one if no more bytes than this lie between them. Default: 4096. */
  mergeGap?: number;
  /** The most requests at once. Default: 8. */
  concurrency?: number;
  /** Gives what keeps ranges beyond memory for the version of the file with this digest, such as a browser's Cache; null for nothing. */
  store?: (digest: string) => RangeStore | null;
}

/** What keeps ranges of one version of a file. Ranges that it has are not read from the file. */
export interface RangeStore {
  /** The bytes of each range, in their order; undefined for those that aren't kept. */
  get(ranges: ReadonlyArray<{ offset: number; length: number }>): Promise<Array<Uint8Array | undefined>>;
  /** Takes the bytes of a range that was read. */
  set(range: { offset: number; length: number }, bytes: Uint8Array): void;
}

/** Anything that has a size and can be read in ranges. */
export interface RangeFile {
  /** Bytes. */
  readonly size: number;
  /** Just `length` bytes from `offset` on. */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** A book in a file, of which only those ranges are read that a question needs. */
export class FileBook implements Book<"later"> {
  private constructor();
  /**
   * Opens a book in a Blob or a File (in node: `await fs.openAsBlob(path)`), or in anything that can be read in ranges. Rejected with a {@link BookError}
   * that names the broken rule, or with a {@link RequestError} of the kind `file` or `short` if the file can't be read, or changed since it was chosen.
   */
  static open(file: Blob | RangeFile, options?: OpenOptions): Promise<FileBook>;
  readonly info: BookInfo;
  position(key: Key, options?: WaitOptions): Promise<PositionRow | null>;
  moves(key: Key, options?: WaitOptions): Promise<MoveRow[]>;
  probe(key: Key, options?: WaitOptions): Promise<Entry>;
  positionMany(keys: Iterable<Key>, options?: WaitOptions): Promise<Array<PositionRow | null>>;
  movesMany(keys: Iterable<Key>, options?: WaitOptions): Promise<MoveRow[][]>;
  probeMany(keys: Iterable<Key>, options?: WaitOptions): Promise<Entry[]>;
  sources(options?: { signal?: AbortSignal | undefined }): Promise<Source[]>;
  facts(options?: { signal?: AbortSignal | undefined }): Promise<Fact[]>;
}

/** How a book on a server is opened. */
export interface RemoteOptions extends OpenOptions {
  /** What is used in place of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Given to `fetch` with each request: headers (such as Authorization), credentials, mode. The header Range and the signal are set by this package; `cache` is
   * `no-store` unless it is given here, as browsers do requests of one file one by one otherwise.
   */
  request?: RequestInit;
  /**
   * Whether several ranges may be asked for by one request (multipart/byteranges). A server that can't is asked for single ranges from then on.
   * Default: true, but false in a page that asks another server, because browsers would ask for permission first (CORS preflight).
   */
  multipart?: boolean;
  /**
   * Whether to look for a journal beside the book, at its URL with `-journal` behind the path, and to refuse the book with a {@link JournalError} if there is one that
   * holds more than the book: one more request, made at the same time. A journal that the server doesn't show counts as none. Default: `ignore`, the book alone.
   */
  journal?: "ignore" | "refuse";
}

/**
 * A book on a server that supports HTTP ranges, such as nginx, Apache, S3 and most hosts of static files. A probe is one request of half a kilobyte of a
 * plain book, for each table that it asks, or of one page of 4,096 bytes of a packed one, which has position and moves.
 *
 * Besides a {@link BookError}, each method may be rejected with a {@link RequestError} that says what the server or the network did, and with a
 * {@link BookReplacedError} if the file on the server is another one by now; then the book doesn't answer any more: `reopen` it.
 */
export class RemoteBook implements Book<"later"> {
  private constructor();
  /** Opens the book at a URL, most often by one request of 16 KiB. In a page a URL may be relative. */
  static open(url: string | URL, options?: RemoteOptions): Promise<RemoteBook>;
  readonly info: BookInfo;
  /** As it was given. */
  readonly url: string;
  /** Requests made, and bytes of their bodies, since the book was opened. */
  readonly traffic: { requests: number; bytes: number };
  /** The book that is at the URL now, with the same options. This one stays as it is. */
  reopen(options?: { signal?: AbortSignal | undefined }): Promise<RemoteBook>;
  position(key: Key, options?: WaitOptions): Promise<PositionRow | null>;
  moves(key: Key, options?: WaitOptions): Promise<MoveRow[]>;
  probe(key: Key, options?: WaitOptions): Promise<Entry>;
  positionMany(keys: Iterable<Key>, options?: WaitOptions): Promise<Array<PositionRow | null>>;
  movesMany(keys: Iterable<Key>, options?: WaitOptions): Promise<MoveRow[][]>;
  probeMany(keys: Iterable<Key>, options?: WaitOptions): Promise<Entry[]>;
  sources(options?: { signal?: AbortSignal | undefined }): Promise<Source[]>;
  facts(options?: { signal?: AbortSignal | undefined }): Promise<Fact[]>;
}

/**
 * The shares of a set as one book: each key is looked for in the share that it belongs to, and `info` has the totals of all. A method throws, or is rejected with, what
 * those of its books do; if one of them was replaced on its server, open all of them again.
 */
export class BookSet<W extends When = When> implements Book<W> {
  private constructor();
  /**
   * Makes a set of the shares of a book (of {@link LocalBook}, {@link FileBook} or {@link RemoteBook}), in any order, or of one whole book. Throws a {@link BookError} if
   * they are not shares of one book (S-1; `place` says which of them differs from the first one), or a share is missing or there twice (S-2; `place` says which).
   */
  static of<W extends When>(books: Iterable<Book<W>>): BookSet<W>;
  readonly info: BookInfo;
  position(key: Key, options?: WaitOptions): Answer<W, PositionRow | null>;
  moves(key: Key, options?: WaitOptions): Answer<W, MoveRow[]>;
  probe(key: Key, options?: WaitOptions): Answer<W, Entry>;
  positionMany(keys: Iterable<Key>, options?: WaitOptions): Answer<W, Array<PositionRow | null>>;
  movesMany(keys: Iterable<Key>, options?: WaitOptions): Answer<W, MoveRow[][]>;
  probeMany(keys: Iterable<Key>, options?: WaitOptions): Answer<W, Entry[]>;
  sources(options?: { signal?: AbortSignal | undefined }): Answer<W, Source[]>;
  facts(options?: { signal?: AbortSignal | undefined }): Answer<W, Fact[]>;
}

/** The key as a number; throws a `TypeError` or `RangeError` if it isn't one. */
export function parseKey(key: Key): bigint;
/** The key as 16 hexadecimal digits. */
export function formatKey(key: Key): string;

/** What all errors of this package have in common. Wrong arguments are `TypeError` and `RangeError`. */
export class TabiaError extends Error {}

/** The file is not a sound book: not a book at all, of another version, cut off, damaged. */
export class BookError extends TabiaError {
  /** The rule of the format that is broken, such as `B-2`. */
  readonly rule: string;
  /** Where: a section, a page, bytes; of a set, which of its books. */
  readonly place: string;
}

/** The book on the server is another one than that which was opened. */
export class BookReplacedError extends TabiaError {
  readonly url: string;
}

/** Beside the book stands a journal (with games that were added since), and the book was opened with `journal: "refuse"`. */
export class JournalError extends TabiaError {
  /** Of the journal. */
  readonly url: string;
}

/**
 * A range could not be read.
 *
 * - `network`: the server can't be reached, refused the page (CORS), or the connection broke.
 * - `status`: the server answered with the status of an error, such as 404.
 * - `no-ranges`: the server sent the whole file (200) in place of a range.
 * - `compressed`: the server compresses the file, so that ranges mean nothing.
 * - `wrong-range`: the server sent another range than that asked for.
 * - `short`, `long`: fewer or more bytes came than were asked for.
 * - `file`: a file can't be read, or changed since it was chosen.
 */
export class RequestError extends TabiaError {
  readonly kind: "network" | "status" | "no-ranges" | "compressed" | "wrong-range" | "short" | "long" | "file";
  readonly url: string;
  /** The status of the answer; null without one. */
  readonly status: number | null;
}

/** A text is not a position or a move, or not one that is legal. */
export class NotationError extends TabiaError {
  readonly text: string;
}
