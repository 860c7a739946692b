// @ts-check
// The star of a session, and whether it is unread.

import { closestElement } from '../dom.js';
import { announce, showToast } from '../notify.js';

/** Returns the row with the focus. */
const focusedRow = () => document.activeElement?.closest('li.session-row') ?? null;

/**
 * Sends a change of a row's state and refreshes the list.
 * @param {Element} row
 * @param {'star' | 'unread'} what
 * @param {boolean} on
 * @param {() => Promise<void>} refresh
 */
async function changeRow(row, what, on, refresh) {
  const link = row.querySelector('a.session-link');
  if (!(link instanceof HTMLAnchorElement)) return;
  const response = await fetch(`${link.href}/${what}`, { method: 'POST', body: new URLSearchParams({ on: on ? '1' : '0' }), headers: { Accept: '*/*' } }).catch(() => null);
  if (response?.ok) announce(what === 'star' ? (on ? 'Starred' : 'Star removed') : on ? 'Marked as unread' : 'Marked as read');
  else showToast(response ? 'The change could not be stored.' : 'The server cannot be reached.');
  await refresh();
}

/**
 * Toggles the star of the focused row.
 * @param {() => Promise<void>} refresh
 */
export const toggleStar = (refresh) => toggleStarOf(focusedRow(), refresh);

/**
 * @param {Element | null} row
 * @param {() => Promise<void>} refresh
 */
function toggleStarOf(row, refresh) {
  const star = row?.querySelector('.star');
  if (!row || !star) return;
  const on = star.getAttribute('aria-pressed') !== 'true';
  star.setAttribute('aria-pressed', String(on)); // at once; the refreshed list confirms it
  return changeRow(row, 'star', on, refresh);
}

/**
 * Marks the focused row as unread, or as read.
 * @param {() => Promise<void>} refresh
 */
export function toggleUnread(refresh) {
  const row = focusedRow();
  if (row) return changeRow(row, 'unread', !row.classList.contains('is-unread'), refresh);
}

/**
 * Makes the stars work without a new page.
 * @param {() => Promise<void>} refresh
 */
export function startStars(refresh) {
  document.addEventListener('click', (event) => {
    const star = closestElement(event, '.star');
    if (!star) return;
    event.preventDefault();
    toggleStarOf(star.closest('li.session-row'), refresh);
  });
}
