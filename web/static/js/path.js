// @ts-check
// The path: pages of it as they were fetched, one after the other.

import { Idiomorph } from '../vendor/idiomorph.esm.js';
import { all, fetchFragment, flash, need, plural } from './dom.js';
import { dress } from './dress.js';

const FAR = 8; // pages kept; further ones are dropped at the other end

/** @typedef {import('./session.js').Session} Session */

export class Path {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.main = session.main;
    this.pages = need('path-pages');
    dress(this.pages);
  }

  /** @returns {HTMLElement[]} */
  get list() { return all(':scope > .path-page', this.pages); }
  get first() { return this.list[0]; }
  get last() { return this.list[this.list.length - 1]; }

  /** Whether the page that ends the path is here. */
  get complete() { return this.last?.dataset.atEnd === 'true'; }

  /** Whether the reader stands at the end of what is here, and that is the end. */
  get atBottom() { return this.complete && this.main.scrollHeight - this.main.scrollTop - this.main.clientHeight < 60; }

  /**
   * The element of an entry: its item, or the tool that shows its result.
   * @param {string} entry
   * @returns {HTMLElement | null}
   */
  find(entry) {
    const id = CSS.escape(entry);
    return this.pages.querySelector(`.entry[data-entry="${id}"]:not(.entry--fork, .entry--leaf, .entry--end), .tool[data-result="${id}"]`)
      ?? this.pages.querySelector(`.tool[data-entry="${id}"]`);
  }

  /**
   * Fetches the page around the viewed entry in place of all others.
   * @param {import('./view.js').View} view
   * @param {import('./session.js').Way} way
   * @param {AbortSignal} [signal]
   */
  async load(view, way, signal) {
    const around = way.place?.item?.entry || way.around || view.entry;
    const { body, status } = await fetchFragment(this.session.url('path', around ? { around } : {}, view), signal);
    const page = body.querySelector('.path-page');
    if (status !== 200 || !page) return status;
    this.#replace(page);
    this.#changed(page);
    if (way.place?.item) this.#restore(way.place.item);
    else this.show(view.entry, way);
    return status;
  }

  /**
   * Puts a page in place of all others. Items that both have stay elements of the
   * page, with what the reader opened in them.
   * @param {Element} page
   */
  #replace(page) {
    document.adoptNode(page); // items of the page must not leave its document for a template's
    const old = new Map(all('.entry', this.pages).map((item) => [item.id, item]));
    for (const item of [...page.children]) {
      const here = old.get(item.id);
      if (!here) continue;
      item.replaceWith(here);
      morph(here, item);
    }
    this.pages.replaceChildren(page);
  }

  /**
   * Scrolls to an entry that is here and marks it as the viewed one.
   * @param {string} entry '' = the end
   * @param {import('./session.js').Way} way
   */
  show(entry, way) {
    for (const el of all('.is-target', this.pages)) el.classList.remove('is-target');
    const el = entry ? this.find(entry) : null;
    el?.classList.add('is-target');
    if (way.scroll === 'keep') return;
    if (way.scroll === 'end') return this.toEnd();
    if (way.align && this.#align(way.align)) return;
    if (!el) return this.toEnd();
    if (el instanceof HTMLDetailsElement) {
      el.open = true;
      el.scrollIntoView({ block: 'center' });
    } else this.main.scrollTop += el.getBoundingClientRect().top - this.#top() - this.#lead(el);
    flash(el);
  }

  /** Where the path begins on the screen, below the bar that sticks. @returns {number} */
  #top() { return need('facts').getBoundingClientRect().bottom; }

  /**
   * Room above an entry that is scrolled to: its switcher stays visible.
   * @param {HTMLElement} el
   */
  #lead(el) {
    const before = el.previousElementSibling;
    return before?.classList.contains('entry--fork') ? before.getBoundingClientRect().height + 8 : 14;
  }

  /**
   * Keeps the fork that was switched where it was.
   * @param {{head: string, y: number}} to
   */
  #align(to) {
    const el = this.pages.querySelector(`.switch[data-head="${CSS.escape(to.head)}"]`);
    if (!el) return false;
    this.main.scrollTop += el.getBoundingClientRect().top - to.y;
    return true;
  }

  /** @param {{id: string, entry: string, y: number}} item */
  #restore(item) {
    const el = document.getElementById(item.id);
    if (el) this.main.scrollTop += el.getBoundingClientRect().top - item.y;
  }

  toEnd() { this.main.scrollTop = this.main.scrollHeight; }

  /**
   * Fetches the page before the first or after the last one. What the reader sees
   * stays where it is.
   * @param {'before' | 'after'} side
   */
  async extend(side) {
    const edge = side === 'before' ? this.first : this.last;
    const entry = side === 'before' ? edge?.dataset.first : edge?.dataset.last;
    if (!edge || !entry) return false;
    const view = this.session.view;
    const { body, status } = await fetchFragment(this.session.url('path', { [side]: entry }));
    const page = body.querySelector('.path-page');
    if (status !== 200 || !(page instanceof HTMLElement) || !edge.isConnected || view.leaf !== this.session.view.leaf) return false;
    this.#steady(edge, () => {
      edge[side](page);
      const drop = this.list.length > FAR ? (side === 'before' ? this.last : this.first) : null;
      drop?.remove();
      this.#changed(page);
    });
    return true;
  }

  /**
   * Changes the pages so that an element does not move on the screen.
   * @param {Element} el
   * @param {() => void} change
   */
  #steady(el, change) {
    const y = el.getBoundingClientRect().top;
    change();
    this.main.scrollTop += el.getBoundingClientRect().top - y;
  }

  /**
   * Puts what a growing path answered behind its anchor in place of what stood
   * there. Items that are here already are changed in place: they keep what the
   * reader opened, selected or focused.
   * @param {HTMLElement} tail
   */
  grow(tail) {
    const page = this.last;
    const ids = new Set([...tail.children].map((item) => item.id));
    const items = [...page.children];
    const from = items.findIndex((item) => ids.has(item.id));
    const old = new Map(items.slice(from < 0 ? items.length : from).map((item) => [item.id, item]));
    for (const item of [...tail.children]) {
      const here = old.get(item.id);
      old.delete(item.id);
      if (here) { page.append(here); morph(here, item); } else page.append(item);
    }
    for (const item of old.values()) item.remove();
    for (const name of ['last', 'anchor', 'after', 'total', 'left', 'rev', 'atLeaf', 'atEnd']) page.dataset[name] = tail.dataset[name];
    this.#changed(page);
  }

  /** @param {Element} page */
  #changed(page) {
    dress(page);
    this.#count('path-before', Number(this.first?.dataset.skipped ?? 0), 'earlier entry', 'earlier entries');
    this.#count('path-after', this.complete ? 0 : Number(this.last?.dataset.left ?? 0), 'later entry', 'later entries');
    document.dispatchEvent(new CustomEvent('path-changed'));
  }

  /**
   * @param {string} id
   * @param {number} n
   * @param {string} one
   * @param {string} many
   */
  #count(id, n, one, many) {
    const el = need(id);
    el.hidden = n === 0;
    el.textContent = plural(n, one, many);
  }
}

/**
 * Changes an item into a newer one. Details keep the state the reader gave them.
 * @param {Element} old
 * @param {Element} now
 */
export function morph(old, now) {
  if (old.outerHTML === now.outerHTML) return;
  Idiomorph.morph(old, now, {
    callbacks: {
      beforeAttributeUpdated: (/** @type {string} */ name, /** @type {Element} */ el) => !(name === 'open' && el instanceof HTMLDetailsElement),
    },
  });
}
