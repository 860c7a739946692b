// @ts-check
// Small things every module needs: finding elements, fetching fragments, saying
// something to the reader.

/**
 * The element with an id that the page is known to have.
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
 * The children of an element with a class. A selector would look through all that
 * is below them as well.
 * @param {Element} parent
 * @param {string} name
 * @returns {HTMLElement[]}
 */
export const childrenWithClass = (parent, name) => /** @type {HTMLElement[]} */ ([...parent.children].filter((el) => el.classList.contains(name)));

/**
 * The nearest element above an event's target that fits a selector.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closestElement(event, selector) {
  const el = event.target instanceof Element ? event.target.closest(selector) : null;
  return el instanceof HTMLElement || el instanceof SVGElement ? /** @type {HTMLElement} */ (el) : null;
}

/**
 * An answer of the server: its status and the elements of its body.
 * @typedef {{status: number, body: DocumentFragment}} FragmentResponse
 */

/**
 * Who answers what a page asks: the server, or in a page that stands by itself what
 * it holds. Only one that cannot be reached throws.
 * @typedef {{fragment: (url: string, signal?: AbortSignal, cache?: RequestCache) => Promise<FragmentResponse>,
 *   json: (url: string, signal?: AbortSignal) => Promise<any>}} DataSource
 */

/** @type {DataSource} */
let dataSource = {
  async fragment(url, signal, cache) {
    const template = document.createElement('template');
    const answer = await fetch(url, { signal, cache, headers: { Accept: 'text/html' } });
    if (answer.status === 410) location.reload(); // the link has ended: the page says so
    if (answer.redirected) redirectToMovedSession(answer.url);
    if (answer.ok && answer.status !== 205) template.innerHTML = await answer.text();
    return { status: answer.status, body: template.content };
  },
  async json(url, signal) {
    const answer = await fetch(url, { signal });
    return answer.ok ? answer.json() : null;
  },
};

/**
 * Goes to the new address of a session whose file was moved, in the same view.
 * @param {string} url where the server sent a request about the session
 */
function redirectToMovedSession(url) {
  const key = /\/sessions\/[^/]+/, to = new URL(url).pathname.match(key)?.[0], from = location.pathname.match(key)?.[0];
  if (to && from && to !== from) location.replace(location.href.replace(from, to));
}

/** @param {DataSource} other */
export const setDataSource = (other) => { dataSource = other; };

/**
 * Asks for a piece of HTML. A status that is no success is the caller's matter;
 * only a server that does not answer throws.
 * @param {string} url
 * @param {AbortSignal} [signal]
 * @param {RequestCache} [cache] "no-store" where no answer is worth keeping: looking for one takes time
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
 * Asks for data, null when there is none.
 * @param {string} url
 * @param {AbortSignal} [signal]
 */
export const fetchJSON = (url, signal) => dataSource.json(url, signal);

/** The server does not answer; the socket is lost as well, and a banner says so. */
export class UnreachableError extends Error {}

/**
 * Lets pass that nobody waits for an answer any more, or that none comes.
 * @param {unknown} err
 */
export function rethrowUnexpected(err) {
  if (!isAbortError(err) && !(err instanceof UnreachableError)) throw err;
}

/**
 * Whether an error only says that nobody waits for the answer any more.
 * @param {unknown} err
 */
export const isAbortError = (err) => err instanceof DOMException && err.name === 'AbortError';

/**
 * Tells assistive technology.
 * @param {string} text
 */
export function announce(text) {
  const el = requireElement('say');
  el.textContent = '';
  requestAnimationFrame(() => { el.textContent = text; });
}

let toastTimer = 0;

/**
 * Shows a short message and says it; an element is not said. Whoever points at it
 * or has the focus in it keeps it.
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
  el.popover = 'manual'; // above a dialog, should one be open
  el.hidePopover?.();
  el.showPopover?.();
  if (typeof what === 'string') announce(what);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(hide, ms);
}

/** The settings of this browser; a browser that keeps none is fine. */
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
    } catch { /* private mode: the choice lasts as long as the page */ }
  },
};

/**
 * A number with its noun.
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
export const pluralize = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

/**
 * Calls fn once the page has been painted with what was just changed.
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
