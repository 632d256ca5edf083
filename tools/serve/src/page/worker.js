// SPDX-License-Identifier: GPL-3.0-or-later
// The service worker of a static host's page: keeps the page's own files, so that it opens without a network. What stands before it, written by `tabia site`, says
// which files they are, and names this version of them. Books are not its affair: see keep.js.

/* global SITE */

const PREFIX = `tabia-page ${registration.scope} `,
  NAME = PREFIX + SITE.version,
  FILES = new Set(SITE.files);

addEventListener("install", (event) => event.waitUntil(keepAll()));

async function keepAll() {
  const cache = await caches.open(NAME);
  await cache.addAll(SITE.files.map((path) => new Request(new URL(path, registration.scope), { cache: "reload" })));
}

addEventListener("activate", (event) => event.waitUntil(takeOver()));

/** Removes the files of earlier versions, whose pages are gone by now. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
  await clients.claim();
}

/** A page asks for the new version at once. */
addEventListener("message", ({ data }) => data === "use" && skipWaiting());

addEventListener("fetch", (event) => {
  const { method, url, headers } = event.request,
    [address] = url.split(/[?#]/);
  if (method !== "GET" || headers.has("range") || !address.startsWith(registration.scope)) return;
  const path = address.slice(registration.scope.length) || "index.html";
  if (FILES.has(path)) event.respondWith(answer(event.request, path));
});

async function answer(request, path) {
  const cache = await caches.open(NAME);
  return (await cache.match(new URL(path, registration.scope))) ?? fetch(request);
}
