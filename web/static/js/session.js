// @ts-check
// One session's page: which view is shown, and how to get to another. Rows, path
// and facts are fetched side by side and each is shown as soon as it is here.

import { expected, fetchFragment, flash, need, say } from './dom.js';
import { morph } from './items.js';
import { Path } from './path.js';
import { base, facts, isHere, queryOf, samePath, viewOf } from './view.js';
import { RowWindow } from './window.js';

/**
 * @typedef {import('./view.js').View} View
 * @typedef {{history?: 'push' | 'replace' | 'none', scroll?: 'entry' | 'end' | 'keep', align?: {head: string, y: number},
 *   place?: import('./places.js').Place | null, rowsToo?: boolean}} Way how to get to a view
 */

export class Session {
  /** @type {View} */
  view;
  #going = new AbortController();
  /** How often the view was changed; what was fetched for an older turn is void. */
  turn = 0;
  /** Settles when no view is on its way. */
  settled = Promise.resolve();
  /** @type {RowWindow} */
  rows;
  /** @type {Set<() => void>} called when the facts of a view are known */
  #arrived = new Set();

  constructor() {
    this.base = base();
    /** Whether nothing can be changed: the page is for readers. */
    this.reader = need('app').dataset.reader === 'true';
    this.tree = need('tree');
    this.main = need('main');
    this.view = this.#pinned(viewOf(location.href));
    this.rows = new RowWindow(this.tree, (at, n) => this.url('rows', { at, n, rev: this.rows.rev }), () => this.reloadRows(this.rows.atEnd && !this.rows.focused));
    this.path = new Path(this);
  }

  /** @param {() => void} fn */
  onArrive(fn) { this.#arrived.add(fn); }

  /**
   * @param {'rows' | 'path' | 'facts' | 'search'} what
   * @param {Record<string, string | number>} [more]
   * @param {View} [view]
   */
  url(what, more, view = this.view) { return `${this.base}/${what}${queryOf(view, more)}`; }

  /** The address of the page as it is shown. */
  address() { return this.base + queryOf(this.view); }

  /**
   * A path to the leaf follows it; any other is named, so that a new sibling never
   * changes what is shown. A branch that is not viewed any more is not focused.
   * @param {View} view
   */
  #pinned(view) {
    const f = facts();
    return { ...view, leaf: f.atLeaf ? '' : f.leaf, root: f.root };
  }

  /**
   * Goes to the view of a link.
   * @param {string} href
   * @param {Way} [way]
   */
  follow(href, way) { return this.go(viewOf(href), way); }

  /**
   * Shows a view.
   * @param {View} next
   * @param {Way} [way]
   */
  go(next, way = {}) {
    this.turn++;
    const done = this.#go(next, way);
    this.settled = done.catch(() => {}); // whoever waits for it only wants to know when
    return done;
  }

  /**
   * @param {View} next
   * @param {Way} way
   */
  async #go(next, way) {
    this.#going.abort();
    const { signal } = this.#going = new AbortController();
    const was = this.view;
    const keepPath = samePath(was, next) || (was.leaf === next.leaf && next.entry !== '' && this.path.find(next.entry) !== null);
    this.view = next;
    this.#remember(way.history ?? 'push');
    try {
      await Promise.all([
        this.#goRows(way, signal),
        keepPath && !way.place && (way.scroll !== 'end' || this.path.complete) ? this.path.show(next.entry, way) : this.path.load(next, way, signal),
        this.#goFacts(signal),
      ]);
    } catch (err) {
      expected(err);
      return;
    }
    if (signal.aborted) return;
    this.view = this.#pinned(this.view);
    if (way.history !== 'none') history.replaceState(history.state, '', this.address());
    for (const fn of this.#arrived) fn();
  }

  /** @param {'push' | 'replace' | 'none'} how */
  #remember(how) {
    if (how === 'none') return;
    const address = this.address();
    if (how === 'replace' || isHere(address)) return history.replaceState(history.state, '', address);
    document.dispatchEvent(new CustomEvent('leaving'));
    history.pushState(null, '', address);
  }

  /**
   * @param {Way} way
   * @param {AbortSignal} signal
   */
  async #goRows(way, signal) {
    const at = way.place?.row, { tabStop } = this.rows;
    const around = this.#rowEntry(way.rowsToo ?? false);
    /** @type {Record<string, string | number>} */
    const where = at || !around ? { at: Math.max(0, (at?.i ?? 0) - 100), n: 200 } : { around, n: 200 };
    const { body, status } = await fetchFragment(this.url('rows', where), signal);
    const list = body.querySelector('.rows');
    if (status !== 200 || !(list instanceof HTMLElement)) return;
    // A reader who has moved in the tree since stays on the row they moved to.
    const moved = this.rows.focused && this.rows.tabStop !== tabStop;
    this.rows.replace(list, at ?? null, (way.rowsToo ?? false) && !moved);
  }

  /**
   * The entry whose row is to be in the window: the one acted on, or the viewed one.
   * @param {boolean} viewed
   */
  #rowEntry(viewed) {
    const acted = this.rows.row(this.rows.focusIndex);
    if (!viewed && this.rows.focused && acted?.dataset.entry) return acted.dataset.entry;
    return this.view.entry || facts().sessionLeaf;
  }

  /**
   * Asks for the rows near the visible ones again, or for the last ones when the
   * reader watches the end of the tree. The end and not the leaf that is known: it
   * may be another one by now.
   * @param {boolean} [end]
   */
  async reloadRows(end) {
    const at = end ? 'end' : Math.max(0, this.rows.visible.first - 80);
    const { turn } = this;
    const { body, status } = await fetchFragment(this.url('rows', { at, n: 200 }));
    const list = body.querySelector('.rows');
    if (turn !== this.turn || !(list instanceof HTMLElement)) return status;
    this.rows.replace(list, null, false);
    if (end) this.rows.scrollTo(this.rows.total - 1);
    return status;
  }

  /** What was viewed is not in the file any more: back to the leaf. */
  gone() {
    say('The entry that was viewed is gone. This is the leaf.');
    return this.go({ ...this.view, entry: '', leaf: '' }, { history: 'replace', scroll: 'end', rowsToo: true });
  }

  /** @param {AbortSignal} [signal] */
  async #goFacts(signal) {
    const { body } = await fetchFragment(this.url('facts'), signal);
    this.showFacts(body);
  }

  /** Asks for the facts again. */
  async reloadFacts() {
    const { turn } = this;
    const { body } = await fetchFragment(this.url('facts'));
    if (turn !== this.turn) return;
    this.showFacts(body);
    for (const fn of this.#arrived) fn();
  }

  /** @param {DocumentFragment} body */
  showFacts(body) {
    const had = document.activeElement;
    for (const part of [...body.querySelectorAll('.fragment > [id]')]) {
      const old = document.getElementById(part.id);
      if (old) morph(old, part);
      else if (part.matches('.entry--fork')) this.path.addSwitcher(/** @type {HTMLElement} */ (part));
    }
    document.title = document.getElementById('title')?.dataset.title ?? document.title;
    if (had && had !== document.activeElement && !this.rows.focused) this.main.focus({ preventScroll: true });
  }

  /** Scrolls both panes to the viewed entry and highlights it, as a deep link does. */
  reveal() {
    const { selected } = this.rows;
    if (this.reader && !this.view.entry && !this.view.leaf) return this.rows.scrollTo(0); // a reader begins at the beginning
    if (selected >= 0) this.rows.scrollTo(selected, 'center');
    if (!this.view.entry) return this.path.toEnd();
    this.path.show(this.view.entry, { scroll: 'entry' });
    flash(this.rows.row(selected));
  }
}
