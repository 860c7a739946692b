// @ts-check
// Virtual rows of the tree: only rows near the visible ones are in the page, between two
// spacers.

import { childrenWithClass } from '../dom.js';
import { mountRows, rowsToMount } from './dom.js';
import { RowGeometry } from './geometry.js';
import { RowCache } from './cache.js';
import { onChoiceChange } from '../settings.js';

const OVERSCAN = 24; // rows mounted above and below the visible ones

// The first mounted row is a multiple of this. Removing a row above the others costs the browser
// a layout and a paint of all of them, so it does not happen for each row that is appended.
const MOUNT_STEP = 16;

// The width of a tree, in pixels, that has no room for everything in a row. A container query
// would make each change of a row lay the tree out twice.
const NARROW = 345;

/** @typedef {{id: string, y: number}} Anchor a row and its distance from the top of the tree */

export class VirtualRows {
  #tabStopID = ''; // id of the row that is the tree's one tab stop
  #tabStopIndex = -1;
  #firstPainted = 0;
  #scrollsDown = true;
  #endVisible = false;
  /** @type {((rows: HTMLElement[], first: number) => void)[]} */
  #paintListeners = [];

  /**
   * @param {HTMLElement} tree
   * @param {(at: number, n: number) => string} url returns the URL of a page of rows
   * @param {() => unknown} onStale called when rows of another revision arrive
   */
  constructor(tree, url, onStale) {
    this.tree = tree;
    this.list = /** @type {HTMLElement} */ (tree.querySelector('.rows'));
    const [above, below] = childrenWithClass(tree, 'rows-spacer');
    this.geometry = new RowGeometry(tree, above, below);
    this.cache = new RowCache({ url, onStale, onRows: () => this.paintRows() });
    this.addRows(this.list, true);
    tree.addEventListener('scroll', () => this.paintRows(), { passive: true });
    new ResizeObserver(([size]) => {
      tree.classList.toggle('is-narrow', size.contentRect.width <= NARROW);
      this.geometry.resetRowHeight();
      if (this.#keepsEnd) this.scrollToRow(this.total - 1);
      else this.paintRows();
    }).observe(tree);
    onChoiceChange(() => this.#measureRows());
  }

  /** Whether the end stays visible when heights change. A list at its start stays there. */
  get #keepsEnd() { return this.#endVisible && this.tree.scrollTop > 0; }

  /** Measures the row height again, which settings change. The end or the first row stays visible. */
  #measureRows() {
    if (!this.tree.isConnected) return;
    const first = this.rowAt(this.visibleRange.first);
    this.geometry.resetRowHeight();
    if (this.#keepsEnd) this.scrollToRow(this.total - 1);
    else if (!this.restoreAnchor(first ? { id: first.id, y: 0 } : null)) this.paintRows();
  }

  /**
   * Registers a function that is called after each change of the elements in the page, with them
   * and the index of the first visible row.
   * @param {(rows: HTMLElement[], first: number) => void} fn
   */
  onRowsPainted(fn) { this.#paintListeners.push(fn); }

  get total() { return this.cache.total; }
  get revision() { return this.cache.revision; }
  get tabStopIndex() { return this.#tabStopIndex; }
  /** The id of the row that is the tab stop. */
  get tabStopID() { return this.#tabStopID; }

  /** The first and last visible index. */
  get visibleRange() { return this.geometry.computeLayout(this.total).visibleRange; }

  /**
   * Whether the last row was visible at the last paint. After a resize the end stays
   * visible.
   */
  get isEndVisible() { return this.#endVisible; }

  /**
   * Whether the last row is visible in a viewport, the current one by default.
   * @param {import('./geometry.js').Viewport} [viewport]
   */
  isEndWithin(viewport) { return this.geometry.computeLayout(this.total, undefined, viewport).visibleRange.last >= this.total - 1; }

  /** The index of the row that the server selected, or -1. */
  get selectedIndex() { return Number(this.list.dataset.selected ?? -1); }

  /** Whether the focus is in the tree. */
  get hasFocus() { return this.tree.contains(document.activeElement); }

  /** @param {number} i */
  rowAt(i) { return this.cache.get(i); }

  /**
   * Adds the rows of a fragment.
   * @param {HTMLElement} list
   * @param {boolean} fresh whether cached rows are outdated
   */
  addRows(list, fresh) {
    if (fresh) this.cache.dropFrom(0);
    this.cache.mergeRows(list, this.list);
    if (list !== this.list) {
      for (const name of ['total', 'rev', 'selected', 'hits']) this.list.dataset[name] = list.dataset[name];
      this.list.querySelector(':scope > .state')?.remove();
      const state = list.querySelector(':scope > .state');
      if (state) this.list.append(state);
    }
    this.#tabStopIndex = this.cache.indexOfID(this.#tabStopID);
    const stop = childrenWithClass(list, 'row').find((row) => row.tabIndex === 0);
    if (this.#tabStopIndex < 0 && (fresh || !this.#tabStopID)) this.setTabStop(stop ? Number(stop.dataset.row) : Number(list.dataset.at));
  }

  /**
   * Replaces the list of rows. The visible rows keep their positions.
   * @param {HTMLElement} list
   * @param {Anchor | null} place the row to scroll to, if known
   * @param {boolean} select whether to make the selected row the tab stop and visible
   */
  replaceRows(list, place, select) {
    const { hasFocus } = this, { first, last } = this.visibleRange;
    const near = first <= this.#tabStopIndex && this.#tabStopIndex <= last;
    const anchors = place ? [place] : [near ? this.anchorAt(this.#tabStopIndex) : null, this.anchorAt(first + 1)];
    this.addRows(list, true);
    const { selectedIndex } = this;
    if (!anchors.some((anchor) => this.restoreAnchor(anchor))) this.scrollToRow(Math.max(0, selectedIndex), 'center');
    if (select && selectedIndex >= 0) {
      this.scrollToRow(selectedIndex);
      this.setTabStop(selectedIndex);
    }
    if (hasFocus && (select || !this.hasFocus)) this.restoreFocus();
  }

  /** Focuses the tab stop. */
  restoreFocus() { this.rowAt(this.#tabStopIndex)?.focus({ preventScroll: true }); }

  /**
   * Makes a row the tab stop.
   * @param {number} i
   */
  setTabStop(i) {
    const row = this.rowAt(i);
    if (!row) return;
    const old = document.getElementById(this.#tabStopID);
    if (old && old !== row) old.tabIndex = -1;
    [this.#tabStopID, this.#tabStopIndex] = [row.id, i];
    row.tabIndex = 0;
  }

  /**
   * Marks a row as selected before the server responds, so that the mark always matches the
   * viewed entry.
   * @param {number} i
   */
  markSelected(i) {
    for (const [at, row] of this.cache.entries()) {
      if (row.getAttribute('aria-selected') === String(at === i)) continue;
      row.setAttribute('aria-selected', String(at === i));
      row.classList.toggle('is-selected', at === i);
    }
    this.list.dataset.selected = String(i);
  }

  /**
   * Scrolls a row to the middle, or only as far as needed.
   * @param {number} i
   * @param {'center' | 'nearest'} how
   * @param {import('./geometry.js').Viewport} [viewport] read before the page was changed
   */
  scrollToRow(i, how = 'nearest', viewport = this.geometry.readViewport()) {
    const g = this.geometry.computeLayout(this.total, undefined, viewport), to = g.topToReveal(i, how);
    if (to === g.rowsTop) this.paintRows(g);
    else this.#scrollRowsTo(to, viewport);
  }

  /**
   * Returns the current position of a row.
   * @param {number} i
   * @returns {Anchor | null}
   */
  anchorAt(i) {
    const row = this.rowAt(i);
    return row ? { id: row.id, y: this.geometry.computeLayout(this.total).rowOffset(i) } : null;
  }

  /**
   * Scrolls so that an anchor has its earlier position.
   * @param {Anchor | null} anchor
   */
  restoreAnchor(anchor) {
    const i = anchor ? this.cache.indexOfID(anchor.id) : -1;
    if (!anchor || i < 0) return false;
    this.#scrollRowsTo(this.geometry.computeLayout(this.total).topForOffset(i, anchor.y));
    return true;
  }

  /**
   * Scrolls to a position in the rows. They are mounted first, so that there is one layout.
   * @param {number} top
   * @param {import('./geometry.js').Viewport} [viewport]
   */
  #scrollRowsTo(top, viewport) {
    const g = this.geometry.computeLayout(this.total, top, viewport);
    this.paintRows(g);
    this.tree.scrollTop = g.scrollTop;
  }

  /** Mounts the rows near the visible ones and fetches missing ones. */
  paintRows(g = this.geometry.computeLayout(this.total)) {
    const { first, last } = g.visibleRange;
    const from = Math.max(0, first - OVERSCAN - (first - OVERSCAN) % MOUNT_STEP), to = Math.min(this.total, last + 1 + OVERSCAN);
    const rows = rowsToMount((i) => this.rowAt(i), from, to, this.#tabStopIndex, g.rowHeight);
    mountRows(this.list, rows, this.#tabStopID);
    for (const fn of this.#paintListeners) fn(rows.want, first);
    this.geometry.sizeSpacers(from, to, g);
    this.tree.classList.toggle('is-waiting', rows.want.some((el) => el.classList.contains('rows-spacer')));
    if (first !== this.#firstPainted) this.#scrollsDown = first > this.#firstPainted;
    this.#firstPainted = first;
    this.#endVisible = last >= this.total - 1;
    if (this.total) this.cache.fetchMissing(from, to, this.#scrollsDown ? to + OVERSCAN : from - OVERSCAN);
  }
}
