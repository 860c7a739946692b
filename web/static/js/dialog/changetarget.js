// @ts-check
// The entry that a shortcut or command acts on: the focused row, else the focused item,
// else the viewed entry.

import { readFacts } from '../view.js';

/**
 * @param {import('../session.js').SessionPage} session
 * @param {Element | null} el the focused element, or the one before a dialog was opened
 * @returns {{entry: string, row: Element | null, branchEntry: string}} branchEntry is where a branch
 * begins; at the leaf it is the leaf, even if entry is before it
 */
export function findTarget(session, el) {
  const row = el?.closest('#tree .row');
  if (row instanceof HTMLElement && row.dataset.entry) return { entry: row.dataset.entry, row, branchEntry: row.dataset.entry };
  const item = el?.closest('#path .tool[data-entry], #path .entry[data-entry]');
  if (item instanceof HTMLElement && item.dataset.entry) return { entry: item.dataset.entry, row: item, branchEntry: item.dataset.entry };
  const leaf = readFacts().leaf === 'none' ? '' : readFacts().leaf;
  const entry = session.view.entry || leaf && lastVisibleEntry(session.path, leaf);
  const near = session.rows.rowAt(session.rows.selectedIndex);
  const shown = near?.isConnected && near.dataset.entry === entry && near.checkVisibility({ visibilityProperty: true });
  return { entry, row: shown ? near : session.path.findItem(entry), branchEntry: session.view.entry || leaf };
}

/**
 * Returns the last visible entry at the leaf. The leaf itself may be the line of a label or
 * name, which has no row.
 * @param {import('../path/path.js').PathPane} path
 * @param {string} leaf
 */
function lastVisibleEntry(path, leaf) {
  const end = path.findItem(leaf);
  if (!path.hasLastPage || end && !end.matches('.note-part, .entry--note, .entry--compaction')) return leaf;
  const items = path.container.querySelectorAll('.entry[data-entry]:not(.entry--note, .entry--compaction, .entry--fork, .entry--join, .entry--leaf, .entry--end), .tool[data-entry]');
  const last = items[items.length - 1];
  return last instanceof HTMLElement && last.dataset.entry || leaf;
}
