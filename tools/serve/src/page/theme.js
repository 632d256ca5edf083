// SPDX-License-Identifier: GPL-3.0-or-later
// Light, dark, or as the system has it.

import { byId } from "./dom.js";
import { preferences } from "./state.js";

const THEMES = { auto: "\u25d0 Auto", light: "\u2600\ufe0e Light", dark: "\u263e Dark" };

/** The theme that was chosen when the page was open last. */
export const startTheme = () => setTheme(preferences.get("theme", "auto"));

/** The next one. */
export function nextTheme() {
  const names = Object.keys(THEMES),
    next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
  preferences.set("theme", next);
  setTheme(next);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme in THEMES ? theme : "auto";
  byId("theme").textContent = THEMES[document.documentElement.dataset.theme];
}
