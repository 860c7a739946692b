// @ts-check
// The list of sessions: filtered as the reader types, and following the files.

import { all, closest, expected, fetchFragment, need, plural, say } from '../dom.js';
import { indexCommands, showKeys } from '../palette/commands.js';
import { startKeys } from '../keyboard.js';
import { attributes, extend, update } from './updatelist.js';
import { Live } from '../live/socket.js';
import { Palette } from '../palette/palette.js';
import { localise } from '../times.js';

const WAIT = 120; // ms after the last key
const AHEAD = '800px'; // how far below the window rows are fetched
const QUIET = 250; // ms between two refreshes by notices

class List {
  #asked = new AbortController();
  #due = 0;
  #last = 0;
  #refreshing = 0;
  #end = new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) this.more(); }, { rootMargin: AHEAD });

  constructor() { this.#watch(); }

  /** Fetches the list as the URL wants it and moves the rows to where they belong now. */
  async refresh() {
    this.#last = Date.now();
    this.#refreshing++;
    const list = await this.#fetch({}).finally(() => this.#refreshing--);
    if (!list) return;
    attributes(need('sessions'), list);
    update(need('sessions'), list);
    this.#watch();
  }

  /**
   * Fetches the rows after those that are here. The address keeps how many there
   * are. When the list has changed meanwhile it is fetched from its start. What is
   * being fetched from its start already is waited for.
   */
  async more() {
    if (this.#refreshing) return;
    const at = all('#sessions li[data-v]').length;
    const list = await this.#fetch({ at: String(at), n: '' });
    if (!list) return;
    const url = new URL(location.href);
    url.searchParams.set('n', String(at + all('li[data-v]', list).length));
    url.hash = '';
    history.replaceState(history.state, '', url);
    if (list.dataset.rev !== need('sessions').dataset.rev) return this.refresh();
    extend(need('sessions'), list);
    this.#watch();
  }

  /**
   * Asks for the list, or a part of it. Who asked before does not wait any more.
   * @param {Record<string, string>} part
   */
  async #fetch(part) {
    this.#asked.abort();
    const { signal } = this.#asked = new AbortController();
    const url = new URL(location.href);
    for (const [name, value] of Object.entries({ ...part, part: 'list' })) url.searchParams.set(name, value);
    try {
      const { body, status } = await fetchFragment(url.href, signal);
      const list = body.querySelector('#sessions');
      if (status !== 200 || !(list instanceof HTMLElement)) return null;
      localise(list);
      return list;
    } catch (err) {
      expected(err);
      return null;
    }
  }

  /** Waits for the end of the rows to come near. */
  #watch() {
    this.#end.disconnect();
    const more = document.getElementById('more-sessions');
    if (more) this.#end.observe(more);
  }

  /** After a notice: the first at once, those of a burst together. */
  soon() {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => this.refresh(), Math.max(0, this.#last + QUIET - Date.now()));
  }

  /**
   * @param {string} href
   * @param {'pushState' | 'replaceState'} how
   */
  async go(href, how) {
    history[how](null, '', href);
    await this.refresh();
    say(plural(Number(need('sessions').dataset.shown), 'session', 'sessions'));
  }
}

export function startIndex() {
  const list = new List();
  const form = /** @type {HTMLFormElement} */ (need('index-search'));
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('q'));
  let timer = 0;
  const filter = () => {
    const url = new URL(location.href);
    if (field.value.trim()) url.searchParams.set('q', field.value.trim());
    else url.searchParams.delete('q');
    url.searchParams.delete('n');
    return list.go(url.href, 'replaceState');
  };
  const clear = () => {
    clearTimeout(timer);
    field.value = '';
    filter();
  };
  // Enter and ArrowDown go on to the first of what was found.
  const intoList = async () => {
    clearTimeout(timer);
    await filter();
    if (document.activeElement === field) step(1);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(filter, WAIT);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    intoList();
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' || event.isComposing) return;
    event.preventDefault();
    intoList();
  });
  document.addEventListener('click', (event) => {
    const link = closest(event, '.pill, .sort .menu a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return closeSort(event);
    event.preventDefault();
    closeSort(event, true);
    list.go(/** @type {HTMLAnchorElement} */ (link).href, 'pushState');
  });
  addEventListener('popstate', () => {
    field.value = new URL(location.href).searchParams.get('q') ?? '';
    list.refresh();
  });
  new Live({ topic: 'library', rev: () => need('sessions').dataset.rev ?? '', notice: () => list.soon(), restarted: () => list.soon() });
  startKeys((key) => keys(field, clear)[key], new Palette(() => indexCommands(field)));
}

/**
 * @param {HTMLInputElement} field
 * @param {() => void} clear
 * @returns {Record<string, () => unknown>}
 */
const keys = (field, clear) => ({
  '/': () => field.focus(),
  '?': showKeys,
  j: () => step(1),
  k: () => step(-1),
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  Escape: () => {
    if (field.value && field === document.activeElement) return clear();
    field.blur();
    document.getElementById('sort')?.removeAttribute('open');
  },
});

/**
 * Moves the focus from session to session.
 * @param {1 | -1} way
 */
function step(way) {
  const rows = all('a.srow');
  const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + way))]?.focus();
}

/**
 * @param {Event} event
 * @param {boolean} [always]
 */
function closeSort(event, always = false) {
  const menu = document.getElementById('sort');
  if (menu && (always || !closest(event, '#sort'))) menu.removeAttribute('open');
}
