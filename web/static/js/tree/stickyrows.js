// @ts-check
// The rows of the branches that the first visible row is in, at the top of the tree after they
// have scrolled out.

import { closestElement, createElement } from '../dom.js';

const MAX_ROWS = 3; // of the innermost branches

/** @param {import('../session.js').SessionPage} session */
export function startStickyRows({ rows, tree }) {
  const bar = createElement('div', 'sticky-rows');
  bar.setAttribute('aria-hidden', 'true'); // the rows are in the tree
  tree.before(bar);
  let shown = '';
  rows.onRowsPainted(() => {
    const branches = findScrolledBranches(rows);
    const key = branches.map((row) => row.outerHTML).join();
    if (key === shown) return;
    shown = key;
    bar.replaceChildren(...branches.map(copyRow));
  });
  bar.addEventListener('click', (event) => {
    const row = closestElement(event, '.row');
    if (!row) return;
    event.preventDefault();
    event.stopPropagation();
    rows.scrollToRow(Number(row.dataset.row));
  }, true);
  rows.paintRows();
}

/**
 * Returns the rows of the branches that the first row below the bar is in, outermost first.
 * @param {import('../virtualrows/virtualrows.js').VirtualRows} rows
 */
function findScrolledBranches(rows) {
  const { first } = rows.visibleRange;
  for (let n = 0; ; n++) { // rows that the bar covers
    const branches = branchesAround(rows, first + n);
    if (branches.length <= n) return branches;
  }
}

/**
 * Returns the rows of the innermost branches that a row is in, outermost first. It is none
 * while a row is not loaded; it is fetched then, and the rows are painted again.
 * @param {import('../virtualrows/virtualrows.js').VirtualRows} rows
 * @param {number} i index of the row
 * @returns {HTMLElement[]}
 */
function branchesAround(rows, i) {
  const found = [];
  for (let row = rows.rowAt(i), up = -1; row && found.length < MAX_ROWS; row = rows.rowAt(up)) {
    if (up >= 0) found.unshift(row);
    if ((up = Number(row.dataset.parentRow ?? -1)) < 0) break;
    if (!rows.rowAt(up)) {
      rows.cache.loadRow(up).then((loaded) => { if (loaded) rows.paintRows(); });
      return [];
    }
  }
  return found;
}

/**
 * Returns a copy of a row for the pointer only.
 * @param {HTMLElement} row
 */
function copyRow(row) {
  const copy = /** @type {HTMLElement} */ (row.cloneNode(true));
  for (const name of copy.getAttributeNames()) if (!['class', 'data-row', 'aria-expanded'].includes(name)) copy.removeAttribute(name);
  copy.classList.remove('is-parked', 'is-selected', 'is-flash');
  for (const link of copy.querySelectorAll('a')) link.tabIndex = -1;
  return copy;
}
