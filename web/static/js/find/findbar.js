// @ts-check
// On a phone the search field is in a bar above the path, which is shown while it is used.

import { narrow, requireElement } from '../dom.js';
import { setDrawer } from '../tree/drawer.js';

export class FindBar {
  #isFailures = false;
  #isSearched = false;
  #placeholder = ''; // of the field while it searches for words

  /** @param {HTMLInputElement} input */
  constructor(input) {
    this.input = input;
    this.#placeholder = input.placeholder;
    this.bar = requireElement('findbar');
    this.form = requireElement('search');
    this.parts = [/** @type {HTMLElement} */ (input.closest('.field')), requireElement('hit-nav')];
    narrow.addEventListener('change', () => this.#place());
    input.addEventListener('blur', () => this.update());
    this.#place();
  }

  /** Moves the field to where the window has it. */
  #place() {
    if (narrow.matches) this.bar.prepend(...this.parts);
    else this.form.prepend(...this.parts);
    this.update();
  }

  /** Whether the field is in the bar. */
  get isUsed() { return narrow.matches; }

  /** Shows the bar, which the tree would cover, and moves the focus to its field. */
  open() {
    setDrawer(false);
    this.bar.hidden = false;
    this.input.focus();
  }

  /**
   * Hides the bar if its field is empty and has no focus, unless it steps through failed tool
   * calls.
   * @param {{isSearched: boolean, isFailures: boolean}} [state] whether there is a list of hits,
   * which may be empty, and whether the hits are failed tool calls
   */
  update({ isSearched, isFailures } = { isSearched: this.#isSearched, isFailures: this.#isFailures }) {
    this.#isSearched = isSearched;
    this.#isFailures = isFailures;
    this.bar.hidden = !narrow.matches || (!this.input.value && !isFailures && document.activeElement !== this.input);
    this.input.placeholder = narrow.matches && isFailures ? 'Failed tool calls' : this.#placeholder;
    requireElement('findbar-list').hidden = !isSearched;
  }
}
