// @ts-check
// Moving the focus through the rows of a list of sessions.

import { findAll } from './dom.js';

/**
 * Moves the focus to the link of the next or previous row, or to the first link if no row has
 * the focus.
 * @param {string} links selects the links, one per row
 * @param {string} rows selects the rows
 * @param {1 | -1} direction
 */
export function moveRowFocus(links, rows, direction) {
  const all = findAll(links), row = document.activeElement?.closest(rows);
  const at = row ? all.findIndex((link) => link.closest(rows) === row) : -1;
  all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + direction))]?.focus();
}

/**
 * Returns the commands of the keys that move the focus.
 * @param {string} links
 * @param {string} rows
 * @returns {Record<string, () => unknown>}
 */
export function rowFocusKeys(links, rows) {
  const next = () => moveRowFocus(links, rows, 1), previous = () => moveRowFocus(links, rows, -1);
  return { j: next, k: previous, ArrowDown: next, ArrowUp: previous };
}
