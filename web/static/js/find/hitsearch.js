// @ts-check
// A search in the session: its hits while they arrive, and the current one.

import { fetchLines, isAbortError } from '../server.js';
import { HitGroups } from './hitgroups.js';

/**
 * @typedef {import('./hitgroups.js').Hit} Hit
 * @typedef {import('./hitgroups.js').Place} Place
 * @typedef {import('../session.js').SessionPage} SessionPage
 */

export class HitSearch {
  hits = new HitGroups();
  /** @type {Hit | null} */
  current = null;
  /** What was searched last. */
  query = '';
  /** @type {string[]} what to highlight, in lower case */
  words = [];
  isRunning = false;
  /** Why there are no hits, in words; '' if the search worked. */
  error = '';
  /** @type {Place | null} */
  #place = null;
  #placeEntry = ''; // the entry at #place
  #revision = '';
  #request = new AbortController();

  /**
   * @param {SessionPage} session
   * @param {() => void} onChange called when hits have arrived
   * @param {Record<string, number>} [params] of the address
   */
  constructor(session, onChange, params = {}) {
    this.session = session;
    this.onChange = onChange;
    this.params = params;
  }

  /** The index of the current hit among those shown, or -1. */
  get currentIndex() { return this.hits.indexOf(this.current); }

  /** Whether the search has ended with the hits of a revision. */
  isUpToDate(/** @type {string} */ revision) { return this.#revision === revision && !this.isRunning; }

  /** Stops the search. Its hits stay. */
  stop() {
    this.#request.abort();
    this.isRunning = false;
  }

  /** Stops the search and forgets its hits. */
  clear() {
    this.stop();
    this.#reset();
  }

  #reset() {
    const { filter } = this.hits;
    this.hits = new HitGroups();
    this.hits.setFilter(filter);
    this.current = null;
    this.words = [];
    this.error = this.#revision = '';
  }

  /**
   * Searches for a query. It resolves to whether the search ended.
   * @param {string} q
   */
  run(q) { return this.#read(q, {}); }

  /**
   * Adds the hits in entries that are newer than the last search.
   * @param {string} q
   */
  extend(q) { return this.#read(q, this.#revision ? { since: this.#revision } : {}); }

  /**
   * @param {string} q
   * @param {Record<string, string>} more
   */
  async #read(q, more) {
    this.#request.abort();
    const { signal } = this.#request = new AbortController();
    const view = { ...this.session.view, q };
    this.query = q;
    this.isRunning = true;
    let ended = false;
    try {
      await fetchLines(this.session.fragmentURL('hits', { ...this.params, ...more }, view), (line) => {
        if (signal.aborted) return;
        if (line.words) this.#begin(line, view.entry);
        this.#addLine(line);
        ended ||= line.done;
      }, signal);
      if (!ended) this.error ||= 'The search failed.';
    } catch (err) {
      if (isAbortError(err)) return false;
      this.error = 'The search failed: the server cannot be reached.';
    }
    if (signal.aborted) return false;
    this.isRunning = false;
    this.onChange();
    return true;
  }

  /**
   * @param {{rev: string, words: string[], added: boolean, viewed?: Place}} line
   * @param {string} entry the viewed entry
   */
  #begin(line, entry) {
    if (!line.added) this.#restart();
    this.words = line.words;
    this.#revision = line.rev;
    this.#place = line.viewed ?? null;
    this.#placeEntry = entry;
  }

  /** Forgets the hits, except which one is current. */
  #restart() {
    const was = this.current;
    this.#reset();
    this.current = was;
  }

  /** @param {{branches?: import('./hitgroups.js').Branch[], hits?: Hit[], error?: string, done?: boolean}} line */
  #addLine(line) {
    if (line.error) {
      this.#reset();
      this.error = line.error;
    }
    if (line.branches || line.hits) this.hits.add(line.branches ?? [], line.hits ?? []);
    if (this.current) this.current = this.hits.find(this.current.entry) ?? (line.done ? null : this.current);
    if (line.hits || line.error) this.onChange();
  }

  /**
   * Makes the next or previous hit the current one: from the viewed entry, if that is not
   * the current hit.
   * @param {1 | -1} direction
   */
  async step(direction) {
    const { entry } = this.session.view, n = this.hits.shownCount;
    if (!n) return null;
    const at = this.current?.entry === entry ? this.currentIndex : -1;
    if (at < 0 && this.#placeEntry !== entry) await this.#findPlace(entry);
    this.current = this.hits.at(at < 0 ? this.hits.indexFrom(this.#place, direction) : (at + direction + n) % n);
    return this.current;
  }

  /**
   * Requests the place of an entry, by a search for nothing.
   * @param {string} entry
   */
  async #findPlace(entry) {
    const url = this.session.fragmentURL('hits', {}, { ...this.session.view, q: '' });
    try {
      await fetchLines(url, (line) => { if (line.words) [this.#place, this.#placeEntry] = [line.viewed ?? null, entry]; });
    } catch { /* the first hit is as good */ }
  }
}
