// @ts-check
// The tree by the rules of WAI-ARIA: one tab stop, arrows move the focus, Enter
// views, Right and Left open and close. Rows that are not in the page are fetched
// before they are focused.

import { closest, need, say } from '../dom.js';
import { mergeOpen, viewOf } from '../view.js';

/** @typedef {import('../session.js').Session} Session */

export class Tree {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.rows = session.rows;
    session.tree.addEventListener('click', (event) => this.#click(event));
    session.tree.addEventListener('focusin', (event) => this.#focused(event));
  }

  /** The row that arrows start from. */
  get current() { return this.rows.focusIndex >= 0 ? this.rows.focusIndex : this.rows.visible.first; }

  /** @param {MouseEvent} event */
  #click(event) {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const row = closest(event, '.row');
    if (!row) return;
    event.preventDefault();
    this.rows.setFocus(Number(row.dataset.i));
    row.focus({ preventScroll: true });
    if (closest(event, '.nd--tog')) this.toggle(row);
    else if (closest(event, '.row-focus')) this.focusBranch(row);
    else this.view(row);
  }

  /** A row that was scrolled away and is reached with Tab comes back into sight. */
  #focused(/** @type {FocusEvent} */ event) {
    const row = closest(event, '.row');
    if (!row) return;
    this.rows.setFocus(Number(row.dataset.i));
    if (row.classList.contains('is-parked')) this.rows.scrollTo(Number(row.dataset.i), 'center');
  }

  /**
   * Views the entry of a row. Folded lines are no entry: they open in place.
   * @param {HTMLElement} row
   */
  view(row) {
    if (row.classList.contains('row--fold')) return this.toggle(row);
    const link = row.querySelector('.row-link');
    if (!(link instanceof HTMLAnchorElement)) return;
    this.rows.select(Number(row.dataset.i));
    document.dispatchEvent(new CustomEvent('viewing'));
    return this.session.follow(link.href);
  }

  /**
   * Opens or closes the branch of a row.
   * @param {HTMLElement} row
   */
  toggle(row) {
    const link = row.querySelector('.nd--tog');
    if (!(link instanceof HTMLAnchorElement)) return;
    const { open } = viewOf(link.href);
    return this.session.go({ ...this.session.view, open }, { history: 'replace', scroll: 'keep' });
  }

  /** Whether the branch of the focused row stands too deep and can be focused. */
  get deep() { return this.#row()?.querySelector('.row-focus') != null; }

  /**
   * Begins the rows with the branch of a row.
   * @param {HTMLElement | undefined} [row]
   */
  focusBranch(row = this.#row()) {
    const link = row?.querySelector('.row-focus');
    if (link instanceof HTMLAnchorElement) return this.session.follow(link.href, { rowsToo: true });
  }

  /** Shows all rows again. */
  wholeTree() { return this.session.go({ ...this.session.view, root: '' }, { rowsToo: true, scroll: 'keep' }); }

  /**
   * Moves the focus to a row, wherever it is.
   * @param {number} i
   */
  async focus(i) {
    const to = Math.max(0, Math.min(this.rows.total - 1, i));
    if (this.rows.total === 0) return;
    this.rows.scrollTo(to);
    const row = await this.rows.store.load(to);
    if (!row) return;
    this.rows.setFocus(to);
    this.rows.paint();
    row.focus({ preventScroll: true });
  }

  /** The focused row, fetched if needed. */
  #row() { return this.rows.row(this.current); }

  enter() {
    const row = this.#row();
    if (row) this.view(row);
  }

  /** Opens a branch, or goes to the first row in it. */
  right() {
    const row = this.#row();
    const expanded = row?.getAttribute('aria-expanded');
    if (row && expanded === 'false') return this.toggle(row);
    if (expanded === 'true') return this.focus(this.current + 1);
  }

  /** Closes a branch, or goes to the row it hangs under. */
  left() {
    const row = this.#row();
    if (row?.getAttribute('aria-expanded') === 'true') return this.toggle(row);
    const up = Number(row?.dataset.up ?? -1);
    if (up >= 0) return this.focus(up);
  }

  /** Opens all branches beside the focused row. */
  openLevel() {
    const row = this.#row();
    if (!row) return;
    let { open } = this.session.view, n = 0;
    for (const [, other] of this.rows.store.entries()) {
      if (other.dataset.up !== row.dataset.up || other.getAttribute('aria-expanded') !== 'false') continue;
      const link = other.querySelector('.nd--tog');
      if (!(link instanceof HTMLAnchorElement)) continue;
      open = mergeOpen(open, viewOf(link.href).open);
      n++;
    }
    if (!n) return say('No closed branch at this level.');
    return this.session.go({ ...this.session.view, open }, { history: 'replace', scroll: 'keep' });
  }

  /**
   * Moves the focus to the next or previous prompt.
   * @param {1 | -1} step
   */
  async prompt(step) {
    for (let i = this.current + step; i >= 0 && i < this.rows.total; i += step) {
      const row = this.rows.row(i) ?? await this.rows.store.load(i);
      if (!row) return;
      if (row.classList.contains('row--user')) return this.focus(i);
    }
    say(step > 0 ? 'No further prompt.' : 'No earlier prompt.');
  }

  /** Gives the tree the focus. */
  enterTree() { return this.focus(this.current); }
}

/** Whether the focus is in the tree. */
export const inTree = () => need('tree').contains(document.activeElement);
