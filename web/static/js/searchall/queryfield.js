// @ts-check
// The field of the query: its words, and its filters as chips.

import { requireElement } from '../dom.js';
import { showChips } from './querychips.js';
import { isSameFilter, joinQuery, scanTokens, splitChips } from './querytext.js';
import { Suggestions } from './suggestions.js';

/** @typedef {{typed: () => void, moveDown: () => void}} FieldActions typed is called when the query was edited, moveDown to leave the field */

export class QueryField {
  #input = /** @type {HTMLInputElement} */ (requireElement('query'));
  #clear = requireElement('clear-query');
  #suggestions = new Suggestions(this.#input, () => this.#handleInput());
  /** The filters. @type {string[]} */
  chips = [];

  /** @param {FieldActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.#input.addEventListener('input', () => this.#handleInput());
    this.#input.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  get words() { return this.#input.value; }

  get query() { return joinQuery(this.chips, this.words); }

  /**
   * The query without filters that have no value yet, and without the one that is being
   * typed while values are suggested.
   */
  get finishedQuery() {
    let { words } = this;
    for (const { key, value, start, end } of scanTokens(words).toReversed()) {
      const isTyped = key && end === this.#input.selectionEnd && this.#suggestions.isFilterUnfinished;
      if (isTyped || (key && !value)) words = words.slice(0, start) + words.slice(end);
    }
    return joinQuery(this.chips, words);
  }

  /** @param {string} query */
  setQuery(query) {
    const { chips, words } = splitChips(query, false);
    this.chips = chips;
    this.#input.value = words.trim();
    this.#suggestions.close();
    this.#showQuery();
  }

  /** Appends a text, as if it was typed. @param {string} text */
  insertText(text) {
    this.#input.value = [this.words.trim(), text].filter(Boolean).join(' ');
    this.focus();
    this.#handleInput();
  }

  focus() { this.#input.focus(); }

  select() {
    this.#input.focus();
    this.#input.select();
  }

  #showQuery() {
    showChips(this.chips);
    this.#clear.hidden = this.query === '';
  }

  /** A finished filter becomes a chip at once. */
  #handleInput() {
    const { chips, words } = splitChips(this.words, true);
    if (chips.length) {
      this.chips.push(...chips.filter((chip) => !this.chips.some((c) => isSameFilter(c, chip))));
      this.#input.value = words;
    }
    this.#showQuery();
    this.#suggestions.update();
    this.actions.typed();
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.isComposing) return;
    if (this.#suggestions.handleKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Backspace' && this.#input.selectionEnd === 0 && this.chips.length) {
      event.preventDefault();
      this.#editLastChip();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.actions.moveDown();
    }
  }

  /** Makes the last chip text again. */
  #editLastChip() {
    const chip = this.chips.pop() ?? '', rest = this.words;
    this.#input.value = rest ? `${chip} ${rest}` : chip;
    this.#input.setSelectionRange(chip.length, chip.length);
    this.#showQuery();
    this.#suggestions.update();
    this.actions.typed();
  }
}
