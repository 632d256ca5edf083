// Books served by nginx, read by node and by Deno.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { BookReplacedError, LocalBook, RemoteBook, RequestError } from "../src/index.js";
import { readEverything } from "./support/anywhere.js";
import { goldenBook } from "./support/golden.js";
import { layOutGolden } from "./support/golden-folder.js";
import { NO_NGINX, startNginx } from "./support/nginx.js";
import { temporaryFolder } from "./support/tabia.js";

const file = temporaryFolder(), options = { skip: NO_NGINX };
const bytes = goldenBook("columns.tabia"), keys = [...LocalBook.from(bytes).entries()].map(({ key }) => key);
let nginx;
before(async () => {
  if (NO_NGINX) return;
  layOutGolden(file("golden"));
  nginx = await startNginx(file("nginx"), { "/golden/": file("golden") });
});
after(() => nginx?.close());

const fails = (kind) => (error) => error instanceof RequestError && error.kind === kind;

test("all golden books, right and wrong, in node", options, async () => {
  const { keys: compared, refused, wrong } = await readEverything(`${nginx.url}/golden/`);
  assert.deepEqual(wrong, []);
  assert.ok(compared > 17_000 && refused > 180, `${compared} keys, ${refused} refused`);
});

test("all golden books, right and wrong, in Deno", { skip: NO_NGINX || (existsSync(process.env.DENO ?? "") ? false : "Deno is not here (DENO)") }, () => {
  const script = file("deno.js");
  writeFileSync(script, `import { readEverything } from ${JSON.stringify(new URL("support/anywhere.js", import.meta.url).href)};
    console.log(JSON.stringify(await readEverything(${JSON.stringify(`${nginx.url}/golden/`)})));`);
  const allowed = [`--allow-net=${new URL(nginx.url).host}`, `--allow-read=${fileURLToPath(new URL("..", import.meta.url))},${script}`];
  const printed = execFileSync(process.env.DENO, ["run", "--no-config", "--no-remote", ...allowed, script], { encoding: "utf8", env: { ...process.env, DENO_DIR: file("deno") } });
  const { keys: compared, wrong } = JSON.parse(printed);
  assert.deepEqual(wrong, []);
  assert.ok(compared > 17_000);
});

test("many keys are one request, or single ones where nginx allows no more", options, async () => {
  const local = LocalBook.from(bytes);
  for (const [place, most] of [["", 8], ["/single", 200]]) {
    const book = await RemoteBook.open(`${nginx.url}${place}/golden/columns.tabia`, { mergeGap: 0 });
    assert.deepEqual(await book.probeMany(keys), local.probeMany(keys));
    const { requests } = book.traffic;
    assert.ok(requests < most, `${place}: ${requests} requests for ${keys.length} keys`);
    const asked = nginx.log().filter(({ path, range }) => path === `${place}/golden/columns.tabia` && range.includes(","));
    assert.ok(asked.some(({ status }) => status === (place === "" ? 206 : 200)), place);
  }
});

test("no ranges, compression, a redirect, nothing there", options, async () => {
  await assert.rejects(RemoteBook.open(`${nginx.url}/whole/golden/columns.tabia`), fails("no-ranges"));
  await assert.rejects(RemoteBook.open(`${nginx.url}/gzip/golden/columns.tabia`), fails("compressed"));
  await assert.rejects(RemoteBook.open(`${nginx.url}/golden/missing.tabia`), fails("status"));
  const moved = await RemoteBook.open(`${nginx.url}/moved/golden/columns.tabia`);
  assert.deepEqual(await moved.probe(keys[0]), LocalBook.from(bytes).probe(keys[0]));
});

test("a book that is renamed over another is told apart, and reopened", options, async () => {
  writeFileSync(file("golden/moving.tabia"), bytes);
  const book = await RemoteBook.open(`${nginx.url}/golden/moving.tabia`);
  await book.position(keys[0]);
  writeFileSync(file("golden/moving.tabia-new"), goldenBook("columns-example.tabia"));
  renameSync(file("golden/moving.tabia-new"), file("golden/moving.tabia"));
  await assert.rejects(book.position(keys.at(-1)), BookReplacedError);
  const again = await book.reopen();
  assert.equal((await again.position("463b96181691fc9c")).games, 4);
});
