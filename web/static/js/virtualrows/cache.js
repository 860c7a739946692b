// @ts-check
// The rows that are held: they come in windows of 200 and are kept a while, in the
// page or not.

import { children, expected, fetchFragment } from '../dom.js';
import { localise } from '../times.js';

const PAGE = 200; // rows a request
const KEEP = 2000; // rows held

/** @typedef {{url: (at: number, n: number) => string, came: () => void, stale: () => unknown}} Source */

export class RowStore {
  total = 0;
  rev = '';
  /** @type {Map<number, HTMLElement>} */
  #rows = new Map();
  /** @type {Map<number, AbortController>} */
  #asked = new Map();

  /** @param {Source} source */
  constructor(source) { this.source = source; }

  /** @param {number} i */
  get(i) { return this.#rows.get(i); }

  /** All rows that are held, by index. */
  entries() { return this.#rows.entries(); }

  /**
   * The index of a held row, or -1.
   * @param {string} id
   */
  indexOf(id) {
    if (id) for (const [i, row] of this.#rows) if (row.id === id) return i;
    return -1;
  }

  /**
   * Takes in the rows of a list. A row that is in the page already is changed in
   * place, so that it keeps focus and pointer.
   * @param {HTMLElement} list
   * @param {HTMLElement} page where rows of the page stand
   */
  take(list, page) {
    const shown = new Map(children(page, 'row').map((row) => [row.id, row]));
    this.total = Number(list.dataset.total);
    this.rev = list.dataset.rev ?? '';
    localise(list);
    for (const row of children(list, 'row')) {
      const old = shown.get(row.id);
      if (old && old !== row) become(old, row);
      this.#rows.set(Number(row.dataset.i), old ?? row);
    }
  }

  /**
   * Adds the rows that are missing; those that are held may be in the page.
   * @param {HTMLElement} list
   */
  #add(list) {
    localise(list);
    for (const row of children(list, 'row')) {
      const i = Number(row.dataset.i);
      if (!this.#rows.has(i)) this.#rows.set(i, row);
    }
  }

  /**
   * Forgets the rows from an index on, and what is on its way.
   * @param {number} from
   */
  drop(from) {
    for (const i of [...this.#rows.keys()]) if (i >= from) this.#rows.delete(i);
    for (const asked of this.#asked.values()) asked.abort();
    this.#asked.clear();
  }

  /**
   * Asks for windows that are missing: those of a range first, then the one ahead.
   * @param {number} from
   * @param {number} to
   * @param {number} ahead an index beyond the range
   */
  fill(from, to, ahead) {
    const pages = [];
    for (let p = Math.floor(Math.max(0, from) / PAGE); p * PAGE < to; p++) pages.push(p);
    const next = Math.floor(ahead / PAGE);
    for (const [p, asked] of this.#asked) {
      if (p === next || pages.includes(p)) continue;
      asked.abort();
      this.#asked.delete(p);
    }
    for (const p of [...pages, next]) if (!this.#asked.has(p) && this.#lacks(p)) this.#ask(p);
    if (this.#rows.size > KEEP) this.#forget(from);
  }

  /** @param {number} p */
  #lacks(p) {
    const end = Math.min(this.total, (p + 1) * PAGE);
    for (let i = p * PAGE; i >= 0 && i < end; i++) if (!this.#rows.has(i)) return true;
    return false;
  }

  /** @param {number} p */
  async #ask(p) {
    const asked = new AbortController();
    this.#asked.set(p, asked);
    try {
      const { body } = await fetchFragment(this.source.url(p * PAGE, PAGE), asked.signal);
      if (this.#asked.get(p) !== asked) return;
      const list = body.querySelector('.rows');
      if (!(list instanceof HTMLElement)) return;
      if (list.dataset.rev !== this.rev) return void await this.source.stale();
      this.#add(list);
      this.source.came();
    } catch (err) {
      expected(err);
    } finally {
      if (this.#asked.get(p) === asked) this.#asked.delete(p);
    }
  }

  /**
   * The row at an index, fetched if need be.
   * @param {number} i
   */
  async load(i) {
    if (!this.#rows.has(i) && i >= 0 && i < this.total) await this.#ask(Math.floor(i / PAGE));
    return this.#rows.get(i);
  }

  /**
   * Lets go of rows far from an index, but for those in the page.
   * @param {number} near
   */
  #forget(near) {
    for (const [i, row] of this.#rows) if (Math.abs(i - near) > KEEP / 3 && !row.isConnected) this.#rows.delete(i);
  }
}

/**
 * Makes a row of the page look like a new one.
 * @param {HTMLElement} old
 * @param {HTMLElement} row
 */
function become(old, row) {
  for (const { name } of [...old.attributes]) if (!row.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of row.attributes) if (name !== 'tabindex' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.innerHTML !== row.innerHTML) old.replaceChildren(...row.childNodes);
}
