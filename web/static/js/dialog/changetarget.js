// @ts-check
// What a key or a command is about: the focused row, else the item that has the
// focus, else the viewed entry.

import { readFacts } from '../view.js';

/**
 * @param {import('../session.js').SessionPage} session
 * @param {Element | null} el what has the focus, or had it before a dialog was opened
 * @returns {{entry: string, row: Element | null, place: string}} place is where a
 *   branch begins: at the leaf that is the leaf itself, also when entry is before it
 */
export function findTarget(session, el) {
  const row = el?.closest('#tree .row');
  if (row instanceof HTMLElement && row.dataset.entry) return { entry: row.dataset.entry, row, place: row.dataset.entry };
  const item = el?.closest('#path .tool[data-entry], #path .entry[data-entry]');
  if (item instanceof HTMLElement && item.dataset.entry) return { entry: item.dataset.entry, row: item, place: item.dataset.entry };
  const leaf = readFacts().leaf === 'none' ? '' : readFacts().leaf;
  const entry = session.view.entry || leaf && lastVisibleEntry(session.path, leaf);
  const near = session.rows.rowAt(session.rows.selectedIndex);
  const shown = near?.isConnected && near.dataset.entry === entry && near.checkVisibility({ visibilityProperty: true });
  return { entry, row: shown ? near : session.path.findItem(entry), place: session.view.entry || leaf };
}

/**
 * What a reader at the leaf takes for the last entry: not the line of a label or a
 * name that was just set, which is the leaf then but has no row.
 * @param {import('../path/path.js').PathPane} path
 * @param {string} leaf
 */
function lastVisibleEntry(path, leaf) {
  const end = path.findItem(leaf);
  if (!path.hasLastPage || end && !end.matches('.note-part, .entry--note, .entry--pack')) return leaf;
  const items = path.container.querySelectorAll('.entry[data-entry]:not(.entry--note, .entry--pack, .entry--fork, .entry--join, .entry--leaf, .entry--end), .tool[data-entry]');
  const last = items[items.length - 1];
  return last instanceof HTMLElement && last.dataset.entry || leaf;
}
