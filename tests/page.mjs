// Plays through the page of `tabia serve` in Chromium: page.mjs ADDRESS TOKEN [SITE [ONLY]]; SITE is a folder of `tabia site` with the books club and othello, if
// there is one, ONLY a pattern of the names of the tests to run. tests/page.sh starts it, with the books it needs. Screenshots go to target/page.
// Anything on the console, a request to another host, or a serious fault that axe-core finds is a failure.

import { asked } from "./page/asked.mjs";
import { board } from "./page/board.mjs";
import { engine } from "./page/engine.mjs";
import { records } from "./page/records.mjs";
import { shelf } from "./page/shelf.mjs";
import { site } from "./page/site.mjs";
import { browser, checked, faults, only } from "./page/support.mjs";
import { views } from "./page/views.mjs";

const tests = { ...board, ...views, ...shelf, ...asked, ...records, ...engine, ...site };
for (const [name, test] of Object.entries(tests)) {
  if (only && !new RegExp(only).test(name)) continue;
  const start = performance.now();
  try {
    await test();
    console.log(`ok ${name} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
  } catch (problem) {
    faults.push(`${name}: ${problem.stack}`);
    console.log(`FAILED ${name}`);
  }
  await Promise.all(browser.contexts().map((context) => context.close()));
}
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${checked(0)} checks, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
