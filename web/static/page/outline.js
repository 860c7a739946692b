// @ts-check
// The rows of a view. The embedded rows have every branch open. This module closes branches
// and draws lanes by the rules of the explorer's spine layout.

import { prefixSums } from './embeddeddata.js';

/** The kinds of rows. */
export const ENTRY = 0, BRANCH = 1, CALL = 2, GROUP = 3, MARK = 4, HEADER = 5;
const LEAF_ONLY = 8, OFF_CHAIN = 16, FIRST_IN_LANE = 32, RULE = 128;
const MAX_DRAWN_LANES = 4; // lanes that have a cell

/** The rows under a filter, as columns of numbers. */
export class RowColumns {
  /** @param {number[][]} data */
  constructor(data) {
    const [pos, title, lane, up, level, set, nth, flags, piece] = data.map(prefixSums);
    this.pos = pos;
    this.title = title.map((more, i) => pos[i] + more);
    this.lane = lane;
    this.parent = up;
    this.level = level;
    this.setSize = set;
    this.setPosition = nth;
    this.flags = flags;
    this.piece = piece;
    this.count = pos.length;
  }

  /** @param {number} i */
  kind(i) { return this.flags[i] & 7; }
  /** @param {number} i */
  isLeafOnly(i) { return (this.flags[i] & LEAF_ONLY) !== 0; }
  /** @param {number} i */
  isFirstInLane(i) { return (this.flags[i] & FIRST_IN_LANE) !== 0; }
}

/**
 * @typedef {{entryTree: import('./entrytree.js').EntryTree, path: import('./entrytree.js').EntryPath, entry: number,
 *   open: Map<string, boolean>, hits: Set<number> | null, matches: Set<number>}} OutlineOptions
 */

export class Outline {
  /** @type {Int32Array | undefined} */
  rowsByEntry;

  /**
   * @param {RowColumns} cols
   * @param {OutlineOptions} options
   */
  constructor(cols, options) {
    this.cols = cols;
    this.options = options;
    this.isNearEntry = options.entryTree.pathTo(options.entry).has;
    this.path = options.entryTree.pathTo(options.path.leaf); // requested last, because the tree caches the last path
    this.isOpen = new Uint8Array(cols.count);
    this.isHit = new Uint8Array(cols.count);
    /** @type {Map<number, Set<number>>} the hits in each visible row */
    this.hitEntries = new Map();
    this.#placeRows();
    this.#computeLanes();
    this.selectedRow = this.#nearestRow(options.entry < 0 ? options.path.leaf : options.entry);
    if (this.selectedRow < 0) this.selectedRow = this.rows.length - 1;
  }

  /**
   * Reports whether a branch is open by default: the viewed path or entry is in it.
   * @param {number} i
   */
  isOpenByDefault(i) {
    const head = this.cols.pos[i];
    return this.path.has(head) || this.isNearEntry(head);
  }

  /** @param {number} i */
  #opensBranch(i) {
    const { cols, options: { entryTree: { ids }, open } } = this;
    const title = ids[cols.title[i]];
    if (cols.kind(i) === GROUP) return open.get(title) === true;
    if (cols.kind(i) !== BRANCH || cols.isLeafOnly(i)) return false;
    return open.get(ids[cols.pos[i]]) ?? open.get(title) ?? this.isOpenByDefault(i);
  }

  #placeRows() {
    const { cols } = this, rows = [];
    this.rowIndexes = new Int32Array(cols.count).fill(-1); // the index of each visible row, else -1
    const over = new Int32Array(cols.count); // the visible row that represents each row
    for (let i = 0; i < cols.count; i++) {
      const up = cols.parent[i];
      over[i] = up < 0 || (this.rowIndexes[up] >= 0 && this.isOpen[up]) ? i : over[up];
      if (over[i] === i) {
        this.isOpen[i] = this.#opensBranch(i) ? 1 : 0;
        this.rowIndexes[i] = rows.push(i) - 1;
      }
      if (this.#matchesQuery(i)) this.#addHit(over[i], cols.title[i]);
    }
    this.rows = Int32Array.from(rows);
  }

  /**
   * @param {number} row
   * @param {number} entry
   */
  #addHit(row, entry) {
    this.isHit[row] = 1;
    this.hitEntries.set(row, (this.hitEntries.get(row) ?? new Set()).add(entry));
  }

  /** @param {number} i */
  #matchesQuery(i) {
    const { cols, options: { hits } } = this, kind = cols.kind(i), up = cols.parent[i];
    if (!hits || kind === GROUP || kind === HEADER || (up >= 0 && cols.kind(up) === GROUP)) return false;
    let own = i;
    while (kind === CALL && own > 0 && cols.pos[own] === cols.pos[i] && cols.kind(own) === CALL) own--;
    if (own !== i && cols.title[own] === cols.pos[i]) return false; // its entry has its own row
    return hits.has(cols.title[i]);
  }

  /**
   * Reports whether a row is part of the viewed path.
   * @param {number} i
   */
  isOnPath(i) { return this.cols.kind(i) !== GROUP && this.path.has(this.cols.pos[i]); }

  /** Computes the lanes from the last row up: a lane runs through a row if it continues below. */
  #computeLanes() {
    const { cols, rows } = this;
    let top = 0;
    for (const i of rows) top = Math.max(top, cols.lane[i]);
    const below = new Uint8Array(top + 1), path = new Uint8Array(top + 1);
    this.lanesThrough = new Uint8Array(rows.length); // one bit per drawn lane
    this.lanesOnPath = new Uint8Array(rows.length);
    this.ownLane = new Uint8Array(rows.length); // 1: the row's lane is on the path here, 2: it ends here
    for (let k = rows.length - 1; k >= 0; k--) {
      const i = rows[k], lane = cols.lane[i], flags = cols.flags[i], on = this.isOnPath(i);
      const last = below[lane] ? 0 : 2;
      path[lane] = on || ((flags & OFF_CHAIN) && path[lane]) ? 1 : 0;
      below[lane] = 1;
      for (let b = 0; b < Math.min(MAX_DRAWN_LANES, top + 1); b++) {
        this.lanesThrough[k] |= below[b] << b;
        this.lanesOnPath[k] |= path[b] << b;
      }
      this.ownLane[k] = path[lane] | last;
      if (cols.kind(i) === BRANCH) {
        below[lane] = path[lane] = 0;
        below[lane - 1] = 1;
        if (on) path[lane - 1] = 1;
      }
      if (i === 0 || flags & RULE) below[0] = path[0] = 0;
    }
  }

  /**
   * Returns the classes of the lane cells of the k-th row.
   * @param {number} k
   */
  laneClasses(k) {
    const { cols } = this, i = this.rows[k], own = cols.lane[i], out = [];
    for (let b = 0; b < Math.min(own, MAX_DRAWN_LANES); b++) {
      out.push(`lane lane--${this.lanesOnPath[k] >> b & 1 ? 'path' : b ? 'branch' : 'spine'}${this.lanesThrough[k] >> b & 1 ? '' : ' lane--none'}`);
    }
    out.push(`lane lane--${this.ownLane[k] & 1 ? 'path' : own ? 'branch' : 'spine'}${this.#laneShape(k, i)}`);
    return out;
  }

  /**
   * @param {number} k
   * @param {number} i
   */
  #laneShape(k, i) {
    const last = (this.ownLane[k] & 2) !== 0;
    if (this.cols.kind(i) === BRANCH) return this.isOpen[i] ? ' lane--elbow lane--start' : ' lane--elbow lane--none';
    if (this.cols.isFirstInLane(i)) return last ? ' lane--none' : ' lane--start';
    return last ? ' lane--end' : '';
  }

  /**
   * Returns the row of an entry or of its nearest ancestor with a row, else -1.
   * @param {number} pos
   */
  #nearestRow(pos) {
    this.rowsByEntry ??= this.#indexRowsByEntry();
    for (; pos >= 0; pos = this.options.entryTree.parent[pos]) if (this.rowsByEntry[pos]) return this.rowsByEntry[pos] - 1;
    return -1;
  }

  /** @param {number} pos */
  rowIndexOf(pos) { return Math.max(0, this.#nearestRow(pos)); }

  /** Returns for each entry its row plus one, or 0. */
  #indexRowsByEntry() {
    const { cols, rows } = this, by = new Int32Array(this.options.entryTree.ids.length);
    for (let k = 0; k < rows.length; k++) {
      const i = rows[k], kind = cols.kind(i), pos = cols.pos[i];
      if (kind === GROUP || kind === HEADER) continue;
      if (kind === BRANCH) {
        by[cols.title[i]] = k + 1;
        by[pos] ||= k + 1;
      } else if (kind !== CALL || !by[pos] || cols.kind(rows[by[pos] - 1]) !== ENTRY) by[pos] = k + 1;
    }
    return by;
  }

  /** The last row of the viewed path, or -1. */
  get lastPathRow() {
    for (let k = this.rows.length - 1; k >= 0; k--) if (this.cols.kind(this.rows[k]) !== HEADER && this.isOnPath(this.rows[k])) return k;
    return -1;
  }
}

