// @ts-check
// Registers the service worker, which shows a page of its own while the server is not running.

/**
 * Registers the worker when the page has nothing else to do. It is for the owner on this
 * computer: not for shares, nor for hosts that a proxy or a tunnel serves.
 */
export function registerWorker() {
  if (!('serviceWorker' in navigator) || location.pathname.startsWith('/share/') || !/^(127\.0\.0\.1|\[::1\]|(.*\.)?localhost)$/.test(location.hostname)) return;
  const register = () => navigator.serviceWorker.register('/worker.js').catch(() => {}); // without it, the browser shows its own page
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(register, { timeout: 5000 }) : setTimeout(register, 1000));
  if (document.readyState === 'complete') whenIdle();
  else addEventListener('load', whenIdle);
}
