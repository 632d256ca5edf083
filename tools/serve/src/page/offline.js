// SPDX-License-Identifier: GPL-3.0-or-later
// What a page on a static host keeps for times without a network, as a panel: its own files by a service worker, what was looked at by itself, and whole books when
// somebody asks for it. Loaded behind the first figures.

import { FileBook } from "../reader/index.js";
import { byId, el, put } from "./dom.js";
import { copyFile, forgetCopy, forgetRanges, keepsFiles, keptOf, room, whyNothing } from "./keep.js";

/** Room that stays free beside a copy. */
const SPARE = 1 << 20;

export class Offline {
  #place;
  #source;
  #onChange;
  #notice = null;
  /** By the books' names what is happening to them: { text, share, cancel }. */
  #work = new Map();

  /** `onChange()`: books are read from elsewhere now. */
  constructor(place, source, onChange) {
    [this.#place, this.#source, this.#onChange] = [place, source, onChange];
    for (const what of ["online", "offline"]) addEventListener(what, () => this.#draw());
  }

  async show() {
    if (whyNothing() === null) await this.#register();
    this.#draw();
  }

  /** Lets the worker keep the page's own files, and tells when there are new ones. */
  async #register() {
    try {
      const registration = await navigator.serviceWorker.register("worker.js");
      const tell = () => {
        // Without an earlier worker nothing was in use.
        if (!registration.waiting || !navigator.serviceWorker.controller) return;
        this.#notice = el(
          "p",
          {},
          "There is a new version of this page. ",
          el("button", { type: "button", class: "outlined", onclick: () => this.#useNew(registration.waiting) }, "Use it"),
        );
        this.#draw();
      };
      tell();
      registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", tell));
    } catch {
      // The host has no worker, or the browser wants none: then the page needs a network to open.
    }
  }

  #useNew(worker) {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    worker.postMessage("use");
  }

  #draw() {
    const focused = this.#place.contains(document.activeElement) ? document.activeElement.dataset.key : null,
      isOpen = this.#place.querySelector("details")?.open ?? false,
      why = whyNothing(),
      books = this.#source.files();
    const news = books.filter(({ book }) => book.isNew).map(({ name }) => el("p", {}, `${name} is a new version since you were here.`));
    put(
      this.#place,
      this.#notice,
      news,
      books.some(({ book }) => book.from === "kept" || !navigator.onLine) ? el("p", {}, "There is no network: this is what was kept.") : null,
      why !== null
        ? el("p", { class: "muted" }, why)
        : el(
            "details",
            { open: isOpen || this.#work.size > 0 },
            el("summary", {}, "Without a network"),
            el("p", { class: "muted" }, "What you look at is kept in this browser. A whole book is kept if you ask for it."),
            keepsFiles() ? books.map((one) => this.#row(one)) : el("p", { class: "muted" }, "This browser can't keep whole books."),
          ),
    );
    if (focused) this.#place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  /** A book: what is kept of it, and what can be done. */
  #row(one) {
    const { name, book } = one,
      work = this.#work.get(name),
      button = (text, onclick) => el("button", { type: "button", class: "outlined", "data-key": `${name}-${text}`, onclick }, text);
    const keep = (text) => button(text, () => this.#keep(one));
    const remove = button("Remove", () => this.#remove(one));
    const state = work
      ? [
          work.share === null ? null : el("progress", { max: 1, value: work.share, "aria-label": `${name}: how much has come` }),
          el("span", { class: "muted" }, work.text),
          work.cancel ? button("Cancel", work.cancel) : keep("Try again"),
        ]
      : book.from === "copy"
        ? [el("span", { class: "muted" }, `all of it is kept, ${bytesText(lengthOf(one))}`), book.hasOldCopy ? keep("Update") : null, remove]
        : book.hasOldCopy
          ? [el("span", { class: "muted" }, "an earlier version is kept"), keep("Update"), remove]
          : [keep("Keep all of it"), remove];
    return el("div", { class: "row" }, el("strong", {}, name), state);
  }

  /** Copies a book and its games, if there is room. */
  async #keep(one) {
    const { name, book, games } = one,
      stop = new AbortController(),
      files = [book, games].filter(Boolean);
    const tell = (text, share = null, cancel = () => stop.abort()) => {
      this.#work.set(name, { text, share, cancel });
      this.#draw();
    };
    let shown = 0;
    try {
      tell("asking for room \u2026");
      const sizes = await Promise.all(files.map(({ path }) => sizeOf(path, stop.signal))),
        all = sizes.reduce((sum, size) => sum + size, 0),
        free = await room();
      if (free !== null && free < all + SPARE)
        throw new Error(`It needs ${bytesText(all)}, and this browser has room for ${bytesText(Math.max(0, free - SPARE))}.`);
      // What isn't persistent goes when the browser needs the room: then the page is as it was before.
      await navigator.storage.persist?.().catch(() => false);
      let before = 0;
      for (const [at, { path }] of files.entries()) {
        await copyFile(path, {
          signal: stop.signal,
          digestOf: (blob) => digestOf(blob, path),
          onBytes: (bytes) => {
            if (performance.now() - shown < 100) return;
            shown = performance.now();
            tell(`${bytesText(before + bytes)} of ${bytesText(all)}`, Math.min(1, (before + bytes) / all));
          },
        });
        before += sizes[at];
      }
      await Promise.all(files.map((file) => file.reopen()));
      await Promise.all(files.map(({ path, from }) => (from === "copy" ? forgetRanges(path) : null)));
      this.#changed(name, `All of ${name} is kept.`);
    } catch (problem) {
      this.#work.delete(name);
      if (!stop.signal.aborted) tell(problem.message, null, null);
      else this.#say(`${name} is not kept.`);
    }
    this.#draw();
  }

  async #remove({ name, book, games }) {
    for (const file of [book, games].filter(Boolean)) {
      await forgetCopy(file.path);
      await forgetRanges(file.path);
      await file.reopen().catch(() => {});
    }
    this.#changed(name, `Nothing of ${name} is kept.`);
    this.#draw();
  }

  #changed(name, text) {
    this.#work.delete(name);
    this.#source.forget();
    this.#onChange();
    this.#say(text);
  }

  #say(text) {
    byId("live").textContent = text;
  }
}

const lengthOf = ({ book, games }) => [book, games].filter(Boolean).reduce((sum, { path }) => sum + (keptOf(path).copy?.length ?? 0), 0);

/** How many bytes a file of the host has. */
async function sizeOf(path, signal) {
  const response = await fetch(path, { method: "HEAD", cache: "no-store", signal });
  return Number(response.headers.get("content-length")) || 0;
}

/** The version of a file that came; an error if it isn't sound. */
async function digestOf(blob, path) {
  if (!path.endsWith("-games")) return (await FileBook.open(blob)).info.digest;
  const { GameFile } = await import("../reader/gamefile.js");
  return (await GameFile.open(blob)).info.digest;
}

/** 12.3 MB. */
function bytesText(bytes) {
  const [unit, sign] = bytes < 1e6 ? [1e3, "kB"] : bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${(bytes / unit).toFixed(bytes < 10 * unit ? 1 : 0)} ${sign}`;
}
