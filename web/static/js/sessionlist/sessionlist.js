// @ts-check
// The list of sessions: filtered while typing, and updated when files change.

import { closestElement, findAll, requireElement } from '../dom.js';
import { announce } from '../notify.js';
import { readNewestAhead, startReadAhead } from '../readahead.js';
import { moveRowFocus, rowFocusKeys } from '../rowfocus.js';
import { searchAllSessions } from '../searchlink.js';
import { fetchFragment, rethrowUnexpected } from '../server.js';
import { pluralize } from '../text.js';
import { sessionListCommands } from '../palette/commands.js';
import { startKeys } from '../keyboard.js';
import { startKeepDialog } from './keepdialog.js';
import { startStars, toggleStar, toggleUnread } from './rowstate.js';
import { copyAttributes, appendGroups, updateChildren } from './updatelist.js';
import { LiveSocket } from '../live/socket.js';
import { CommandPalette } from '../palette/palette.js';
import { pageSources } from '../palette/sources.js';
import { localizeTimes } from '../times.js';

const ROWS = 'li.session-row', LINKS = 'a.session-link';
const INPUT_DELAY = 120; // ms after the last key
const PREFETCH_MARGIN = '800px'; // distance below the window at which more rows are fetched
const MIN_REFRESH_INTERVAL = 250; // ms between two refreshes caused by notices
const READ_AHEAD_DELAY = 500; // ms from the complete list until large sessions are read ahead

class SessionList {
  #request = new AbortController();
  #refreshTimer = 0;
  #lastRefresh = 0;
  #refreshing = 0;
  #endObserver = new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) this.loadMore(); }, { rootMargin: PREFETCH_MARGIN });

  #nextDayTimer = 0;

  #hasReadAhead = false;

  constructor() {
    this.#observeEnd();
    this.#scheduleNextDay();
    this.#readAheadOnce();
  }

  /** Lets the server read the newest large sessions, as soon as the list is complete. */
  #readAheadOnce() {
    if (this.#hasReadAhead || document.hidden || document.querySelector('#sessions > .progress')) return;
    this.#hasReadAhead = true;
    setTimeout(readNewestAhead, READ_AHEAD_DELAY);
  }

  /** Fetches the list that the URL describes and updates the rows in place. */
  async refreshList() {
    this.#lastRefresh = Date.now();
    this.#refreshing++;
    const list = await this.#fetchList({}).finally(() => this.#refreshing--);
    if (!list) return;
    copyAttributes(requireElement('sessions'), list);
    updateChildren(requireElement('sessions'), list);
    this.#observeEnd();
    this.#scheduleNextDay();
    this.#readAheadOnce();
  }

  /**
   * Fetches the next rows and stores their number in the address. If the list has changed
   * meanwhile, it is fetched from its start. It does nothing during a refresh.
   */
  async loadMore() {
    if (this.#refreshing) return;
    const at = findAll('#sessions li[data-content-hash]').length;
    const list = await this.#fetchList({ at: String(at), n: '' });
    if (!list) return;
    const url = new URL(location.href);
    url.searchParams.set('n', String(at + findAll('li[data-content-hash]', list).length));
    url.hash = '';
    history.replaceState(history.state, '', url);
    if (list.dataset.rev !== requireElement('sessions').dataset.rev) return this.refreshList();
    appendGroups(requireElement('sessions'), list);
    this.#observeEnd();
  }

  /**
   * Fetches the list or a part of it. It aborts an earlier request.
   * @param {Record<string, string>} part
   */
  async #fetchList(part) {
    this.#request.abort();
    const { signal } = this.#request = new AbortController();
    const url = new URL(location.href), last = requireElement('sessions').dataset.by ?? '';
    for (const [name, value] of Object.entries({ last, ...part, part: 'list' })) url.searchParams.set(name, value);
    try {
      const { body, status } = await fetchFragment(url.href, signal);
      const list = body.querySelector('#sessions');
      if (status !== 200 || !(list instanceof HTMLElement)) return null;
      localizeTimes(list);
      return list;
    } catch (err) {
      rethrowUnexpected(err);
      return null;
    }
  }

  /** Observes the end of the rows, to load more when it comes near. */
  #observeEnd() {
    this.#endObserver.disconnect();
    const more = document.getElementById('more-sessions');
    if (more) this.#endObserver.observe(more);
  }

  /** Refreshes the list when the next day begins, because groups by date change then. */
  #scheduleNextDay() {
    clearTimeout(this.#nextDayTimer);
    const left = Date.parse(requireElement('sessions').dataset.nextDay ?? '') - Date.now();
    if (left > 0) this.#nextDayTimer = setTimeout(() => this.refreshSoon(), left + 1000);
  }

  /** Refreshes the list after a notice: at once, or later if the last refresh was recent. */
  refreshSoon() {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => this.refreshList(), Math.max(0, this.#lastRefresh + MIN_REFRESH_INTERVAL - Date.now()));
  }

  /**
   * @param {string} href
   * @param {'pushState' | 'replaceState'} how
   */
  async goToAddress(href, how) {
    history[how](null, '', href);
    await this.refreshList();
    announce(pluralize(Number(requireElement('sessions').dataset.shown), 'session', 'sessions'));
  }
}

export function startSessionList() {
  const list = new SessionList();
  const form = /** @type {HTMLFormElement} */ (requireElement('index-search'));
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('q'));
  let timer = 0;
  const filter = () => {
    const url = new URL(location.href);
    if (field.value.trim()) url.searchParams.set('q', field.value.trim());
    else url.searchParams.delete('q');
    url.searchParams.delete('n');
    return list.goToAddress(url.href, 'replaceState');
  };
  const clear = () => {
    clearTimeout(timer);
    field.value = '';
    filter();
  };
  // ArrowDown, and Enter in the empty field, move the focus to the first session.
  const intoList = async () => {
    clearTimeout(timer);
    await filter();
    if (document.activeElement === field) moveRowFocus(LINKS, ROWS, 1);
  };
  const goTo = (/** @type {string} */ href) => {
    field.value = new URL(href).searchParams.get('q') ?? '';
    return list.goToAddress(href, 'pushState');
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(filter, INPUT_DELAY);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.value.trim()) searchAllSessions(field.value);
    else intoList();
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' || event.isComposing) return;
    event.preventDefault();
    intoList();
  });
  document.addEventListener('click', (event) => {
    const link = closestElement(event, '.pill, .choice .menu a, #grouping a, #no-match .btn--line');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return closeMenus(closestElement(event, '.choice'));
    event.preventDefault();
    closeMenus();
    goTo(/** @type {HTMLAnchorElement} */ (link).href);
  });
  document.addEventListener('submit', (event) => {
    if (!(event.target instanceof HTMLFormElement) || event.target.id !== 'date-form') return;
    event.preventDefault();
    closeMenus();
    goTo(formAddress(event.target));
  });
  addEventListener('popstate', () => {
    field.value = new URL(location.href).searchParams.get('q') ?? '';
    list.refreshList();
  });
  new LiveSocket({ topic: 'library', rev: () => requireElement('sessions').dataset.rev ?? '', onNotice: () => list.refreshSoon(), onRestart: () => list.refreshSoon() });
  const refresh = () => list.refreshList();
  startStars(refresh);
  startReadAhead();
  startKeepDialog();
  startKeys((key) => sessionListKeys(field, clear, refresh)[key], new CommandPalette(() => sessionListCommands(field), pageSources()));
}

/**
 * @param {HTMLInputElement} field
 * @param {() => void} clear
 * @param {() => Promise<void>} refresh
 * @returns {Record<string, () => unknown>}
 */
const sessionListKeys = (field, clear, refresh) => ({
  '/': () => field.focus(),
  s: () => toggleStar(refresh),
  u: () => toggleUnread(refresh),
  ...rowFocusKeys(LINKS, ROWS),
  Escape: () => {
    if (field.value && field === document.activeElement) return clear();
    field.blur();
    closeMenus();
  },
});

/**
 * Closes the open menus above the list.
 * @param {Element | null} [except]
 */
function closeMenus(except = null) {
  for (const menu of findAll('.choice[open]')) if (menu !== except) menu.removeAttribute('open');
}

/**
 * Returns the address that a form leads to, without its empty fields.
 * @param {HTMLFormElement} form
 */
function formAddress(form) {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (value) url.searchParams.append(name, String(value));
  return url.href;
}
