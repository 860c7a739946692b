// @ts-check
// The filters next to the results, with the number of hits of each. A pressed filter is a
// chip of the query.

import { closestElement, findAll, requireElement } from '../dom.js';
import { isSameFilter, scanTokens } from './querytext.js';
import { Histogram } from './histogram.js';

/** @typedef {import('./resultstream.js').FacetCounts} FacetCounts */

const MAX_OPEN = 6; // values of a facet without "Show all"
const SHORT = 5; // values of a longer one

/** States that are filters of their own: they narrow what the others of their facet select. */
const OWN_GROUP = ['is:failed', 'is:live', 'is:starred'];

export class Facets {
  #list = requireElement('facet-list');
  /** @type {string[]} */
  #chips = [];
  #histogram;

  /**
   * @param {{toggle: (chip: string) => void, setTime: (chips: string[]) => void}} actions toggle adds or removes a
   * filter, setTime replaces those of time
   */
  constructor(actions) {
    this.#histogram = new Histogram(actions.setTime);
    this.#list.addEventListener('click', (event) => {
      const button = closestElement(event, 'button');
      if (!button) return;
      const { token } = button.dataset;
      if (button.classList.contains('facet-all')) this.#openFacet(button);
      else if (button.id === 'clear-time') actions.setTime([]);
      else if (button.id === 'choose-dates') this.#histogram.toggleDates(this.#chips);
      else if (token && isTimeFilter(token)) actions.setTime(this.#isPressed(token) ? [] : [token]);
      else if (token) actions.toggle(token);
    });
    this.#shortenAll();
  }

  /**
   * Shows which filters the query has.
   * @param {string[]} chips
   */
  setChips(chips) {
    this.#chips = chips;
    for (const chip of chips) if (chip.startsWith('tool:')) this.#addTool(chip);
    for (const button of this.#buttons()) button.setAttribute('aria-pressed', String(this.#isPressed(button.dataset.token ?? '')));
    requireElement('clear-time').hidden = !chips.some(isTimeFilter);
    this.#histogram.setChips(chips);
    this.#shortenAll();
  }

  /**
   * Shows how many hits each filter has. A number that is not known is not shown.
   * @param {FacetCounts | null} counts null: none is known
   * @param {boolean} complete
   */
  setCounts(counts, complete) {
    for (const token of Object.keys(counts?.tokens ?? {})) if (token.startsWith('tool:')) this.#addTool(token);
    for (const button of this.#buttons()) {
      const { token = '' } = button.dataset, out = button.querySelector('.number');
      const n = counts?.tokens[token] ?? 0;
      const isKnown = counts && !isTimeFilter(token) && (n > 0 || complete) && !this.#isNarrowedByOthers(token);
      if (out) out.textContent = isKnown ? n.toLocaleString('en') : '';
      button.dataset.n = String(isKnown ? n : 0);
      button.classList.toggle('is-zero', Boolean(isKnown && n === 0));
    }
    this.#histogram.setDays(counts?.days ?? {});
    if (!this.#list.matches(':hover, :focus-within')) this.#sort();
  }

  #buttons() { return findAll('[data-token]', this.#list); }

  /** @param {string} token */
  #isPressed(token) { return this.#chips.some((chip) => isSameFilter(chip, token)); }

  /**
   * Reports whether other values of a filter's group are selected, so that its hits were not
   * searched.
   * @param {string} token
   */
  #isNarrowedByOthers(token) {
    if (OWN_GROUP.includes(token) || this.#isPressed(token)) return false;
    const [key] = token.split(':');
    return this.#chips.some((chip) => chip.startsWith(key + ':') && !OWN_GROUP.includes(chip.toLowerCase()));
  }

  /**
   * Adds a tool to the facet, before "Failed only".
   * @param {string} token
   */
  #addTool(token) {
    if (this.#buttons().some((button) => isSameFilter(button.dataset.token ?? '', token))) return;
    const failed = this.#list.querySelector('[data-token="is:failed"]');
    const button = /** @type {HTMLElement | undefined} */ (failed?.cloneNode(true)), name = button?.firstElementChild;
    if (!failed || !button || !name) return;
    button.dataset.token = token;
    button.dataset.sessions = '0';
    button.setAttribute('aria-pressed', 'false');
    name.className = 'truncate';
    name.textContent = scanTokens(token)[0].value;
    failed.before(button);
  }

  /** Sorts the tools and projects by their numbers of hits. */
  #sort() {
    for (const key of ['tool', 'project']) {
      const buttons = this.#buttons().filter((button) => button.dataset.token?.startsWith(key + ':'));
      const sorted = buttons.toSorted((a, b) => Number(b.dataset.n) - Number(a.dataset.n) || Number(b.dataset.sessions) - Number(a.dataset.sessions));
      if (sorted.some((button, i) => button !== buttons[i])) for (const button of sorted.toReversed()) button.parentElement?.prepend(button);
    }
    this.#shortenAll();
  }

  /** Hides the rest of long facets behind "Show all". */
  #shortenAll() {
    for (const section of findAll('[data-facet]', this.#list)) {
      if (section.dataset.facet === 'time') continue;
      const buttons = findAll('[data-token]', section), isLong = buttons.length > MAX_OPEN && section.dataset.open === undefined;
      buttons.forEach((button, i) => { button.hidden = isLong && i >= SHORT && button.getAttribute('aria-pressed') !== 'true' && !OWN_GROUP.includes(button.dataset.token ?? ''); });
      if (section.dataset.facet === 'role') buttons.forEach((button) => { button.hidden = false; });
      const hidden = buttons.filter((button) => button.hidden).length;
      let all = section.querySelector('.facet-all');
      if (!all && hidden) {
        all = document.createElement('button');
        all.className = 'facet-all';
        all.setAttribute('type', 'button');
        section.append(all);
      }
      if (all instanceof HTMLElement) {
        all.hidden = !hidden;
        all.textContent = `Show all ${buttons.length.toLocaleString('en')}`;
      }
    }
  }

  /** @param {HTMLElement} button "Show all" */
  #openFacet(button) {
    const section = button.closest('section');
    if (!section) return;
    const next = findAll('[data-token][hidden]', section)[0];
    section.dataset.open = '';
    this.#shortenAll();
    next?.focus();
  }
}

/** @param {string} chip */
export const isTimeFilter = (chip) => /^(after|before):/.test(chip);
