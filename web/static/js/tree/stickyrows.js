// @ts-check
// The rows of the branches that the first visible row is in, at the top of the tree after they
// have scrolled out.

import { closestElement, createElement } from '../dom.js';

const MAX_ROWS = 3; // of the innermost branches
const LOAD_DELAY = 150; // ms of rest until a row far above is fetched

/** @param {import('../session.js').SessionPage} session */
export function startStickyRows({ rows, tree }) {
  const bar = createElement('div', 'sticky-rows');
  bar.setAttribute('aria-hidden', 'true'); // the rows are in the tree
  tree.before(bar);
  let shown = '', timer = 0;
  const loadSoon = (/** @type {number} */ i) => { timer = window.setTimeout(async () => { if (await rows.cache.loadRow(i)) rows.paintRows(); }, LOAD_DELAY); };
  rows.onRowsPainted((_, first) => {
    clearTimeout(timer); // each change of the rows aborts requests for others
    const { branches, missing } = findScrolledBranches(rows, first);
    if (missing >= 0) loadSoon(missing);
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
}

/**
 * The rows of branches, outermost first. There is none while a row is not loaded, whose index is
 * missing, else -1.
 * @typedef {{branches: HTMLElement[], missing: number}} BranchRows
 */

/**
 * Returns the rows of the branches that the first row below the bar is in.
 * @param {import('../virtualrows/virtualrows.js').VirtualRows} rows
 * @param {number} first index of the first visible row
 */
function findScrolledBranches(rows, first) {
  for (let n = 0; ; n++) { // rows that the bar covers
    const found = branchesAround(rows, first + n);
    if (found.branches.length <= n) return found;
  }
}

/**
 * Returns the rows of the innermost branches that a row is in.
 * @param {import('../virtualrows/virtualrows.js').VirtualRows} rows
 * @param {number} i index of the row
 * @returns {BranchRows}
 */
function branchesAround(rows, i) {
  const branches = [];
  for (let row = rows.rowAt(i); row && branches.length < MAX_ROWS;) {
    const up = Number(row.dataset.parentRow);
    if (up < 0) break;
    row = rows.rowAt(up);
    if (!row) return { branches: [], missing: up };
    branches.unshift(row);
  }
  return { branches, missing: -1 };
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
