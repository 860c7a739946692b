// @ts-check
// The path: pages of it as they were fetched, one after the other.

import { all, children, fetchFragment, flash, need, plural } from './dom.js';
import { dress } from './dress.js';
import { growPage, replacePages } from './items.js';

const FAR = 8; // pages kept; further ones are dropped at the other end

/** @typedef {import('./session.js').Session} Session */

export class Path {
  #end = false;
  #room = 0; // pixels added below the path, so that it can be scrolled further
  #size = ''; // of the scrolled area when its position was last measured

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.main = session.main;
    this.pages = need('path-pages');
    dress(this.pages);
    // A browser may report the scrolling that a new size causes before the size itself.
    const see = () => (this.#end && this.#size !== this.#measure() ? this.toEnd() : this.look());
    this.main.addEventListener('scroll', see, { passive: true });
    const sizes = new ResizeObserver(see);
    for (const el of [this.main, this.pages]) sizes.observe(el);
  }

  /** @returns {HTMLElement[]} */
  get list() { return children(this.pages, 'path-page'); }
  get first() { return this.list[0]; }
  get last() { return this.list[this.list.length - 1]; }

  /** Whether the page that ends the path is here. */
  get complete() { return this.last?.dataset.atEnd === 'true'; }

  /**
   * Whether the reader stands at the end of the path. It is what was last seen:
   * measured only when it is asked for, a window that shrank or a banner that came
   * would look like a reader who went up.
   */
  get atBottom() { return this.#end; }

  /** Looks where the reader stands now. */
  look() {
    this.#shrinkRoom();
    this.#size = this.#measure();
    this.#end = this.complete && this.main.scrollHeight - this.main.scrollTop - this.main.clientHeight < 60;
  }

  /** @returns {string} the size of the scrolled area */
  #measure() { return `${this.main.clientWidth} × ${this.main.clientHeight}`; }

  /**
   * The element of an entry: its item, or the tool that shows its result.
   * @param {string} entry
   * @returns {HTMLElement | null}
   */
  find(entry) {
    const id = CSS.escape(entry);
    const part = this.pages.querySelector(`.note-part[data-entry="${id}"]`);
    return this.pages.querySelector(`.entry[data-entry="${id}"]:not(.entry--fork, .entry--join, .entry--leaf, .entry--end), .tool[data-result="${id}"]`)
      ?? this.pages.querySelector(`.tool[data-entry="${id}"]`) ?? part?.closest('.entry--asst, .entry--shell') ?? part;
  }

  /**
   * Fetches the page around the viewed entry in place of all others, or the last
   * one for a reader at the end.
   * @param {import('./view.js').View} view
   * @param {import('./session.js').Way} way
   * @param {AbortSignal} [signal]
   */
  async load(view, way, signal) {
    const around = way.place?.item?.entry || view.entry;
    /** @type {Record<string, string>} */
    const where = way.scroll === 'end' && !way.place ? { before: 'none' } : around ? { around } : {};
    const { body, status } = await fetchFragment(this.session.url('path', where, view), signal);
    const page = body.querySelector('.path-page');
    if (status !== 200 || !page) return status;
    replacePages(this.pages, page);
    this.#changed();
    if (way.place?.item) this.#restore(way.place.item);
    else this.show(view.entry, way);
    this.look();
    return status;
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
    if (way.align && this.#align(way.align)) return;
    this.#setRoom(0);
    if (way.scroll === 'end') return this.toEnd();
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
   * Room above an entry that is scrolled to: its switcher stays visible, and the note
   * that a line begins with it.
   * @param {HTMLElement} el
   */
  #lead(el) {
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
  #align(to) {
    const el = this.pages.querySelector(`.switch[data-head="${CSS.escape(to.head)}"]`);
    if (el) this.#scrollTo(el, to.y);
    return el !== null;
  }

  /** @param {{id: string, entry: string, y: number}} item */
  #restore(item) {
    const el = document.getElementById(item.id);
    if (el) this.#scrollTo(el, item.y);
  }

  /**
   * Scrolls until an element is y pixels below the top of the screen. A path that is
   * too short gets room below it. The next scroll takes the room away again.
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
    this.pages.style.paddingBottom = this.#room ? `${this.#room}px` : '';
  }

  /** Leaves only the room that the scroll position needs. */
  #shrinkRoom() {
    const { main } = this;
    if (this.#room) this.#setRoom(main.scrollTop > 0 ? this.#room - (main.scrollHeight - main.scrollTop - main.clientHeight) : 0);
  }

  /** Scrolls to the end of the path, unless the end is visible with room below it. */
  toEnd() {
    this.#size = this.#measure();
    this.#shrinkRoom();
    if (!this.#room) this.main.scrollTop = 1e9;
    this.#end = this.complete;
  }

  /**
   * Fetches the page before the first or after the last one. What the reader sees
   * stays where it is.
   * @param {'before' | 'after'} side
   */
  async extend(side) {
    const edge = side === 'before' ? this.first : this.last;
    const entry = side === 'before' ? edge?.dataset.first : edge?.dataset.last;
    if (!edge || !entry) return false;
    const { turn } = this.session;
    const { body, status } = await fetchFragment(this.session.url('path', { [side]: entry }));
    const page = body.querySelector('.path-page');
    if (status !== 200 || !(page instanceof HTMLElement) || !edge.isConnected || turn !== this.session.turn) return false;
    this.#steady(edge, () => {
      dress(page);
      edge[side](page);
      const drop = this.list.length > FAR ? (side === 'before' ? this.last : this.first) : null;
      drop?.remove();
      this.#changed();
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
   * Takes in what a growing path answered behind its anchor.
   * @param {HTMLElement} tail
   */
  grow(tail) {
    growPage(this.last, tail);
    this.#changed();
  }

  /** @param {HTMLElement} item the switcher of a new fork, to be shown */
  addSwitcher(item) {
    const entry = this.find(item.dataset.entry ?? '')?.closest('.entry');
    if (entry) this.#steady(entry, () => entry.before(item));
  }

  /** Shows that nobody goes on writing; everything else stays as it was read. */
  rest() {
    for (const el of all('.running', this.pages)) {
      el.closest('.tool')?.classList.remove('is-running');
      el.className = '';
      el.textContent = 'no result';
    }
    for (const el of all('.leaf-end > span', this.pages)) el.textContent = el.textContent?.replace(/^.* is writing, /, '') ?? '';
  }

  #changed() {
    this.#shrinkRoom();
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
