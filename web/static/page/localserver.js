// @ts-check
// Answers what the page asks for, in place of a server: rows, path, facts, search.

import { paramsOf, viewOf } from '../js/view.js';
import { factsBody } from './facts.js';
import { parseOpen } from './openbranches.js';
import { Columns, FOLD, HEAD, Outline } from './outline.js';
import { part } from './embeddeddata.js';
import { pathBody } from './pathpages.js';
import { rowsBody } from './rowwindows.js';
import { Searcher } from './textsearch.js';

/** @typedef {import('../js/view.js').View} View */

const NONE = { status: 404, body: document.createDocumentFragment() };

export class Answerer {
  /** @type {Map<string, Promise<Columns>>} */
  #columns = new Map();
  /** @type {{key: string, outline: Promise<Outline>} | null} */
  #last = null;
  /** @type {{q: string, found: Promise<Set<number>>} | null} */
  #found = null;
  #searching = new AbortController();

  /**
   * @param {any} data
   * @param {import('./entrytree.js').Forest} forest
   */
  constructor(data, forest) {
    this.data = data;
    this.forest = forest;
    this.searcher = new Searcher(forest);
  }

  /**
   * @param {string} url
   * @param {AbortSignal} [signal]
   */
  async fragment(url, signal) {
    const { what, view, asked } = this.#read(url);
    if (!this.#knows(view, asked)) return NONE;
    const body = await this.#body(what, view, asked);
    signal?.throwIfAborted();
    return { status: 200, body };
  }

  /**
   * @param {string} what
   * @param {View} view
   * @param {URLSearchParams} asked
   */
  async #body(what, view, asked) {
    if (what === 'path') return pathBody(this.forest, view, asked, this.data.Ends);
    const outline = await this.#outline(view);
    if (what === 'facts') return factsBody(this.data, this.forest, outline, view);
    const n = Math.min(500, Number(asked.get('n')) || 200), around = asked.get('around');
    const row = around ? outline.rowOf(this.forest.find(around)) : 0;
    const at = around ? Math.max(0, Math.min(row - Math.floor(n / 2), outline.rows.length - n)) : Number(asked.get('at'));
    return rowsBody(outline, view, this.#filter(view).Empty, { at, n });
  }

  /**
   * Which entries match a query, in the order of their rows.
   * @param {string} url
   * @param {AbortSignal} [signal]
   */
  async json(url, signal) {
    const { view } = this.#read(url), outline = await this.#outline(view), { cols } = outline;
    signal?.throwIfAborted();
    /** @type {Map<number, number>} */
    const rows = new Map();
    let row = -1;
    for (let i = 0; i < cols.n; i++) {
      if (outline.at[i] >= 0) row = outline.at[i]; // what is closed stands at the row above it
      const pos = cols.title[i];
      if (cols.kind(i) !== FOLD && cols.kind(i) !== HEAD && outline.look.hits?.has(pos) && (!rows.has(pos) || outline.at[i] >= 0)) rows.set(pos, row);
    }
    const hits = [...rows].map(([pos, at]) => ({ entry: this.forest.ids[pos], row: at })).sort((a, b) => a.row - b.row);
    return { hits, total: hits.length };
  }

  /** @param {string} url */
  #read(url) {
    const [what, query] = url.replace(/^#\/?/, '').split(/\?(.*)/s);
    const href = '#?' + (query ?? '');
    const view = viewOf(href);
    if (!this.#filter(view)) view.filter = 'default';
    return { what, view: { ...view, layout: 'spine', root: '' }, asked: paramsOf(href) };
  }

  /** @param {View} view */
  #filter(view) { return this.data.Filters.find((/** @type {any} */ f) => f.Name === view.filter); }

  /**
   * Whether all entries that are asked for are here.
   * @param {View} view
   * @param {URLSearchParams} asked
   */
  #knows(view, asked) {
    const ids = [view.entry, view.leaf, ...['around', 'before', 'after'].map((name) => asked.get(name))];
    return ids.every((id) => !id || id === 'none' || this.forest.find(id) >= 0);
  }

  /**
   * The rows of a view. Rows and facts of one view ask at the same time.
   * @param {View} view
   */
  #outline(view) {
    const key = JSON.stringify(view);
    if (this.#last?.key !== key) {
      const outline = this.#make(view);
      this.#last = { key, outline };
      outline.catch(() => { if (this.#last?.outline === outline) this.#last = null; });
    }
    return this.#last.outline;
  }

  /** @param {View} view */
  async #make(view) {
    const cols = await this.#column(view.filter), { forest } = this;
    const hits = view.q ? rowed(cols, await this.#hits(view.q)) : null;
    const path = forest.path(forest.leafOf(view));
    return new Outline(cols, { forest, path, entry: view.entry ? forest.find(view.entry) : path.leaf, open: parseOpen(view.open), hits });
  }

  /** @param {string} filter */
  #column(filter) {
    const cols = this.#columns.get(filter) ?? part('rows-' + filter).then((data) => new Columns(data));
    this.#columns.set(filter, cols);
    return cols;
  }

  /**
   * The entries that match. Only the last query is worth looking for.
   * @param {string} q
   */
  #hits(q) {
    if (this.#found?.q !== q) {
      this.#searching.abort();
      this.#searching = new AbortController();
      this.#found = { q, found: this.searcher.find(q, this.#searching.signal) };
    }
    return this.#found.found;
  }
}

/**
 * Those of the found entries that have a row under the filter.
 * @param {Columns} cols
 * @param {Set<number>} found
 */
function rowed(cols, found) {
  const all = new Set();
  for (let i = 0; i < cols.n; i++) if (cols.kind(i) !== FOLD && cols.kind(i) !== HEAD && found.has(cols.title[i])) all.add(cols.title[i]);
  return all;
}
