// @ts-check
// The path, shown as the pages that have been fetched.

import { childrenWithClass, findAll, flashElement, requireElement } from '../dom.js';
import { firstVisibleItem } from '../scrollstate.js';
import { fetchFragment } from '../server.js';
import { pluralize } from '../text.js';
import { enhanceItems } from './enhance.js';
import { replaceTail, replacePages, splitPage } from './morphitems.js';

const FIRST_ENTRIES = 16; // around the viewed one: what is painted first, the rest follows
const ADJACENT_ENTRIES = 10; // of a page before or after: with 25, a key pressed meanwhile took twice as long on a slow machine
const MAX_PAGES = 40; // pages kept; more are removed at the other end
const MAX_GROWN_ITEMS = 20; // items of the last page; then a growing path gets another page
const KEPT_ABOVE = 2000; // pixels above the screen that a viewer who follows the end keeps; scrolling fetches pages at 900

/** @typedef {import('../session.js').SessionPage} SessionPage */

export class PathPane {
  #endWasVisible = false;
  #room = 0; // pixels added below the path, so that it can be scrolled further
  #measuredSize = ''; // of the scrolled area at the last measurement

  /** @param {SessionPage} session */
  constructor(session) {
    this.session = session;
    this.main = session.main;
    this.container = requireElement('path-pages');
    enhanceItems(this.container);
    // Browsers may report the scrolling caused by a resize before the resize.
    const handleChange = () => (this.#endWasVisible && this.#measuredSize !== this.#scrollAreaSize() ? this.scrollToEnd() : this.updateAtBottom());
    this.main.addEventListener('scroll', handleChange, { passive: true });
    const sizes = new ResizeObserver(handleChange);
    for (const el of [this.main, this.container]) sizes.observe(el);
  }

  /** @returns {HTMLElement[]} */
  get pages() { return childrenWithClass(this.container, 'path-page'); }
  get firstPage() { return this.pages[0]; }
  get lastPage() { return this.pages[this.pages.length - 1]; }

  /** Whether the last page of the path is loaded. */
  get hasLastPage() { return this.lastPage?.dataset.atEnd === 'true'; }

  /**
   * Whether the viewer is at the end of the path. It is the result of the last measurement,
   * because a smaller window or a new banner would look as if the viewer had scrolled up.
   */
  get atBottom() { return this.#endWasVisible; }

  /** Measures whether the viewer is at the end of the path. */
  updateAtBottom() {
    this.#shrinkRoom();
    this.#measuredSize = this.#scrollAreaSize();
    this.#endWasVisible = this.hasLastPage && this.main.scrollHeight - this.main.scrollTop - this.main.clientHeight < 60;
  }

  /** @returns {string} the size of the scrolled area */
  #scrollAreaSize() { return `${this.main.clientWidth} × ${this.main.clientHeight}`; }

  /**
   * Returns the element of an entry: its item or the tool that shows its result.
   * @param {string} entry
   * @returns {HTMLElement | null}
   */
  findItem(entry) {
    const id = CSS.escape(entry);
    /** @type {HTMLElement | null} */
    const part = this.container.querySelector(`.note-part[data-entry="${id}"]`);
    return this.container.querySelector(`.entry[data-entry="${id}"]:not(.entry--fork, .entry--join, .entry--leaf, .entry--end), .tool[data-result="${id}"]`)
      ?? this.container.querySelector(`.tool[data-entry="${id}"]`) ?? part?.closest('.entry--answer, .entry--shell') ?? part;
  }

  /**
   * Replaces all pages with the page around the viewed entry, or with the last page.
   * @param {import('../view.js').View} view
   * @param {import('../session.js').Navigation} navigation
   * @param {AbortSignal} [signal]
   */
  async loadPage(view, navigation, signal) {
    const item = navigation.scrollState?.item;
    const isLast = navigation.scroll === 'end' && !navigation.scrollState;
    const { page, status } = await this.#fetchPage(view, isLast ? null : item?.entry || view.entry, signal);
    if (!page) return status;
    this.#showPage(page);
    if (item) this.#restoreItem(item);
    else this.showEntry(view.entry, navigation);
    this.updateAtBottom();
    return status;
  }

  /**
   * Fetches the page with the first visible item again, or the last page for a viewer at the end, and
   * replaces all pages with it. What is visible when it arrives keeps its place: the viewer may have
   * scrolled meanwhile.
   * @param {import('../view.js').View} view
   * @param {boolean} atEnd whether the viewer is at the end
   */
  async reloadPage(view, atEnd) {
    const item = atEnd ? null : firstVisibleItem(this.session);
    const { page, status } = await this.#fetchPage(view, atEnd ? null : item?.entry || view.entry);
    if (!page) return status;
    const follows = atEnd && this.atBottom, visible = firstVisibleItem(this.session);
    this.#showPage(page);
    this.showEntry(view.entry, { scroll: follows ? 'end' : 'keep' });
    const kept = follows ? null : [visible, item].find((it) => it && document.getElementById(it.id));
    if (kept) this.#restoreItem(kept);
    this.updateAtBottom();
    return status;
  }

  /**
   * @param {import('../view.js').View} view
   * @param {string | null} around an entry of the page, '' for the leaf; null for the last page
   * @param {AbortSignal} [signal]
   */
  async #fetchPage(view, around, signal) {
    /** @type {Record<string, string | number>} */
    const where = around === null ? { before: 'none' } : around ? { around, n: FIRST_ENTRIES } : {};
    const { body, status } = await fetchFragment(this.session.fragmentURL('path', where, view), signal);
    return { status, page: status === 200 ? body.querySelector('.path-page') : null };
  }

  /** @param {Element} page */
  #showPage(page) {
    replacePages(this.container, page);
    this.#notifyChange();
  }

  /**
   * Whether the first page may be removed because the viewer follows the end: every page costs time
   * whenever the path grows.
   */
  get hasSpareFirstPage() {
    const { pages } = this;
    return this.atBottom && pages.length > 2 && !pages[0].contains(document.activeElement);
  }

  /** Removes first pages that are far above the screen. */
  dropFirstPages() {
    const { top } = this.main.getBoundingClientRect(), { length } = this.pages;
    while (this.hasSpareFirstPage && this.firstPage.getBoundingClientRect().bottom < top - KEPT_ABOVE) this.firstPage.remove();
    if (this.pages.length === length) return;
    this.#notifyChange();
    this.scrollToEnd();
  }

  /**
   * Replaces all pages with the page around an entry, which is scrolled to the top. The viewed
   * entry stays.
   * @param {import('../view.js').View} view
   * @param {string} entry
   */
  async loadAround(view, entry) {
    await this.loadPage(view, { scroll: 'keep', scrollState: { row: null, item: { id: '', entry, y: 0 } } });
    const el = this.findItem(entry);
    if (el) this.main.scrollTop += el.getBoundingClientRect().top - this.#visibleTop();
  }

  /**
   * Scrolls to an entry of the loaded pages and marks it as the viewed one.
   * @param {string} entry '' = the end
   * @param {import('../session.js').Navigation} navigation
   */
  showEntry(entry, navigation) {
    for (const el of findAll('.is-target', this.container)) el.classList.remove('is-target');
    const el = entry ? this.findItem(entry) : null;
    el?.classList.add('is-target');
    if (navigation.scroll === 'keep') return;
    if (navigation.align && this.#alignSwitcher(navigation.align)) return;
    this.#setRoom(0);
    if (navigation.scroll === 'end') return this.scrollToEnd();
    if (!el) return this.scrollToEnd();
    if (el instanceof HTMLDetailsElement) {
      el.open = true;
      el.scrollIntoView({ block: 'center' });
    } else this.main.scrollTop += el.getBoundingClientRect().top - this.#visibleTop() - this.#spaceAbove(el);
    flashElement(el);
  }

  /** Returns the top of the visible path, below the sticky bar. @returns {number} */
  #visibleTop() { return requireElement('facts').getBoundingClientRect().bottom; }

  /**
   * Returns the space to leave above an entry, so that its switcher and the note on the
   * start of a thread stay visible.
   * @param {HTMLElement} el
   */
  #spaceAbove(el) {
    let room = 0;
    for (let before = el.previousElementSibling; before?.matches('.entry--fork, .entry--join[id^="h-"]'); before = before.previousElementSibling) {
      room += before.getBoundingClientRect().height;
    }
    const bar = el.matches('.entry--user') ? 0 : 34; // the bar of the turn may be shown
    return (room ? room + 8 : 14) + bar;
  }

  /**
   * Scrolls so that a switched fork keeps its position.
   * @param {{head: string, y: number}} to
   */
  #alignSwitcher(to) {
    const el = this.container.querySelector(`.switch[data-head="${CSS.escape(to.head)}"]`);
    if (el) this.#scrollTo(el, to.y);
    return el !== null;
  }

  /** @param {{id: string, entry: string, y: number}} item */
  #restoreItem(item) {
    const el = document.getElementById(item.id);
    if (el) this.#scrollTo(el, item.y);
  }

  /**
   * Scrolls until an element is y pixels below the top of the screen. A path that is
   * too short gets room below it. The next scroll removes the room.
   * @param {Element} el
   * @param {number} y
   */
  #scrollTo(el, y) {
    this.#setRoom(this.main.clientHeight);
    this.main.scrollTop += el.getBoundingClientRect().top - y;
    this.#shrinkRoom();
  }

  /** @param {number} room in pixels */
  #setRoom(room) {
    this.#room = Math.max(0, Math.ceil(room));
    this.container.style.paddingBottom = this.#room ? `${this.#room}px` : '';
  }

  /** Reduces the room to what the scroll position needs. */
  #shrinkRoom() {
    const { main } = this;
    if (this.#room) this.#setRoom(main.scrollTop > 0 ? this.#room - (main.scrollHeight - main.scrollTop - main.clientHeight) : 0);
  }

  /** Scrolls to the end of the path, unless the end is visible with room below it. */
  scrollToEnd() {
    this.#measuredSize = this.#scrollAreaSize();
    this.#shrinkRoom();
    if (!this.#room) this.main.scrollTop = 1e9;
    this.#endWasVisible = this.hasLastPage;
  }

  /**
   * Fetches the page before the first or after the last one. Visible items keep their
   * positions.
   * @param {'before' | 'after'} side
   */
  async loadAdjacentPage(side) {
    const edge = side === 'before' ? this.firstPage : this.lastPage;
    const entry = side === 'before' ? edge?.dataset.first : edge?.dataset.last;
    if (!edge || !entry) return false;
    const { viewVersion } = this.session;
    const { body, status } = await fetchFragment(this.session.fragmentURL('path', { [side]: entry, n: ADJACENT_ENTRIES }));
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
   * Changes the pages without moving an element on the screen.
   * @param {Element} el
   * @param {() => void} change
   */
  #keepPosition(el, change) {
    const y = el.getBoundingClientRect().top;
    change();
    this.main.scrollTop += el.getBoundingClientRect().top - y;
  }

  /**
   * Shows the new end of a growing path.
   * @param {HTMLElement} tail
   */
  updateTail(tail) {
    const { lastPage } = this;
    if (lastPage.children.length < MAX_GROWN_ITEMS || !splitPage(lastPage, tail)) replaceTail(lastPage, tail);
    this.#notifyChange();
  }

  /**
   * Adds the switcher of a new fork.
   * @param {HTMLElement} item
   */
  addSwitcher(item) {
    const entry = this.findItem(item.dataset.entry ?? '')?.closest('.entry');
    if (entry) this.#keepPosition(entry, () => entry.before(item));
  }

  /** Marks running tools as ended after the file was removed. */
  markRunStopped() {
    for (const el of findAll('.running', this.container)) {
      el.closest('.tool')?.classList.remove('is-running');
      el.className = '';
      el.textContent = 'no result';
    }
    for (const el of findAll('.leaf-end > span', this.container)) el.textContent = el.textContent?.replace(/^.* is writing, /, '') ?? '';
  }

  #notifyChange() {
    this.#shrinkRoom();
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
    const el = requireElement(id), text = pluralize(n, one, many);
    if (el.textContent === text) return;
    el.hidden = n === 0;
    el.textContent = text;
  }
}
