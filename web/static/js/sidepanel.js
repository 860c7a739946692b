// @ts-check
// What the panels right of the path have in common. There is one at a time, and only in a wide
// window.

import { showToast } from './notify.js';
import { fetchFragment, isAbortError } from './server.js';

/** Whether there is room for a panel. */
export const wide = matchMedia('(min-width: 1181px)');

/**
 * Calls close when another panel is opened, and when the window becomes too narrow for one.
 * @param {HTMLElement} panel
 * @param {() => void} close
 */
export function startSidePanel(panel, close) {
  document.addEventListener('side-panel', (event) => { if (/** @type {CustomEvent} */ (event).detail !== panel) close(); });
  wide.addEventListener('change', () => { if (!wide.matches) close(); });
}

/**
 * Shows a panel in place of another one, with the focus on it.
 * @param {HTMLElement} panel
 */
export function openSidePanel(panel) {
  document.dispatchEvent(new CustomEvent('side-panel', { detail: panel }));
  panel.hidden = false;
  panel.focus({ preventScroll: true });
}

/**
 * Fetches the content of a panel. It returns null after an abort or an error, which it reports.
 * @param {URL} address
 * @param {string} selector of the content
 * @param {AbortSignal} signal
 * @param {string} failure the message if the server sends something else
 * @returns {Promise<HTMLElement | null>}
 */
export async function fetchPanelContent(address, selector, signal, failure) {
  try {
    const { body, status } = await fetchFragment(address.href, signal);
    if (signal.aborted) return null;
    const content = body.querySelector(selector);
    if (status === 200 && content instanceof HTMLElement) return content;
    showToast(failure);
  } catch (err) {
    if (!isAbortError(err)) showToast('The server is not responding.');
  }
  return null;
}

/**
 * Moves the focus back to where it was before a panel was opened, else to another element.
 * @param {Element | null} to
 * @param {HTMLElement} other
 */
export function returnFocus(to, other) {
  const back = to instanceof HTMLElement && to.isConnected && to !== document.body && to.checkVisibility() ? to : other;
  back.focus({ preventScroll: true });
}
