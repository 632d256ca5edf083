// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader does - presses, types, drops - as calls of what the page can do.

import { byId, isTyping } from "./dom.js";
import { focusRow } from "./table.js";
import { nextTheme } from "./theme.js";

/**
 * Listens to buttons, fields and keys. `page` has isReady(), toPly(ply), ply(), plies(), flip(), pass(), type(text), setUp(text), open(file), copyLine(), saveLine(), to(historyState),
 * tab(number), view(name), choice(), side(), arrows(), addTab(), closeTab().
 */
export function listen(page) {
  const on = (id, what, listener) => byId(id).addEventListener(what, listener);
  const onClick = (id, act) => on(id, "click", () => page.isReady() && act());
  const help = () => byId("help").showModal();
  const submitted = (listener) => (event) => (event.preventDefault(), listener());
  onClick("to-start", () => page.toPly(0));
  onClick("back", () => page.toPly(page.ply() - 1));
  onClick("forth", () => page.toPly(page.ply() + 1));
  onClick("to-end", () => page.toPly(page.plies()));
  onClick("flip", () => page.flip());
  onClick("pass", () => page.pass());
  on("theme", "click", () => nextTheme());
  on("help-button", "click", help);
  on("copy", "click", copy);
  onClick("copy-line", () => page.copyLine());
  onClick("save-line", () => page.saveLine());
  on(
    "move-form",
    "submit",
    submitted(() => {
      const text = byId("move-text").value.trim();
      if (text && page.type(text)) byId("move-text").value = "";
    }),
  );
  on(
    "setup-form",
    "submit",
    submitted(() => page.setUp(byId("setup-text").value.trim())),
  );
  on("record-file", "change", ({ target }) => page.open(target.files[0]).then(() => (target.value = "")));
  addEventListener("popstate", ({ state }) => page.to(state));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => (event.preventDefault(), page.open(event.dataTransfer.files[0])));

  const keys = {
    ArrowLeft: () => page.toPly(page.ply() - 1),
    ArrowRight: () => page.toPly(page.ply() + 1),
    Home: () => page.toPly(0),
    End: () => page.toPly(page.plies()),
    ArrowDown: () => focusRow(byId("view"), 1),
    ArrowUp: () => focusRow(byId("view"), -1),
    f: () => page.flip(),
    t: nextTheme,
    "?": help,
    "/": () => byId("move-text").focus(),
    b: () => page.choice(),
    s: () => page.side(),
    a: () => page.arrows(),
    m: () => page.view("moves"),
    c: () => page.view("compare"),
    d: () => page.view("diff"),
    v: () => page.view("coverage"),
    g: () => byId("filter").querySelector("button, select")?.focus(),
    n: () => page.addTab(),
    x: () => page.closeTab(),
  };
  addEventListener("keydown", (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || !page.isReady()) return;
    const act = /^[1-9]$/.test(event.key) ? () => page.tab(Number(event.key) - 1) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function copy() {
  navigator.clipboard?.writeText(byId("setup-text").value).then(
    () => (byId("live").textContent = "Copied."),
    () => {},
  );
}
