// @ts-check
// The branches selected in the list, and the bar that tells what can be done
// with them.

import { requireElement } from '../dom.js';

const MAX_PICKED = 12;

/** @typedef {{head: string, name: string, switchTo: string}} Picked head: id of its first entry. switchTo: address of the dialog that makes it current, or '' */

export class PickedBranches {
  /** @type {Picked[]} */
  #list = [];

  /** @param {string} base address of the session */
  constructor(base) { this.base = base; }

  /**
   * Selects the branch of a row, or no longer. One too many replaces the oldest one.
   * @param {HTMLElement} row
   */
  toggle(row) {
    const head = row.dataset.head ?? '', had = this.#list.length;
    this.#list = this.#list.filter((p) => p.head !== head);
    if (this.#list.length === had) this.#list.push({ head, name: row.dataset.name ?? '', switchTo: row.dataset.switch ?? '' });
    this.#list = this.#list.slice(-MAX_PICKED);
  }

  clear() { this.#list = []; }

  /** Shows in a row whether it is selected. @param {HTMLElement} row */
  markRow(row) {
    if (!row.dataset.head) return; // a spacer
    const on = this.#list.some((p) => p.head === row.dataset.head);
    row.classList.toggle('is-picked', on);
    row.setAttribute('aria-selected', String(on));
    const box = row.querySelector('.pick input');
    if (box instanceof HTMLInputElement) box.checked = on;
  }

  /** Updates the bar below the list. */
  showFoot() {
    const foot = requireElement('branch-foot'), n = this.#list.length;
    foot.hidden = n === 0;
    if (n === 0) return foot.replaceChildren();
    const status = document.createElement('span'), count = document.createElement('b'), names = document.createElement('span');
    status.setAttribute('role', 'status');
    count.textContent = `${n} selected`;
    names.className = 'desktop-only';
    names.textContent = ': ' + this.#list.map((p) => p.name).join(', ');
    status.append(count, names);
    const grow = document.createElement('span');
    grow.className = 'grow';
    foot.replaceChildren(status, grow, ...this.#actions());
  }

  /** Returns the buttons for the selected branches. */
  #actions() {
    const clear = document.createElement('button');
    clear.type = 'button';
    clear.className = 'btn';
    clear.dataset.do = 'clear-picked';
    clear.textContent = 'Clear';
    if (this.#list.length > 1) {
      const query = new URLSearchParams(this.#list.map((p) => ['with', p.head]));
      return [clear, createLink('Compare', 'btn btn--solid', `${this.base}/compare?${query}`, 'compare')];
    }
    const hint = document.createElement('span');
    hint.className = 'branches-hint';
    hint.textContent = 'Select another to compare';
    const [{ switchTo }] = this.#list;
    if (!switchTo) return [hint, clear];
    const change = createLink('Make current', 'btn btn--line', switchTo, '');
    change.dataset.change = '';
    return [hint, clear, change];
  }
}

/**
 * Returns a link.
 * @param {string} text
 * @param {string} className
 * @param {string} href
 * @param {string} icon
 */
function createLink(text, className, href, icon) {
  const link = document.createElement('a');
  link.className = className;
  link.href = href;
  if (icon) {
    const mark = document.createElement('i');
    mark.className = `icon icon-14 icon--${icon}`;
    mark.ariaHidden = 'true';
    link.append(mark);
  }
  link.append(text);
  return link;
}
