// @ts-check
// The page of sessions that run, wait or have just finished: updated as their files change.

import { closestElement, findAll, requireElement } from '../dom.js';
import { serverTime, setServerTime, writeElapsedTimes } from '../elapsed.js';
import { startKeys } from '../keyboard.js';
import { LiveSocket } from '../live/socket.js';
import { announce } from '../notify.js';
import { pageCommands } from '../palette/commands.js';
import { CommandPalette } from '../palette/palette.js';
import { pageSources } from '../palette/sources.js';
import { startReadAhead } from '../readahead.js';
import { rowFocusKeys } from '../rowfocus.js';
import { fetchFragment, rethrowUnexpected } from '../server.js';
import { copyAttributes, updateChildren } from '../sessionlist/updatelist.js';
import { pluralize } from '../text.js';
import { describeChange, findChanges, readSessions } from './changes.js';
import { notifyOfChange, showBells, startNotifications, toggleBell } from './notifications.js';
import { showWaitingCount } from './waitingcount.js';

const MIN_REFRESH_INTERVAL = 300; // ms between two refreshes caused by notices
const MIN_EXPIRY_DELAY = 2000; // ms until a refresh because a state changes with time
const GROUP_KEYS = { w: 'waits', k: 'working', f: 'finished', q: 'quiet' };
const GROUP_KEY_DELAY = 1500; // ms within which the second key of a group is pressed

class NowPage {
  #request = new AbortController();
  #refreshTimer = 0;
  #expiryTimer = 0;
  #lastRefresh = 0;
  #sessions = readSessions(this.list);
  /** @type {HTMLElement | null} the newest list, while rows may not move */
  #pending = null;
  /** @type {LiveSocket | undefined} */
  socket;

  get list() { return requireElement('now'); }

  constructor() {
    const pill = requireElement('now-pending');
    pill.addEventListener('click', () => this.#applyPending());
    this.list.addEventListener('pointerleave', () => this.#applyIfFree());
    this.list.addEventListener('focusout', () => setTimeout(() => this.#applyIfFree()));
    showBells();
    showWaitingCount(Number(this.list.dataset.waiting));
    this.#useTimes(this.list);
  }

  /** Refreshes the list after a notice: at once, or later if the last refresh was recent. */
  refreshSoon() {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => this.refresh().catch(rethrowUnexpected), Math.max(0, this.#lastRefresh + MIN_REFRESH_INTERVAL - Date.now()));
  }

  /** Fetches the list and shows it. */
  async refresh() {
    this.#lastRefresh = Date.now();
    this.#request.abort();
    const { signal } = this.#request = new AbortController();
    const url = new URL(location.href);
    url.searchParams.set('part', 'list');
    url.searchParams.set('known', rowsOf(this.list).map((row) => row.dataset.contentHash).join('.')); // their content need not be sent again
    const { body, status } = await fetchFragment(url.href, signal, 'no-store');
    const next = body.querySelector('#now');
    if (status !== 200 || !(next instanceof HTMLElement)) return;
    this.#reportChanges(next);
    this.#useTimes(next);
    if (this.#mayMoveRows() || this.#hasSameOrder(next)) this.#show(next);
    else this.#postpone(next);
  }

  /** @param {HTMLElement} next */
  #reportChanges(next) {
    const sessions = readSessions(next, this.#sessions), changes = findChanges(this.#sessions, sessions);
    this.#sessions = sessions;
    if (changes.length) announce(changes.map(describeChange).join('. '));
    for (const change of changes) notifyOfChange(change);
    const counts = next.querySelector('template')?.content.querySelector('.now-counts'), shown = requireElement('now-counts');
    if (counts && counts.innerHTML !== shown.innerHTML) shown.innerHTML = counts.innerHTML;
    showWaitingCount(Number(next.dataset.waiting));
  }

  /** @param {HTMLElement} next */
  #show(next) {
    this.#pending = null;
    requireElement('now-pending').hidden = true;
    const before = positions();
    copyAttributes(this.list, next);
    updateChildren(this.list, next);
    showBells();
    writeElapsedTimes(this.list);
    moveFrom(before);
  }

  /** @param {HTMLElement} next */
  #postpone(next) {
    this.#pending = next;
    this.list.dataset.rev = next.dataset.rev;
    const shown = new Map(rowsOf(this.list).map((row) => [row.id, row.dataset.state]));
    const changed = rowsOf(next).filter((row) => shown.get(row.id) !== row.dataset.state).length;
    const pill = requireElement('now-pending');
    pill.hidden = false;
    pill.textContent = 'Show ' + pluralize(Math.max(1, changed), 'change', 'changes');
  }

  #applyPending() {
    if (this.#pending) this.#show(this.#pending);
  }

  #applyIfFree() {
    if (this.#mayMoveRows()) this.#applyPending();
  }

  /** Reports whether rows may move: neither the pointer nor the focus is on one. */
  #mayMoveRows() {
    return !this.list.querySelector('.now-row:hover') && !this.list.querySelector('.now-row :focus');
  }

  /** @param {HTMLElement} next */
  #hasSameOrder(next) {
    return orderOf(this.list) === orderOf(next);
  }

  /**
   * Takes the server's time from a list that was just received, and refreshes it when a state
   * changes without a line in a file.
   * @param {HTMLElement} list
   */
  #useTimes(list) {
    setServerTime(Number(list.dataset.now));
    clearTimeout(this.#expiryTimer);
    const left = Date.parse(list.dataset.nextChange ?? '') - serverTime();
    if (Number.isFinite(left)) this.#expiryTimer = setTimeout(() => this.refreshSoon(), Math.min(Math.max(left + 50, MIN_EXPIRY_DELAY), 2 ** 31 - 1));
  }
}

/**
 * @param {ParentNode} list
 * @returns {HTMLElement[]}
 */
const rowsOf = (list) => findAll('.now-row', list);

/** @param {ParentNode} list */
const orderOf = (list) => findAll('.now-group', list).map((group) => group.id + ':' + rowsOf(group).map((row) => row.id).join(',')).join(' ');

/** Returns the places of the rows by id. */
const positions = () => new Map(rowsOf(document).map((row) => [row.id, row.offsetTop]));

/**
 * Lets rows that were elsewhere move to their places.
 * @param {Map<string, number>} before
 */
function moveFrom(before) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const moves = rowsOf(document).map((row) => ({ row, by: (before.get(row.id) ?? row.offsetTop) - row.offsetTop }));
  for (const { row, by } of moves) if (by) row.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], { duration: 160, easing: 'ease-out' });
}

/** Starts the page. */
export function startNowPage() {
  const page = new NowPage();
  startNotifications();
  startReadAhead();
  document.addEventListener('click', (event) => {
    const bell = closestElement(event, '[data-do="bell"]');
    if (bell) toggleBell(bell);
  });
  const socket = new LiveSocket({ topic: 'library', rev: () => requireElement('now').dataset.rev ?? '', onNotice: () => page.refreshSoon(), onRestart: () => page.refreshSoon() });
  page.socket = socket;
  startKeys(findNowKey, new CommandPalette(pageCommands, pageSources()));
}

let groupKeyUntil = 0;

/**
 * Returns the command of a key.
 * @param {string} key
 */
function findNowKey(key) {
  const group = Date.now() < groupKeyUntil ? GROUP_KEYS[/** @type {keyof typeof GROUP_KEYS} */ (key)] : undefined;
  groupKeyUntil = 0;
  if (group) return () => document.querySelector(`#now-${group} .now-link`) instanceof HTMLElement && /** @type {HTMLElement} */ (document.querySelector(`#now-${group} .now-link`)).focus();
  return nowKeys[key];
}

/** @type {Record<string, () => unknown>} */
const nowKeys = {
  ...rowFocusKeys('.now-link', '.now-row'),
  n: () => {
    const bell = document.activeElement?.closest('.now-row')?.querySelector('[data-do="bell"]');
    if (bell) toggleBell(bell);
  },
  g: () => { groupKeyUntil = Date.now() + GROUP_KEY_DELAY; },
  Escape: () => {
    document.getElementById('notifications')?.removeAttribute('open');
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  },
};
