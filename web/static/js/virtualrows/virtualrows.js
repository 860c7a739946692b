// @ts-check
// The window on the tree: of any number of rows only those near the visible ones
// are elements of the page, between two spacers.

import { children } from '../dom.js';
import { mount, wanted } from './dom.js';
import { RowScale } from './geometry.js';
import { RowStore } from './cache.js';

const SPARE = 24; // rows in the page above and below the visible ones

/** @typedef {{id: string, y: number}} Anchor a row and how far below the tree's top it stands */

export class RowWindow {
  #stop = ''; // id of the row that is the tree's one tab stop
  #stopAt = -1;
  #last = 0;
  #down = true;
  #end = false;

  /**
   * @param {HTMLElement} tree
   * @param {(at: number, n: number) => string} url of a window
   * @param {() => unknown} stale called when rows of another revision came
   */
  constructor(tree, url, stale) {
    this.tree = tree;
    this.list = /** @type {HTMLElement} */ (tree.querySelector('.rows'));
    const [above, below] = children(tree, 'pad');
    this.scale = new RowScale(tree, above, below);
    this.store = new RowStore({ url, stale, came: () => this.paint() });
    this.take(this.list, true);
    tree.addEventListener('scroll', () => this.paint(), { passive: true });
    new ResizeObserver(() => {
      this.scale.forget();
      if (this.#end) this.scrollTo(this.total - 1);
      else this.paint();
    }).observe(tree);
  }

  get total() { return this.store.total; }
  get rev() { return this.store.rev; }
  get focusIndex() { return this.#stopAt; }
  /** The id of the row that is the tab stop. */
  get tabStop() { return this.#stop; }

  /** The first and last visible index. */
  get visible() { return this.scale.now(this.total).visible; }

  /**
   * Whether the last row is in sight, as it was painted last: a tree that became
   * lower since shows its end again.
   */
  get atEnd() { return this.#end; }

  /** The row the server calls selected, or -1. */
  get selected() { return Number(this.list.dataset.selected ?? -1); }

  /** Whether the focus is in the tree. */
  get focused() { return this.tree.contains(document.activeElement); }

  /** @param {number} i */
  row(i) { return this.store.get(i); }

  /**
   * Takes in the rows of a fragment.
   * @param {HTMLElement} list
   * @param {boolean} fresh whether what was held before is void
   */
  take(list, fresh) {
    if (fresh) this.store.drop(0);
    this.store.take(list, this.list);
    if (list !== this.list) {
      for (const name of ['total', 'rev', 'selected', 'hits']) this.list.dataset[name] = list.dataset[name];
      this.list.querySelector(':scope > .state')?.remove();
      const state = list.querySelector(':scope > .state');
      if (state) this.list.append(state);
    }
    this.#stopAt = this.store.indexOf(this.#stop);
    const stop = children(list, 'row').find((row) => row.tabIndex === 0);
    if (this.#stopAt < 0 && (fresh || !this.#stop)) this.setFocus(stop ? Number(stop.dataset.i) : Number(list.dataset.at));
  }

  /**
   * Puts a new list of rows in place of the old, with what the reader looks at
   * where it was.
   * @param {HTMLElement} list
   * @param {Anchor | null} place where to be, when it is known
   * @param {boolean} select whether the selected row becomes the tab stop, in sight
   */
  replace(list, place, select) {
    const { focused } = this, { first, last } = this.visible;
    const near = first <= this.#stopAt && this.#stopAt <= last;
    const anchors = place ? [place] : [near ? this.anchor(this.#stopAt) : null, this.anchor(first + 1)];
    this.take(list, true);
    const { selected } = this;
    if (!anchors.some((anchor) => this.hold(anchor))) this.scrollTo(Math.max(0, selected), 'center');
    if (select && selected >= 0) {
      this.scrollTo(selected);
      this.setFocus(selected);
    }
    if (focused && (select || !this.focused)) this.refocus();
  }

  /** Gives the focus to the tab stop. */
  refocus() { this.row(this.#stopAt)?.focus({ preventScroll: true }); }

  /**
   * Makes a row the tab stop.
   * @param {number} i
   */
  setFocus(i) {
    const row = this.row(i);
    if (!row) return;
    const old = document.getElementById(this.#stop);
    if (old && old !== row) old.tabIndex = -1;
    [this.#stop, this.#stopAt] = [row.id, i];
    row.tabIndex = 0;
  }

  /**
   * Marks a row as the selected one before the server answers, so that the mark
   * never stands elsewhere than what is viewed.
   * @param {number} i
   */
  select(i) {
    for (const [at, row] of this.store.entries()) {
      if (row.getAttribute('aria-selected') === String(at === i)) continue;
      row.setAttribute('aria-selected', String(at === i));
      row.classList.toggle('is-selected', at === i);
    }
    this.list.dataset.selected = String(i);
  }

  /**
   * Scrolls a row to the middle, or only as far as needed.
   * @param {number} i
   * @param {'center' | 'nearest'} how
   * @param {import('./geometry.js').Sight} [sight] of before, where the page has changed since
   */
  scrollTo(i, how = 'nearest', sight = this.scale.look()) {
    const g = this.scale.now(this.total, undefined, sight), to = g.topToSee(i, how);
    if (to === g.top) this.paint(g);
    else this.#scroll(to, sight);
  }

  /**
   * Where a row stands now.
   * @param {number} i
   * @returns {Anchor | null}
   */
  anchor(i) {
    const row = this.row(i);
    return row ? { id: row.id, y: this.scale.now(this.total).y(i) } : null;
  }

  /**
   * Scrolls so that an anchor stands where it stood.
   * @param {Anchor | null} anchor
   */
  hold(anchor) {
    const i = anchor ? this.store.indexOf(anchor.id) : -1;
    if (!anchor || i < 0) return false;
    this.#scroll(this.scale.now(this.total).topFor(i, anchor.y));
    return true;
  }

  /**
   * Scrolls to a height of rows. They are put into the page first, so that it is
   * laid out once.
   * @param {number} top
   * @param {import('./geometry.js').Sight} [sight]
   */
  #scroll(top, sight) {
    const g = this.scale.now(this.total, top, sight);
    this.paint(g);
    this.tree.scrollTop = g.scroll;
  }

  /** Puts the rows near the visible ones into the page and asks for missing ones. */
  paint(g = this.scale.now(this.total)) {
    const { first, last } = g.visible;
    const from = Math.max(0, first - SPARE), to = Math.min(this.total, last + 1 + SPARE);
    const rows = wanted((i) => this.row(i), from, to, this.#stopAt, g.h);
    mount(this.list, rows, this.#stop);
    this.scale.space(from, to, g);
    this.tree.classList.toggle('is-waiting', rows.want.some((el) => el.classList.contains('pad')));
    if (first !== this.#last) this.#down = first > this.#last;
    this.#last = first;
    this.#end = last >= this.total - 1;
    if (this.total) this.store.fill(from, to, this.#down ? to + SPARE : from - SPARE);
  }
}
