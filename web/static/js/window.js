// @ts-check
// The window on the tree: of any number of rows only those near the visible ones
// are elements of the page, between two spacers.

import { all } from './dom.js';
import { RowStore } from './rowstore.js';

const SPARE = 60; // rows in the page above and below the visible ones
const TOP = 6; // px of padding above the first row
const TALLEST = 12_000_000; // px; browsers stop counting at 16 to 33 million

/**
 * @typedef {{id: string, y: number}} Anchor a row and how far below the tree's top it stands
 * @typedef {{h: number, view: number, height: number, scale: number, scroll: number, top: number}} Geometry
 */

export class RowWindow {
  #focus = ''; // id of the row that is the tree's one tab stop
  #focusAt = -1;
  #last = 0;
  #ahead = 1;
  #h = 0;

  /**
   * @param {HTMLElement} tree
   * @param {(at: number, n: number) => string} url of a window
   * @param {() => void} stale called when rows of another revision came
   */
  constructor(tree, url, stale) {
    this.tree = tree;
    this.list = /** @type {HTMLElement} */ (tree.querySelector('.rows'));
    const [above, below] = all(':scope > .pad', tree);
    this.above = above;
    this.below = below;
    this.store = new RowStore({ url, stale, came: () => this.paint() });
    this.take(this.list, true);
    tree.addEventListener('scroll', () => this.paint(), { passive: true });
    new ResizeObserver(() => { this.#h = 0; this.paint(); }).observe(tree);
  }

  get total() { return this.store.total; }
  get rev() { return this.store.rev; }
  get focusIndex() { return this.#focusAt; }

  /** @param {number} i */
  row(i) { return this.store.get(i); }

  /** The row the server calls selected, or -1. */
  get selected() { return Number(this.list.dataset.selected ?? -1); }

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
    this.#focusAt = this.store.indexOf(this.#focus);
    const stop = all(':scope > .row[tabindex="0"]', list)[0];
    if (this.#focusAt < 0 && (fresh || !this.#focus)) this.setFocus(stop ? Number(stop.dataset.i) : Number(list.dataset.at));
  }

  /**
   * Makes a row the tab stop.
   * @param {number} i
   */
  setFocus(i) {
    const row = this.row(i);
    if (!row) return;
    const old = document.getElementById(this.#focus);
    if (old && old !== row) old.tabIndex = -1;
    [this.#focus, this.#focusAt] = [row.id, i];
    row.tabIndex = 0;
  }

  /**
   * Where things stand. When all rows together would be higher than a browser can
   * count, the scroll bar runs over a shorter distance than the rows.
   * @returns {Geometry}
   */
  #geometry() {
    this.#h ||= parseFloat(getComputedStyle(this.tree).getPropertyValue('--row-h')) || 24;
    const h = this.#h, view = this.tree.clientHeight, scroll = this.tree.scrollTop, whole = this.total * h;
    const height = Math.min(whole, TALLEST);
    const scale = whole > height ? (whole - view) / (height - view) : 1;
    return { h, view, height, scale, scroll, top: scroll * scale };
  }

  /** The first and last visible index. */
  visible(g = this.#geometry()) {
    return { first: Math.max(0, Math.floor((g.top - TOP) / g.h)), last: Math.min(this.total - 1, Math.ceil((g.top + g.view) / g.h)) };
  }

  /**
   * Scrolls a row to the middle, or only as far as needed.
   * @param {number} i
   * @param {'center' | 'nearest'} how
   */
  scrollTo(i, how = 'nearest') {
    const { h, view, top } = this.#geometry();
    const y = TOP + i * h;
    let to = top;
    if (how === 'center') to = y - (view - h) / 2;
    else if (y < top + TOP) to = y - TOP;
    else if (y + h > top + view - TOP) to = y + h - view + TOP;
    if (to !== top) this.#scroll(to);
    else this.paint();
  }

  /** @param {number} to in pixels of rows */
  #scroll(to) {
    const g = this.#geometry();
    this.#size(0, 0, g); // the height first: a list that is too short would not scroll as far
    this.tree.scrollTop = Math.max(0, to / g.scale);
    this.paint();
  }

  /**
   * Where a row stands now: the first that is wholly visible, or any.
   * @param {number} [i]
   * @returns {Anchor | null}
   */
  anchor(i) {
    const g = this.#geometry();
    const at = i ?? this.visible(g).first + 1;
    const row = this.row(at);
    return row ? { id: row.id, y: TOP + at * g.h - g.top } : null;
  }

  /**
   * Scrolls so that an anchor stands where it stood.
   * @param {Anchor | null} anchor
   */
  hold(anchor) {
    const i = anchor ? this.store.indexOf(anchor.id) : -1;
    if (!anchor || i < 0) return false;
    this.#scroll(TOP + i * this.#geometry().h - anchor.y);
    return true;
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {Geometry} g
   */
  #size(from, to, g) {
    const above = g.scale === 1 ? from * g.h : Math.max(0, g.scroll + from * g.h - g.top);
    this.above.style.height = above + 'px';
    this.below.style.height = Math.max(0, g.height - above - (to - from) * g.h) + 'px';
  }

  /** Puts the rows near the visible ones into the page and asks for missing ones. */
  paint() {
    const g = this.#geometry();
    const { first, last } = this.visible(g);
    const from = Math.max(0, first - SPARE), to = Math.min(this.total, last + 1 + SPARE);
    this.#mount(from, to, g.h);
    this.#size(from, to, g);
    if (first !== this.#last) this.#ahead = first > this.#last ? 1 : -1;
    this.#last = first;
    if (this.total) this.store.fill(from, to, this.#ahead > 0 ? to + SPARE : from - SPARE);
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} h
   */
  #mount(from, to, h) {
    /** @type {HTMLElement[]} */
    const want = [];
    const far = this.#focusAt < from || this.#focusAt >= to;
    const parked = far ? this.row(this.#focusAt) : undefined; // the tab stop stays in the page
    if (parked && this.#focusAt < from) want.push(parked);
    let gap = 0;
    for (let i = from; i < to; i++) {
      const row = this.row(i);
      if (!row) { gap++; continue; }
      if (gap) want.push(filler(gap * h));
      gap = 0;
      want.push(row);
    }
    if (gap) want.push(filler(gap * h));
    if (parked && this.#focusAt >= to) want.push(parked);
    this.tree.classList.toggle('is-waiting', want.some((el) => el.classList.contains('pad')));
    this.#place(want, parked);
  }

  /**
   * @param {HTMLElement[]} want
   * @param {HTMLElement | undefined} parked
   */
  #place(want, parked) {
    const wanted = new Set(want);
    for (const el of all(':scope > :not(.state)', this.list)) if (!wanted.has(el)) el.remove();
    let next = this.list.firstElementChild;
    for (const el of want) {
      if (el === next) next = next.nextElementSibling;
      else this.list.insertBefore(el, next);
      if (el.classList.contains('is-parked') !== (el === parked)) el.classList.toggle('is-parked');
      const stop = el.id !== '' && el.id === this.#focus ? 0 : -1;
      if (el.tabIndex !== stop && el.classList.contains('row')) el.tabIndex = stop;
    }
  }
}

/** @param {number} height */
function filler(height) {
  const el = document.createElement('div');
  el.className = 'pad';
  el.setAttribute('role', 'none');
  el.style.height = height + 'px';
  return el;
}
