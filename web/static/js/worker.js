// The service worker. It keeps one page and its files for when the server is not running:
// never a page of a session, a fragment or any data. Everything else comes from the server.
// The server defines SHELL in front of this script.

/** Adds the routes of browsers that know them: other requests then do not start the worker. */
function addRoutes(event) {
  const routes = SHELL.files.map((file) => {
    const [pathname, search] = file.split('?');
    return { condition: { urlPattern: { pathname, search } }, source: { cacheName: SHELL.cache } };
  });
  routes.push({ condition: { urlPattern: { pathname: '/share/*' } }, source: 'network' });
  routes.push({ condition: { not: { requestMode: 'navigate' } }, source: 'network' });
  try { return event.addRoutes?.(routes)?.catch(() => {}); } catch { /* the fetch handler does the same */ }
}

addEventListener('install', (event) => {
  const requests = [SHELL.page, ...SHELL.files].map((address) => new Request(address, { cache: 'no-cache' }));
  event.waitUntil(Promise.all([addRoutes(event), caches.open(SHELL.cache).then((cache) => cache.addAll(requests))]));
  skipWaiting();
});

addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([
    enablePreload(),
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELL.cache).map((name) => caches.delete(name)))),
  ]));
});

addEventListener('fetch', (event) => {
  const { request } = event, { origin, pathname, search } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/share/')) return;
  if (request.mode === 'navigate') event.respondWith(navigate(event));
  else if (SHELL.files.includes(pathname + search)) event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
});

/**
 * Lets the browser request a page while the worker starts. In Firefox, a request that fails
 * this way would end in the browser's own error page; there are no routes either.
 */
async function enablePreload() {
  if ('InstallEvent' in self && 'addRoutes' in InstallEvent.prototype) await registration.navigationPreload.enable();
}

/** Returns the server's response, or the kept page if there is no server. */
async function navigate(event) {
  try {
    const response = (await event.preloadResponse) ?? await fetch(event.request);
    if (response.type === 'basic' && response.headers.get('Server') !== 'session-explorer') await removeWorker();
    return response;
  } catch (err) {
    const page = await caches.match(SHELL.page, { cacheName: SHELL.cache });
    if (!page) throw err;
    return page;
  }
}

/** Removes the worker from an address that another program uses now. */
async function removeWorker() {
  await caches.delete(SHELL.cache);
  await registration.unregister();
}
