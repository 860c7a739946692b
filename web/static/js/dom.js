// @ts-check
// Helpers for elements of the page.

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

/** Whether the window is as narrow as that of a phone. */
export const narrow = matchMedia('(max-width: 760px)');

/**
 * Returns a new element with a class and contents.
 * @param {string} tag
 * @param {string} className
 * @param {...(string | Node)} content
 */
export function createElement(tag, className, ...content) {
  const el = document.createElement(tag);
  if (className) el.className = className;
  el.append(...content);
  return el;
}

/**
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement[]}
 */
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)].filter((el) => el instanceof HTMLElement);

/**
 * Returns the children of an element that have one of some classes. A selector would search
 * all descendants.
 * @param {Element} parent
 * @param {string[]} names
 * @returns {HTMLElement[]}
 */
export const childrenWithClass = (parent, ...names) => /** @type {HTMLElement[]} */ ([...parent.children].filter((el) => names.some((name) => el.classList.contains(name))));

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
 * Returns the index of the first of several elements, each below the one before, whose lower
 * edge is below a vertical position of the screen; their number if there is none. Elements
 * that are not displayed may be among them, also at the index.
 * @param {Element[]} elements
 * @param {number} y
 */
export function firstIndexBelow(elements, y) {
  let low = 0, high = elements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    let shown = middle;
    while (shown < high && elements[shown].getClientRects().length === 0) shown++;
    if (shown < high && elements[shown].getBoundingClientRect().bottom <= y) low = shown + 1;
    else high = middle;
  }
  return low;
}

const PAINT_TIMEOUT = 100; // ms

/** Resolves after the next paint, or soon: a hidden tab is not painted. */
export function nextPaint() {
  return new Promise((done) => {
    afterPaint(() => done(undefined));
    setTimeout(done, PAINT_TIMEOUT);
  });
}

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
