// @ts-check
// Where rows stand. When all of them together would be higher than a browser can
// count, the scroll bar runs over a shorter distance than the rows.

const TOP = 6, BOTTOM = 10; // px of padding around the rows
const TALLEST = 12_000_000; // px; browsers stop counting at 16 to 33 million

/** @typedef {{scroll: number, view: number}} Sight how far the tree is scrolled, and its height */

export class RowScale {
  #h = 0;

  /**
   * @param {HTMLElement} tree
   * @param {HTMLElement} above the spacers around the rows of the page
   * @param {HTMLElement} below
   */
  constructor(tree, above, below) {
    this.tree = tree;
    this.above = above;
    this.below = below;
  }

  /** The size of rows is another: the window became narrow. */
  forget() { this.#h = 0; }

  /** What is seen now. To ask lays out what has changed in the page. @returns {Sight} */
  look() { return { scroll: this.tree.scrollTop, view: this.tree.clientHeight }; }

  /**
   * How things stand now, or would stand when scrolled to a height of rows.
   * @param {number} total
   * @param {number} [top]
   * @param {Sight} [sight]
   */
  now(total, top, sight = this.look()) {
    this.#h ||= parseFloat(getComputedStyle(this.tree).getPropertyValue('--row-h')) || 24;
    const h = this.#h, { view } = sight, whole = total * h;
    const height = Math.min(whole, TALLEST);
    const scale = whole > height ? (whole - view) / (height - view) : 1;
    const most = Math.max(0, height + TOP + BOTTOM - view);
    const scroll = top === undefined ? sight.scroll : Math.max(0, Math.min(most, top / scale));
    return new Geometry(h, view, height, scale, scroll, total);
  }

  /**
   * Sizes the spacers around the rows from one index to another.
   * @param {number} from
   * @param {number} to
   * @param {Geometry} g
   */
  space(from, to, g) {
    const above = g.scale === 1 ? from * g.h : Math.max(0, g.scroll + from * g.h - g.top);
    this.above.style.height = above + 'px';
    this.below.style.height = Math.max(0, g.height - above - (to - from) * g.h) + 'px';
  }
}

export class Geometry {
  /**
   * @param {number} h of a row
   * @param {number} view height of the visible part
   * @param {number} height of all rows, as far as a browser counts
   * @param {number} scale
   * @param {number} scroll
   * @param {number} total
   */
  constructor(h, view, height, scale, scroll, total) {
    this.h = h;
    this.view = view;
    this.height = height;
    this.scale = scale;
    this.scroll = scroll;
    this.total = total;
    this.top = scroll * scale;
  }

  /** The first and last visible index. */
  get visible() {
    return { first: Math.max(0, Math.floor((this.top - TOP) / this.h)), last: Math.min(this.total - 1, Math.ceil((this.top + this.view) / this.h)) };
  }

  /**
   * How far a row stands below the top of the visible part.
   * @param {number} i
   */
  y(i) { return TOP + i * this.h - this.top; }

  /**
   * How far to scroll for a row to stand so far below the top.
   * @param {number} i
   * @param {number} y
   */
  topFor(i, y) { return TOP + i * this.h - y; }

  /**
   * How far to scroll for a row to be seen, in the middle or just so.
   * @param {number} i
   * @param {'center' | 'nearest'} how
   */
  topToSee(i, how) {
    const y = this.y(i);
    if (how === 'center') return this.topFor(i, (this.view - this.h) / 2);
    if (y < TOP) return this.topFor(i, TOP);
    return y + this.h > this.view - TOP ? this.topFor(i, this.view - TOP - this.h) : this.top;
  }
}
