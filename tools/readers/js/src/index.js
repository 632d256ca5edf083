// @tabia/reader: reads opening books of the Tabia format, from memory, files and servers. See README.md; index.d.ts documents each item.

export { BookError, BookReplacedError, JournalError, NotationError, RequestError, TabiaError } from "./errors.js";
export { FileBook } from "./book/file.js";
export { LocalBook } from "./book/local.js";
export { averageRating, Flags, Marks, performanceRating } from "./book/meaning.js";
export { RemoteBook } from "./book/remote.js";
export { BookSet } from "./book/set.js";
export { formatKey, parseKey } from "./numbers/u64.js";
