// @ts-check
// Shared helpers: finding elements, fetching fragments, and notifying the viewer.

/**
 * Returns the element with an id that every page has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function requireElement(id) {
  const el = document.getElementById(id);
  if (!el) throw new Error(`the page has no #${id}`);
  return el;
}

/**
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement[]}
 */
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)].filter((el) => el instanceof HTMLElement);

/**
 * Returns the children of an element that have a class. A selector would search all
 * descendants.
 * @param {Element} parent
 * @param {string} name
 * @returns {HTMLElement[]}
 */
export const childrenWithClass = (parent, name) => /** @type {HTMLElement[]} */ ([...parent.children].filter((el) => el.classList.contains(name)));

/**
 * Returns the nearest element that matches a selector: the event's target or an ancestor.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closestElement(event, selector) {
  const el = event.target instanceof Element ? event.target.closest(selector) : null;
  return el instanceof HTMLElement || el instanceof SVGElement ? /** @type {HTMLElement} */ (el) : null;
}

/**
 * A response: its status and the elements of its body.
 * @typedef {{status: number, body: DocumentFragment}} FragmentResponse
 */

/**
 * Where fragments and data come from: the server, or the embedded data of an HTML export.
 * Only a source that cannot be reached throws.
 * @typedef {{fragment: (url: string, signal?: AbortSignal, cache?: RequestCache) => Promise<FragmentResponse>,
 *   json: (url: string, signal?: AbortSignal) => Promise<any>}} DataSource
 */

/** @type {DataSource} */
let dataSource = {
  async fragment(url, signal, cache) {
    const template = document.createElement('template');
    const response = await fetch(url, { signal, cache, headers: { Accept: 'text/html' } });
    if (response.status === 410) location.reload(); // the link was revoked or has expired; the reloaded page explains it
    if (response.redirected) redirectToMovedSession(response.url);
    if (response.ok && response.status !== 205) template.innerHTML = await response.text();
    return { status: response.status, body: template.content };
  },
  async json(url, signal) {
    const response = await fetch(url, { signal });
    return response.ok ? response.json() : null;
  },
};

/**
 * Opens the new address of a session whose file was moved, in the same view.
 * @param {string} url the address that the server redirected to
 */
function redirectToMovedSession(url) {
  const key = /\/sessions\/[^/]+/, to = new URL(url).pathname.match(key)?.[0], from = location.pathname.match(key)?.[0];
  if (to && from && to !== from) location.replace(location.href.replace(from, to));
}

/** @param {DataSource} other */
export const setDataSource = (other) => { dataSource = other; };

/**
 * Fetches a piece of HTML. The caller handles error statuses; only a source that cannot be
 * reached throws.
 * @param {string} url
 * @param {AbortSignal} [signal]
 * @param {RequestCache} [cache] "no-store" skips the browser's cache, whose lookup takes time
 * @returns {Promise<FragmentResponse>}
 */
export async function fetchFragment(url, signal, cache) {
  try {
    return await dataSource.fragment(url, signal, cache);
  } catch (err) {
    throw isAbortError(err) ? err : new UnreachableError();
  }
}

/**
 * Fetches data. It returns null when there is none.
 * @param {string} url
 * @param {AbortSignal} [signal]
 */
export const fetchJSON = (url, signal) => dataSource.json(url, signal);

/** The server cannot be reached. The socket is closed as well, and a banner reports it. */
export class UnreachableError extends Error {}

/**
 * Rethrows an error unless it is an abort or an unreachable server.
 * @param {unknown} err
 */
export function rethrowUnexpected(err) {
  if (!isAbortError(err) && !(err instanceof UnreachableError)) throw err;
}

/**
 * Reports whether an error only means that the request was aborted.
 * @param {unknown} err
 */
export const isAbortError = (err) => err instanceof DOMException && err.name === 'AbortError';

/**
 * Announces a text to assistive technology.
 * @param {string} text
 */
export function announce(text) {
  const el = requireElement('say');
  el.textContent = '';
  requestAnimationFrame(() => { el.textContent = text; });
}

let toastTimer = 0;

/**
 * Shows a short message. It announces text but not elements. The message stays while it has
 * the pointer or the focus.
 * @param {string | HTMLElement} what
 * @param {number} [ms]
 */
export function showToast(what, ms = 2500) {
  const el = requireElement('toast');
  const hide = () => {
    if (el.matches(':hover, :focus-within')) toastTimer = setTimeout(hide, 1000);
    else el.hidden = true;
  };
  el.replaceChildren(what);
  el.hidden = false;
  el.popover = 'manual'; // shown above an open dialog
  el.hidePopover?.();
  el.showPopover?.();
  if (typeof what === 'string') announce(what);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(hide, ms);
}

/** The settings in this browser's local storage, which may be unavailable. */
export const settings = {
  /** @param {string} key */
  get(key) {
    try { return localStorage.getItem(key); } catch { return null; }
  },
  /**
   * @param {string} key
   * @param {string | null} value
   */
  set(key, value) {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch { /* private mode: the setting lasts as long as the page */ }
  },
};

/**
 * Formats a number with its noun: "1 branch", "8 branches".
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
export const pluralize = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

/**
 * Calls fn after the next paint.
 * @param {() => void} fn
 */
export function afterPaint(fn) {
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = fn;
    channel.port2.postMessage(null);
  });
}

/**
 * Highlights an element for two seconds.
 * @param {Element | null | undefined} el
 */
export function flashElement(el) {
  if (!el) return;
  el.classList.remove('is-flash');
  requestAnimationFrame(() => el.classList.add('is-flash'));
  setTimeout(() => el.classList.remove('is-flash'), 2100);
}
