// @ts-check
// Asks the server what matches while a query is typed in the palette.

import { announce } from '../notify.js';
import { isAbortError } from '../server.js';

/**
 * What was found for a query. totals: how many there are by group.
 * @typedef {{choices: import('./rank.js').Command[], totals: Record<string, number>}} Found
 * @typedef {(query: string, signal: AbortSignal) => Promise<Found>} Find
 */

const INPUT_DELAY = 60; // ms after the last key until the server is asked

export class ChoiceFinder {
  /** @type {Found} */
  found = { choices: [], totals: {} };
  #request = new AbortController();
  #inputTimer = 0;

  /**
   * @param {Find | undefined} find
   * @param {() => void} onFound
   */
  constructor(find, onFound) {
    this.find = find;
    this.onFound = onFound;
  }

  /** Forgets what was found. */
  stop() {
    this.#cancel();
    this.found = { choices: [], totals: {} };
  }

  /**
   * Asks for a query if no other one follows. What was found before stays until the response.
   * @param {string} query
   */
  findSoon(query) {
    const { find } = this;
    if (!find || !query) return this.stop();
    this.#cancel();
    this.#inputTimer = setTimeout(() => this.#fetch(find, query), INPUT_DELAY);
  }

  #cancel() {
    clearTimeout(this.#inputTimer);
    this.#request.abort();
  }

  /**
   * @param {Find} find
   * @param {string} query
   */
  async #fetch(find, query) {
    const { signal } = this.#request = new AbortController();
    try {
      const found = await find(query, signal);
      if (signal.aborted) return;
      this.found = found;
      this.onFound();
    } catch (err) {
      if (!isAbortError(err)) announce('The server is not responding.');
    }
  }
}
