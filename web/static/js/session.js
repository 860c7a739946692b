// @ts-check
// The page of one session: the shown view and navigation to other views. The path is shown first,
// then rows and facts are fetched in parallel, and each is shown as soon as it arrives.

import { findAll, flashElement, nextPaint, requireElement } from './dom.js';
import { announce } from './notify.js';
import { fetchFragment, rethrowUnexpected } from './server.js';
import { morphElement } from './path/morphitems.js';
import { PathPane } from './path/path.js';
import { sessionAddress, readFacts, isCurrentAddress, formatViewQuery, isSamePath, isSameButEntry, parseView } from './view.js';
import { VirtualRows } from './virtualrows/virtualrows.js';

/**
 * @typedef {import('./view.js').View} View
 * @typedef {{history?: 'push' | 'replace' | 'none', scroll?: 'entry' | 'end' | 'keep', align?: {head: string, y: number},
 *   scrollState?: import('./scrollstate.js').ScrollState | null, selectRow?: boolean, row?: HTMLElement}} Navigation how to navigate
 *   to a view. row: the row of the viewed entry, which is marked already
 */

export class SessionPage {
  /** @type {View} */
  view;
  #navigation = new AbortController();
  /** How often the viewer has scrolled the tree. */
  #treeScrolls = 0;
  /** Whether rows and facts are those of the shown view. */
  #isComplete = true;
  /** The number of reloads of rows or facts that are not shown yet. Another view discards them. */
  #reloads = 0;
  /** The number of view changes. Responses for an older version are discarded. */
  viewVersion = 0;
  /** Resolves when no view is being loaded. */
  viewSettled = Promise.resolve();
  /** @type {VirtualRows} */
  rows;
  /** The panel that takes the place of the path, or null. @type {{address: () => string, leave: () => void} | null} */
  panel = null;
  /** @type {Set<() => void>} called when the facts of a view have changed */
  #factsListeners = new Set();

  constructor() {
    this.base = sessionAddress();
    /** Whether the page is a shared or exported snapshot that cannot be changed. */
    this.isSnapshot = requireElement('app').dataset.snapshot === 'true';
    this.tree = requireElement('tree');
    this.main = requireElement('main');
    this.view = this.#pinLeaf(parseView(location.href));
    this.rows = new VirtualRows(this.tree, (at, n) => this.fragmentURL('rows', { at, n, rev: this.rows.revision }), () => this.reloadRows(this.rows.isEndVisible && !this.rows.hasFocus));
    this.path = new PathPane(this);
    for (const type of ['wheel', 'touchmove']) this.tree.addEventListener(type, () => { this.#treeScrolls++; }, { passive: true });
  }

  /** @param {() => void} fn */
  onFactsChange(fn) { this.#factsListeners.add(fn); }

  /**
   * @param {'rows' | 'path' | 'facts' | 'hits' | 'news'} what
   * @param {Record<string, string | number>} [more]
   * @param {View} [view]
   */
  fragmentURL(what, more, view = this.view) { return `${this.base}/${what}${formatViewQuery(view, more)}`; }

  /** Returns the address of the shown view. */
  viewAddress() { return this.panel ? this.panel.address() : this.base + formatViewQuery(this.view); }

  /**
   * Returns a view with its leaf set, so that a new sibling never changes the shown path. A
   * path to the session's leaf follows the leaf. The root is the one that the server
   * reported.
   * @param {View} view
   */
  #pinLeaf(view) {
    const f = readFacts();
    return { ...view, leaf: f.atLeaf ? '' : f.leaf, root: f.root };
  }

  /**
   * Shows the view of a link.
   * @param {string} href
   * @param {Navigation} [navigation]
   */
  followLink(href, navigation) { return this.showView(parseView(href), navigation); }

  /**
   * Shows a view.
   * @param {View} next
   * @param {Navigation} [navigation]
   */
  showView(next, navigation = {}) {
    this.viewVersion++;
    if (navigation.history !== 'none' && navigation.scroll !== 'keep') this.panel?.leave();
    const done = this.#loadView(next, navigation);
    this.viewSettled = done.catch(() => {}); // callers only wait for the end
    return done;
  }

  /**
   * @param {View} next
   * @param {Navigation} navigation
   */
  async #loadView(next, navigation) {
    this.#navigation.abort();
    const { signal } = this.#navigation = new AbortController();
    const was = this.view;
    const keepPath = isSamePath(was, next) || (was.leaf === next.leaf && next.entry !== '' && this.path.findItem(next.entry) !== null);
    // For another entry of the path, rows and facts stay. Heads of agents and calls are further rows of an entry.
    const onlyEntry = this.#isComplete && !this.#reloads && !this.rows.cache.isFetching
      && isSameButEntry(was, next) && !next.q && navigation.row?.matches('.is-path[id^="r-"]') === true;
    this.#isComplete = onlyEntry;
    this.view = next;
    const place = { scrolls: this.#treeScrolls, tabStopID: this.rows.tabStopID }; // before the viewer moves on
    const isLoaded = keepPath && !navigation.scrollState && (navigation.scroll !== 'end' || this.path.hasLastPage);
    const loading = isLoaded ? null : this.path.loadPage(next, navigation, signal); // before anything that takes time
    this.#updateHistory(navigation.history ?? 'push');
    try {
      if (loading) await this.#showPathFirst(loading, signal);
      else this.path.showEntry(next.entry, navigation);
      if (onlyEntry) this.#updateEntryInLinks();
      else await Promise.all([this.#loadRows(navigation, signal, place), this.#loadFacts(signal)]);
    } catch (err) {
      rethrowUnexpected(err);
      return;
    }
    if (signal.aborted) return;
    this.#isComplete = true;
    this.view = this.#pinLeaf(this.view);
    if (navigation.history !== 'none' && !isCurrentAddress(this.viewAddress())) history.replaceState(history.state, '', this.viewAddress());
    for (const fn of this.#factsListeners) fn();
  }

  /**
   * Shows another part of the path before the rest of the page is requested, which would delay it:
   * the row that was clicked is marked already.
   * @param {Promise<number>} loading the request for the path
   * @param {AbortSignal} signal
   */
  async #showPathFirst(loading, signal) {
    await loading;
    await nextPaint();
    signal.throwIfAborted();
  }

  /** Makes the links that show the viewed entry in another way lead to the entry viewed now. */
  #updateEntryInLinks() {
    const { entry } = this.view;
    requireElement('facts').dataset.entry = entry;
    const rows = [...this.rows.cache.entries()].map(([, row]) => row).filter((row) => row.hasAttribute('aria-expanded'));
    const toggles = rows.flatMap((row) => findAll('.node--toggle, .row--fold > .row-link', row));
    for (const link of [...findAll('#filters a, #focus-bar a, #side-foot :is(a[data-view], .layout-link)'), ...toggles]) {
      const [address, place = ''] = (link.getAttribute('href') ?? '').split(/(?=#e-)/);
      link.setAttribute('href', this.base + formatViewQuery({ ...parseView(address), entry }) + place);
    }
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
   * @param {Navigation} navigation
   * @param {AbortSignal} signal
   * @param {{scrolls: number, tabStopID: string}} place of the viewer in the tree, when the view was requested
   */
  async #loadRows(navigation, signal, { scrolls, tabStopID }) {
    const at = navigation.scrollState?.row;
    const around = this.#entryToCenter(navigation.selectRow ?? false);
    /** @type {Record<string, string | number>} */
    const where = at || !around ? { at: Math.max(0, (at?.i ?? 0) - 100), n: 200 } : { around, n: 200 };
    const { body, status } = await fetchFragment(this.fragmentURL('rows', where), signal);
    const list = body.querySelector('.rows');
    if (status !== 200 || !(list instanceof HTMLElement)) return;
    // A viewer who has moved in the tree since then, or scrolled it, stays there.
    const moved = this.#treeScrolls !== scrolls || (this.rows.hasFocus && this.rows.tabStopID !== tabStopID);
    this.rows.replaceRows(list, at ?? null, (navigation.selectRow ?? false) && !moved);
  }

  /**
   * Returns the entry whose row must be fetched: the focused or the viewed one.
   * @param {boolean} viewed
   */
  #entryToCenter(viewed) {
    const acted = this.rows.rowAt(this.rows.tabStopIndex);
    if (!viewed && this.rows.hasFocus && acted?.dataset.entry) return acted.dataset.entry;
    return this.view.entry || readFacts().sessionLeaf;
  }

  /**
   * Fetches rows or facts of the shown view again.
   * @param {string} url
   */
  async #fetchAgain(url) {
    this.#reloads++;
    try {
      return await fetchFragment(url);
    } finally {
      this.#reloads--;
    }
  }

  /**
   * Fetches the rows near the visible ones again, or the last ones if the viewer follows
   * the end of the tree. It requests the end and not the known leaf, which may have
   * changed.
   * @param {boolean} [end]
   */
  async reloadRows(end) {
    const at = end ? 'end' : Math.max(0, this.rows.visibleRange.first - 80);
    const { viewVersion } = this;
    const { body, status } = await this.#fetchAgain(this.fragmentURL('rows', { at, n: 200 }));
    const list = body.querySelector('.rows');
    if (viewVersion !== this.viewVersion || !(list instanceof HTMLElement)) return status;
    const follows = end && this.rows.isEndWithin(); // the viewer may have scrolled up meanwhile
    this.rows.replaceRows(list, null, false);
    if (follows) this.rows.scrollToRow(this.rows.total - 1);
    return status;
  }

  /** Shows the leaf after the viewed entry was removed from the file. */
  returnToLeaf() {
    announce('The entry that was viewed is gone. This is the leaf.');
    return this.showView({ ...this.view, entry: '', leaf: '' }, { history: 'replace', scroll: 'end', selectRow: true });
  }

  /** @param {AbortSignal} [signal] */
  async #loadFacts(signal) {
    const { body } = await fetchFragment(this.fragmentURL('facts'), signal);
    this.showFacts(body);
  }

  /** Fetches the facts again. */
  async reloadFacts() {
    const { viewVersion } = this;
    const { body } = await this.#fetchAgain(this.fragmentURL('facts'));
    if (viewVersion !== this.viewVersion) return;
    this.showFacts(body);
    for (const fn of this.#factsListeners) fn();
  }

  /** @param {DocumentFragment} body */
  showFacts(body) {
    const had = document.activeElement;
    for (const part of [...body.querySelectorAll('.fragment > [id]')]) {
      const old = document.getElementById(part.id);
      // Morphing hundreds of ticks takes much longer than replacing them, which would lose a click.
      if (old && part.id === 'ruler' && !old.matches(':hover, :focus-within')) old.replaceWith(part);
      else if (old) morphElement(old, part);
      else if (part.matches('.entry--fork')) this.path.addSwitcher(/** @type {HTMLElement} */ (part));
    }
    document.title = document.getElementById('title')?.dataset.title ?? document.title;
    if (had && had !== document.activeElement && !this.rows.hasFocus) this.main.focus({ preventScroll: true });
  }

  /** Scrolls both panes to the viewed entry and highlights it. */
  revealViewedEntry() {
    const { selectedIndex } = this.rows;
    if (this.isSnapshot && !this.view.entry && !this.view.leaf) return this.rows.scrollToRow(0); // a snapshot opens at its start
    if (selectedIndex >= 0) this.rows.scrollToRow(selectedIndex, 'center');
    if (!this.view.entry) return this.path.scrollToEnd();
    this.path.showEntry(this.view.entry, { scroll: 'entry' });
    flashElement(this.rows.rowAt(selectedIndex));
  }
}
