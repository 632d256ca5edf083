// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for what the page shows first while the modules that show it are still on their way: the source keeps the answer for them. What is wrong is told where
// it is shown.

import { opened } from "./source.js";
import { ofAddress, played } from "./state.js";
import { settled, tabsOf } from "./tabs.js";

opened()
  .then(({ source, books }) => {
    if (books.length === 0) return null;
    const state = settled(ofAddress(location.hash), books),
      { tabs, at } = tabsOf(state, books);
    return source.explore(tabs[at], state.fen, played(state));
  })
  .catch(() => {});
