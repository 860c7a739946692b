// @ts-check
// The panel with the list of hits: between tree and path, or on a phone a sheet at the
// bottom.

import { findAll, narrow, requireElement } from '../dom.js';
import { formatViewQuery } from '../view.js';
import { searchAllAddress } from '../searchlink.js';
import { pluralize } from '../text.js';
import { toolFilter } from './hitgroups.js';
import { HitList } from './hitlist.js';

/**
 * @typedef {import('./hitgroups.js').Hit} Hit
 * @typedef {import('./hitsearch.js').HitSearch} HitSearch
 */

const MAX_TOOLS = 5; // filters of the list of failed calls

export class HitPanel {
  /** @type {HitSearch | null} */
  #search = null;

  /**
   * @param {import('../session.js').SessionPage} session
   * @param {(hit: Hit) => void} onPick
   */
  constructor(session, onPick) {
    this.element = requireElement('finder');
    this.session = session;
    this.list = new HitList(requireElement('finder-list'), {
      href: (hit) => session.base + formatViewQuery({ ...session.view, entry: hit.entry, leaf: '' }),
      onPick: (hit) => {
        if (narrow.matches) this.close();
        onPick(hit);
      },
    });
    requireElement('finder-filters').addEventListener('click', (event) => this.#handleFilter(event));
    narrow.addEventListener('change', () => this.close());
  }

  get isOpen() { return !this.element.hidden; }

  /** Whether the panel is a sheet over the page. */
  get isSheet() { return narrow.matches; }

  /**
   * Opens the panel with the hits of a search.
   * @param {HitSearch} search
   */
  open(search) {
    this.element.hidden = false;
    requireElement('app').classList.add('app--find');
    this.update(search);
    if (this.isSheet) this.#setModal(true);
    else document.dispatchEvent(new CustomEvent('finder-toggled'));
  }

  close() {
    if (!this.isOpen) return;
    this.element.hidden = true;
    requireElement('app').classList.remove('app--find');
    this.#setModal(false);
  }

  /** @param {boolean} on */
  #setModal(on) {
    if (on) document.documentElement.dataset.sheet = 'hits';
    else delete document.documentElement.dataset.sheet;
    for (const el of findAll('.topbar, .side, .main-wrap, .bottom-bar')) el.inert = on;
    this.element.toggleAttribute('aria-modal', on);
    if (on) this.element.setAttribute('aria-modal', 'true');
    this.element.setAttribute('role', on ? 'dialog' : 'complementary');
    if (on) requireElement('finder-close').focus({ preventScroll: true });
  }

  /**
   * Shows the hits of a search, if the panel is open.
   * @param {HitSearch} search
   */
  update(search) {
    if (!this.isOpen) return;
    this.#search = search;
    this.list.options.showsCalls = Boolean(search.params.failed);
    requireElement('finder-title').textContent = describeHits(search);
    this.#showFilters(search);
    this.#showNone(search);
    this.list.show(search.hits);
    this.list.setCurrent(search.current, false);
  }

  /** Says that there are no hits, and leads to those of all sessions. @param {HitSearch} search */
  #showNone({ error, hits, isRunning, params, query }) {
    const none = requireElement('finder-none'), isFailed = Boolean(params.failed);
    none.hidden = isRunning || hits.total > 0;
    /** @type {HTMLElement} */ (none.firstElementChild).textContent = error || (isFailed ? 'No tool call failed in this session.' : 'No hits in this session.');
    const link = document.getElementById('finder-all'); // only where all sessions can be searched
    if (!(link instanceof HTMLAnchorElement)) return;
    link.hidden = Boolean(error) || isFailed;
    link.href = searchAllAddress(query);
  }

  /**
   * Marks the current hit and scrolls to it.
   * @param {Hit} hit
   */
  revealHit(hit) { this.list.setCurrent(hit, true); }

  /** @param {HitSearch} search */
  #showFilters({ hits, params }) {
    const names = params.failed ? [...hits.counts.keys()].filter((name) => name.startsWith('tool:')).sort((a, b) => (hits.counts.get(b) ?? 0) - (hits.counts.get(a) ?? 0)).slice(0, MAX_TOOLS) : ['prompts', 'answers', 'tools'];
    const box = requireElement('finder-filters');
    const wanted = ['all', ...names];
    if ([...box.children].map((el) => el.getAttribute('data-filter')).join() !== wanted.join()) box.replaceChildren(...wanted.map(createFilter));
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (box.querySelectorAll('button'))) {
      const name = button.dataset.filter ?? '', n = hits.counts.get(name) ?? 0;
      button.setAttribute('aria-pressed', String(name === hits.filter));
      button.disabled = n === 0 && name !== hits.filter;
      const count = button.querySelector('.number');
      if (count) count.textContent = n.toLocaleString('en');
    }
  }

  /** @param {MouseEvent} event */
  #handleFilter(event) {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button || !this.#search) return;
    this.#search.hits.setFilter(button.dataset.filter ?? 'all');
    this.list.box.scrollTop = 0;
    this.#search.onChange();
  }
}

/** @type {Record<string, string>} */
const FILTER_NAMES = { all: 'All', prompts: 'Prompts', answers: 'Answers', tools: 'Tools' };

/** @param {string} name */
function createFilter(name) {
  const button = document.createElement('button'), count = document.createElement('span');
  button.type = 'button';
  button.className = 'finder-filter';
  button.dataset.filter = name;
  count.className = 'number';
  button.append((FILTER_NAMES[name] ?? name.slice(toolFilter('').length)) + ' ', count);
  return button;
}

/**
 * Describes how many hits a search has.
 * @param {HitSearch} search
 */
function describeHits({ hits, words, isRunning, params, error }) {
  if (error) return 'Not found';
  const found = params.failed ? pluralize(hits.total, 'failed tool call', 'failed tool calls') : pluralize(hits.total, 'hit', 'hits');
  const text = narrow.matches && words.length ? `${found} for “${words.join(' ')}”` : found;
  return isRunning ? text + ' so far' : text;
}
