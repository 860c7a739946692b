// @ts-check
// The number of sessions that wait, in the title and the icon of the tab.

import { requireElement } from '../dom.js';

/** @type {Record<string, string> | undefined} */
let plainIcons;

/** @param {number} count */
export function showWaitingCount(count) {
  const title = requireElement('nowpage').dataset.title ?? '';
  const full = count > 0 ? `(${count}) ${title}` : title;
  if (document.title !== full) document.title = full;
  const icon = /** @type {HTMLLinkElement} */ (document.getElementById('favicon'));
  plainIcons ??= { idle: icon.dataset.idle ?? '', live: icon.dataset.live ?? '' };
  const href = count > 0 ? countIcon(count) : plainIcons.idle;
  icon.dataset.idle = href;
  icon.dataset.live = count > 0 ? href : plainIcons.live;
  if (icon.getAttribute('href') !== href) icon.href = href;
}

/** @param {number} count */
function countIcon(count) {
  const text = count > 99 ? '99' : String(count), size = text.length > 1 ? 17 : 21;
  return 'data:image/svg+xml,' + encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#8a5200"/><text x="16" y="16" fill="#fff" font-family="sans-serif" font-weight="700" font-size="${size}" text-anchor="middle" dominant-baseline="central">${text}</text></svg>`);
}
