// @tabia/reader/othello. othello.d.ts documents each item.

export { OthelloPosition } from "./games/othello.js";
