// @tabia/reader/draughts. draughts.d.ts documents each item.

export { DraughtsPosition } from "./games/draughts/position.js";
