// @ts-check
// The tree pane, a WAI-ARIA tree: it has one tab stop, arrows move the focus, Enter views
// an entry, Right and Left open and close branches. Rows that are not loaded are fetched
// before they get the focus.

import { closestElement, requireElement } from '../dom.js';
import { announce } from '../notify.js';
import { mergeOpenBranches, parseView } from '../view.js';

/** @typedef {import('../session.js').SessionPage} SessionPage */

export class TreePane {
  /** @param {SessionPage} session */
  constructor(session) {
    this.session = session;
    this.rows = session.rows;
    session.tree.addEventListener('click', (event) => this.#handleClick(event));
    session.tree.addEventListener('focusin', (event) => this.#handleFocus(event));
  }

  /** The index of the row that arrow keys start from. */
  get currentIndex() { return this.rows.tabStopIndex >= 0 ? this.rows.tabStopIndex : this.rows.visibleRange.first; }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const row = closestElement(event, '.row');
    if (!row) return;
    event.preventDefault();
    this.rows.setTabStop(Number(row.dataset.row));
    row.focus({ preventScroll: true });
    if (closestElement(event, '.node--toggle')) this.toggleBranch(row);
    else if (closestElement(event, '.row-focus')) this.focusBranch(row);
    else this.viewRow(row);
  }

  /** Scrolls to a row outside the visible part that was reached with Tab. */
  #handleFocus(/** @type {FocusEvent} */ event) {
    const row = closestElement(event, '.row');
    if (!row) return;
    this.rows.setTabStop(Number(row.dataset.row));
    if (row.classList.contains('is-parked')) this.rows.scrollToRow(Number(row.dataset.row), 'center');
  }

  /**
   * Views the entry of a row. The row of a folded group opens in place.
   * @param {HTMLElement} row
   */
  viewRow(row) {
    if (row.classList.contains('row--fold')) return this.toggleBranch(row);
    const link = row.querySelector('.row-link');
    if (!(link instanceof HTMLAnchorElement)) return;
    this.rows.markSelected(Number(row.dataset.row));
    document.dispatchEvent(new CustomEvent('viewing'));
    return this.session.followLink(link.href, { row });
  }

  /**
   * Opens or closes the branch of a row.
   * @param {HTMLElement} row
   */
  toggleBranch(row) {
    const link = row.querySelector('.node--toggle');
    if (!(link instanceof HTMLAnchorElement)) return;
    const { open } = parseView(link.href);
    return this.session.showView({ ...this.session.view, open }, { history: 'replace', scroll: 'keep' });
  }

  /** Whether the focused row is too deep to be drawn and offers to show its branch alone. */
  get canFocusBranch() { return this.#currentRow()?.querySelector('.row-focus') != null; }

  /**
   * Shows the branch of a row alone.
   * @param {HTMLElement | undefined} [row]
   */
  focusBranch(row = this.#currentRow()) {
    const link = row?.querySelector('.row-focus');
    if (link instanceof HTMLAnchorElement) return this.session.followLink(link.href, { selectRow: true });
  }

  /** Shows all rows again. */
  showWholeTree() { return this.session.showView({ ...this.session.view, root: '' }, { selectRow: true, scroll: 'keep' }); }

  /**
   * Moves the focus to a row, which is fetched if needed.
   * @param {number} i
   */
  async focusRow(i) {
    const to = Math.max(0, Math.min(this.rows.total - 1, i));
    if (this.rows.total === 0) return;
    this.rows.scrollToRow(to);
    const row = await this.rows.cache.loadRow(to);
    if (!row) return;
    this.rows.setTabStop(to);
    this.rows.paintRows();
    row.focus({ preventScroll: true });
  }

  /** Returns the row at the current index if it is loaded. */
  #currentRow() { return this.rows.rowAt(this.currentIndex); }

  viewCurrentRow() {
    const row = this.#currentRow();
    if (row) this.viewRow(row);
  }

  /** Opens a branch, or moves the focus to its first row. */
  openOrEnterBranch() {
    const row = this.#currentRow();
    const expanded = row?.getAttribute('aria-expanded');
    if (row && expanded === 'false') return this.toggleBranch(row);
    if (expanded === 'true') return this.focusRow(this.currentIndex + 1);
  }

  /** Closes a branch, or moves the focus to its parent row. */
  closeOrLeaveBranch() {
    const row = this.#currentRow();
    if (row?.getAttribute('aria-expanded') === 'true') return this.toggleBranch(row);
    const up = Number(row?.dataset.parentRow ?? -1);
    if (up >= 0) return this.focusRow(up);
  }

  /** Opens all branches at the level of the focused row. */
  openBranchesAtLevel() {
    const row = this.#currentRow();
    if (!row) return;
    let { open } = this.session.view, n = 0;
    for (const [, other] of this.rows.cache.entries()) {
      if (other.dataset.parentRow !== row.dataset.parentRow || other.getAttribute('aria-expanded') !== 'false') continue;
      const link = other.querySelector('.node--toggle');
      if (!(link instanceof HTMLAnchorElement)) continue;
      open = mergeOpenBranches(open, parseView(link.href).open);
      n++;
    }
    if (!n) return announce('No closed branch at this level.');
    return this.session.showView({ ...this.session.view, open }, { history: 'replace', scroll: 'keep' });
  }

  /**
   * Moves the focus to the next or previous prompt.
   * @param {1 | -1} step
   */
  async focusPrompt(step) {
    for (let i = this.currentIndex + step; i >= 0 && i < this.rows.total; i += step) {
      const row = this.rows.rowAt(i) ?? await this.rows.cache.loadRow(i);
      if (!row) return;
      if (row.classList.contains('row--user')) return this.focusRow(i);
    }
    announce(step > 0 ? 'No further prompt.' : 'No earlier prompt.');
  }

  /** Moves the focus to the tree. */
  focusTree() { return this.focusRow(this.currentIndex); }
}

/** Reports whether the focus is in the tree. */
export const isTreeFocused = () => requireElement('tree').contains(document.activeElement);
