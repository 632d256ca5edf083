// SPDX-License-Identifier: GPL-3.0-or-later
// What the browser keeps of a static host's books, for times without a network: ranges as they were read, and whole files. Both are of one version of a file, which
// its digest names, so that bytes of two versions never meet. Where the browser keeps nothing (no HTTPS, a private window) all of this does nothing.

/** What is known of files from earlier visits: by their addresses { ranges, copy }, each { digest, length } or missing. */
const KNOWN = "tabia-kept";

const addressOf = (file) => new URL(file, location.href).href;

function known() {
  try {
    return JSON.parse(localStorage.getItem(KNOWN)) ?? {};
  } catch {
    return {};
  }
}

/** What is kept of a file: { ranges, copy }. */
export const keptOf = (file) => known()[addressOf(file)] ?? {};

function note(file, changes) {
  try {
    const all = known();
    all[addressOf(file)] = { ...all[addressOf(file)], ...changes };
    localStorage.setItem(KNOWN, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

/** Whether, and if not why not, anything can be kept here. */
export function whyNothing() {
  if (!isSecureContext) return "Nothing is kept for times without a network: for that this page has to come by HTTPS.";
  try {
    if (typeof caches === "object" && navigator.serviceWorker && localStorage.length >= 0) return null;
  } catch {
    // What a page may not keep it may not ask for, either.
  }
  return "Nothing is kept for times without a network: this browser doesn't let pages keep files (a private window?).";
}

/** Whether whole files can be kept. */
export const keepsFiles = () =>
  whyNothing() === null && Boolean(navigator.storage?.getDirectory) && "createWritable" in (globalThis.FileSystemFileHandle?.prototype ?? {});

// Ranges

const cacheOf = (digest) => `tabia-ranges-${digest}`;
const placeOf = (digest, { offset, length }) => `kept/${digest}/${offset}+${length}`;

/** The ranges of the version of a file with this digest, as the reader asks for them (RangeStore); null if nothing can be kept. */
export function rangesOf(digest) {
  if (whyNothing() !== null) return null;
  let cache = caches.open(cacheOf(digest));
  return {
    async get(ranges) {
      const opened = await cache;
      return Promise.all(
        ranges.map(async (range) => {
          const found = await opened?.match(placeOf(digest, range));
          return found && new Uint8Array(await found.arrayBuffer());
        }),
      );
    },
    set(range, bytes) {
      // Without room there is nothing more to keep.
      cache = cache.then((opened) => opened && opened.put(placeOf(digest, range), new Response(bytes)).then(() => opened)).catch(() => null);
    },
  };
}

/** Notes that ranges are kept of this version of a file; those of an earlier one go. Whether there was one. */
export async function noteRanges(file, digest, length) {
  const { ranges } = keptOf(file),
    isOther = ranges !== undefined && ranges.digest !== digest;
  if (whyNothing() === null) note(file, { ranges: { digest, length } });
  if (isOther) await caches.delete(cacheOf(ranges.digest)).catch(() => {});
  return isOther;
}

/** Removes all ranges of a file, which are kept anew from now on. */
export async function forgetRanges(file) {
  const { ranges } = keptOf(file);
  if (ranges) await caches.delete(cacheOf(ranges.digest)).catch(() => {});
}

// Whole files

const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("tabia", { create: true });

/** The copy of the version of a file with this digest; null if there is none. */
export async function copyOf(file, digest) {
  const { copy } = keptOf(file);
  if (copy?.digest !== digest || !keepsFiles()) return null;
  const found = await folder()
    .then((opened) => opened.getFileHandle(digest))
    .then((handle) => handle.getFile())
    .catch(() => null);
  return found?.size === copy.length ? found : null;
}

/** How many bytes may still be kept; null if the browser doesn't say. */
export async function room() {
  const { quota, usage } = (await navigator.storage.estimate?.().catch(() => null)) ?? {};
  return quota === undefined ? null : quota - (usage ?? 0);
}

/**
 * Copies a file into the browser's own file system. `digestOf(blob)` tells the version of what came; `onBytes(count)` learns how many bytes came so far. Returns its
 * digest. A copy that is cut off, aborted or refused leaves nothing behind.
 */
export async function copyFile(file, { signal, onBytes, digestOf }) {
  const response = await fetch(file, { signal, cache: "no-store" });
  if (!response.ok) throw new Error(`${file}: the server answers ${response.status}.`);
  const opened = await folder(),
    name = `new-${crypto.randomUUID()}`,
    length = Number(response.headers.get("content-length")) || null;
  let bytes = 0;
  try {
    const writable = await (await opened.getFileHandle(name, { create: true })).createWritable();
    const counter = new TransformStream({
      transform(part, controller) {
        onBytes((bytes += part.length));
        controller.enqueue(part);
      },
    });
    // Nothing is there under this name before all of it has come.
    await response.body.pipeThrough(counter).pipeTo(writable, { signal });
    if (length !== null && bytes !== length && !response.headers.get("content-encoding"))
      throw new Error(`${file}: ${bytes} bytes came of ${length}.`);
    const digest = await digestOf(await (await opened.getFileHandle(name)).getFile());
    await rename(opened, name, digest);
    await forgetCopy(file, digest);
    if (!note(file, { copy: { digest, length: bytes } })) throw new Error("This browser doesn't let pages keep files.");
    return digest;
  } catch (problem) {
    await opened.removeEntry(name).catch(() => {});
    throw problem.name === "QuotaExceededError" ? new Error("The browser has no room for it.") : problem;
  }
}

/** Gives a file of the folder its name; browsers without `move` copy it. */
async function rename(opened, from, to) {
  const handle = await opened.getFileHandle(from);
  if (handle.move) return handle.move(to);
  const target = await (await opened.getFileHandle(to, { create: true })).createWritable();
  await (await handle.getFile()).stream().pipeTo(target);
  await opened.removeEntry(from);
}

/** Removes the copy of a file, unless it is that of this version. */
export async function forgetCopy(file, except = null) {
  const { copy } = keptOf(file);
  if (!copy || copy.digest === except) return;
  note(file, { copy: undefined });
  // Another file may have the same content.
  const isShared = Object.values(known()).some((other) => other.copy?.digest === copy.digest);
  if (!isShared) await (await folder()).removeEntry(copy.digest).catch(() => {});
}
