// @tabia/reader/chess. chess.d.ts documents each item.

export { ChessPosition } from "./games/chess/position.js";
