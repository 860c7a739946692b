// @ts-check
// How far a search is: the number of hits, and how much was read.

import { requireElement } from '../dom.js';
import { pluralize } from '../text.js';

/** @typedef {import('./resultstream.js').ReadProgress} ReadProgress */

const MIN_ANNOUNCE_INTERVAL = 1000; // ms between two announcements while a search runs

/**
 * Formats how much was read: "312 of 546 MB".
 * @param {ReadProgress} progress
 */
export function formatRead({ bytes, totalBytes }) {
  if (bytes >= totalBytes) return formatSize(totalBytes);
  const [done, unit] = formatSize(bytes).split(' '), total = formatSize(totalBytes);
  return `${total.endsWith(' ' + unit) ? done : `${done} ${unit}`} of ${total}`;
}

/** @param {number} bytes */
function formatSize(bytes) {
  const units = ['B', 'kB', 'MB', 'GB'];
  const n = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** n;
  return `${value < 10 && n > 0 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${units[n]}`;
}

export class SearchStatus {
  #count = requireElement('search-count');
  #bar = requireElement('read-bar');
  #text = requireElement('read-text');
  #stop = requireElement('stop-search');
  #row = requireElement('search-status');
  #announced = 0;
  #timer = 0;
  hits = 0;
  sessions = 0;
  /** @type {ReadProgress} */
  progress = { bytes: 0, totalBytes: 0, sessions: 0, totalSessions: 0 };

  /** @param {() => void} stop ends the search */
  constructor(stop) {
    this.#stop.addEventListener('click', stop);
  }

  /** Shows that a search began. The previous numbers stay until there are new ones. */
  start() {
    this.hits = this.sessions = 0;
    this.progress = { bytes: 0, totalBytes: 0, sessions: 0, totalSessions: 0 };
    this.#row.hidden = false;
    this.#row.dataset.state = 'running';
  }

  /** Shows the current numbers: the hits at most once a second, because they are announced. */
  update() {
    const { bytes, totalBytes } = this.progress;
    const part = totalBytes ? Math.round(100 * bytes / totalBytes) : 0;
    this.#bar.hidden = this.#stop.hidden = totalBytes === 0;
    this.#bar.setAttribute('aria-valuenow', String(part));
    this.#bar.setAttribute('aria-valuetext', formatRead(this.progress));
    /** @type {HTMLElement} */ (this.#bar.firstElementChild).style.width = part + '%';
    this.#text.textContent = totalBytes ? formatRead(this.progress) + ' read' : '';
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#announced = Date.now();
      this.#showCount(' so far');
    }, Math.max(0, this.#announced + MIN_ANNOUNCE_INTERVAL - Date.now()));
  }

  /**
   * Shows that the search ended.
   * @param {'done' | 'stopped' | 'none'} state none: there is nothing to show
   * @param {number} [elapsed] in ms
   */
  finish(state, elapsed) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#row.dataset.state = state;
    this.#bar.hidden = this.#stop.hidden = true;
    this.#text.textContent = state === 'stopped' && this.progress.totalBytes ? `stopped after ${formatRead(this.progress)}` : '';
    this.#row.hidden = state === 'none';
    this.#announced = Date.now();
    if (state === 'none') this.#count.replaceChildren();
    else this.#showCount(state === 'stopped' ? ' so far' : `, ${formatElapsed(elapsed ?? 0)}`);
  }

  /** @param {string} suffix */
  #showCount(suffix) {
    if (!this.hits && this.#row.dataset.state === 'running') return this.#count.replaceChildren('Searching');
    const hits = document.createElement('b');
    hits.className = 'number';
    hits.textContent = pluralize(this.hits, 'hit', 'hits');
    this.#count.replaceChildren(hits, ` in ${pluralize(this.sessions, 'session', 'sessions')}${suffix}`);
  }
}

/** @param {number} ms */
const formatElapsed = (ms) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);
