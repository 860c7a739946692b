// @ts-check
// The page that searches all sessions: its address, and what people do with the query.

import { startKeys } from '../keyboard.js';
import { closestElement, requireElement } from '../dom.js';
import { pageCommands } from '../palette/commands.js';
import { CommandPalette } from '../palette/palette.js';
import { recordPlace } from '../palette/recentplaces.js';
import { pageSources } from '../palette/sources.js';
import { startReadAhead } from '../readahead.js';
import { Facets, isTimeFilter } from './facets.js';
import { startFacetSheet } from './facetsheet.js';
import { QueryField } from './queryfield.js';
import { isSameFilter, joinQuery } from './querytext.js';
import { addRecentSearch, showRecentSearches } from './recent.js';
import { SearchRun } from './searchrun.js';

const INPUT_DELAY = 120; // ms after the last key

class SearchPage {
  #grid = requireElement('search-grid');
  #inputTimer = 0;
  #field = new QueryField({ typed: () => this.#searchSoon(), moveDown: () => this.run.list.moveFocus(1) });
  #facets = new Facets({ toggle: (chip) => this.toggleChip(chip), setTime: (chips) => this.setChips([...this.#field.chips.filter((chip) => !isTimeFilter(chip)), ...chips]) });

  constructor() {
    this.run = new SearchRun(this.#facets);
    requireElement('search-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#searchNow();
    });
    requireElement('clear-query').addEventListener('click', () => this.setQuery(''));
    document.addEventListener('click', (event) => this.#handleClick(event));
    requireElement('result-list').addEventListener('click', (event) => this.#rememberHit(event));
    addEventListener('popstate', () => this.#loadAddress());
    startFacetSheet(() => this.setChips([]));
    this.#loadAddress();
    if (!this.#field.query && !matchMedia('(pointer: coarse)').matches) this.#field.focus();
  }

  /** Shows the search that the address describes. */
  #loadAddress() {
    clearTimeout(this.#inputTimer);
    this.#field.setQuery(new URL(location.href).searchParams.get('q') ?? '');
    this.#search(history.state?.hit);
  }

  /**
   * Replaces the query and searches.
   * @param {string} query
   */
  setQuery(query) {
    clearTimeout(this.#inputTimer);
    this.#field.setQuery(query);
    this.#writeAddress('pushState');
    this.#search();
    if (!query) this.#field.focus();
  }

  /** @param {string[]} chips */
  setChips(chips) { this.setQuery(joinQuery(chips, this.#field.words)); }

  /** @param {string} chip */
  toggleChip(chip) {
    const { chips } = this.#field, rest = chips.filter((c) => !isSameFilter(c, chip));
    this.setChips(rest.length < chips.length ? rest : [...rest, chip]);
  }

  /** Searches all of old sessions too. */
  #searchAll() {
    const url = new URL(location.href);
    url.searchParams.set('all', '1');
    history.pushState(null, '', url);
    this.#search();
  }

  /** @param {'pushState' | 'replaceState'} how */
  #writeAddress(how) {
    const url = new URL(location.href), { query } = this.#field;
    if (query) url.searchParams.set('q', query);
    else {
      url.searchParams.delete('q');
      url.searchParams.delete('all');
    }
    url.search = url.search.replaceAll('%3A', ':');
    if (url.href !== location.href) history[how](null, '', url);
  }

  /** Searches after a pause in typing. */
  #searchSoon() {
    this.run.abort(); // the results of the old words are of no use
    clearTimeout(this.#inputTimer);
    this.#inputTimer = setTimeout(() => {
      this.#writeAddress('replaceState');
      this.#search();
    }, INPUT_DELAY);
  }

  #searchNow() {
    this.setQuery(this.#field.query);
    addRecentSearch(this.#field.query);
  }

  /**
   * Runs the search of the current query.
   * @param {string} [focusHref] the address of the hit to focus when it appears
   */
  #search(focusHref) {
    const { query, finishedQuery, chips, words } = this.#field;
    document.title = query ? 'Search: ' + query : 'Search';
    requireElement('search-start').hidden = query !== '';
    this.#grid.hidden = requireElement('search-filters').hidden = query === '';
    this.#facets.setChips(chips);
    if (finishedQuery) return this.run.start({ query: finishedQuery, chips, words }, focusHref);
    this.run.clear();
    showRecentSearches(requireElement('recent-searches'));
  }

  /** @param {Event} event */
  #handleClick(event) {
    const el = closestElement(event, '[data-remove], [data-add], [data-query], [data-clear], [data-again], [data-all], [data-insert]');
    if (!el || (event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey))) return;
    event.preventDefault();
    const { remove, add, query, insert } = el.dataset;
    if (remove !== undefined) this.setChips(this.#field.chips.filter((chip) => chip !== remove));
    else if (add !== undefined) this.toggleChip(add);
    else if (query !== undefined) this.setQuery(query);
    else if (insert !== undefined) this.#field.insertText(insert);
    else if (el.dataset.clear !== undefined) this.setQuery('');
    else if (el.dataset.all !== undefined) this.#searchAll();
    else this.#search();
    if (!el.isConnected || !el.checkVisibility()) this.#field.focus();
  }

  /** Stores the opened hit, to focus it when someone returns. @param {Event} event */
  #rememberHit(event) {
    const hit = closestElement(event, '.search-hit, .result-name');
    if (!hit) return;
    addRecentSearch(this.#field.query);
    history.replaceState({ ...history.state, hit: hit.getAttribute('href') }, '');
  }

  /**
   * Returns the command of a key.
   * @param {string} key
   * @returns {(() => unknown) | undefined}
   */
  commandOfKey(key) {
    const { list } = this.run;
    const move = (/** @type {1 | -1} */ direction) => () => { if (!list.moveFocus(direction)) this.#field.focus(); };
    /** @type {Record<string, () => unknown>} */
    const commands = {
      '/': () => this.#field.select(),
      ArrowDown: move(1), j: move(1),
      ArrowUp: move(-1), k: move(-1),
      '[': () => list.moveSession(-1),
      ']': () => list.moveSession(1),
      Escape: () => { if (!this.run.stop()) blurFocused(); },
    };
    return commands[key];
  }
}

const blurFocused = () => { if (document.activeElement instanceof HTMLElement) document.activeElement.blur(); };

export function startSearchPage() {
  const page = new SearchPage();
  startReadAhead();
  startKeys((key) => page.commandOfKey(key), new CommandPalette(pageCommands, pageSources()));
  addEventListener('pagehide', () => {
    const q = new URLSearchParams(location.search).get('q');
    if (q) recordPlace({ name: 'Search: ' + q, href: location.pathname + location.search, icon: 'search' });
  });
}
