/**
 * The games beside a book (`NAME.tabia-games`, format-spec/games.md): read by ranges as books are, replayed by the rules of their game, and found by the positions
 * they pass.
 *
 * @module
 */
import type { Book, OpenOptions, RangeFile, RemoteOptions, WaitOptions } from "./index.js";
import type { BoardPosition, GamePosition } from "./game.js";

/** A game as a file holds it. Texts are empty and numbers 0 where nothing is known. */
export interface StoredGame {
  /** 12 hexadecimal digits, as a move of a book names it. */
  digest: string;
  /** Eight letters and digits, made of the digest. */
  id: string;
  /** The upper 32 bits of the hash of the key that the book has for where the game ends. */
  end: number;
  /** The sum of both ratings, at most 65,535; 0 if one isn't known. Games are ordered by it, then by digest. */
  rank: number;
  /** `1-0`, `1/2-1/2`, `0-1` by the first and the second player, or `*`. */
  result: "1-0" | "1/2-1/2" | "0-1" | "*";
  /** The first and the second player. */
  players: [string, string];
  ratings: [number, number];
  year: number;
  month: number;
  day: number;
  event: string;
  site: string;
  round: string;
  /** The position it starts from, if that isn't the usual one. */
  setup: string;
  plies: number;
  /** The codes of its moves on the board as it is. */
  moves: number[];
  /** The number of its archive: see {@link GameFile.source}. */
  sourceNumber: number;
  /** Its first byte there, after decompression. */
  offset: bigint;
}

/** A file of games, of which only the ranges are read that a question needs. */
export class GameFile {
  private constructor();
  /**
   * Opens the file at a URL. Rejected as `RemoteBook.open` is; rules that are broken are those of games.md (G-1 to G-7). With `verify` whole pages are read with
   * their sums, so that damage is an error (G-9); without it, the default here, some damage may go unnoticed.
   */
  static openUrl(url: string | URL, options?: RemoteOptions): Promise<GameFile>;
  /** Opens a Blob, a File, or anything that can be read in ranges, and verifies what is read unless `verify` is false. */
  static open(file: Blob | RangeFile, options?: OpenOptions): Promise<GameFile>;
  readonly info: {
    game: string;
    keys: string;
    keyed: "position" | "line";
    /** Whether it has all games that its book counts, or those that a move of it names. */
    kept: "all" | "named";
    games: number;
    names: number;
    sources: number;
    /** The identity of the games, 32 hexadecimal digits. */
    digest: string;
    /** Bytes. */
    fileLength: number;
  };
  /** Requests made, and bytes of their bodies, since a file on a server was opened. */
  readonly traffic: { requests: number; bytes: number };
  /** The game with a digest; null if it isn't there. */
  game(digest: string, options?: { signal?: AbortSignal | undefined }): Promise<StoredGame | null>;
  /** The games with these digests, in their order. What has to be read is read together. */
  games(digests: readonly string[], options?: { signal?: AbortSignal | undefined }): Promise<Array<StoredGame | null>>;
  /** The digests of the games with this {@link StoredGame.end}; null if there are more than `most`. */
  endingAt(end: number, most: number, options?: { signal?: AbortSignal | undefined }): Promise<string[] | null>;
  /** The digest of the archive that a game is from, as a book's sources have it. */
  source(game: StoredGame, options?: { signal?: AbortSignal | undefined }): Promise<string>;
}

/** How much of its games a book counts: up to a ply, of one side's moves alone; null for all. */
export interface Plan {
  maxPly: number | null;
  side: string | null;
}

/** The plan of a book, by what it says of how its archives were read. */
export function planOf(book: Book, options?: { signal?: AbortSignal | undefined }): Promise<Plan>;

/** A game that passes a position. */
export interface TopGame<Move> extends StoredGame {
  /** Plies before it comes to the position first. */
  ply: number;
  /** The move it makes there, on the board that was asked for; null if it ends there. */
  move: Move | null;
}

export interface TopOptions extends WaitOptions {
  /** How many games at most. Default: 8. */
  count?: number;
  /** The book's plan, if it is known already. */
  plan?: Plan;
  /** How many positions of the book are read, at most; behind that, games are taken that are named by then. Default: 20,000. */
  mostProbes?: number;
}

/**
 * The best games of a file that pass a position of a book, the best first: those that `tabia games` lists, if the walk came to its end (`complete`). A game
 * that ends in the position while another one passes it twice may be missing. `missing` counts games that moves name and the file lacks.
 */
export function topGames<Move>(
  book: Book,
  file: GameFile,
  position: GamePosition<Move>,
  options?: TopOptions,
): Promise<{ games: TopGame<Move>[]; complete: boolean; missing: number; probes: number }>;

/** The start of a game, and its moves with the positions in which they are made, up to the first that isn't legal by the rules known here. */
export function replayed(game: StoredGame, info: { game: string; keys: string }): {
  start: BoardPosition<unknown>;
  moves: Array<{ position: BoardPosition<unknown>; move: unknown }>;
};
