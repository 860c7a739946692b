// @ts-check
// Asks the server for sessions, and for the entries and labels of the session that is
// shown.

import { fetchLines } from '../server.js';

/** @typedef {import('./rank.js').Command} Command */

/** The groups of the response, by their names in the palette. */
const GROUP_NAMES = /** @type {const} */ ({ entries: 'This session', labels: 'Labels', sessions: 'Sessions' });

/**
 * Returns the choices for a query, and how many there are by group.
 * @param {string} query
 * @param {AbortSignal} signal
 * @param {string} key of the session that is shown, '' = none
 * @param {(href: string) => unknown} openEntry opens an entry of that session
 * @returns {Promise<import('./finder.js').Found>}
 */
export async function fetchChoices(query, signal, key, openEntry) {
  const params = new URLSearchParams({ q: query });
  if (key) params.set('session', key);
  /** @type {Record<string, {total: number, items: any[]}>} */
  const found = {};
  await fetchLines('/palette?' + params, (line) => Object.assign(found, line), signal);
  /** @type {Command[]} */
  const choices = [];
  /** @type {Record<string, number>} */
  const totals = {};
  for (const [field, group] of Object.entries(GROUP_NAMES)) {
    const open = field === 'sessions' ? (/** @type {string} */ href) => location.assign(href) : openEntry;
    for (const item of found[field]?.items ?? []) if (item.href !== location.pathname) choices.push({ ...item, group, isFound: true, run: () => open(item.href) });
    totals[group] = found[field]?.total ?? 0;
  }
  return { choices, totals };
}
