// @ts-check
// A cache of rows, which are fetched in pages of 200.

import { childrenWithClass } from '../dom.js';
import { fetchFragment, rethrowUnexpected } from '../server.js';
import { localizeTimes } from '../times.js';

const PAGE_SIZE = 200; // rows per request
const MAX_CACHED = 2000; // rows kept

/** @typedef {{url: (at: number, n: number) => string, onRows: () => void, onStale: () => unknown}} RowSource */

export class RowCache {
  total = 0;
  revision = '';
  /** @type {Map<number, HTMLElement>} */
  #rows = new Map();
  /** @type {Map<number, AbortController>} */
  #requests = new Map();

  /** @type {Map<string, {size: string, before: number}>} aria-setsize of earlier rows, by runOf */
  #setSizes = new Map();

  /** @param {RowSource} source */
  constructor(source) { this.source = source; }

  /** Whether rows are on their way. */
  get isFetching() { return this.#requests.size > 0; }

  /** @param {number} i */
  get(i) {
    const row = this.#rows.get(i);
    const set = row && this.#setSizes.size ? this.#setSizes.get(runOf(row)) : undefined;
    if (row && set && i < set.before && row.getAttribute('aria-setsize') !== set.size) row.setAttribute('aria-setsize', set.size);
    return row;
  }

  /**
   * Makes get update aria-setsize of the rows before some that were sent: the server does not
   * send rows whose set size alone has changed. Most of them are not in the page.
   * @param {number} from index of the first row that was sent
   * @param {number} n number of rows that were sent
   */
  updateSetSizes(from, n) {
    for (let i = from; i < from + n; i++) {
      const row = this.#rows.get(i);
      if (row) this.#setSizes.set(runOf(row), { size: row.getAttribute('aria-setsize') ?? '', before: from });
    }
  }

  /** Returns all cached rows by index. */
  entries() { return this.#rows.entries(); }

  /**
   * Returns the index of a cached row, or -1.
   * @param {string} id
   */
  indexOfID(id) {
    if (id) for (const [i, row] of this.#rows) if (row.id === id) return i;
    return -1;
  }

  /**
   * Adds the rows of a list. A row that is in the page is changed in place, so that it
   * keeps the focus and the pointer.
   * @param {HTMLElement} list
   * @param {HTMLElement} page the element that holds the rows of the page
   */
  mergeRows(list, page) {
    const shown = new Map(childrenWithClass(page, 'row').map((row) => [row.id, row]));
    this.total = Number(list.dataset.total);
    this.revision = list.dataset.rev ?? '';
    localizeTimes(list);
    for (const row of childrenWithClass(list, 'row')) {
      const old = shown.get(row.id);
      if (old && old !== row) patchRow(old, row);
      this.#rows.set(Number(row.dataset.row), old ?? row);
    }
  }

  /**
   * Adds the rows that are not cached. Cached rows may be in the page, so they are kept.
   * @param {HTMLElement} list
   */
  #addMissing(list) {
    localizeTimes(list);
    for (const row of childrenWithClass(list, 'row')) {
      const i = Number(row.dataset.row);
      if (!this.#rows.has(i)) this.#rows.set(i, row);
    }
  }

  /**
   * Removes the rows from an index on and aborts all requests.
   * @param {number} from
   */
  dropFrom(from) {
    for (const i of [...this.#rows.keys()]) if (i >= from) this.#rows.delete(i);
    for (const set of this.#setSizes.values()) set.before = Math.min(set.before, from);
    for (const request of this.#requests.values()) request.abort();
    this.#requests.clear();
  }

  /**
   * Fetches missing pages: those of a range first, then the one ahead.
   * @param {number} from
   * @param {number} to
   * @param {number} ahead an index beyond the range
   */
  fetchMissing(from, to, ahead) {
    const pages = [];
    for (let p = Math.floor(Math.max(0, from) / PAGE_SIZE); p * PAGE_SIZE < to; p++) pages.push(p);
    const next = Math.floor(ahead / PAGE_SIZE);
    for (const [p, request] of this.#requests) {
      if (p === next || pages.includes(p)) continue;
      request.abort();
      this.#requests.delete(p);
    }
    for (const p of [...pages, next]) if (!this.#requests.has(p) && this.#isPageMissing(p)) this.#fetchPage(p);
    if (this.#rows.size > MAX_CACHED) this.#evictFarRows(from);
  }

  /** @param {number} p */
  #isPageMissing(p) {
    const end = Math.min(this.total, (p + 1) * PAGE_SIZE);
    for (let i = p * PAGE_SIZE; i >= 0 && i < end; i++) if (!this.#rows.has(i)) return true;
    return false;
  }

  /** @param {number} p */
  async #fetchPage(p) {
    const request = new AbortController();
    this.#requests.set(p, request);
    try {
      const { body } = await fetchFragment(this.source.url(p * PAGE_SIZE, PAGE_SIZE), request.signal);
      if (this.#requests.get(p) !== request) return;
      const list = body.querySelector('.rows');
      if (!(list instanceof HTMLElement)) return;
      if (list.dataset.rev !== this.revision) return void await this.source.onStale();
      this.#addMissing(list);
      this.source.onRows();
    } catch (err) {
      rethrowUnexpected(err);
    } finally {
      if (this.#requests.get(p) === request) this.#requests.delete(p);
    }
  }

  /**
   * Returns the row at an index, fetched if needed.
   * @param {number} i
   */
  async loadRow(i) {
    if (!this.#rows.has(i) && i >= 0 && i < this.total) await this.#fetchPage(Math.floor(i / PAGE_SIZE));
    return this.#rows.get(i);
  }

  /**
   * Removes rows far from an index, except those in the page.
   * @param {number} near
   */
  #evictFarRows(near) {
    for (const [i, row] of this.#rows) if (Math.abs(i - near) > MAX_CACHED / 3 && !row.isConnected) this.#rows.delete(i);
  }
}

/**
 * Updates a row of the page to match a new one.
 * @param {HTMLElement} old
 * @param {HTMLElement} row
 */
function patchRow(old, row) {
  for (const { name } of [...old.attributes]) if (!row.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of row.attributes) if (name !== 'tabindex' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.innerHTML !== row.innerHTML) old.replaceChildren(...row.childNodes);
}

/**
 * Names the rows that a row is in a set with.
 * @param {HTMLElement} row
 */
function runOf(row) { return row.dataset.parentRow + ' ' + row.getAttribute('aria-level'); }
