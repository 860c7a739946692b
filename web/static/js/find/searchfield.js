// @ts-check
// Search in a session: the field, its counter, and the steps from hit to hit. The failed
// tool calls are hits of a search of their own.

import { requireElement } from '../dom.js';
import { announce } from '../notify.js';
import { pluralize } from '../text.js';
import { readFacts } from '../view.js';
import { FindBar } from './findbar.js';
import { HitPanel } from './hitpanel.js';
import { HitSearch } from './hitsearch.js';
import { PathMarks } from './marks.js';

/**
 * @typedef {import('../session.js').SessionPage} SessionPage
 * @typedef {import('./hitgroups.js').Hit} Hit
 */

const INPUT_DELAY = 60; // ms after the last key

export class SessionSearch {
  #inputTimer = 0;
  #focusedByKeyAt = -1000;
  #shownQuery = ''; // the query of #words
  #closedQuery = ''; // the query whose list was closed
  #filterBefore = 'default'; // the filter before that for failed tool calls
  #listsFailures = false;

  /** @param {SessionPage} session */
  constructor(session) {
    this.session = session;
    this.form = /** @type {HTMLFormElement} */ (requireElement('search'));
    this.input = /** @type {HTMLInputElement} */ (requireElement('search-input'));
    this.words = new HitSearch(session, () => this.#showHits(this.words));
    this.failures = new HitSearch(session, () => this.#showHits(this.failures), { failed: 1 });
    this.panel = new HitPanel(session, (hit) => this.#viewHit(hit));
    this.marks = new PathMarks(session.path);
    this.bar = new FindBar(this.input);
    this.form.addEventListener('submit', (event) => event.preventDefault());
    this.input.addEventListener('input', () => this.#handleInput());
    this.input.addEventListener('keydown', (event) => this.#handleKey(event));
    this.input.addEventListener('beforeinput', (event) => {
      // Some input methods also insert the character of a handled key.
      if (event.data === '/' && event.timeStamp - this.#focusedByKeyAt < 100) event.preventDefault();
    });
    this.panel.element.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.#leaveList(event); });
    document.addEventListener('click', (event) => this.#handleClick(event));
    session.onFactsChange(() => this.#syncWithView());
    if (this.query) this.#search();
    else this.#syncWithView();
  }

  /** The query in the field. */
  get query() { return this.input.value.trim(); }

  /** The search that n and N step through. */
  get #active() { return this.query || this.session.view.filter !== 'failed' ? this.words : this.failures; }

  focusField() {
    this.#focusedByKeyAt = performance.now();
    if (this.bar.isUsed) this.bar.open();
    else this.input.focus();
    this.input.select();
  }

  /** Searches this session. @param {string} query */
  searchFor(query) {
    this.focusField();
    this.input.value = query;
    return this.#search();
  }

  #handleInput() {
    clearTimeout(this.#inputTimer);
    this.words.stop();
    this.#inputTimer = setTimeout(() => this.#search(), INPUT_DELAY);
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.stepHit(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape' && this.panel.isOpen) {
      event.preventDefault();
      event.stopPropagation();
      this.closeList();
    } else if (event.key === 'Escape' && this.input.value) {
      event.preventDefault();
      event.stopPropagation();
      this.input.value = '';
      this.#search();
    }
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    const what = event.target instanceof Element ? event.target.closest('[data-do]')?.getAttribute('data-do') : '';
    if (what === 'hit-next') this.stepHit(1);
    if (what === 'hit-prev') this.stepHit(-1);
    if (what === 'close-hits') this.closeList();
    if (what === 'open-hits') this.openList();
    if (what === 'find') this.focusField();
    if (what === 'close-drawer' && this.panel.isSheet) this.closeList();
    if (what === 'failed') this.toggleFailures();
    if (what === 'failed-next') this.stepFailure(1);
    if (what === 'failed-prev') this.stepFailure(-1);
  }

  /** @param {KeyboardEvent} event */
  #leaveList(event) {
    event.preventDefault();
    event.stopPropagation();
    this.closeList();
    if (!this.panel.isSheet) this.input.focus();
  }

  /** Closes the list. The query stays. */
  closeList() {
    const { isSheet } = this.panel;
    this.panel.close();
    this.#closedQuery = this.query;
    if (isSheet && !this.bar.bar.hidden) requireElement('findbar-list').focus();
  }

  /** Opens the list of the active search. */
  openList() {
    this.#closedQuery = '';
    this.panel.open(this.#active);
  }

  /** Updates the field and the hits after the view changed elsewhere, or the session grew. */
  #syncWithView() {
    const { view } = this.session;
    if (document.activeElement !== this.input && this.query !== view.q && this.#shownQuery !== this.query) {
      this.input.value = view.q;
      this.#search();
    } else if (this.#shownQuery && this.#shownQuery === this.query && !this.words.isRunning && !this.words.isUpToDate(readFacts().rev)) this.words.extend(this.query);
    this.#syncFailures();
    this.#showCount(); // the foot of the tree is new
    this.#updateMarks();
  }

  /** Lists the failed tool calls while the filter shows them. */
  #syncFailures() {
    const isOn = this.session.view.filter === 'failed' && !this.query, wasOn = this.#listsFailures;
    this.#listsFailures = isOn;
    if (isOn && !this.failures.isRunning && !this.failures.isUpToDate(readFacts().rev)) this.failures.extend('');
    if (isOn && !wasOn && !this.panel.isSheet) this.openList();
    if (!isOn && wasOn) this.panel.isOpen && this.query ? this.panel.update(this.words) : this.panel.close();
  }

  /** Searches for what is in the field, and then shows the rows with their hits. */
  async #search() {
    clearTimeout(this.#inputTimer);
    const q = this.query;
    this.#shownQuery = q;
    this.#closedQuery = '';
    if (!q) {
      this.words.clear();
      this.#showHits(this.words);
    } else {
      this.words.current = null;
      this.#showCount();
      if (!await this.words.run(q)) return;
      announce(this.words.error || pluralize(this.words.hits.total, 'hit', 'hits'));
    }
    if (q !== this.session.view.q) await this.session.showView({ ...this.session.view, q }, { history: 'replace', scroll: 'keep', selectRow: true });
  }

  /** @param {HitSearch} search */
  #showHits(search) {
    if (search === this.#active) {
      const isEmpty = !this.query && search === this.words;
      if (isEmpty) this.panel.close();
      else if (this.panel.isOpen) this.panel.update(search);
      else if (search === this.words && !this.panel.isSheet && this.#closedQuery !== this.query && (search.hits.total || search.error || !search.isRunning)) this.panel.open(search);
    }
    this.#showCount();
    this.#updateMarks();
  }

  #showCount() {
    const search = this.bar.isUsed ? this.#active : this.words, isFailures = search === this.failures;
    const out = requireElement('hits'), on = (this.query !== '' || isFailures) && !search.error;
    const n = search.hits.shownCount.toLocaleString('en'), at = search.currentIndex;
    out.hidden = !on || (search.isRunning && !search.hits.total);
    out.textContent = search.isRunning ? `${n} so far` : at >= 0 ? `${(at + 1).toLocaleString('en')} of ${n}` : n;
    requireElement('hit-nav').hidden = !on || search.hits.total === 0;
    this.bar.update({ isSearched: on && (!search.isRunning || search.hits.total > 0), isFailures });
    this.#showSummary(on && !isFailures && !search.isRunning);
  }

  /** Says below the tree where the hits are, instead of how many entries it has. @param {boolean} on */
  #showSummary(on) {
    const foot = requireElement('side-foot'), known = foot.querySelector('.side-hits');
    foot.toggleAttribute('data-hits', on);
    if (!on) return known?.remove();
    const el = known ?? document.createElement('span');
    el.className = 'side-hits number';
    el.textContent = this.words.hits.describePlaces();
    if (!known) foot.prepend(el);
  }

  /** Highlights the words, and those of the current hit as such. */
  #updateMarks() {
    const { current, words } = this.words, isViewed = current !== null && current.entry === this.session.view.entry;
    requireElement('app').toggleAttribute('data-hit-viewed', isViewed);
    this.marks.setWords(this.query ? words : []);
  }

  /**
   * Shows the next or previous hit.
   * @param {1 | -1} direction
   */
  async stepHit(direction) {
    if (this.#active === this.words && this.query !== this.#shownQuery) await this.#search();
    if (!this.panel.isOpen && !this.panel.isSheet && (this.query || this.#active === this.failures)) this.openList();
    return this.#step(this.#active, direction);
  }

  /** Shows failed tool calls only, or what was shown before. */
  toggleFailures() {
    const { view } = this.session, isOn = view.filter === 'failed';
    if (!isOn) this.#showFailures();
    return this.session.showView({ ...view, q: this.query, filter: isOn ? this.#filterBefore : 'failed' }, { history: 'replace', scroll: 'keep', selectRow: true });
  }

  /** Prepares for the list of failed tool calls, which takes the place of a query. */
  #showFailures() {
    this.#filterBefore = this.session.view.filter;
    this.input.value = this.#shownQuery = '';
    this.words.clear();
    this.#showCount();
  }

  /**
   * Views the next or previous failed tool call, whatever the filter shows.
   * @param {1 | -1} direction
   */
  async stepFailure(direction) {
    if (!this.failures.isUpToDate(readFacts().rev)) await this.failures.extend('');
    if (!this.failures.hits.total) return announce('No tool call failed in this session.');
    return this.#step(this.failures, direction);
  }

  /**
   * @param {HitSearch} search
   * @param {1 | -1} direction
   */
  async #step(search, direction) {
    const hit = await search.step(direction);
    if (hit) await this.#viewHit(hit, search);
  }

  /**
   * Views a hit.
   * @param {Hit} hit
   * @param {HitSearch} [search]
   */
  async #viewHit(hit, search = this.#active) {
    const { session } = this, { entry, leaf, ...rest } = session.view;
    search.current = hit;
    this.#showCount();
    if (search === this.#active) this.panel.revealHit(hit);
    const keep = session.path.findItem(hit.entry) ? leaf : '';
    await session.showView({ ...rest, entry: hit.entry, leaf: keep }, { history: entry ? 'replace' : 'push', selectRow: true });
    this.#updateMarks();
    if (search === this.words) this.marks.setCurrent(hit.entry);
  }
}
