// @tabia/reader/go. go.d.ts documents each item.

export { GoPosition } from "./games/go.js";
