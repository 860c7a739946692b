// @ts-check
// The path: pages of it as they were fetched, one after the other.

import { findAll, childrenWithClass, fetchFragment, flashElement, requireElement, pluralize } from '../dom.js';
import { enhanceItems } from './enhance.js';
import { replaceTail, replacePages } from './morphitems.js';

const MAX_PAGES = 8; // pages kept; further ones are dropped at the other end

/** @typedef {import('../session.js').SessionPage} Session */

export class PathPane {
  #endWasVisible = false;
  #measuredSize = ''; // of the scrolled area when its position was last measured

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.main = session.main;
    this.container = requireElement('path-pages');
    enhanceItems(this.container);
    // A browser may report the scrolling that a new size causes before the size itself.
    const see = () => (this.#endWasVisible && this.#measuredSize !== this.#scrollAreaSize() ? this.scrollToEnd() : this.updateAtBottom());
    this.main.addEventListener('scroll', see, { passive: true });
    const sizes = new ResizeObserver(see);
    for (const el of [this.main, this.container]) sizes.observe(el);
  }

  /** @returns {HTMLElement[]} */
  get pages() { return childrenWithClass(this.container, 'path-page'); }
  get firstPage() { return this.pages[0]; }
  get lastPage() { return this.pages[this.pages.length - 1]; }

  /** Whether the page that ends the path is here. */
  get hasLastPage() { return this.lastPage?.dataset.atEnd === 'true'; }

  /**
   * Whether the reader stands at the end of the path. It is what was last seen:
   * measured only when it is asked for, a window that shrank or a banner that came
   * would look like a reader who went up.
   */
  get atBottom() { return this.#endWasVisible; }

  /** Looks where the reader stands now. */
  updateAtBottom() {
    this.#measuredSize = this.#scrollAreaSize();
    this.#endWasVisible = this.hasLastPage && this.main.scrollHeight - this.main.scrollTop - this.main.clientHeight < 60;
  }

  /** @returns {string} the size of the scrolled area */
  #scrollAreaSize() { return `${this.main.clientWidth} × ${this.main.clientHeight}`; }

  /**
   * The element of an entry: its item, or the tool that shows its result.
   * @param {string} entry
   * @returns {HTMLElement | null}
   */
  findItem(entry) {
    const id = CSS.escape(entry);
    /** @type {HTMLElement | null} */
    const part = this.container.querySelector(`.note-part[data-entry="${id}"]`);
    return this.container.querySelector(`.entry[data-entry="${id}"]:not(.entry--fork, .entry--join, .entry--leaf, .entry--end), .tool[data-result="${id}"]`)
      ?? this.container.querySelector(`.tool[data-entry="${id}"]`) ?? part?.closest('.entry--asst, .entry--shell') ?? part;
  }

  /**
   * Fetches the page around the viewed entry in place of all others, or the last
   * one for a reader at the end.
   * @param {import('../view.js').View} view
   * @param {import('../session.js').Navigation} way
   * @param {AbortSignal} [signal]
   */
  async loadPage(view, way, signal) {
    const around = way.scrollState?.item?.entry || view.entry;
    /** @type {Record<string, string>} */
    const where = way.scroll === 'end' && !way.scrollState ? { before: 'none' } : around ? { around } : {};
    const { body, status } = await fetchFragment(this.session.fragmentURL('path', where, view), signal);
    const page = body.querySelector('.path-page');
    if (status !== 200 || !page) return status;
    replacePages(this.container, page);
    this.#notifyChange();
    if (way.scrollState?.item) this.#restoreItem(way.scrollState.item);
    else this.showEntry(view.entry, way);
    this.updateAtBottom();
    return status;
  }

  /**
   * Scrolls to an entry that is here and marks it as the viewed one.
   * @param {string} entry '' = the end
   * @param {import('../session.js').Navigation} way
   */
  showEntry(entry, way) {
    for (const el of findAll('.is-target', this.container)) el.classList.remove('is-target');
    const el = entry ? this.findItem(entry) : null;
    el?.classList.add('is-target');
    if (way.scroll === 'keep') return;
    if (way.scroll === 'end') return this.scrollToEnd();
    if (way.align && this.#alignSwitcher(way.align)) return;
    if (!el) return this.scrollToEnd();
    if (el instanceof HTMLDetailsElement) {
      el.open = true;
      el.scrollIntoView({ block: 'center' });
    } else this.main.scrollTop += el.getBoundingClientRect().top - this.#visibleTop() - this.#spaceAbove(el);
    flashElement(el);
  }

  /** Where the path begins on the screen, below the bar that sticks. @returns {number} */
  #visibleTop() { return requireElement('facts').getBoundingClientRect().bottom; }

  /**
   * Room above an entry that is scrolled to: its switcher stays visible, and the note
   * that a line begins with it.
   * @param {HTMLElement} el
   */
  #spaceAbove(el) {
    let room = 0;
    for (let before = el.previousElementSibling; before?.matches('.entry--fork, .entry--join[id^="h-"]'); before = before.previousElementSibling) {
      room += before.getBoundingClientRect().height;
    }
    return room ? room + 8 : 14;
  }

  /**
   * Keeps the fork that was switched where it was.
   * @param {{head: string, y: number}} to
   */
  #alignSwitcher(to) {
    const el = this.container.querySelector(`.switch[data-head="${CSS.escape(to.head)}"]`);
    if (!el) return false;
    this.main.scrollTop += el.getBoundingClientRect().top - to.y;
    return true;
  }

  /** @param {{id: string, entry: string, y: number}} item */
  #restoreItem(item) {
    const el = document.getElementById(item.id);
    if (el) this.main.scrollTop += el.getBoundingClientRect().top - item.y;
  }

  scrollToEnd() {
    this.#measuredSize = this.#scrollAreaSize();
    this.main.scrollTop = 1e9;
    this.#endWasVisible = this.hasLastPage;
  }

  /**
   * Fetches the page before the first or after the last one. What the reader sees
   * stays where it is.
   * @param {'before' | 'after'} side
   */
  async loadAdjacentPage(side) {
    const edge = side === 'before' ? this.firstPage : this.lastPage;
    const entry = side === 'before' ? edge?.dataset.first : edge?.dataset.last;
    if (!edge || !entry) return false;
    const { viewVersion } = this.session;
    const { body, status } = await fetchFragment(this.session.fragmentURL('path', { [side]: entry }));
    const page = body.querySelector('.path-page');
    if (status !== 200 || !(page instanceof HTMLElement) || !edge.isConnected || viewVersion !== this.session.viewVersion) return false;
    this.#keepPosition(edge, () => {
      enhanceItems(page);
      edge[side](page);
      const drop = this.pages.length > MAX_PAGES ? (side === 'before' ? this.lastPage : this.firstPage) : null;
      drop?.remove();
      this.#notifyChange();
    });
    return true;
  }

  /**
   * Changes the pages so that an element does not move on the screen.
   * @param {Element} el
   * @param {() => void} change
   */
  #keepPosition(el, change) {
    const y = el.getBoundingClientRect().top;
    change();
    this.main.scrollTop += el.getBoundingClientRect().top - y;
  }

  /**
   * Takes in what a growing path answered behind its anchor.
   * @param {HTMLElement} tail
   */
  updateTail(tail) {
    replaceTail(this.lastPage, tail);
    this.#notifyChange();
  }

  /** Shows that nobody goes on writing; everything else stays as it was read. */
  markRunStopped() {
    for (const el of findAll('.running', this.container)) {
      el.closest('.tool')?.classList.remove('is-running');
      el.className = '';
      el.textContent = 'no result';
    }
    for (const el of findAll('.leaf-end > span', this.container)) el.textContent = el.textContent?.replace(/^.* is writing, /, '') ?? '';
  }

  #notifyChange() {
    this.#showCount('path-before', Number(this.firstPage?.dataset.skipped ?? 0), 'earlier entry', 'earlier entries');
    this.#showCount('path-after', this.hasLastPage ? 0 : Number(this.lastPage?.dataset.left ?? 0), 'later entry', 'later entries');
    document.dispatchEvent(new CustomEvent('path-changed'));
  }

  /**
   * @param {string} id
   * @param {number} n
   * @param {string} one
   * @param {string} many
   */
  #showCount(id, n, one, many) {
    const el = requireElement(id);
    el.hidden = n === 0;
    el.textContent = pluralize(n, one, many);
  }
}
