// @ts-check
// The data source of an HTML export: it renders rows, path, facts and search results from
// the embedded data.

import { queryWords } from '../js/text.js';
import { parseViewParams, parseView, readFacts } from '../js/view.js';
import { ExportedBranches } from './exportedbranches.js';
import { renderFacts } from './facts.js';
import { parseOpenBranches } from './openbranches.js';
import { RowColumns, GROUP, HEADER, Outline } from './outline.js';
import { readPart } from './embeddeddata.js';
import { renderPathPage } from './pathpages.js';
import { renderRowWindow } from './rowwindows.js';
import { cutSnippet } from './snippet.js';
import { TextSearch } from './textsearch.js';

/** @typedef {import('../js/view.js').View} View */

const NOT_FOUND = { status: 404, body: document.createDocumentFragment() };

export class EmbeddedSource {
  /** @type {Map<string, Promise<RowColumns>>} */
  #columns = new Map();
  /** @type {{key: string, outline: Promise<Outline>} | null} */
  #lastOutline = null;
  /** @type {{q: string, found: Promise<Map<number, import('./textsearch.js').EntryText>>} | null} */
  #lastSearch = null;
  #searchAbort = new AbortController();

  /**
   * @param {any} data
   * @param {import('./entrytree.js').EntryTree} entryTree
   */
  constructor(data, entryTree) {
    this.data = data;
    this.entryTree = entryTree;
    this.searcher = new TextSearch(entryTree);
  }

  /**
   * @param {string} url
   * @param {AbortSignal} [signal]
   */
  async fragment(url, signal) {
    const { what, view, params } = this.#parseRequest(url);
    if (!this.#hasEntries(view, params)) return NOT_FOUND;
    const body = await this.#renderBody(what, view, params);
    signal?.throwIfAborted();
    return { status: 200, body };
  }

  /**
   * @param {string} what
   * @param {View} view
   * @param {URLSearchParams} params
   */
  async #renderBody(what, view, params) {
    if (what === 'path') return renderPathPage(this.entryTree, view, params, this.data.Ends);
    const outline = await this.#findOutline(view);
    if (what === 'facts') return renderFacts(this.data, this.entryTree, outline, view);
    const n = Math.min(500, Number(params.get('n')) || 200), around = params.get('around');
    const row = around ? outline.rowIndexOf(this.entryTree.findPosition(around)) : 0;
    const at = around ? Math.max(0, Math.min(row - Math.floor(n / 2), outline.rows.length - n)) : Number(params.get('at'));
    return renderRowWindow(outline, view, this.#findFilter(view).Empty, { at, n });
  }

  /**
   * Passes on the hits of a search.
   * @param {string} url
   * @param {(line: any) => void} onLine
   * @param {AbortSignal} [signal]
   */
  async lines(url, onLine, signal) {
    const { view, params } = this.#parseRequest(url), { entryTree } = this, isFailed = params.has('failed'), branches = new ExportedBranches(entryTree);
    const viewed = view.entry ? entryTree.findPosition(view.entry) : entryTree.leaf;
    onLine({ rev: readFacts().rev, words: isFailed ? [] : queryWords(view.q), viewed: { branch: branches.idOf(viewed), order: viewed } });
    const found = isFailed ? await this.searcher.findEntries('', signal, true) : view.q ? await this.#searchEntries(view.q) : new Map();
    signal?.throwIfAborted();
    const hits = [...found].map(([pos, part]) => ({
      entry: entryTree.ids[pos], branch: branches.idOf(pos), order: pos, role: part.role, failed: part.failed || undefined, arg: part.heading,
      text: cutSnippet(part.own, isFailed ? '' : view.q),
    }));
    onLine({ branches: branches.list(new Set(hits.map((hit) => hit.branch)), (id) => this.searcher.textOf(id)), hits, done: true });
  }

  /** @param {string} url */
  #parseRequest(url) {
    const [what, query] = url.replace(/^#\/?/, '').split(/\?(.*)/s);
    const href = '#?' + (query ?? '');
    const view = parseView(href);
    if (!this.#findFilter(view)) view.filter = 'default';
    return { what, view: { ...view, layout: 'spine', root: '' }, params: parseViewParams(href) };
  }

  /** @param {View} view */
  #findFilter(view) { return this.data.Filters.find((/** @type {any} */ f) => f.Name === view.filter); }

  /**
   * Reports whether all requested entries exist.
   * @param {View} view
   * @param {URLSearchParams} params
   */
  #hasEntries(view, params) {
    const ids = [view.entry, view.leaf, ...['around', 'before', 'after'].map((name) => params.get(name))];
    return ids.every((id) => !id || id === 'none' || this.entryTree.findPosition(id) >= 0);
  }

  /**
   * Returns the rows of a view. The result is cached, because rows and facts of a view are
   * requested together.
   * @param {View} view
   */
  #findOutline(view) {
    const key = JSON.stringify(view);
    if (this.#lastOutline?.key !== key) {
      const outline = this.#buildOutline(view);
      this.#lastOutline = { key, outline };
      outline.catch(() => { if (this.#lastOutline?.outline === outline) this.#lastOutline = null; });
    }
    return this.#lastOutline.outline;
  }

  /** @param {View} view */
  async #buildOutline(view) {
    const cols = await this.#loadColumns(view.filter), { entryTree } = this;
    const found = view.q ? await this.#searchEntries(view.q) : new Map();
    const failed = view.filter === 'failed' && !view.q ? new Map(this.data.Ticks?.filter((/** @type {any} */ t) => t.Class === 'failed').map((/** @type {any} */ t) => [t.At, t])) : null;
    const hits = view.q || failed ? entriesWithRows(cols, failed ?? found) : null;
    const path = entryTree.pathTo(entryTree.viewLeaf(view));
    return new Outline(cols, { entryTree, path, entry: view.entry ? entryTree.findPosition(view.entry) : path.leaf, open: parseOpenBranches(view.open), hits, matches: new Set(found.keys()) });
  }

  /** @param {string} filter */
  #loadColumns(filter) {
    const cols = this.#columns.get(filter) ?? readPart('rows-' + filter).then((data) => new RowColumns(data));
    this.#columns.set(filter, cols);
    return cols;
  }

  /**
   * Returns the matching entries. It aborts the search of an earlier query.
   * @param {string} q
   */
  #searchEntries(q) {
    if (this.#lastSearch?.q !== q) {
      this.#searchAbort.abort();
      this.#searchAbort = new AbortController();
      this.#lastSearch = { q, found: this.searcher.findEntries(q, this.#searchAbort.signal) };
    }
    return this.#lastSearch.found;
  }
}

/**
 * Returns the found entries that have a row under the filter.
 * @param {RowColumns} cols
 * @param {Map<number, unknown>} found
 */
function entriesWithRows(cols, found) {
  const all = new Set();
  for (let i = 0; i < cols.count; i++) if (cols.kind(i) !== GROUP && cols.kind(i) !== HEADER && found.has(cols.title[i])) all.add(cols.title[i]);
  return all;
}
