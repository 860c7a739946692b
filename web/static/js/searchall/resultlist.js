// @ts-check
// The list of sessions with hits. Sessions are appended below what is seen, and most of them
// only when the end of the list comes near.

import { closestElement, findAll, requireElement } from '../dom.js';
import { announce, showToast } from '../notify.js';
import { fetchFragment, rethrowUnexpected } from '../server.js';
import { pluralize } from '../text.js';
import { localizeTimes } from '../times.js';

const BATCH = 20; // sessions that are appended at once
const APPEND_MARGIN = '1200px'; // distance below the window at which more are appended

/** @typedef {{key: string, entry: string, href: string, title: string}} Copy */

export class ResultList {
  #list = requireElement('result-list');
  #tail = requireElement('result-tail');
  /** The sessions that are not appended yet, as HTML. @type {string[]} */
  #waiting = [];
  /** The copies of hits that are not appended yet. @type {Copy[]} */
  #copies = [];
  #isStale = false;
  #observer = new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) this.#appendBatch(); }, { rootMargin: APPEND_MARGIN });
  /** The address of the hit to focus when it appears. */
  #focusHref = '';

  constructor() {
    this.#observer.observe(this.#tail);
    this.#list.addEventListener('click', (event) => {
      const more = closestElement(event, '.result-more');
      if (more?.dataset.href) this.#showAllHits(more);
    });
  }

  /**
   * Marks the sessions as those of an earlier search. They stay until there are new ones.
   * @param {string} [focusHref] the address of the hit to focus when it appears
   */
  startSearch(focusHref = '') {
    this.#isStale = true;
    this.#focusHref = focusHref;
    this.#list.classList.add('is-stale');
    this.#tail.hidden = true;
  }

  /** Removes the sessions of an earlier search. */
  removeStale() {
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#waiting = [];
    this.#copies = [];
    this.#list.replaceChildren();
    this.#list.classList.remove('is-stale');
  }

  /** Appends a session. @param {string} html */
  append(html) {
    this.removeStale();
    this.#waiting.push(html);
    if (this.#focusHref || this.#isEndNear()) this.#appendBatch();
  }

  /** Adds links to copies of hits. @param {Copy[]} copies */
  addCopies(copies) {
    this.#copies.push(...copies);
    this.#linkCopies();
  }

  /**
   * Shows something at the end of the list.
   * @param {(string | Node)[]} parts
   */
  finish(...parts) {
    this.removeStale();
    this.#tail.replaceChildren(...parts);
    this.#tail.hidden = !this.#tail.textContent;
    if (this.#isEndNear()) this.#appendBatch();
  }

  #isEndNear() { return this.#tail.getBoundingClientRect().top < innerHeight + parseInt(APPEND_MARGIN) || this.#list.childElementCount < BATCH; }

  #appendBatch() {
    const batch = this.#waiting.splice(0, BATCH);
    if (!batch.length) return;
    const template = document.createElement('template');
    template.innerHTML = batch.join('');
    localizeTimes(template.content);
    this.#list.append(template.content);
    this.#linkCopies();
    this.#focusWanted();
    if (this.#waiting.length && this.#isEndNear()) requestAnimationFrame(() => this.#appendBatch());
  }

  /** Focuses the hit that was opened last, when someone returns to the page. */
  #focusWanted() {
    const hit = this.#focusHref && findAll('.search-hit', this.#list).find((el) => el.getAttribute('href') === this.#focusHref);
    if (!hit) return;
    this.#focusHref = '';
    hit.focus();
    hit.scrollIntoView({ block: 'center' });
  }

  /** Adds "Also in 2 forks" to the hits that have copies. */
  #linkCopies() {
    this.#copies = this.#copies.filter(({ key, entry, href, title }) => {
      const group = findAll('.result', this.#list).find((el) => el.dataset.key === key);
      if (!group) return true;
      const hit = findAll('.search-hit', group).find((el) => el.dataset.entry === entry);
      if (hit) addCopyLink(hit, href, title);
      return false;
    });
  }

  /** @param {HTMLElement} button */
  async #showAllHits(button) {
    const group = button.closest('.result');
    if (!(group instanceof HTMLElement) || button.getAttribute('aria-busy')) return;
    button.setAttribute('aria-busy', 'true');
    try {
      const { body, status } = await fetchFragment(button.dataset.href ?? '');
      const all = body.querySelector('.result');
      if (status !== 200 || !(all instanceof HTMLElement)) return showToast('The session has changed. Search again.');
      localizeTimes(all);
      const known = new Set(findAll('.search-hit', group).map((hit) => hit.getAttribute('href')));
      group.replaceWith(all);
      const hits = findAll('.search-hit', all);
      (hits.find((hit) => !known.has(hit.getAttribute('href'))) ?? hits[0])?.focus({ preventScroll: true });
      announce(pluralize(hits.length, 'hit', 'hits'));
    } catch (err) {
      rethrowUnexpected(err);
      showToast('The server is not responding.');
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  /** @returns {HTMLElement[]} the hits in the list */
  get hits() { return findAll('.search-hit', this.#list); }

  /**
   * Moves the focus from hit to hit. It returns false above the first one.
   * @param {1 | -1} direction
   */
  moveFocus(direction) {
    const { hits } = this;
    const at = hits.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (at === 0 && direction < 0) return false;
    focusHit(hits[at < 0 ? 0 : Math.min(hits.length - 1, at + direction)]);
    return true;
  }

  /**
   * Moves the focus to the first hit of the next or previous session.
   * @param {1 | -1} direction
   */
  moveSession(direction) {
    const groups = findAll('.result', this.#list);
    const at = groups.findIndex((group) => group.contains(document.activeElement));
    const to = groups[at < 0 ? 0 : Math.max(0, Math.min(groups.length - 1, at + direction))];
    focusHit(to && findAll('.search-hit', to)[0]);
  }
}

/** @param {HTMLElement | undefined} hit */
function focusHit(hit) {
  hit?.focus({ preventScroll: true });
  hit?.scrollIntoView({ block: 'nearest' });
}

/**
 * @param {HTMLElement} hit
 * @param {string} href
 * @param {string} title
 */
function addCopyLink(hit, href, title) {
  let list = hit.nextElementSibling;
  if (!list) {
    list = document.createElement('p');
    list.className = 'search-hit-copies';
    list.append('Also in ');
    hit.after(list);
  } else {
    list.append(', ');
  }
  const link = document.createElement('a');
  link.href = href;
  link.textContent = title;
  list.append(link);
}
