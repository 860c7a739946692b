// @ts-check
// Scrolling of the path: loading more pages, stepping through prompts, and the ruler at the
// right edge.

import { closestElement, findAll, requireElement } from '../dom.js';
import { announce } from '../notify.js';
import { rethrowUnexpected } from '../server.js';

/** @typedef {import('../session.js').SessionPage} SessionPage */

// How far from what is on the screen the end of a page may be, in pixels, until the next page is
// loaded: far enough that scrolling shows no gap, once somebody uses the page.
const reachAtFirst = 100, reachInUse = 900;

/** @param {SessionPage} session */
export function startPathScroll(session) {
  const { path, main } = session;
  let busy = false, reach = reachAtFirst;
  const extend = async (/** @type {'before' | 'after'} */ side) => {
    if (busy) return;
    busy = true;
    let loaded = false;
    try { loaded = await path.loadAdjacentPage(side); } catch (err) { rethrowUnexpected(err); } finally { busy = false; }
    if (loaded) loadNearPages(); // else the next scroll tries again
  };
  const isNear = (/** @type {string} */ id) => {
    const el = requireElement(id);
    if (el.hidden) return false;
    const box = el.getBoundingClientRect(), view = main.getBoundingClientRect();
    return box.bottom > view.top - reach && box.top < view.bottom + reach;
  };
  const loadNearPages = () => {
    if (isNear('path-before')) extend('before');
    else if (isNear('path-after')) extend('after');
  };
  const used = new AbortController();
  for (const type of ['pointermove', 'pointerdown', 'wheel', 'keydown']) {
    document.addEventListener(type, () => {
      used.abort();
      reach = reachInUse;
      loadNearPages();
    }, { passive: true, signal: used.signal });
  }
  main.addEventListener('scroll', loadNearPages, { passive: true });
  const watch = new IntersectionObserver(loadNearPages, { root: main, rootMargin: reachInUse + 'px 0px' }); // for what grows or shrinks
  watch.observe(requireElement('path-before'));
  watch.observe(requireElement('path-after'));
  document.addEventListener('path-changed', () => requestAnimationFrame(loadNearPages));
  main.addEventListener('click', (event) => {
    const link = closestElement(event, '.path-more');
    if (!link) return;
    event.preventDefault();
    extend(link.id === 'path-before' ? 'before' : 'after');
  });
  startRuler(session);
}

/**
 * Scrolls to the next or previous prompt. It fetches pages until it finds one.
 * @param {SessionPage} session
 * @param {1 | -1} step
 */
export async function scrollToPrompt(session, step) {
  const { path, main } = session;
  const line = requireElement('facts').getBoundingClientRect().bottom + 20;
  for (let tries = 0; tries < 100; tries++) {
    const prompts = findAll('.entry--user', path.container);
    const below = (/** @type {HTMLElement} */ el) => el.getBoundingClientRect().top - line;
    const to = step > 0 ? prompts.find((el) => below(el) > 4) : prompts.findLast((el) => below(el) < -4);
    if (to) {
      main.scrollTop += below(to) + 6;
      return;
    }
    if (!await path.loadAdjacentPage(step > 0 ? 'after' : 'before')) break;
  }
  announce(step > 0 ? 'No further prompt.' : 'No earlier prompt.');
}

/** @param {SessionPage} session */
function startRuler(session) {
  const draw = () => {
    const view = requireElement('ruler-view'), { from, to } = visibleFractions(session), { main } = session;
    const scrolls = main.scrollHeight > main.clientHeight; // else all of the path is visible, and no part is marked
    view.setAttribute('y', (from * 100).toFixed(2) + '%');
    view.setAttribute('height', scrolls ? Math.max(0.6, (to - from) * 100).toFixed(2) + '%' : '0');
  };
  let due = false;
  const drawSoon = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => { due = false; draw(); });
  };
  session.main.addEventListener('scroll', drawSoon, { passive: true });
  document.addEventListener('path-changed', drawSoon);
  session.onFactsChange(drawSoon);
  drawSoon();
  document.addEventListener('click', (event) => clickRuler(session, event));
}

/**
 * Returns the part of the path that is on the screen.
 * @param {SessionPage} session
 */
export function visibleFractions({ path, main }) {
  const box = main.getBoundingClientRect();
  return { from: pathFraction(path.pages, box.top + 40), to: pathFraction(path.pages, box.bottom) };
}

/**
 * Returns the fraction of the path above a vertical position of the screen.
 * @param {HTMLElement[]} pages
 * @param {number} y
 */
function pathFraction(pages, y) {
  let at = 0;
  for (const page of pages) {
    const total = Number(page.dataset.total) || 1, skipped = Number(page.dataset.skipped);
    const n = total - skipped - Number(page.dataset.left);
    const box = page.getBoundingClientRect();
    if (y < box.top) break;
    at = (skipped + n * Math.min(1, (y - box.top) / Math.max(1, box.height))) / total;
  }
  return Math.min(1, at);
}

/**
 * Handles a click on the ruler. Near a tick it follows the tick. Elsewhere it scrolls to
 * that part of the path, or follows the nearest tick if that part is not loaded.
 * @param {SessionPage} session
 * @param {MouseEvent} event
 */
function clickRuler(session, event) {
  const ruler = closestElement(event, '.ruler');
  if (!ruler || closestElement(event, 'a')) return;
  const box = ruler.getBoundingClientRect();
  if (!clickNearestTick(ruler, event.clientY, 10) && !scrollToFraction(session, (event.clientY - box.top) / box.height)) clickNearestTick(ruler, event.clientY, Infinity);
}

/**
 * Scrolls to a fraction of the path if it is loaded, the inverse of pathFraction.
 * @param {SessionPage} session
 * @param {number} part
 */
export function scrollToFraction({ path, main }, part) {
  for (const page of path.pages) {
    const total = Number(page.dataset.total) || 1, skipped = Number(page.dataset.skipped);
    const n = total - skipped - Number(page.dataset.left), at = part * total - skipped;
    if (at < 0 || at > n) continue;
    const box = page.getBoundingClientRect();
    main.scrollTop += box.top + box.height * at / Math.max(1, n) - requireElement('facts').getBoundingClientRect().bottom;
    return true;
  }
  return false;
}

/**
 * Clicks the tick nearest to a vertical position of the screen.
 * @param {HTMLElement} ruler
 * @param {number} y
 * @param {number} maxDistance the largest distance
 */
function clickNearestTick(ruler, y, maxDistance) {
  let best = null;
  for (const line of ruler.querySelectorAll('line')) {
    const d = Math.abs(line.getBoundingClientRect().top - y);
    if (d < maxDistance) [best, maxDistance] = [line, d];
  }
  best?.closest('a')?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  return best !== null;
}
