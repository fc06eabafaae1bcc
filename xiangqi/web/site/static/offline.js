/* Service worker: keeps all files of the site, so that it works without a network.
 * kept.js has their names, and a version that changes with their content. */
"use strict";

importScripts("kept.js");

const PREFIX = "meihua-"; // of the names of its caches
const CACHE = PREFIX + self.siteFiles.version;

addEventListener("install", (event) => {
  const fresh = self.siteFiles.names.map((name) => new Request(name, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => {
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    return Promise.all(old.map((name) => caches.delete(name)));
  }));
});

addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

/* The kept file, or what the network has; the folder itself is its index page. */
async function answer(request) {
  const url = request.url === self.registration.scope ? `${request.url}index.html` : request.url;
  const cache = await caches.open(CACHE);
  return await cache.match(url, { ignoreSearch: true }) ?? fetch(request);
}
