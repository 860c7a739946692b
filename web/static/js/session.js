// @ts-check
// One session's page: which view is shown, and how to get to another. Rows, path
// and facts are fetched side by side and each is shown as soon as it is here.

import { rethrowUnexpected, fetchFragment, flashElement, requireElement, announce } from './dom.js';
import { morphElement } from './path/morphitems.js';
import { PathPane } from './path/path.js';
import { sessionAddress, readFacts, isCurrentAddress, formatViewQuery, isSamePath, parseView } from './view.js';
import { VirtualRows } from './virtualrows/virtualrows.js';

/**
 * @typedef {import('./view.js').View} View
 * @typedef {{history?: 'push' | 'replace' | 'none', scroll?: 'entry' | 'end' | 'keep', align?: {head: string, y: number},
 *   scrollState?: import('./scrollstate.js').ScrollState | null, selectRow?: boolean}} Navigation how to get to a view
 */

export class SessionPage {
  /** @type {View} */
  view;
  #navigation = new AbortController();
  /** How often the view was changed; what was fetched for an older turn is void. */
  viewVersion = 0;
  /** Settles when no view is on its way. */
  viewSettled = Promise.resolve();
  /** @type {VirtualRows} */
  rows;
  /** @type {Set<() => void>} called when the facts of a view are known */
  #factsListeners = new Set();

  constructor() {
    this.base = sessionAddress();
    /** Whether nothing can be changed: the page is for readers. */
    this.isSnapshot = requireElement('app').dataset.reader === 'true';
    this.tree = requireElement('tree');
    this.main = requireElement('main');
    this.view = this.#pinLeaf(parseView(location.href));
    this.rows = new VirtualRows(this.tree, (at, n) => this.fragmentURL('rows', { at, n, rev: this.rows.revision }), () => this.reloadRows(this.rows.isEndVisible && !this.rows.hasFocus));
    this.path = new PathPane(this);
  }

  /** @param {() => void} fn */
  onFactsChange(fn) { this.#factsListeners.add(fn); }

  /**
   * @param {'rows' | 'path' | 'facts' | 'search' | 'news'} what
   * @param {Record<string, string | number>} [more]
   * @param {View} [view]
   */
  fragmentURL(what, more, view = this.view) { return `${this.base}/${what}${formatViewQuery(view, more)}`; }

  /** The address of the page as it is shown. */
  viewAddress() { return this.base + formatViewQuery(this.view); }

  /**
   * A path to the leaf follows it; any other is named, so that a new sibling never
   * changes what is shown. A branch that is not viewed any more is not focused.
   * @param {View} view
   */
  #pinLeaf(view) {
    const f = readFacts();
    return { ...view, leaf: f.atLeaf ? '' : f.leaf, root: f.root };
  }

  /**
   * Goes to the view of a link.
   * @param {string} href
   * @param {Navigation} [way]
   */
  followLink(href, way) { return this.showView(parseView(href), way); }

  /**
   * Shows a view.
   * @param {View} next
   * @param {Navigation} [way]
   */
  showView(next, way = {}) {
    this.viewVersion++;
    const done = this.#loadView(next, way);
    this.viewSettled = done.catch(() => {}); // whoever waits for it only wants to know when
    return done;
  }

  /**
   * @param {View} next
   * @param {Navigation} way
   */
  async #loadView(next, way) {
    this.#navigation.abort();
    const { signal } = this.#navigation = new AbortController();
    const was = this.view;
    const keepPath = isSamePath(was, next) || (was.leaf === next.leaf && next.entry !== '' && this.path.findItem(next.entry) !== null);
    this.view = next;
    this.#updateHistory(way.history ?? 'push');
    try {
      await Promise.all([
        this.#loadRows(way, signal),
        keepPath && !way.scrollState && (way.scroll !== 'end' || this.path.hasLastPage) ? this.path.showEntry(next.entry, way) : this.path.loadPage(next, way, signal),
        this.#loadFacts(signal),
      ]);
    } catch (err) {
      rethrowUnexpected(err);
      return;
    }
    if (signal.aborted) return;
    this.view = this.#pinLeaf(this.view);
    if (way.history !== 'none') history.replaceState(history.state, '', this.viewAddress());
    for (const fn of this.#factsListeners) fn();
  }

  /** @param {'push' | 'replace' | 'none'} how */
  #updateHistory(how) {
    if (how === 'none') return;
    const address = this.viewAddress();
    if (how === 'replace' || isCurrentAddress(address)) return history.replaceState(history.state, '', address);
    document.dispatchEvent(new CustomEvent('leaving'));
    history.pushState(null, '', address);
  }

  /**
   * @param {Navigation} way
   * @param {AbortSignal} signal
   */
  async #loadRows(way, signal) {
    const at = way.scrollState?.row, { tabStopID } = this.rows;
    const around = this.#entryToCenter(way.selectRow ?? false);
    /** @type {Record<string, string | number>} */
    const where = at || !around ? { at: Math.max(0, (at?.i ?? 0) - 100), n: 200 } : { around, n: 200 };
    const { body, status } = await fetchFragment(this.fragmentURL('rows', where), signal);
    const list = body.querySelector('.rows');
    if (status !== 200 || !(list instanceof HTMLElement)) return;
    // A reader who has moved in the tree since stays on the row they moved to.
    const moved = this.rows.hasFocus && this.rows.tabStopID !== tabStopID;
    this.rows.replaceRows(list, at ?? null, (way.selectRow ?? false) && !moved);
  }

  /**
   * The entry whose row is to be in the window: the one acted on, or the viewed one.
   * @param {boolean} viewed
   */
  #entryToCenter(viewed) {
    const acted = this.rows.rowAt(this.rows.tabStopIndex);
    if (!viewed && this.rows.hasFocus && acted?.dataset.entry) return acted.dataset.entry;
    return this.view.entry || readFacts().sessionLeaf;
  }

  /**
   * Asks for the rows near the visible ones again, or for the last ones when the
   * reader watches the end of the tree. The end and not the leaf that is known: it
   * may be another one by now.
   * @param {boolean} [end]
   */
  async reloadRows(end) {
    const at = end ? 'end' : Math.max(0, this.rows.visibleRange.first - 80);
    const { viewVersion } = this;
    const { body, status } = await fetchFragment(this.fragmentURL('rows', { at, n: 200 }));
    const list = body.querySelector('.rows');
    if (viewVersion !== this.viewVersion || !(list instanceof HTMLElement)) return status;
    this.rows.replaceRows(list, null, false);
    if (end) this.rows.scrollToRow(this.rows.total - 1);
    return status;
  }

  /** What was viewed is not in the file any more: back to the leaf. */
  returnToLeaf() {
    announce('The entry that was viewed is gone. This is the leaf.');
    return this.showView({ ...this.view, entry: '', leaf: '' }, { history: 'replace', scroll: 'end', selectRow: true });
  }

  /** @param {AbortSignal} [signal] */
  async #loadFacts(signal) {
    const { body } = await fetchFragment(this.fragmentURL('facts'), signal);
    this.showFacts(body);
  }

  /** Asks for the facts again. */
  async reloadFacts() {
    const { viewVersion } = this;
    const { body } = await fetchFragment(this.fragmentURL('facts'));
    if (viewVersion !== this.viewVersion) return;
    this.showFacts(body);
    for (const fn of this.#factsListeners) fn();
  }

  /** @param {DocumentFragment} body */
  showFacts(body) {
    const had = document.activeElement;
    for (const part of [...body.querySelectorAll('.fragment > [id]')]) {
      const old = document.getElementById(part.id);
      if (old) morphElement(old, part);
    }
    document.title = document.getElementById('title')?.dataset.title ?? document.title;
    if (had && had !== document.activeElement && !this.rows.hasFocus) this.main.focus({ preventScroll: true });
  }

  /** Scrolls both panes to the viewed entry and highlights it, as a deep link does. */
  revealViewedEntry() {
    const { selectedIndex } = this.rows;
    if (this.isSnapshot && !this.view.entry && !this.view.leaf) return this.rows.scrollToRow(0); // a reader begins at the beginning
    if (selectedIndex >= 0) this.rows.scrollToRow(selectedIndex, 'center');
    if (!this.view.entry) return this.path.scrollToEnd();
    this.path.showEntry(this.view.entry, { scroll: 'entry' });
    flashElement(this.rows.rowAt(selectedIndex));
  }
}
