// @ts-check
// Search in the session: rows that match, hits counted and walked, words marked in
// the path.

import { aborted, fetchJSON, need, plural, say } from './dom.js';

/** @typedef {import('./session.js').Session} Session */

const WAIT = 120; // ms after the last key

export class Search {
  /** @type {{entry: string, row: number}[]} */
  #hits = [];
  #total = 0;
  #at = -1;
  #asked = new AbortController();
  #timer = 0;

  #byKey = -1000;

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.form = /** @type {HTMLFormElement} */ (need('search'));
    this.input = /** @type {HTMLInputElement} */ (this.form.elements.namedItem('q'));
    this.form.addEventListener('submit', (event) => event.preventDefault());
    this.input.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#changed(), WAIT);
    });
    this.input.addEventListener('keydown', (event) => this.#key(event));
    this.input.addEventListener('beforeinput', (event) => {
      // Some ways to type deliver the character of a key that was taken already.
      if (event.data === '/' && event.timeStamp - this.#byKey < 100) event.preventDefault();
    });
    this.form.addEventListener('click', (event) => {
      const what = event.target instanceof Element ? event.target.closest('[data-do]')?.getAttribute('data-do') : '';
      if (what === 'hit-next') this.step(1);
      if (what === 'hit-prev') this.step(-1);
    });
    session.onArrive(() => this.#sync());
    document.addEventListener('path-changed', () => this.#mark());
    if (this.input.value) this.#count();
  }

  focus() {
    this.#byKey = performance.now();
    this.input.focus();
    this.input.select();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape' && this.input.value) {
      event.preventDefault();
      event.stopPropagation();
      this.input.value = '';
      this.#changed();
    }
  }

  /** The view changed by other means, as Back does. */
  #sync() {
    if (document.activeElement === this.input || this.input.value.trim() === this.session.view.q) return;
    this.input.value = this.session.view.q;
    this.#count();
  }

  async #changed() {
    const q = this.input.value.trim();
    if (q === this.session.view.q) return;
    this.session.go({ ...this.session.view, q }, { history: 'replace', scroll: 'keep', rowsToo: true });
    await this.#count();
  }

  /** Asks how many entries match, and which. */
  async #count() {
    this.#asked.abort();
    this.#asked = new AbortController();
    const q = this.input.value.trim();
    this.#hits = [];
    this.#at = -1;
    this.#mark();
    if (!q) return this.#show();
    try {
      const found = await fetchJSON(this.session.url('search', {}, { ...this.session.view, q }), this.#asked.signal);
      if (!found) return;
      this.#hits = found.hits;
      this.#total = found.total;
      this.#show();
      say(plural(found.total, 'entry matches', 'entries match'));
    } catch (err) {
      if (aborted(err)) return;
      this.#show();
      say('The search failed.');
    }
  }

  #show() {
    const out = need('hits'), on = this.input.value.trim() !== '';
    out.hidden = !on;
    out.textContent = this.#at >= 0 ? `${(this.#at + 1).toLocaleString('en')} / ${this.#total.toLocaleString('en')}` : this.#total.toLocaleString('en');
    need('hit-nav').hidden = !on || this.#hits.length === 0;
  }

  /**
   * Views the next or previous hit; the first one is that after the viewed entry.
   * @param {1 | -1} way
   */
  step(way) {
    clearTimeout(this.#timer);
    if (this.input.value.trim() !== this.session.view.q) return this.#changed();
    const n = this.#hits.length;
    if (!n) return;
    this.#at = this.#at < 0 ? this.#start(way) : (this.#at + way + n) % n;
    this.#show();
    const { entry, leaf, ...rest } = this.session.view;
    const hit = this.#hits[this.#at];
    const keep = this.session.path.find(hit.entry) ? leaf : '';
    return this.session.go({ ...rest, entry: hit.entry, leaf: keep }, { history: entry ? 'replace' : 'push', rowsToo: true });
  }

  /** @param {1 | -1} way */
  #start(way) {
    const { selected } = this.session.rows;
    const next = this.#hits.findIndex((hit) => hit.row >= selected);
    if (way > 0) return Math.max(0, next);
    return next > 0 ? next - 1 : this.#hits.length - 1;
  }

  /** Marks the words in the path without touching its elements. */
  #mark() {
    if (!('highlights' in CSS)) return;
    const words = this.input.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    CSS.highlights.delete('hits');
    if (words.length) CSS.highlights.set('hits', new Highlight(...ranges(this.session.path.pages, words, 2000)));
  }
}

/**
 * Where words stand in the text below an element.
 * @param {HTMLElement} root
 * @param {string[]} words
 * @param {number} most
 */
function ranges(root, words, most) {
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

