// @ts-check
// The listed choices of the palette and which of them is selected. The focus stays in the
// field.

import { closestElement } from '../dom.js';
import { createGroups } from './palettelist.js';

/** @typedef {import('./rank.js').Command} Command */

export class ChoiceList {
  /** The choices in order. @type {Command[]} */
  #choices = [];
  /** The index in #choices of the first choice of each group. @type {number[]} */
  #groupStarts = [];
  #selected = 0;
  #isMoved = false; // the viewer moved the selection

  /**
   * @param {HTMLElement} element
   * @param {HTMLInputElement} input the field
   * @param {(choice: Command) => unknown} onPick called when a choice is clicked
   */
  constructor(element, input, onPick) {
    this.element = element;
    this.input = input;
    element.addEventListener('click', (event) => {
      const choice = this.#choices[Number(closestElement(event, '[role="option"]')?.dataset.n)];
      if (choice) onPick(choice);
    });
  }

  get isEmpty() { return this.#choices.length === 0; }

  /** The choice that Enter runs. @type {Command | undefined} */
  get selected() { return this.#choices[this.#selected]; }

  /**
   * Lists groups.
   * @param {import('./rank.js').ChoiceGroup[]} groups
   * @param {string[]} words to mark
   * @param {Node[]} notes what follows the commands
   * @param {boolean} keep whether to keep the selected choice, if the viewer selected it
   */
  show(groups, words, notes, keep) {
    const was = this.selected;
    this.#groupStarts = [];
    this.#choices = [];
    for (const group of groups) {
      this.#groupStarts.push(this.#choices.length);
      this.#choices.push(...group.choices);
    }
    this.element.replaceChildren(...createGroups(groups, words, notes));
    const again = keep && this.#isMoved && was ? this.#choices.findIndex((c) => c.name === was.name && c.group === was.group) : -1;
    if (again < 0) this.#isMoved = false;
    this.#selected = Math.max(0, again);
    this.#markSelected();
  }

  /**
   * Selects the next or previous choice.
   * @param {1 | -1} direction
   */
  moveBy(direction) { this.#select((this.#selected + direction + this.#choices.length) % this.#choices.length); }

  /**
   * Selects the first choice of the next or previous group.
   * @param {1 | -1} direction
   */
  moveToGroup(direction) {
    const starts = this.#groupStarts, at = starts.findLastIndex((start) => start <= this.#selected);
    this.#select(starts[(at + direction + starts.length) % starts.length]);
  }

  /** @param {number} n */
  #select(n) {
    this.#selected = n;
    this.#isMoved = true;
    this.#markSelected();
  }

  #markSelected() {
    this.element.querySelectorAll('[role="option"]').forEach((el, n) => {
      el.setAttribute('aria-selected', String(n === this.#selected));
      if (n === this.#selected) (n === 0 ? el.parentElement?.firstElementChild ?? el : el).scrollIntoView({ block: 'nearest' });
    });
    if (this.#choices.length) this.input.setAttribute('aria-activedescendant', 'command-' + this.#selected);
    else this.input.removeAttribute('aria-activedescendant');
  }
}
