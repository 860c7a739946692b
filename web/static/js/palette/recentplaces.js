// @ts-check
// The places that this browser showed last, and how often commands were run. Both are
// stored in this browser only.

import { settings } from '../settings.js';

/** @typedef {{name: string, detail: string, href: string, icon: string, time: string}} Place */

const PLACES = 'recent-places', USES = 'command-uses';
const MAX_PLACES = 30;

/**
 * @template T
 * @param {string} key
 * @param {T} missing
 * @returns {T}
 */
function readStored(key, missing) {
  try {
    return JSON.parse(settings.get(key) ?? '') ?? missing;
  } catch {
    return missing;
  }
}

/** @returns {Place[]} */
function readPlaces() {
  const list = readStored(PLACES, /** @type {Place[]} */ ([]));
  return Array.isArray(list) ? list.filter((p) => typeof p?.href === 'string' && p.href.startsWith('/') && !p.href.startsWith('//') && typeof p.name === 'string') : [];
}

/** @param {string} href */
const pathOf = (href) => new URL(href, location.href).pathname;

/**
 * Stores that a place is shown. The latest view of a page replaces an earlier one.
 * @param {{name: string, detail?: string, href: string, icon?: string}} place
 */
export function recordPlace({ name, detail = '', href, icon = 'clock' }) {
  const rest = readPlaces().filter((p) => pathOf(p.href) !== pathOf(href));
  settings.set(PLACES, JSON.stringify([{ name: name.slice(0, 120), detail: detail.slice(0, 120), href, icon, time: new Date().toISOString() }, ...rest].slice(0, MAX_PLACES)));
}

/**
 * Returns the recent places as choices, except the page that is shown.
 * @returns {import('./rank.js').Command[]}
 */
export const recentPlaces = () => readPlaces().filter((p) => pathOf(p.href) !== location.pathname)
  .map((p) => ({ name: p.name, detail: p.detail, icon: p.icon, time: p.time, group: 'Recent places', run: () => location.assign(p.href) }));

/** Counts that a command was run. @param {string} name */
export function countUse(name) {
  const uses = readStored(USES, /** @type {Record<string, number>} */ ({}));
  settings.set(USES, JSON.stringify({ ...uses, [name]: (uses[name] ?? 0) + 1 }));
}

/** Returns a function that tells how often a command was run. */
export function readUses() {
  const uses = readStored(USES, /** @type {Record<string, number>} */ ({}));
  return (/** @type {string} */ name) => Number(uses[name]) || 0;
}
