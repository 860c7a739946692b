// @ts-check
// Suggests values while someone types a filter: the known tools, projects, agents, roles,
// labels and states.

import { closestElement, findAll, requireElement } from '../dom.js';
import { pluralize } from '../text.js';
import { formatFilter, isSameFilter, scanTokens } from './querytext.js';

const MAX_SUGGESTIONS = 8;

/** The headings of filters whose values are known. @type {Record<string, string>} */
const HEADINGS = { tool: 'Tools', project: 'Projects', agent: 'Agents', role: 'Found in', label: 'Labels', is: 'States' };

/** @typedef {{token: string, text: string, count: string}} Suggestion */

export class Suggestions {
  #box = requireElement('suggestions');
  /** @type {Suggestion[]} */
  #shown = [];
  #selected = 0;
  #isChosen = false; // by an arrow key

  /**
   * @param {HTMLInputElement} input
   * @param {() => void} onComplete called after a value was inserted
   */
  constructor(input, onComplete) {
    this.input = input;
    this.onComplete = onComplete;
    input.addEventListener('blur', () => this.close());
    this.#box.addEventListener('pointerdown', (event) => event.preventDefault()); // the field keeps the focus
    this.#box.addEventListener('click', (event) => {
      const option = closestElement(event, '[role="option"]');
      if (option) this.#complete(Number(option.dataset.n));
    });
  }

  get isOpen() { return !this.#box.hidden; }

  /** Reports whether values are suggested for a filter that has none of them yet. */
  get isFilterUnfinished() {
    const filter = this.#findFilter();
    return this.isOpen && Boolean(filter) && !this.#shown.some(({ token }) => isSameFilter(token, formatFilter(filter?.key ?? '', filter?.value ?? '')));
  }

  /** Shows the values for the filter before the cursor. */
  update() {
    const filter = this.#findFilter();
    this.#shown = filter ? listValues(filter.key, filter.value) : [];
    this.#selected = 0;
    this.#isChosen = false;
    if (!filter || !this.#shown.length) return this.close();
    const heading = document.createElement('div');
    heading.className = 'suggestions-title';
    heading.textContent = HEADINGS[filter.key];
    heading.setAttribute('role', 'presentation');
    this.#box.replaceChildren(heading, ...this.#shown.map(createOption), createKeyHints());
    this.#box.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.#markSelected();
  }

  close() {
    this.#box.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  /**
   * Handles a key of the field. It reports whether it did.
   * @param {KeyboardEvent} event
   */
  handleKey(event) {
    if (!this.isOpen || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const n = this.#shown.length;
    if (event.key === 'ArrowDown') this.#select((this.#selected + 1) % n);
    else if (event.key === 'ArrowUp') this.#select((this.#selected + n - 1) % n);
    else if (event.key === 'Tab' || (event.key === 'Enter' && this.#isChosen)) this.#complete(this.#selected);
    else if (event.key === 'Escape') this.close();
    else return false;
    return true;
  }

  /** Returns the filter that ends at the cursor. */
  #findFilter() {
    const { value, selectionEnd } = this.input;
    return scanTokens(value).find(({ key, end }) => key in HEADINGS && end === selectionEnd);
  }

  /** @param {number} n */
  #select(n) {
    this.#selected = n;
    this.#isChosen = true;
    this.#markSelected();
  }

  #markSelected() {
    findAll('[role="option"]', this.#box).forEach((el, n) => el.setAttribute('aria-selected', String(n === this.#selected)));
    this.input.setAttribute('aria-activedescendant', 'suggestion-' + this.#selected);
  }

  /** @param {number} n */
  #complete(n) {
    const filter = this.#findFilter(), chosen = this.#shown[n];
    if (!filter || !chosen) return;
    const { value } = this.input;
    this.input.value = `${value.slice(0, filter.start)}${chosen.token} ${value.slice(filter.end).trimStart()}`;
    this.close();
    this.onComplete();
  }
}

/**
 * Returns the values of a filter that begin with a text. They are those of the facets, and
 * labels that contain the text, because the filter does the same.
 * @param {string} key
 * @param {string} typed
 * @returns {Suggestion[]}
 */
function listValues(key, typed) {
  const begin = typed.toLowerCase();
  return findAll(`:is(#facet-list, #facet-sheet-body, #label-values) [data-token^="${key}:"]`).flatMap((button) => {
    const token = button.dataset.token ?? '', text = button.firstElementChild?.textContent ?? '';
    const [{ value }] = scanTokens(token), sessions = Number(button.dataset.sessions);
    if (![value, text].map((name) => name.toLowerCase()).some((name) => (key === 'label' ? name.includes(begin) : name.startsWith(begin)))) return [];
    const hits = button.querySelector('.number')?.textContent;
    return [{ token: formatFilter(key, value), text, count: sessions ? pluralize(sessions, 'session', 'sessions') : hits ? `${hits} ${hits === '1' ? 'hit' : 'hits'}` : '' }];
  }).slice(0, MAX_SUGGESTIONS);
}

/**
 * @param {Suggestion} suggestion
 * @param {number} n
 */
function createOption({ token, text, count }, n) {
  const el = document.createElement('div'), code = document.createElement('code'), value = document.createElement('b');
  el.id = 'suggestion-' + n;
  el.dataset.n = String(n);
  el.setAttribute('role', 'option');
  const at = token.indexOf(':') + 1;
  value.textContent = token.slice(at);
  code.append(token.slice(0, at), value);
  el.append(code);
  for (const [className, content] of [['suggestion-name', text === value.textContent ? '' : text], ['number', count]]) {
    const span = document.createElement('span');
    span.className = className;
    span.textContent = content;
    el.append(span);
  }
  return el;
}

function createKeyHints() {
  const foot = document.createElement('div');
  foot.className = 'suggestions-foot';
  foot.setAttribute('role', 'presentation');
  for (const [key, does] of [['Tab', 'complete'], ['Enter', 'search'], ['Esc', 'close']]) {
    const hint = document.createElement('span'), kbd = document.createElement('kbd');
    kbd.className = 'kbd';
    kbd.textContent = key;
    hint.append(kbd, ' ' + does);
    foot.append(hint);
  }
  return foot;
}
