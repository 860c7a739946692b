// @ts-check
// The list of hits by branch, with one tab stop: arrows move the focus.

import { closestElement } from '../dom.js';
import { HitSection } from './hitsection.js';

/**
 * @typedef {import('./hitgroups.js').Hit} Hit
 * @typedef {import('./hitgroups.js').HitGroups} HitGroups
 */

const MAX_WHOLE = 200; // hits of a list that is drawn as a whole
const MARGIN = 800; // px above and below the visible part that are drawn too
const PAGE = 8; // hits that PageUp and PageDown skip

export class HitList {
  /** @type {Map<string, HitSection>} by branch */
  #sections = new Map();
  /** @type {Hit | null} */
  #current = null;
  /** @type {Hit | null} the hit that is the tab stop */
  #stop = null;
  #drawDue = false;
  /** @type {HitGroups | null} */
  #hits = null;

  /**
   * @param {HTMLElement} box
   * @param {{href: (hit: Hit) => string, onPick: (hit: Hit) => void}} options
   */
  constructor(box, options) {
    this.box = box;
    this.options = { ...options, showsCalls: false };
    box.addEventListener('scroll', () => this.#drawSoon(), { passive: true });
    new ResizeObserver(() => this.#drawSoon()).observe(box);
    box.addEventListener('click', (event) => this.#handleClick(event));
    box.addEventListener('keydown', (event) => this.#handleKey(event));
    box.addEventListener('focusin', (event) => { this.#stop = this.#hitAt(event) ?? this.#stop; });
  }

  /**
   * Shows hits. Those that are drawn stay.
   * @param {HitGroups} hits
   */
  show(hits) {
    this.#hits = hits;
    const groups = hits.groups.filter(({ shown }) => shown.length > 0);
    for (const [id, section] of this.#sections) {
      if (groups.includes(section.group)) continue;
      section.element.remove();
      this.#sections.delete(id);
    }
    groups.forEach((group, i) => {
      const section = this.#sections.get(group.branch.id) ?? new HitSection(group);
      this.#sections.set(group.branch.id, section);
      if (this.box.children[i] !== section.element) this.box.insertBefore(section.element, this.box.children[i] ?? null);
      section.updateCount();
    });
    this.#draw();
  }

  #drawSoon() {
    if (this.#drawDue) return;
    this.#drawDue = true;
    requestAnimationFrame(() => { this.#drawDue = false; this.#draw(); });
  }

  /** Draws the hits near the visible part. */
  #draw() {
    if (!this.#hits) return;
    const { box } = this, isWhole = this.#hits.shownCount <= MAX_WHOLE;
    const top = box.scrollTop - MARGIN, bottom = box.scrollTop + box.clientHeight + MARGIN;
    const plan = [...this.#sections.values()].map((section) => {
      const y = isWhole ? 0 : section.listTop;
      return { section, chunks: isWhole ? null : section.chunksBetween(top - y, bottom - y) };
    });
    for (const { section, chunks } of plan) section.draw(chunks, this.options);
    this.#markCurrent();
  }

  /**
   * Marks the current hit.
   * @param {Hit | null} hit
   * @param {boolean} reveal whether to scroll to it
   */
  setCurrent(hit, reveal) {
    this.#current = hit;
    this.#stop = hit ?? this.#stop;
    if (hit && reveal) this.#reveal(hit);
    this.#markCurrent();
  }

  #markCurrent() {
    const stop = this.#elementOf(this.#stop) ?? this.box.querySelector('.search-hit'), current = this.#elementOf(this.#current);
    for (const el of this.box.querySelectorAll('.search-hit[aria-current], .search-hit[tabindex="0"]')) {
      if (el !== current) el.removeAttribute('aria-current');
      if (el !== stop && el instanceof HTMLElement) el.tabIndex = -1;
    }
    current?.setAttribute('aria-current', 'true');
    if (stop instanceof HTMLElement) stop.tabIndex = 0;
  }

  /** @param {Hit | null} hit */
  #elementOf(hit) { return (hit && this.#sections.get(hit.branch)?.elementOf(hit)) ?? null; }

  /** @param {Event} event @returns {Hit | null} */
  #hitAt(event) {
    const el = closestElement(event, '.search-hit');
    for (const section of el ? this.#sections.values() : []) if (el && section.list.contains(el)) return section.hitOf(el);
    return null;
  }

  /**
   * Draws a hit and scrolls to it as far as needed.
   * @param {Hit} hit
   */
  #reveal(hit) {
    const section = this.#sections.get(hit.branch);
    if (section && !section.elementOf(hit)) {
      this.box.scrollTop = section.listTop + section.offsetOf(hit) - this.box.clientHeight / 2;
      this.#draw();
    }
    const el = this.#elementOf(hit);
    el?.scrollIntoView({ block: 'nearest' });
    return el;
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const hit = this.#hitAt(event);
    if (!hit) return;
    event.preventDefault();
    this.options.onPick(hit);
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const hit = this.#hitAt(event), hits = this.#hits;
    if (!hit || !hits || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = hits.indexOf(hit), last = hits.shownCount - 1;
    /** @type {Record<string, number>} */
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, PageDown: at + PAGE, PageUp: at - PAGE };
    if (!(event.key in to)) return;
    event.preventDefault();
    const next = hits.at(Math.max(0, Math.min(last, to[event.key])));
    if (!next) return;
    const el = this.#reveal(next);
    el?.focus({ preventScroll: true });
    this.#markCurrent();
  }
}
