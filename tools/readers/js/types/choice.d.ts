/**
 * The move that a book would play by a rule: as `tabia play --rule` decides, of rules that look at each move by itself and draw nothing at random.
 *
 * @module
 */
import type { Book, WaitOptions } from "./index.js";
import type { Explored, GamePosition } from "./explore.js";

/** What is known of rules: `tabia play --rule help` explains them. */
export type RuleName = "games" | "best" | "v" | "q" | "lcb" | "wilson" | "eval" | "rating" | "performance" | "marks";

/** All of them. */
export const RULE_NAMES: readonly RuleName[];

export interface ChoiceOptions<Move, Position> extends WaitOptions {
  /** What {@link explore} says of the position, if it was asked with the column `ratings`: then it isn't read again. */
  explored?: Explored<Move, Position> | null;
}

/** What is played; `move` and `name` are null if the rule has no move. */
export interface Chosen<Move> {
  move: Move | null;
  name: string | null;
  /** Why, in one sentence without a full stop. */
  why: string;
}

/**
 * Decides. Moves marked never are out, and where moves are marked always all others are. Values are compared without rounding, so that equal ones are equal; of
 * these the move with more games is played, then the one with the least code.
 */
export function choose<Move, Position extends GamePosition<Move>>(
  book: Book,
  position: Position & GamePosition<Move>,
  rule: RuleName,
  options?: ChoiceOptions<Move, Position>,
): Promise<Chosen<Move>>;
