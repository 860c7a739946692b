// @ts-check
// The hits of one branch in the list. Of a long branch only the hits near the visible part
// have elements: they are drawn in chunks, and the padding of the list stands for the
// others. A chunk keeps the height that it was measured with.

import { createHit, createSection } from './hitelement.js';

/**
 * @typedef {import('./hitgroups.js').Hit} Hit
 * @typedef {import('./hitgroups.js').Group} Group
 */

const CHUNK = 40; // hits drawn together
const HIT_HEIGHT = 48; // px, of hits that were not measured

export class HitSection {
  /** @type {Hit[]} the hits with elements, from index #from of those shown */
  #drawn = [];
  #from = 0;
  /** @type {{height: number, hits: number}[]} of the chunks that were measured */
  #measured = [];
  /** @type {Hit[]} */
  #shown = [];

  /** @param {Group} group */
  constructor(group) {
    this.group = group;
    const { section, list, count } = createSection(group.branch);
    this.element = section;
    this.list = list;
    this.count = count;
  }

  /** Shows how many hits there are. */
  updateCount() {
    const { shown } = this.group;
    if (this.#shown !== shown) this.#measured = []; // another filter
    this.#shown = shown;
    this.count.textContent = shown.length.toLocaleString('en');
  }

  /** The distance of the list from the top of the box of all sections. */
  get listTop() { return this.element.offsetTop + this.list.offsetTop; }

  get #chunkCount() { return Math.ceil(this.group.shown.length / CHUNK); }

  /** @param {number} chunk */
  #hitsIn(chunk) { return Math.min(CHUNK, this.group.shown.length - chunk * CHUNK); }

  /** @param {number} chunk */
  #heightOf(chunk) {
    const known = this.#measured[chunk], n = this.#hitsIn(chunk);
    return known ? known.height * n / known.hits : n * HIT_HEIGHT;
  }

  /**
   * Returns the height of the chunks from one to another.
   * @param {number} from
   * @param {number} to
   */
  #heightBetween(from, to) {
    let height = 0;
    for (let chunk = from; chunk < to; chunk++) height += this.#heightOf(chunk);
    return height;
  }

  /**
   * Returns the chunks between two distances from the top of the list. It measures those
   * that are drawn.
   * @param {number} top
   * @param {number} bottom
   */
  chunksBetween(top, bottom) {
    this.#measure();
    let from = 0, y = 0;
    while (from < this.#chunkCount && y + this.#heightOf(from) < top) y += this.#heightOf(from++);
    let to = from;
    while (to < this.#chunkCount && y < bottom) y += this.#heightOf(to++);
    return { from, to };
  }

  #measure() {
    const items = this.list.children;
    for (let i = 0; i < items.length; i += CHUNK) {
      const first = /** @type {HTMLElement} */ (items[i]), n = Math.min(CHUNK, items.length - i), last = /** @type {HTMLElement} */ (items[i + n - 1]);
      const height = last.offsetTop + last.offsetHeight - first.offsetTop;
      if (height) this.#measured[(this.#from + i) / CHUNK] = { height, hits: n };
    }
  }

  /**
   * Draws chunks.
   * @param {{from: number, to: number} | null} chunks null = all
   * @param {{href: (hit: Hit) => string, showsCalls: boolean}} options
   */
  draw(chunks, options) {
    const { from, to } = chunks ?? { from: 0, to: this.#chunkCount };
    this.#replaceItems(this.group.shown.slice(from * CHUNK, to * CHUNK), options);
    this.#from = from * CHUNK;
    const above = this.#heightBetween(0, from), below = this.#heightBetween(to, this.#chunkCount);
    this.list.style.paddingTop = above ? above + 'px' : '';
    this.list.style.paddingBottom = below ? below + 'px' : '';
  }

  /**
   * @param {Hit[]} hits
   * @param {{href: (hit: Hit) => string, showsCalls: boolean}} options
   */
  #replaceItems(hits, { href, showsCalls }) {
    if (hits.length === this.#drawn.length && hits.every((hit, i) => hit === this.#drawn[i])) return;
    const { children } = this.list;
    /** @type {Map<Hit, Element>} */
    const old = new Map(this.#drawn.map((hit, i) => [hit, children[i]]));
    const items = hits.map((hit) => old.get(hit) ?? createHit(hit, href(hit), showsCalls));
    const stay = new Set(items);
    for (const item of old.values()) if (!stay.has(item)) item.remove();
    items.forEach((item, i) => { if (children[i] !== item) this.list.insertBefore(item, children[i] ?? null); });
    this.#drawn = hits;
  }

  /**
   * Returns the distance of a hit from the top of the list.
   * @param {Hit} hit
   */
  offsetOf(hit) {
    const i = this.group.shown.indexOf(hit), chunk = Math.floor(i / CHUNK);
    return this.#heightBetween(0, chunk) + this.#heightOf(chunk) * (i % CHUNK) / CHUNK;
  }

  /**
   * Returns the element of a hit if it is drawn.
   * @param {Hit} hit
   * @returns {HTMLElement | null}
   */
  elementOf(hit) { return /** @type {HTMLElement | null} */ (this.list.children[this.#drawn.indexOf(hit)]?.firstElementChild ?? null); }

  /**
   * Returns the hit of an element, or null.
   * @param {Element} el
   */
  hitOf(el) { return this.#drawn[[...this.list.children].findIndex((item) => item.contains(el))] ?? null; }
}
