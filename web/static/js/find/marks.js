// @ts-check
// Highlights words in the path without changing its elements, and opens the closed parts
// that contain them.

/** @typedef {import('../path/path.js').PathPane} PathPane */

const MAX_MARKS = 2000;

export class PathMarks {
  /** @type {HTMLDetailsElement[]} */
  #opened = [];
  /** @type {string[]} */
  #words = [];
  #entry = '';

  /** @param {PathPane} path */
  constructor(path) {
    this.path = path;
    document.addEventListener('path-changed', () => this.#highlight());
  }

  /**
   * Highlights words, given in lower case.
   * @param {string[]} words
   */
  setWords(words) {
    this.#words = words;
    this.#highlight();
  }

  /**
   * Makes the words of an entry the current ones. It opens closed parts that contain them,
   * closes those of the earlier entry and scrolls to the first word.
   * @param {string} entry '' = none
   */
  setCurrent(entry) {
    for (const el of this.#opened) el.open = false;
    this.#opened = [];
    this.#entry = entry;
    const range = this.#currentRange();
    for (let el = range?.startContainer.parentElement?.closest('details'); el; el = el.parentElement?.closest('details')) this.#open(el);
    this.#highlight();
    if (range) this.#reveal(range);
  }

  /** @param {HTMLDetailsElement} el */
  #open(el) {
    if (el.open || !this.path.container.contains(el)) return;
    el.open = true;
    this.#opened.push(el);
  }

  /** Returns the first word in the current entry: in its text, or in its tool calls. */
  #currentRange() {
    if (!this.#entry || !this.#words.length) return undefined;
    const calls = this.path.container.querySelectorAll(`.tool[data-entry="${CSS.escape(this.#entry)}"]`);
    for (const el of [this.path.findItem(this.#entry), ...calls]) {
      const [range] = el instanceof HTMLElement ? findRanges(el, this.#words, 1) : [];
      if (range) return range;
    }
  }

  /** @param {Range} range */
  #reveal(range) {
    const { main } = this.path, box = range.getBoundingClientRect(), view = main.getBoundingClientRect();
    const top = view.top + 60, bottom = Math.min(view.bottom, innerHeight) - 40;
    if (box.height && (box.top < top || box.bottom > bottom)) main.scrollTop += box.top - (top + bottom) / 2;
  }

  #highlight() {
    if (!('highlights' in CSS)) return;
    this.path.container.classList.toggle('is-marked', this.#words.length > 0); // a style for marks of every element costs a twelfth of the first paint
    CSS.highlights.delete('hits');
    CSS.highlights.delete('hit-now');
    if (!this.#words.length) return;
    CSS.highlights.set('hits', new Highlight(...findRanges(this.path.container, this.#words, MAX_MARKS)));
    const range = this.#currentRange();
    if (!range) return;
    const now = new Highlight(range);
    now.priority = 1;
    CSS.highlights.set('hit-now', now);
  }
}

/**
 * Returns the ranges of words in the text of an element.
 * @param {HTMLElement} root
 * @param {string[]} words
 * @param {number} most
 */
function findRanges(root, words, most) {
  /** @type {Range[]} */
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
