// A use of every kind of thing that the package declares, for `tsc --strict`. Nothing here is run.

import { BookError, BookReplacedError, BookSet, FileBook, Flags, JournalError, LocalBook, Marks, NotationError, RemoteBook, RequestError, TabiaError } from "@tabia/reader";
import { averageRating, formatKey, parseKey, performanceRating } from "@tabia/reader";
import type { Answer, Book, Column, Entry, KeyedEntry, MoveRow, PositionRow, Source } from "@tabia/reader";
import { ChessPosition } from "@tabia/reader/chess";
import type { ChessMove } from "@tabia/reader/chess";
import { DraughtsPosition } from "@tabia/reader/draughts";
import { explore, Line, movesByCode } from "@tabia/reader/explore";
import type { Explored } from "@tabia/reader/explore";
import { parseMoves, parsePosition, startOf } from "@tabia/reader/games";
import { choose, RULE_NAMES } from "@tabia/reader/choice";
import { GameFile, planOf, replayed, topGames } from "@tabia/reader/gamefile";
import { GoPosition } from "@tabia/reader/go";
import { OthelloPosition } from "@tabia/reader/othello";

export function local(bytes: Uint8Array): number {
  const book = LocalBook.from(bytes, { verify: true, columns: ["ratings", "years"] });
  const position: PositionRow | null = book.position("463b96181691fc9c");
  const moves: MoveRow[] = book.moves(parseKey(formatKey(0x463b96181691fc9cn)), { columns: true });
  const ratings = moves[0]?.ratings;
  const all: KeyedEntry[] = [...book.entries()], sources: Source[] = book.sources();
  const set: BookSet<"now"> = BookSet.of([book, book]), entry: Entry = set.probe(0n);
  const columns: Column[] = book.info.columns;
  const marked = moves.filter((move) => move.marks & Marks.good).length + ((position?.flags ?? 0) & Flags.expanded);
  return (position?.games ?? 0) + (ratings ? (averageRating(ratings) ?? 0) + (performanceRating(ratings) ?? 0) : 0)
    + all.length + sources.length + entry.moves.length + columns.length + marked;
}

export async function remote(url: URL, file: File): Promise<string> {
  const stop = new AbortController();
  const book = await RemoteBook.open(url, { journal: "refuse", multipart: false, concurrency: 4, request: { credentials: "include" }, signal: stop.signal });
  const books: Book[] = [book, await FileBook.open(file), await FileBook.open({ size: 1, read: async () => new Uint8Array(1) }), await book.reopen()];
  for (const one of books) await one.positionMany([1n, "0000000000000002"]);
  const later: Answer<"later", Entry[]> = book.probeMany(new Set([1n]), { signal: stop.signal });
  try {
    const { moves } = await explore(book, ChessPosition.start());
    const names: (string | null)[] = moves.map((move) => move.name), next: ChessPosition | undefined = moves[0]?.next?.position;
    return `${names} ${next?.fen()} ${(await later).length} ${book.traffic.bytes}`;
  } catch (error) {
    if (error instanceof BookReplacedError || error instanceof JournalError) return error.url;
    if (error instanceof BookError) return error.rule + error.place;
    if (error instanceof RequestError) return `${error.kind} ${error.status?.toString() ?? ""}`;
    if (error instanceof NotationError) return error.text;
    return error instanceof TabiaError ? error.message : "";
  }
}

export async function anyGame(book: Book): Promise<string[]> {
  const start = startOf(book.info.game), { position } = parseMoves(start, "e4"), here = parsePosition(book.info.game, start.toString());
  const { moves } = await explore(book, book.info.keyed === "line" ? Line.from(position, book.info.keys) : position);
  const draughts = DraughtsPosition.start("draughts-10").legalMoves()[0]?.route[0], go = GoPosition.start(9).ko, othello = OthelloPosition.start().turn;
  const chess: Explored<ChessMove, ChessPosition> = await explore(book, startOf("chess"));
  const byCode: Map<number, ChessMove[]> = movesByCode(startOf("chess"));
  return [here.toString(), `${draughts} ${go} ${othello} ${chess.row?.games} ${byCode.size}`, ...moves.map(({ name, games }) => `${name} ${games}`)];
}

// What is wrong, and has to be found.
// @ts-expect-error a number is no key
export const wrongKey = LocalBook.from(new Uint8Array(0)).position(1);
// @ts-expect-error there is no such column
export const wrongColumn = LocalBook.from(new Uint8Array(0), { columns: ["rating"] });
// @ts-expect-error a move of another game
export const wrongMove = OthelloPosition.start().play({ from: 1, to: 2 });
// @ts-expect-error a journal is not overlaid
export const wrongJournal = RemoteBook.open("a.tabia", { journal: "overlay" });

export async function games(url: URL, kept: Map<string, Uint8Array>): Promise<string> {
  const store = () => ({
    get: async (ranges: ReadonlyArray<{ offset: number; length: number }>) => ranges.map(({ offset, length }) => kept.get(`${offset}+${length}`)),
    set: ({ offset, length }: { offset: number; length: number }, bytes: Uint8Array) => void kept.set(`${offset}+${length}`, bytes),
  });
  const book = await RemoteBook.open(url, { store }), file = await GameFile.openUrl(`${url}-games`, { store, verify: true });
  const top = await topGames(book, file, ChessPosition.start(), { count: 4, plan: await planOf(book), mostProbes: 40 });
  const { moves } = top.games[0] ? replayed(top.games[0], book.info) : { moves: [] };
  const { name, why } = await choose(book, ChessPosition.start(), RULE_NAMES[0] ?? "games", { explored: await explore(book, ChessPosition.start(), { columns: true }) });
  const uci = top.games.map(({ move }) => move && ChessPosition.start().uci(move));
  return [top.complete, moves.length, name, why, uci.join()].join(" ");
}
