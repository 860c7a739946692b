// @ts-check
// The tree of the page: entries by position, and the stretches that paths are made
// of. Every entry of a stretch is on each path that goes on below it.

/**
 * @typedef {{segment: number, start: number, size: number}} PathSegment a stretch of a path: how many entries stand above it, and how many of it are on it
 * @typedef {{leaf: number, total: number, segments: PathSegment[], has: (pos: number) => boolean}} EntryPath leaf is -1 before the first entry
 * @typedef {{page: number, start: number, size: number}} PathPage a page of a path: where it begins on it, and its entries
 */

export class EntryTree {
  /** @type {Map<string, number>} */
  #positions;
  /** @type {EntryPath | null} */
  #lastPath = null;

  /** @param {any} data */
  constructor(data) {
    /** @type {string[]} */
    this.ids = data.IDs;
    /** @type {number} */
    this.leaf = data.Leaf;
    this.#positions = new Map(this.ids.map((id, i) => [id, i]));
    this.parent = Int32Array.from(data.Parent ?? [], (up, i) => i - up);
    const { Last, Size, Up, Tip } = data.Stretches;
    this.segmentParent = Int32Array.from(Up ?? []);
    this.segmentSize = Int32Array.from(Size ?? []);
    this.segmentTip = Int32Array.from(Tip ?? []);
    this.segmentOf = new Int32Array(this.ids.length);
    this.segmentOffset = new Int32Array(this.ids.length);
    this.segmentParent.forEach((_, s) => {
      for (let i = Size[s] - 1, p = Last[s]; i >= 0; i--, p = this.parent[p]) [this.segmentOf[p], this.segmentOffset[p]] = [s, i];
    });
    this.#indexPages(data);
  }

  /** @param {any} data */
  #indexPages({ Pages, Parts }) {
    /** @type {PathPage[][]} pages by stretch, from the beginning of the stretch */
    this.segmentPages = Array.from(this.segmentParent, () => []);
    (Pages.Stretch ?? []).forEach((/** @type {number} */ s, /** @type {number} */ page) => {
      const list = this.segmentPages[s], last = list[list.length - 1];
      list.push({ page, start: last ? last.start + last.size : 0, size: Pages.Size[page] });
    });
    /** @type {{part: number, at: number}[]} where each page is held */
    this.pageLocations = [];
    (Parts ?? []).forEach((/** @type {number} */ n, /** @type {number} */ part) => { for (let at = 0; at < n; at++) this.pageLocations.push({ part, at }); });
    this.partCount = (Parts ?? []).length;
  }

  /**
   * The position of an entry, -1 when there is none.
   * @param {string} id
   */
  findPosition(id) { return this.#positions.get(id) ?? -1; }

  /**
   * Where a view's path ends: as it says, else where the path through its entry does.
   * @param {import('../js/view.js').View} view
   */
  viewLeaf({ entry, leaf }) {
    if (leaf === 'none') return -1;
    if (leaf) return this.findPosition(leaf);
    return entry ? this.segmentTip[this.segmentOf[this.findPosition(entry)]] : this.leaf;
  }

  /**
   * The path to an entry.
   * @param {number} leaf
   * @returns {EntryPath}
   */
  pathTo(leaf) {
    if (this.#lastPath?.leaf === leaf) return this.#lastPath;
    /** @type {PathSegment[]} */
    const segments = [];
    for (let s = leaf < 0 ? -1 : this.segmentOf[leaf]; s >= 0; s = this.segmentParent[s]) segments.unshift({ segment: s, start: 0, size: this.segmentSize[s] });
    if (segments.length) segments[segments.length - 1].size = this.segmentOffset[leaf] + 1;
    let total = 0;
    for (const segment of segments) [segment.start, total] = [total, total + segment.size];
    const by = new Map(segments.map((segment) => [segment.segment, segment]));
    const has = (/** @type {number} */ pos) => this.segmentOffset[pos] < (by.get(this.segmentOf[pos])?.size ?? 0);
    return this.#lastPath = { leaf, total, segments, has };
  }

  /**
   * The pages of a path in their order.
   * @param {EntryPath} path
   */
  pathPages(path) {
    /** @type {PathPage[]} */
    const all = [];
    for (const segment of path.segments) {
      for (const { page, start, size } of this.segmentPages[segment.segment]) {
        if (start < segment.size) all.push({ page, start: segment.start + start, size: Math.min(size, segment.size - start) });
      }
    }
    return all;
  }

  /**
   * How many entries of a path stand above one that is on it, or above its nearest
   * ancestor that is.
   * @param {EntryPath} path
   * @param {number} pos
   */
  pathIndex(path, pos) {
    while (pos >= 0 && !path.has(pos)) pos = this.parent[pos];
    if (pos < 0) return path.total - 1;
    const segment = path.segments.find(({ segment }) => segment === this.segmentOf[pos]);
    return (segment?.start ?? 0) + this.segmentOffset[pos];
  }

  /**
   * The entry that stands at a place of a path.
   * @param {EntryPath} path
   * @param {number} place
   */
  entryAtIndex(path, place) {
    const ids = this.ids;
    for (let p = path.leaf, i = path.total - 1; p >= 0; p = this.parent[p], i--) if (i === place) return ids[p];
    return '';
  }
}
