// @tabia/reader/gamefile: the games beside a book. gamefile.d.ts documents each item.

export { GameFile } from "./gamefile/file.js";
export { replayed } from "./gamefile/replay.js";
export { planOf, topGames } from "./gamefile/top.js";
