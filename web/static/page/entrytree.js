// @ts-check
// The tree of an HTML export: entries by position, and the segments that paths consist of.
// All entries of a segment are on every path that continues below it.

/**
 * @typedef {{segment: number, start: number, size: number}} PathSegment a segment of a
 * path: the number of entries above it, and the number of its entries on the path
 * @typedef {{leaf: number, total: number, segments: PathSegment[], has: (pos: number) => boolean}} EntryPath leaf is -1 before the first entry
 * @typedef {{page: number, start: number, size: number}} PathPage a page of a path: its
 * start on the path, and its number of entries
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
    /** @type {PathPage[][]} pages by segment; start counts from the start of the segment */
    this.segmentPages = Array.from(this.segmentParent, () => []);
    (Pages.Stretch ?? []).forEach((/** @type {number} */ s, /** @type {number} */ page) => {
      const list = this.segmentPages[s], last = list[list.length - 1];
      list.push({ page, start: last ? last.start + last.size : 0, size: Pages.Size[page] });
    });
    /** @type {{part: number, at: number}[]} the embedded part and the index in it of each page */
    this.pageLocations = [];
    (Parts ?? []).forEach((/** @type {number} */ n, /** @type {number} */ part) => { for (let at = 0; at < n; at++) this.pageLocations.push({ part, at }); });
    this.partCount = (Parts ?? []).length;
  }

  /**
   * Returns the position of an entry, or -1.
   * @param {string} id
   */
  findPosition(id) { return this.#positions.get(id) ?? -1; }

  /**
   * Returns the end of a view's path: the view's leaf, else the end of the path through its
   * entry.
   * @param {import('../js/view.js').View} view
   */
  viewLeaf({ entry, leaf }) {
    if (leaf === 'none') return -1;
    if (leaf) return this.findPosition(leaf);
    return entry ? this.segmentTip[this.segmentOf[this.findPosition(entry)]] : this.leaf;
  }

  /**
   * Returns the path to an entry.
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
   * Returns the pages of a path in order.
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
   * Returns the index on a path of an entry, or of its nearest ancestor on the path.
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
   * Returns the id of the entry at an index of a path.
   * @param {EntryPath} path
   * @param {number} place
   */
  entryAtIndex(path, place) {
    const ids = this.ids;
    for (let p = path.leaf, i = path.total - 1; p >= 0; p = this.parent[p], i--) if (i === place) return ids[p];
    return '';
  }
}
