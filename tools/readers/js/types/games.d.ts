/**
 * The positions of whatever game a book is of, for programs that show books of all games. It loads the rules of all of them; the modules of the single games are smaller.
 *
 * @module
 */
import type { ChessMove, ChessPosition } from "./chess.js";
import type { DraughtsGame, DraughtsMove, DraughtsPosition } from "./draughts.js";
import type { GamePosition } from "./game.js";
import type { GoMove, GoPosition } from "./go.js";
import type { OthelloMove, OthelloPosition } from "./othello.js";

export type AnyPosition = ChessPosition | OthelloPosition | DraughtsPosition | GoPosition;
export type AnyMove = ChessMove | OthelloMove | DraughtsMove | GoMove;

/** The position in which games begin; `game` is named as in `book.info.game`. Throws a `RangeError` for a game of which the rules are not known here. */
export function startOf(game: "chess"): ChessPosition;
export function startOf(game: "othello"): OthelloPosition;
export function startOf(game: DraughtsGame): DraughtsPosition;
export function startOf(game: string): BoardPositionOfAnyGame;

/**
 * The position of a text, as the game's `parse` reads it and `toString` writes it. Throws a `RangeError` like `startOf`, a `NotationError` if the text is not a position of
 * this game.
 */
export function parsePosition(game: "chess", text: string): ChessPosition;
export function parsePosition(game: "othello", text: string): OthelloPosition;
export function parsePosition(game: DraughtsGame, text: string): DraughtsPosition;
export function parsePosition(game: string, text: string): BoardPositionOfAnyGame;

/**
 * Plays the moves of a text such as `1. e4 e5 2. Nf3`: names with spaces between, move numbers left out or not. Returns the moves and the position they lead to.
 * Throws a `NotationError` that names the first word that is no legal move.
 */
export function parseMoves<Move, Position extends GamePosition<Move>>(
  position: Position & GamePosition<Move>,
  text: string,
): { moves: Move[]; position: Position };

/** A position of a game that is only known when the program runs; its moves are of that game, too. */
export type BoardPositionOfAnyGame = import("./game.js").BoardPosition<AnyMove>;
