// @ts-check
// The scroll positions of each view, stored in the browser's history, so that Back and
// Forward restore them.

import { childrenWithClass, firstIndexBelow } from './dom.js';
import { parseView } from './view.js';

/**
 * @typedef {{row: {id: string, i: number, y: number} | null, item: {id: string, entry: string, y: number} | null}} ScrollState
 * @typedef {import('./session.js').SessionPage} SessionPage
 */

/**
 * Returns the first visible row and item.
 * @param {SessionPage} session
 * @returns {ScrollState}
 */
function readScrollState(session) {
  const i = session.rows.visibleRange.first + 1;
  const anchor = session.rows.anchorAt(i);
  return { row: anchor && { ...anchor, i }, item: firstVisibleItem(session) };
}

/**
 * Returns the first visible item of the path.
 * @param {SessionPage} session
 */
export function firstVisibleItem(session) {
  const top = session.main.getBoundingClientRect().top + 40;
  for (const page of session.path.pages) {
    if (page.getBoundingClientRect().bottom < top) continue;
    const items = childrenWithClass(page, 'entry');
    const item = items.slice(firstIndexBelow(items, top)).find((el) => el.dataset.entry && el.checkVisibility());
    if (item) return { id: item.id, entry: item.dataset.entry ?? '', y: item.getBoundingClientRect().top };
  }
  return null;
}

/**
 * Stores the scroll state of the shown view in the history and restores it on Back.
 * @param {SessionPage} session
 */
export function startScrollState(session) {
  history.scrollRestoration = 'manual';
  let timer = 0;
  const storeState = () => {
    clearTimeout(timer);
    timer = 0;
    history.replaceState(readScrollState(session), '');
  };
  const storeSoon = () => { timer ||= setTimeout(storeState, 250); };
  session.main.addEventListener('scroll', storeSoon, { passive: true });
  session.tree.addEventListener('scroll', storeSoon, { passive: true });
  addEventListener('resize', storeSoon);
  // Reading the state of a view that was not scrolled would need a layout in the middle of a click.
  document.addEventListener('leaving', () => { if (timer || !history.state) storeState(); });
  addEventListener('popstate', (event) => {
    clearTimeout(timer);
    timer = 0;
    session.showView(parseView(location.href), { history: 'none', scrollState: event.state });
  });
}
