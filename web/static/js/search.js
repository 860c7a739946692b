// @ts-check
// Search in a session: it counts the hits, steps through them and highlights the words in
// the path.

import { requireElement } from './dom.js';
import { announce } from './notify.js';
import { fetchJSON, isAbortError } from './server.js';
import { pluralize } from './text.js';

/** @typedef {import('./session.js').SessionPage} SessionPage */

const INPUT_DELAY = 120; // ms after the last key

export class SessionSearch {
  /** @type {{entry: string, row: number}[]} */
  #hits = [];
  #total = 0;
  #hitIndex = -1;
  #request = new AbortController();
  #inputTimer = 0;

  #focusedByKeyAt = -1000;

  /** @param {SessionPage} session */
  constructor(session) {
    this.session = session;
    this.form = /** @type {HTMLFormElement} */ (requireElement('search'));
    this.input = /** @type {HTMLInputElement} */ (this.form.elements.namedItem('q'));
    this.form.addEventListener('submit', (event) => event.preventDefault());
    this.input.addEventListener('input', () => {
      clearTimeout(this.#inputTimer);
      this.#inputTimer = setTimeout(() => this.#applyQuery(), INPUT_DELAY);
    });
    this.input.addEventListener('keydown', (event) => this.#handleKey(event));
    this.input.addEventListener('beforeinput', (event) => {
      // Some input methods also insert the character of a handled key.
      if (event.data === '/' && event.timeStamp - this.#focusedByKeyAt < 100) event.preventDefault();
    });
    this.form.addEventListener('click', (event) => {
      const what = event.target instanceof Element ? event.target.closest('[data-do]')?.getAttribute('data-do') : '';
      if (what === 'hit-next') this.stepHit(1);
      if (what === 'hit-prev') this.stepHit(-1);
    });
    session.onFactsChange(() => this.#syncQuery());
    document.addEventListener('path-changed', () => this.#highlightWords());
    if (this.input.value) this.#fetchHits();
  }

  focusField() {
    this.#focusedByKeyAt = performance.now();
    this.input.focus();
    this.input.select();
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.stepHit(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape' && this.input.value) {
      event.preventDefault();
      event.stopPropagation();
      this.input.value = '';
      this.#applyQuery();
    }
  }

  /** Updates the field after the view changed elsewhere, for example with Back. */
  #syncQuery() {
    if (document.activeElement === this.input || this.input.value.trim() === this.session.view.q) return;
    this.input.value = this.session.view.q;
    this.#fetchHits();
  }

  async #applyQuery() {
    const q = this.input.value.trim();
    if (q === this.session.view.q) return;
    this.session.showView({ ...this.session.view, q }, { history: 'replace', scroll: 'keep', selectRow: true });
    await this.#fetchHits();
  }

  /** Fetches the matching entries and their number. */
  async #fetchHits() {
    this.#request.abort();
    this.#request = new AbortController();
    const q = this.input.value.trim();
    this.#hits = [];
    this.#hitIndex = -1;
    this.#highlightWords();
    if (!q) return this.#showHitCount();
    try {
      const found = await fetchJSON(this.session.fragmentURL('search', {}, { ...this.session.view, q }), this.#request.signal);
      if (!found) return;
      this.#hits = found.hits;
      this.#total = found.total;
      this.#showHitCount();
      announce(pluralize(found.total, 'entry matches', 'entries match'));
    } catch (err) {
      if (isAbortError(err)) return;
      this.#showHitCount();
      announce('The search failed.');
    }
  }

  #showHitCount() {
    const out = requireElement('hits'), on = this.input.value.trim() !== '';
    out.hidden = !on;
    out.textContent = this.#hitIndex >= 0 ? `${(this.#hitIndex + 1).toLocaleString('en')} / ${this.#total.toLocaleString('en')}` : this.#total.toLocaleString('en');
    requireElement('hit-nav').hidden = !on || this.#hits.length === 0;
  }

  /**
   * Shows the next or previous hit, starting from the viewed entry.
   * @param {1 | -1} direction
   */
  stepHit(direction) {
    clearTimeout(this.#inputTimer);
    if (this.input.value.trim() !== this.session.view.q) return this.#applyQuery();
    const n = this.#hits.length;
    if (!n) return;
    this.#hitIndex = this.#hitIndex < 0 ? this.#firstHit(direction) : (this.#hitIndex + direction + n) % n;
    this.#showHitCount();
    const { entry, leaf, ...rest } = this.session.view;
    const hit = this.#hits[this.#hitIndex];
    const keep = this.session.path.findItem(hit.entry) ? leaf : '';
    return this.session.showView({ ...rest, entry: hit.entry, leaf: keep }, { history: entry ? 'replace' : 'push', selectRow: true });
  }

  /** @param {1 | -1} direction */
  #firstHit(direction) {
    const { selectedIndex } = this.session.rows;
    const next = this.#hits.findIndex((hit) => hit.row >= selectedIndex);
    if (direction > 0) return Math.max(0, next);
    return next > 0 ? next - 1 : this.#hits.length - 1;
  }

  /** Highlights the words in the path without changing its elements. */
  #highlightWords() {
    if (!('highlights' in CSS)) return;
    const words = this.input.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    CSS.highlights.delete('hits');
    if (words.length) CSS.highlights.set('hits', new Highlight(...findRanges(this.session.path.container, words, 2000)));
  }
}

/**
 * Returns the ranges of words in the text of an element.
 * @param {HTMLElement} root
 * @param {string[]} words
 * @param {number} most
 */
function findRanges(root, words, most) {
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && found.length < most; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0 && found.length < most; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, Math.min(at + word.length, node.nodeValue?.length ?? 0));
        found.push(range);
      }
    }
  }
  return found;
}

