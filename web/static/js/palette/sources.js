// @ts-check
// What the palette offers on each page besides its commands.

import { fetchChoices } from './fetchchoices.js';
import { recentPlaces, recordPlace } from './recentplaces.js';

/**
 * What a palette offers besides commands. places: recent places. find: choices for a query.
 * fallback: what Enter does if nothing matches.
 * @typedef {{places?: () => import('./rank.js').Command[], find?: import('./finder.js').Find, fallback?: {text: string, run: (query: string) => unknown}}} PaletteSources
 */

/**
 * What pages without a session offer: sessions and recent places.
 * @returns {PaletteSources}
 */
export const pageSources = () => ({ places: recentPlaces, find: (query, signal) => fetchChoices(query, signal, '', (href) => location.assign(href)) });

/**
 * What the page of a session offers. A snapshot has no server to ask.
 * @param {import('../session.js').SessionPage} session
 * @param {import('../find/searchfield.js').SessionSearch} search
 * @returns {PaletteSources}
 */
export function sessionSources(session, search) {
  const fallback = { text: 'Press Enter to search this session.', run: (/** @type {string} */ query) => search.searchFor(query) };
  if (session.isSnapshot) return { fallback };
  const key = document.getElementById('app')?.dataset.key ?? '';
  return { places: recentPlaces, fallback, find: (query, signal) => fetchChoices(query, signal, key, (href) => session.followLink(href, { selectRow: true })) };
}

/**
 * Stores the shown session and its view as a recent place, now and when the view changes.
 * @param {import('../session.js').SessionPage} session
 */
export function recordSessionViews(session) {
  const record = () => {
    const title = document.getElementById('title'), row = session.view.entry ? session.rows.rowAt(session.rows.selectedIndex) : undefined;
    const project = title?.dataset.title?.slice((title.textContent?.trim().length ?? 0) + 2) ?? '';
    recordPlace({ name: title?.textContent?.trim() ?? '', detail: row?.querySelector('.row-link')?.textContent?.trim() ?? project, href: session.base + location.search });
  };
  record();
  session.onFactsChange(record);
}
