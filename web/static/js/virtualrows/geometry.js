// @ts-check
// The positions of rows. If all rows together are higher than browsers support, the scroll
// height is scaled down.

const PADDING_TOP = 6; // px of padding above the rows
const MIN_PADDING_BOTTOM = 4; // and below
const MAX_SCROLL_HEIGHT = 12_000_000; // px; browsers support 16 to 33 million

/**
 * @typedef {{scrollTop: number, height: number}} Viewport the scroll position and height of the tree
 */

export class RowGeometry {
  #rowHeight = 0;
  #padding = 0; // below the rows

  /**
   * @param {HTMLElement} tree
   * @param {HTMLElement} above the spacers around the mounted rows
   * @param {HTMLElement} below
   */
  constructor(tree, above, below) {
    this.tree = tree;
    this.above = above;
    this.below = below;
  }

  /** Measures the row height again after a resize. */
  resetRowHeight() { this.#rowHeight = 0; }

  /** Returns the current viewport. Reading it forces a layout. @returns {Viewport} */
  readViewport() { return { scrollTop: this.tree.scrollTop, height: this.tree.clientHeight }; }

  /**
   * Returns the layout now, or after scrolling to a position in the rows.
   * @param {number} total
   * @param {number} [top]
   * @param {Viewport} [viewport]
   */
  computeLayout(total, top, viewport = this.readViewport()) {
    this.#rowHeight ||= parseFloat(getComputedStyle(this.tree).getPropertyValue('--row-h')) || 24;
    const h = this.#rowHeight, view = viewport.height, whole = total * h;
    const height = Math.min(whole, MAX_SCROLL_HEIGHT);
    const scale = whole > height ? (whole - view) / (height - view) : 1;
    const padding = MIN_PADDING_BOTTOM + (view - MIN_PADDING_BOTTOM) % h; // at the end, no row is cut
    if (padding !== this.#padding) this.below.style.marginBottom = (this.#padding = padding) - MIN_PADDING_BOTTOM + 'px';
    const max = Math.max(0, height + PADDING_TOP + padding - view);
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

class RowLayout {
  /**
   * @param {number} h height of a row
   * @param {number} view height of the visible part
   * @param {number} height scroll height of all rows, limited to what browsers support
   * @param {number} scale how much the scroll height is scaled down
   * @param {number} scroll scroll position
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
   * Returns the distance of a row from the top of the viewport.
   * @param {number} i
   */
  rowOffset(i) { return PADDING_TOP + i * this.rowHeight - this.rowsTop; }

  /**
   * Returns the scroll position that puts a row at a distance from the top.
   * @param {number} i
   * @param {number} y
   */
  topForOffset(i, y) { return PADDING_TOP + i * this.rowHeight - y; }

  /**
   * Returns the scroll position that makes a row visible: in the middle or with the least
   * scrolling.
   * @param {number} i
   * @param {'center' | 'nearest'} how
   */
  topToReveal(i, how) {
    const y = this.rowOffset(i);
    if (how === 'center') return this.#alignTop(this.topForOffset(i, (this.viewHeight - this.rowHeight) / 2));
    if (y < 0) return this.#alignTop(this.topForOffset(i, 0));
    return y + this.rowHeight > this.viewHeight - PADDING_TOP ? this.#alignTop(this.topForOffset(i, this.viewHeight - PADDING_TOP - this.rowHeight)) : this.rowsTop;
  }

  /**
   * Returns the next scroll position at which the first visible row is not cut.
   * @param {number} top
   */
  #alignTop(top) {
    const rows = Math.ceil((top - PADDING_TOP) / this.rowHeight);
    return rows <= 0 ? 0 : PADDING_TOP + rows * this.rowHeight;
  }
}
