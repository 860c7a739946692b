// @ts-check
// Changes the items of a path in place, so that they keep their open parts, selection and
// focus.

import { Idiomorph } from '../../vendor/idiomorph.esm.js';
import { findAll } from '../dom.js';
import { enhanceItems } from './enhance.js';

/**
 * Changes an element into a newer version. <details> keep their open state.
 * @param {Element} old
 * @param {Element} now
 */
export function morphElement(old, now) {
  if (old.outerHTML === now.outerHTML) return;
  Idiomorph.morph(old, now, {
    callbacks: {
      beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ el) => !(name === 'open' && el instanceof HTMLDetailsElement),
    },
  });
}

/**
 * Replaces all pages with one page. Items in both are kept and morphed.
 * @param {HTMLElement} pages
 * @param {Element} page
 */
export function replacePages(pages, page) {
  document.adoptNode(page); // so that kept items do not move into the template's document
  enhanceItems(page);
  const old = new Map(findAll('.entry', pages).map((item) => [item.id, item]));
  for (const item of [...page.children]) {
    const here = old.get(item.id);
    if (!here) continue;
    item.replaceWith(here);
    morphElement(here, item);
  }
  pages.replaceChildren(page);
}

/**
 * Replaces the end of a page with the items that the server sent for a growing path.
 * @param {HTMLElement} page the last page
 * @param {HTMLElement} tail
 */
export function replaceTail(page, tail) {
  document.adoptNode(tail);
  enhanceItems(tail);
  const ids = new Set([...tail.children].map((item) => item.id));
  const items = [...page.children];
  const from = items.findIndex((item) => ids.has(item.id));
  const old = new Map(items.slice(from < 0 ? items.length : from).map((item) => [item.id, item]));
  /** @type {Element | null} */
  let next = items[from] ?? null;
  for (const item of [...tail.children]) {
    const here = old.get(item.id);
    old.delete(item.id);
    if (here) morphElement(here, item);
    const to = here ?? item;
    if (to === next) next = next.nextElementSibling;
    else page.insertBefore(to, next);
  }
  for (const item of old.values()) item.remove();
  for (const name of ['last', 'anchor', 'after', 'total', 'left', 'rev', 'atLeaf', 'atEnd']) page.dataset[name] = tail.dataset[name];
}

/**
 * Removes the items before those of a page that was fetched, unless the focus is in them. The
 * items of the page stay as they are.
 * @param {HTMLElement} pages
 * @param {HTMLElement} page
 * @returns {boolean} false if the items before could not be removed
 */
export function dropItemsBefore(pages, page) {
  const last = pages.lastElementChild, { children } = last ?? {};
  const first = [...children ?? []].findIndex((item) => item.id === page.firstElementChild?.id);
  if (!(last instanceof HTMLElement) || !children || first < 0) return false;
  const dropped = [...pages.children].slice(0, -1).concat([...children].slice(0, first));
  if (dropped.some((el) => el.contains(document.activeElement))) return false;
  for (const el of dropped) el.remove();
  for (const name of ['first', 'skipped']) last.dataset[name] = page.dataset[name];
  return true;
}
