// @ts-check
// The rows of a view. All of them are known with every branch open; here branches
// are closed and lanes are drawn, by the rules of the program's own spine layout.

import { sums } from './embeddeddata.js';

/** The kinds of rows. */
export const ENTRY = 0, STUB = 1, CALL = 2, FOLD = 3, MARK = 4, HEAD = 5;
const ALONE = 8, ASIDE = 16, FIRST = 32, RULE = 128;
const DRAWN = 4; // lanes with a cell of their own

/** The rows under a filter, a column for each of their numbers. */
export class Columns {
  /** @param {number[][]} data */
  constructor(data) {
    const [pos, title, lane, up, level, set, nth, flags, piece] = data.map(sums);
    this.pos = pos;
    this.title = title.map((more, i) => pos[i] + more);
    this.lane = lane;
    this.up = up;
    this.level = level;
    this.set = set;
    this.nth = nth;
    this.flags = flags;
    this.piece = piece;
    this.n = pos.length;
  }

  /** @param {number} i */
  kind(i) { return this.flags[i] & 7; }
  /** @param {number} i */
  alone(i) { return (this.flags[i] & ALONE) !== 0; }
  /** @param {number} i */
  first(i) { return (this.flags[i] & FIRST) !== 0; }
}

/**
 * @typedef {{forest: import('./entrytree.js').Forest, path: import('./entrytree.js').Path, entry: number,
 *   open: Map<string, boolean>, hits: Set<number> | null}} Look
 */

export class Outline {
  /**
   * @param {Columns} cols
   * @param {Look} look
   */
  constructor(cols, look) {
    this.cols = cols;
    this.look = look;
    this.near = look.forest.path(look.entry).has;
    this.path = look.forest.path(look.path.leaf); // asked last, so that it is the one kept
    this.opened = new Uint8Array(cols.n);
    this.hit = new Uint8Array(cols.n);
    this.#show();
    this.#draw();
    this.selected = this.#nearest(look.entry < 0 ? look.path.leaf : look.entry);
    if (this.selected < 0) this.selected = this.rows.length - 1;
  }

  /**
   * Whether a branch is open by default: what is looked at lies in it.
   * @param {number} i
   */
  preset(i) {
    const head = this.cols.pos[i];
    return this.path.has(head) || this.near(head);
  }

  /** @param {number} i */
  #opens(i) {
    const { cols, look: { forest: { ids }, open } } = this;
    const title = ids[cols.title[i]];
    if (cols.kind(i) === FOLD) return open.get(title) === true;
    if (cols.kind(i) !== STUB || cols.alone(i)) return false;
    return open.get(ids[cols.pos[i]]) ?? open.get(title) ?? this.preset(i);
  }

  #show() {
    const { cols } = this, rows = [];
    this.at = new Int32Array(cols.n).fill(-1); // where each row stands, -1 nowhere
    const over = new Int32Array(cols.n); // of what is closed: the row that stands for it
    for (let i = 0; i < cols.n; i++) {
      const up = cols.up[i];
      over[i] = up < 0 || (this.at[up] >= 0 && this.opened[up]) ? i : over[up];
      if (over[i] === i) {
        this.opened[i] = this.#opens(i) ? 1 : 0;
        this.at[i] = rows.push(i) - 1;
      }
      if (this.#hits(i)) this.hit[over[i]] = 1;
    }
    this.rows = Int32Array.from(rows);
  }

  /** @param {number} i */
  #hits(i) {
    const { cols, look: { hits } } = this, kind = cols.kind(i), up = cols.up[i];
    if (!hits || kind === FOLD || kind === HEAD || (up >= 0 && cols.kind(up) === FOLD)) return false;
    let own = i;
    while (kind === CALL && own > 0 && cols.pos[own] === cols.pos[i] && cols.kind(own) === CALL) own--;
    if (own !== i && cols.title[own] === cols.pos[i]) return false; // its entry has a row
    return hits.has(cols.title[i]);
  }

  /**
   * Whether a row is part of the viewed path.
   * @param {number} i
   */
  onPath(i) { return this.cols.kind(i) !== FOLD && this.path.has(this.cols.pos[i]); }

  /** Goes from the last row up: a lane runs through a row when something of it stands below. */
  #draw() {
    const { cols, rows } = this;
    let top = 0;
    for (const i of rows) top = Math.max(top, cols.lane[i]);
    const below = new Uint8Array(top + 1), path = new Uint8Array(top + 1);
    this.through = new Uint8Array(rows.length); // a bit for each lane that is drawn
    this.viewed = new Uint8Array(rows.length);
    this.own = new Uint8Array(rows.length); // 1: the own lane is viewed here, 2: it ends here
    for (let k = rows.length - 1; k >= 0; k--) {
      const i = rows[k], lane = cols.lane[i], flags = cols.flags[i], on = this.onPath(i);
      const last = below[lane] ? 0 : 2;
      path[lane] = on || ((flags & ASIDE) && path[lane]) ? 1 : 0;
      below[lane] = 1;
      for (let b = 0; b < Math.min(DRAWN, top + 1); b++) {
        this.through[k] |= below[b] << b;
        this.viewed[k] |= path[b] << b;
      }
      this.own[k] = path[lane] | last;
      if (cols.kind(i) === STUB) {
        below[lane] = path[lane] = 0;
        below[lane - 1] = 1;
        if (on) path[lane - 1] = 1;
      }
      if (i === 0 || flags & RULE) below[0] = path[0] = 0;
    }
  }

  /**
   * The classes of the lane cells of the k-th row.
   * @param {number} k
   */
  cells(k) {
    const { cols } = this, i = this.rows[k], own = cols.lane[i], out = [];
    for (let b = 0; b < Math.min(own, DRAWN); b++) {
      out.push(`ln ${this.viewed[k] >> b & 1 ? 'p' : b ? 'b' : 's'}${this.through[k] >> b & 1 ? '' : ' ln--none'}`);
    }
    out.push(`ln ${this.own[k] & 1 ? 'p' : own ? 'b' : 's'}${this.#shape(k, i)}`);
    return out;
  }

  /**
   * @param {number} k
   * @param {number} i
   */
  #shape(k, i) {
    const last = (this.own[k] & 2) !== 0;
    if (this.cols.kind(i) === STUB) return this.opened[i] ? ' ln--elbow ln--start' : ' ln--elbow ln--none';
    if (this.cols.first(i)) return last ? ' ln--none' : ' ln--start';
    return last ? ' ln--end' : '';
  }

  /**
   * The row of an entry, or of its nearest ancestor that has one, else -1.
   * @param {number} pos
   */
  #nearest(pos) {
    this.byEntry ??= this.#rowsByEntry();
    for (; pos >= 0; pos = this.look.forest.parent[pos]) if (this.byEntry[pos]) return this.byEntry[pos] - 1;
    return -1;
  }

  /** @param {number} pos */
  rowOf(pos) { return Math.max(0, this.#nearest(pos)); }

  /** For each entry the row that stands for it, counted from 1. */
  #rowsByEntry() {
    const { cols, rows } = this, by = new Int32Array(this.look.forest.ids.length);
    for (let k = 0; k < rows.length; k++) {
      const i = rows[k], kind = cols.kind(i), pos = cols.pos[i];
      if (kind === FOLD || kind === HEAD) continue;
      if (kind === STUB) {
        by[cols.title[i]] = k + 1;
        by[pos] ||= k + 1;
      } else if (kind !== CALL || !by[pos] || cols.kind(rows[by[pos] - 1]) !== ENTRY) by[pos] = k + 1;
    }
    return by;
  }

  /** The row that ends the viewed path, or -1. */
  get current() {
    for (let k = this.rows.length - 1; k >= 0; k--) if (this.cols.kind(this.rows[k]) !== HEAD && this.onPath(this.rows[k])) return k;
    return -1;
  }
}

