// The package as others get it: what it exports is what it declares, and the code in README.md runs and prints what its comments say.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { goldenBook } from "./support/golden.js";
import { serve } from "./support/server.js";
import { temporaryFolder } from "./support/tabia.js";

const file = temporaryFolder(), ROOT = new URL("../", import.meta.url), read = (path) => readFileSync(new URL(path, ROOT), "utf8");
const { exports, files, name: PACKAGE } = JSON.parse(read("package.json"));
const modules = Object.entries(exports).filter(([, paths]) => typeof paths === "object");

for (const [path, { types, default: source }] of modules) {
  test(`${path}: what is declared is there, and nothing else`, async () => {
    const declared = [...read(types).matchAll(/^export (?:class|function|const) (\w+)/gm)].map(([, one]) => one);
    assert.deepEqual([...new Set(declared)].sort(), Object.keys(await import(new URL(source, ROOT).href)).sort());
  });
}

test("the files of the package are there", () => {
  for (const one of files) assert.ok(existsSync(new URL(one, ROOT)), one);
});

const blocks = [...read("README.md").matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);

test("README.md has code", () => assert.equal(blocks.length, 5));
for (const [i, code] of blocks.entries()) {
  test(`README.md, code ${i + 1}`, async () => {
    const book = goldenBook("example.tabia"), shares = [1, 2, 3, 4].map((i) => [`/masters/${i}.tabia`, goldenBook(`share-${i - 1}.tabia`)]);
    const server = await serve({ "/masters.tabia": book, ...Object.fromEntries(shares) });
    try {
      writeFileSync(file("masters.tabia"), book);
      const runnable = code
        .replace(/"(@tabia\/reader[^"]*)"/g, (_, one) => JSON.stringify(new URL(exports[one.replace(PACKAGE, ".")].default, ROOT).href))
        .replaceAll("https://example.org", server.url)
        .replaceAll('"masters.tabia"', JSON.stringify(file("masters.tabia")));
      writeFileSync(file(`block${i}.mjs`), `export const printed = [], console = { log: (...values) => printed.push(values) };\n${runnable}`);
      const { printed } = await import(pathToFileURL(file(`block${i}.mjs`)).href);
      const wanted = [...code.matchAll(/\/\/ (.*)$/gm)].map(([, text]) => text);
      assert.deepEqual(printed.map((values) => values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ")), wanted);
    } finally {
      await server.close();
    }
  });
}
