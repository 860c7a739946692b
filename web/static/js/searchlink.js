// @ts-check
// Ways to the search over all sessions from other pages.

/** Reports whether the page may link to the search. A shared or exported session may not. */
export const canSearchAll = () => document.getElementById('app')?.dataset.snapshot !== 'true';

/**
 * Returns the address of the search over all sessions.
 * @param {string} words
 */
export const searchAllAddress = (words) => (words.trim() ? '/search?q=' + encodeURIComponent(words.trim()) : '/search');

/**
 * Opens the search over all sessions.
 * @param {string} words
 */
export const searchAllSessions = (words) => location.assign(searchAllAddress(words));

/** Makes Ctrl Enter in a search field search all sessions for the same words. */
export function startSearchAllKey() {
  if (!canSearchAll() || document.getElementById('searchpage')) return;
  document.addEventListener('keydown', (event) => {
    const field = event.target;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    if (!(field instanceof HTMLInputElement) || !field.matches('[type="search"], #palette-input') || !field.value.trim()) return;
    event.preventDefault();
    event.stopPropagation();
    searchAllSessions(field.value);
  }, true);
}
