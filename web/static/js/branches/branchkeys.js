// @ts-check
// The keys of the list of branches: in the field arrows choose a row without leaving it, in
// the table they move the focus.

import { closestElement, requireElement } from '../dom.js';

/** @typedef {import('../virtualrows/virtualrows.js').VirtualRows} VirtualRows */
/**
 * What keys do. rows: the rows, null while the list is closed.
 * @typedef {{rows: () => VirtualRows | null, view: (row: HTMLElement | undefined) => void, toggle: (row: HTMLElement) => void, close: () => void}} BranchActions
 */

export class BranchKeys {
  /** The index of the row that the arrow keys chose in the field, or -1. */
  #active = -1;

  /**
   * @param {HTMLElement} section the list
   * @param {BranchActions} actions
   */
  constructor(section, actions) {
    this.section = section;
    this.actions = actions;
    section.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** The field of the filter. */
  get #field() { return /** @type {HTMLInputElement} */ (requireElement('branch-find')); }

  /**
   * Marks the row that Enter views while the focus is in the field.
   * @param {number} i
   */
  markActive(i) {
    this.section.querySelector('.branch-row.is-focus')?.classList.remove('is-focus');
    this.#active = i;
    const row = this.actions.rows()?.rowAt(i);
    row?.classList.add('is-focus');
    if (row) this.#field.setAttribute('aria-activedescendant', row.id);
    else this.#field.removeAttribute('aria-activedescendant');
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const rows = this.actions.rows();
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || !rows) return;
    const row = closestElement(event, '.branch-row[data-head]');
    const run = event.key === 'Escape' ? () => this.actions.close() : event.target === this.#field ? this.#fieldKey(event.key, rows) : row ? this.#rowKey(event, row, rows) : undefined;
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  /**
   * @param {string} key
   * @param {VirtualRows} rows
   * @returns {(() => unknown) | undefined}
   */
  #fieldKey(key, rows) {
    const move = (/** @type {number} */ i) => () => {
      const to = Math.max(0, Math.min(rows.total - 1, i));
      rows.setTabStop(to);
      rows.scrollToRow(to);
      this.markActive(to);
    };
    if (key === 'ArrowDown') return move(this.#active + 1);
    if (key === 'ArrowUp') return move(this.#active - 1);
    if (key === 'Enter' && (this.#active >= 0 || this.#field.value)) return () => this.actions.view(rows.rowAt(Math.max(0, this.#active)));
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement} row
   * @param {VirtualRows} rows
   * @returns {(() => unknown) | undefined}
   */
  #rowKey(event, row, rows) {
    const at = Number(row.dataset.row), { first, last } = rows.visibleRange, page = Math.max(1, last - first - 2);
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: rows.total - 1 };
    if (event.key in moves) return () => this.#focusRow(moves[event.key], rows);
    if (event.target !== row) return; // a link or a check box has its own keys
    if (event.key === 'Enter') return () => this.actions.view(row);
    if (event.key === ' ') return () => this.actions.toggle(row);
  }

  /**
   * @param {number} i
   * @param {VirtualRows} rows
   */
  async #focusRow(i, rows) {
    if (i < 0) return this.#field.focus();
    const to = Math.min(rows.total - 1, i);
    rows.scrollToRow(to);
    await rows.cache.loadRow(to);
    rows.setTabStop(to);
    rows.paintRows();
    rows.restoreFocus();
  }
}
