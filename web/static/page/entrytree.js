// @ts-check
// The tree of the page: entries by position, and the stretches that paths are made
// of. Every entry of a stretch is on each path that goes on below it.

/**
 * @typedef {{stretch: number, from: number, size: number}} Leg a stretch of a path: how many entries stand above it, and how many of it are on it
 * @typedef {{leaf: number, total: number, legs: Leg[], has: (pos: number) => boolean}} Path leaf is -1 before the first entry
 * @typedef {{page: number, from: number, size: number}} Piece a page of a path: where it begins on it, and its entries
 */

export class Forest {
  /** @type {Map<string, number>} */
  #at;
  /** @type {Path | null} */
  #last = null;

  /** @param {any} data */
  constructor(data) {
    /** @type {string[]} */
    this.ids = data.IDs;
    /** @type {number} */
    this.leaf = data.Leaf;
    this.#at = new Map(this.ids.map((id, i) => [id, i]));
    this.parent = Int32Array.from(data.Parent ?? [], (up, i) => i - up);
    const { Last, Size, Up, Tip } = data.Stretches;
    this.up = Int32Array.from(Up ?? []);
    this.size = Int32Array.from(Size ?? []);
    this.tip = Int32Array.from(Tip ?? []);
    this.stretch = new Int32Array(this.ids.length);
    this.offset = new Int32Array(this.ids.length);
    this.up.forEach((_, s) => {
      for (let i = Size[s] - 1, p = Last[s]; i >= 0; i--, p = this.parent[p]) [this.stretch[p], this.offset[p]] = [s, i];
    });
    this.#pages(data);
  }

  /** @param {any} data */
  #pages({ Pages, Parts }) {
    /** @type {Piece[][]} pages by stretch, from the beginning of the stretch */
    this.pages = Array.from(this.up, () => []);
    (Pages.Stretch ?? []).forEach((/** @type {number} */ s, /** @type {number} */ page) => {
      const list = this.pages[s], last = list[list.length - 1];
      list.push({ page, from: last ? last.from + last.size : 0, size: Pages.Size[page] });
    });
    /** @type {{part: number, at: number}[]} where each page is held */
    this.held = [];
    (Parts ?? []).forEach((/** @type {number} */ n, /** @type {number} */ part) => { for (let at = 0; at < n; at++) this.held.push({ part, at }); });
    this.parts = (Parts ?? []).length;
  }

  /**
   * The position of an entry, -1 when there is none.
   * @param {string} id
   */
  find(id) { return this.#at.get(id) ?? -1; }

  /**
   * Where a view's path ends: as it says, else where the path through its entry does.
   * @param {import('../js/view.js').View} view
   */
  leafOf({ entry, leaf }) {
    if (leaf === 'none') return -1;
    if (leaf) return this.find(leaf);
    return entry ? this.tip[this.stretch[this.find(entry)]] : this.leaf;
  }

  /**
   * The path to an entry.
   * @param {number} leaf
   * @returns {Path}
   */
  path(leaf) {
    if (this.#last?.leaf === leaf) return this.#last;
    /** @type {Leg[]} */
    const legs = [];
    for (let s = leaf < 0 ? -1 : this.stretch[leaf]; s >= 0; s = this.up[s]) legs.unshift({ stretch: s, from: 0, size: this.size[s] });
    if (legs.length) legs[legs.length - 1].size = this.offset[leaf] + 1;
    let total = 0;
    for (const leg of legs) [leg.from, total] = [total, total + leg.size];
    const by = new Map(legs.map((leg) => [leg.stretch, leg]));
    const has = (/** @type {number} */ pos) => this.offset[pos] < (by.get(this.stretch[pos])?.size ?? 0);
    return this.#last = { leaf, total, legs, has };
  }

  /**
   * The pages of a path in their order.
   * @param {Path} path
   */
  pieces(path) {
    /** @type {Piece[]} */
    const all = [];
    for (const leg of path.legs) {
      for (const { page, from, size } of this.pages[leg.stretch]) {
        if (from < leg.size) all.push({ page, from: leg.from + from, size: Math.min(size, leg.size - from) });
      }
    }
    return all;
  }

  /**
   * How many entries of a path stand above one that is on it, or above its nearest
   * ancestor that is.
   * @param {Path} path
   * @param {number} pos
   */
  place(path, pos) {
    while (pos >= 0 && !path.has(pos)) pos = this.parent[pos];
    if (pos < 0) return path.total - 1;
    const leg = path.legs.find(({ stretch }) => stretch === this.stretch[pos]);
    return (leg?.from ?? 0) + this.offset[pos];
  }

  /**
   * The entry that stands at a place of a path.
   * @param {Path} path
   * @param {number} place
   */
  entryAt(path, place) {
    const ids = this.ids;
    for (let p = path.leaf, i = path.total - 1; p >= 0; p = this.parent[p], i--) if (i === place) return ids[p];
    return '';
  }
}
