// @ts-check
// Where rows stand. When all of them together would be higher than a browser can
// count, the scroll bar runs over a shorter distance than the rows.

const PADDING_TOP = 6, PADDING_BOTTOM = 10; // px of padding around the rows
const MAX_SCROLL_HEIGHT = 12_000_000; // px; browsers stop counting at 16 to 33 million

/** @typedef {{scrollTop: number, height: number}} Viewport how far the tree is scrolled, and its height */

export class RowGeometry {
  #rowHeight = 0;

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
  resetRowHeight() { this.#rowHeight = 0; }

  /** What is seen now. To ask lays out what has changed in the page. @returns {Viewport} */
  readViewport() { return { scrollTop: this.tree.scrollTop, height: this.tree.clientHeight }; }

  /**
   * How things stand now, or would stand when scrolled to a height of rows.
   * @param {number} total
   * @param {number} [top]
   * @param {Viewport} [viewport]
   */
  computeLayout(total, top, viewport = this.readViewport()) {
    this.#rowHeight ||= parseFloat(getComputedStyle(this.tree).getPropertyValue('--row-h')) || 24;
    const h = this.#rowHeight, view = viewport.height, whole = total * h;
    const height = Math.min(whole, MAX_SCROLL_HEIGHT);
    const scale = whole > height ? (whole - view) / (height - view) : 1;
    const max = Math.max(0, height + PADDING_TOP + PADDING_BOTTOM - view);
    const scroll = top === undefined ? viewport.scrollTop : Math.max(0, Math.min(max, top / scale));
    return new RowLayout(h, view, height, scale, scroll, total);
  }

  /**
   * Sizes the spacers around the rows from one index to another.
   * @param {number} from
   * @param {number} to
   * @param {RowLayout} g
   */
  sizeSpacers(from, to, g) {
    const above = g.scale === 1 ? from * g.rowHeight : Math.max(0, g.scrollTop + from * g.rowHeight - g.rowsTop);
    this.above.style.height = above + 'px';
    this.below.style.height = Math.max(0, g.scrollHeight - above - (to - from) * g.rowHeight) + 'px';
  }
}

export class RowLayout {
  /**
   * @param {number} h of a row
   * @param {number} view height of the visible part
   * @param {number} height of all rows, as far as a browser counts
   * @param {number} scale
   * @param {number} scroll
   * @param {number} total
   */
  constructor(h, view, height, scale, scroll, total) {
    this.rowHeight = h;
    this.viewHeight = view;
    this.scrollHeight = height;
    this.scale = scale;
    this.scrollTop = scroll;
    this.total = total;
    this.rowsTop = scroll * scale;
  }

  /** The first and last visible index. */
  get visibleRange() {
    return { first: Math.max(0, Math.floor((this.rowsTop - PADDING_TOP) / this.rowHeight)), last: Math.min(this.total - 1, Math.ceil((this.rowsTop + this.viewHeight) / this.rowHeight)) };
  }

  /**
   * How far a row stands below the top of the visible part.
   * @param {number} i
   */
  rowOffset(i) { return PADDING_TOP + i * this.rowHeight - this.rowsTop; }

  /**
   * How far to scroll for a row to stand so far below the top.
   * @param {number} i
   * @param {number} y
   */
  topForOffset(i, y) { return PADDING_TOP + i * this.rowHeight - y; }

  /**
   * How far to scroll for a row to be seen, in the middle or just so.
   * @param {number} i
   * @param {'center' | 'nearest'} how
   */
  topToReveal(i, how) {
    const y = this.rowOffset(i);
    if (how === 'center') return this.topForOffset(i, (this.viewHeight - this.rowHeight) / 2);
    if (y < PADDING_TOP) return this.topForOffset(i, PADDING_TOP);
    return y + this.rowHeight > this.viewHeight - PADDING_TOP ? this.topForOffset(i, this.viewHeight - PADDING_TOP - this.rowHeight) : this.rowsTop;
  }
}
