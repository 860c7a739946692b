// @ts-check
// The recent searches of this browser.

import { settings } from '../settings.js';

const MAX_RECENT = 8;

/** @returns {string[]} the latest first */
export function recentSearches() {
  try {
    const list = JSON.parse(settings.get('recent-searches') ?? '[]');
    return Array.isArray(list) ? list.filter((q) => typeof q === 'string').slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

/** @param {string} query */
export function addRecentSearch(query) {
  if (query) settings.set('recent-searches', JSON.stringify([query, ...recentSearches().filter((q) => q !== query)].slice(0, MAX_RECENT)));
}

/**
 * Lists the recent searches in a section, which is hidden if there are none.
 * @param {HTMLElement} section
 */
export function showRecentSearches(section) {
  const list = recentSearches();
  section.hidden = list.length === 0;
  section.querySelector('ul')?.replaceChildren(...list.map((query) => {
    const item = document.createElement('li'), link = document.createElement('a'), icon = document.createElement('i'), text = document.createElement('span');
    link.href = '/search?q=' + encodeURIComponent(query);
    link.dataset.query = query;
    icon.className = 'icon icon--clock icon-14';
    icon.setAttribute('aria-hidden', 'true');
    text.className = 'truncate';
    text.textContent = query;
    link.append(icon, text);
    item.append(link);
    return item;
  }));
}
