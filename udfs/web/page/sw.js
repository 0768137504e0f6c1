// Keeps the files of the page, and gives them to it with or without a network. The build puts its name in here, so that
// every other build is a new service worker: it keeps its own files, and takes over when the page says so.

const BUILD = "not built";
const KEPT = `valet_xl ${BUILD}`;
const OURS = /^valet_xl /;
const NOT_KEPT = /^addin\//; // the add-in needs its program's network anyway

self.addEventListener("install", (event) => event.waitUntil(keepAll()));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (OURS.test(name) && name !== KEPT) await caches.delete(name);
  await self.clients.claim();
})()));

self.addEventListener("message", ({ data }) => { if (data === "take over") self.skipWaiting(); });

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const url = new URL(request.url);
    url.search = url.hash = "";
    if (url.href === self.registration.scope) url.pathname += "index.html";
    const cache = await caches.open(KEPT);
    return (await cache.match(url.href)) ?? fetch(request);
  })());
});

async function keepAll() {
  const contents = await fetch("bundle.json", { cache: "no-store" });
  const { build, files } = await contents.clone().json();
  if (build !== BUILD) throw new Error(`the files are of build ${build}, not ${BUILD}`);
  const names = Object.keys(files).filter((name) => !NOT_KEPT.test(name) && name !== "sw.js");
  const all = names.reduce((sum, name) => sum + files[name].size, 0);
  const cache = await caches.open(KEPT);
  const older = await Promise.all((await caches.keys()).filter((name) => OURS.test(name) && name !== KEPT).map(contentsOf));
  let kept = 0;
  const add = (size) => { kept += size; tell(kept, all); };
  for (const name of names) {
    const { sha256, size } = files[name];
    const old = older.find((each) => each.files[name]?.sha256 === sha256);
    const there = old && (await old.cache.match(new URL(name, self.registration.scope).href));
    await cache.put(new URL(name, self.registration.scope), there ?? (await fetched(name, sha256, add)));
    if (there) add(size);
  }
  await cache.put(new URL("bundle.json", self.registration.scope), contents);
}

/** The files of an older build, so that what is the same is not fetched again. */
async function contentsOf(name) {
  const cache = await caches.open(name);
  const contents = await cache.match(new URL("bundle.json", self.registration.scope).href);
  return { cache, files: contents ? (await contents.json()).files : {} };
}

/** A file from the network, whole and what the list says; add is called with the size of every part that arrives. */
async function fetched(name, sha256, add) {
  const integrity = `sha256-${btoa(String.fromCharCode(...sha256.match(/../g).map((pair) => parseInt(pair, 16))))}`;
  const response = await fetch(name, { cache: "no-cache", integrity });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const parts = [];
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    add(value.byteLength);
  }
  const headers = new Headers(response.headers);
  for (const header of ["content-encoding", "content-length"]) headers.delete(header);
  return new Response(new Blob(parts), { headers });
}

let told = 0;
async function tell(kept, all) {
  if (kept < all && kept - told < 200_000) return;
  told = kept;
  for (const client of await self.clients.matchAll({ includeUncontrolled: true })) client.postMessage({ kept, of: all });
}
