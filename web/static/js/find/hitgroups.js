// @ts-check
// The hits of a search in one session, by branch and in the order of the tree.

import { pluralize } from '../text.js';

/**
 * @typedef {{entry: string, branch: string, order: number, role: string, text: string[], time?: number, tool?: string,
 *   arg?: string, status?: string, failed?: boolean, icon?: string}} Hit text: every second part is marked. icon: that of its
 *   tool
 * @typedef {{id: string, kind: 'path' | 'abandoned' | 'agent', title?: string, label?: boolean, time?: number}} Branch
 * @typedef {{branch: Branch, hits: Hit[], shown: Hit[]}} Group shown: the hits that pass the filter
 * @typedef {{branch: string, order: number}} Place where an entry is
 */

/** @type {Record<string, string[]>} the roles of each filter; others are names of tools */
const FILTER_ROLES = { prompts: ['prompt'], answers: ['answer', 'thinking', 'summary'], tools: ['input', 'output'] };

export class HitGroups {
  /** @type {Group[]} the path to the leaf, then branches by the time of their tip */
  groups = [];
  /** @type {Map<string, Group>} */
  #byBranch = new Map();
  /** @type {Map<string, number>} number of hits by filter */
  counts = new Map([['all', 0]]);
  total = 0;
  filter = 'all';

  /** The number of hits that pass the filter. */
  get shownCount() { return this.groups.reduce((n, group) => n + group.shown.length, 0); }

  /**
   * Adds hits.
   * @param {Branch[]} branches new ones
   * @param {Hit[]} hits
   */
  add(branches, hits) {
    for (const branch of branches) this.#addBranch(branch);
    /** @type {Set<Group>} */
    const changed = new Set();
    for (const hit of hits) {
      const group = this.#byBranch.get(hit.branch);
      if (!group) continue;
      const last = group.hits[group.hits.length - 1];
      group.hits.push(hit);
      if (last && last.order > hit.order) changed.add(group);
      this.#countHit(hit);
      if (this.#passes(hit)) group.shown.push(hit);
    }
    for (const { hits: all, shown } of changed) for (const list of [all, shown]) list.sort((a, b) => a.order - b.order);
  }

  /** @param {Branch} branch */
  #addBranch(branch) {
    if (this.#byBranch.has(branch.id)) return;
    const group = { branch, hits: [], shown: [] };
    this.#byBranch.set(branch.id, group);
    this.groups.push(group);
    this.groups.sort((a, b) => (a.branch.kind === 'path' ? -1 : b.branch.kind === 'path' ? 1 : (a.branch.time ?? 0) - (b.branch.time ?? 0)));
  }

  /** @param {Hit} hit */
  #countHit(hit) {
    this.total++;
    for (const name of ['all', ...Object.keys(FILTER_ROLES).filter((f) => FILTER_ROLES[f].includes(hit.role)), ...(hit.failed && hit.tool ? [toolFilter(hit.tool)] : [])]) {
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }

  /** @param {Hit} hit */
  #passes(hit) {
    const { filter } = this;
    return filter === 'all' || (FILTER_ROLES[filter]?.includes(hit.role) ?? toolFilter(hit.tool ?? '') === filter);
  }

  /** @param {string} filter */
  setFilter(filter) {
    this.filter = filter;
    for (const group of this.groups) group.shown = group.hits.filter((hit) => this.#passes(hit));
  }

  /**
   * Returns the hit at an index among those shown.
   * @param {number} i
   */
  at(i) {
    for (const { shown } of this.groups) {
      if (i < shown.length) return shown[i];
      i -= shown.length;
    }
    return null;
  }

  /**
   * Returns the index of a hit among those shown, or -1.
   * @param {Hit | null} hit
   */
  indexOf(hit) {
    let before = 0;
    for (const { branch, shown } of this.groups) {
      if (hit && branch.id === hit.branch) {
        const at = shown.indexOf(hit);
        return at < 0 ? -1 : before + at;
      }
      before += shown.length;
    }
    return -1;
  }

  /**
   * Returns the index of the first hit after an entry of its branch, or of the last one
   * before it. Without one it is the first or the last of all.
   * @param {Place | null} place
   * @param {1 | -1} direction
   */
  indexFrom(place, direction) {
    let before = 0;
    for (const { branch, shown } of this.groups) {
      if (place && branch.id === place.branch) {
        const at = direction > 0 ? shown.findIndex((hit) => hit.order > place.order) : shown.findLastIndex((hit) => hit.order < place.order);
        if (at >= 0) return before + at;
      }
      before += shown.length;
    }
    return direction > 0 ? 0 : before - 1;
  }

  /** Says how many hits there are and where: "14 hits on the path and 4 branches". */
  describePlaces() {
    const kinds = this.groups.filter(({ hits }) => hits.length > 0).map(({ branch }) => branch.kind);
    const count = (/** @type {string} */ kind, /** @type {string} */ one, /** @type {string} */ many) => {
      const n = kinds.filter((k) => k === kind).length;
      return n ? [pluralize(n, one, many)] : [];
    };
    const places = [...(kinds.includes('path') ? ['the path'] : []), ...count('abandoned', 'branch', 'branches'), ...count('agent', 'sub-agent', 'sub-agents')];
    const where = places.length > 1 ? `${places.slice(0, -1).join(', ')} and ${places[places.length - 1]}` : places.join('');
    return this.total ? `${pluralize(this.total, 'hit', 'hits')} on ${where}` : 'No hits';
  }

  /**
   * Returns the hit of an entry, or null.
   * @param {string} entry
   */
  find(entry) {
    for (const { hits } of this.groups) {
      const hit = hits.find((other) => other.entry === entry);
      if (hit) return hit;
    }
    return null;
  }
}

/** @param {string} tool */
export const toolFilter = (tool) => 'tool:' + tool.toLowerCase();
