// @tabia/reader: reads opening books of the Tabia format, from memory, files and servers. See README.md; index.d.ts documents each item.

export { BookError, BookReplacedError, NotationError, RequestError, TabiaError } from "./errors.js";
export { FileBook } from "./file.js";
export { LocalBook } from "./local.js";
export { RemoteBook } from "./remote.js";
export { formatKey, parseKey } from "./u64.js";
