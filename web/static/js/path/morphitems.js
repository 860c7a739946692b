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
  const { kept, old } = adoptTail(page, tail);
  /** @type {Element | null} */
  let next = kept < page.children.length ? page.children[kept] : null;
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
 * Moves the end of a page to a page of its own, with the items that the server sent for a
 * growing path. It reports false and changes nothing if no item would remain or the focus is in
 * what would move.
 * @param {HTMLElement} page the last page
 * @param {HTMLElement} tail
 */
export function splitPage(page, tail) {
  const { kept, old } = adoptTail(page, tail);
  if (kept === 0 || [...old.values()].some((item) => item.contains(document.activeElement))) return false;
  for (const item of [...tail.children]) {
    const here = old.get(item.id);
    if (!here) continue;
    morphElement(here, item);
    item.replaceWith(here);
    old.delete(item.id);
  }
  for (const item of old.values()) item.remove();
  const { anchor: last } = page.dataset, { total, skipped } = tail.dataset;
  Object.assign(page.dataset, { last, total, left: String(Number(total) - Number(skipped)), atLeaf: 'false', atEnd: 'false' });
  page.after(tail);
  return true;
}

/**
 * Prepares the items that the server sent for the end of a page. Returns how many items of the
 * page come before them, and the others by their ids.
 * @param {HTMLElement} page
 * @param {HTMLElement} tail
 */
function adoptTail(page, tail) {
  document.adoptNode(tail);
  enhanceItems(tail);
  const ids = new Set([...tail.children].map((item) => item.id));
  const items = [...page.children], from = items.findIndex((item) => ids.has(item.id));
  const kept = from < 0 ? items.length : from;
  return { kept, old: new Map(items.slice(kept).map((item) => [item.id, item])) };
}
