// @ts-check
// The dialog about copies of sessions. Its forms are submitted like those of a page.

import { closestElement } from '../dom.js';
import { showToast } from '../notify.js';
import { fetchFragment } from '../server.js';

/** Returns the element of the dialog. */
const keepDialog = () => /** @type {HTMLDialogElement} */ (document.getElementById('keep'));

/**
 * Shows the dialog at an address, or another step of it.
 * @param {HTMLAnchorElement} link
 */
async function openKeepDialog(link) {
  const url = new URL(link.href);
  url.searchParams.set('part', 'dialog');
  if (!url.searchParams.has('back')) url.searchParams.set('back', location.pathname + location.search);
  const response = await fetchFragment(url.href).catch(() => null);
  if (response?.status !== 200) {
    showToast('The dialog cannot be shown: the server cannot be reached.');
    return;
  }
  const dialog = keepDialog();
  dialog.replaceChildren(...response.body.childNodes);
  if (!dialog.open) dialog.showModal();
  const focused = dialog.querySelector('[autofocus]') ?? dialog.querySelector('input:not([type="hidden"])');
  if (focused instanceof HTMLElement) focused.focus();
}

/** Opens links to the dialog in place, and closes it. */
export function startKeepDialog() {
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const close = closestElement(event, '#keep [data-do="change-close"], #keep [data-do="close-keep"]');
    if (close || event.target === keepDialog()) {
      event.preventDefault();
      keepDialog().close();
      return;
    }
    const link = closestElement(event, 'a[data-keep]');
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    openKeepDialog(link);
  });
}
