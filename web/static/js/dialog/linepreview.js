// @ts-check
// The preview of the lines that a dialog would append. It is fetched again when the form changes.

import { isAbortError } from '../server.js';
import { sessionAddress } from '../view.js';

const PREVIEW_DELAY = 200; // ms from the last input to the request

/** @param {HTMLElement} dialog */
export function startLinePreview(dialog) {
  let timer = 0;
  let request = new AbortController();
  const fetchPreview = async () => {
    const lines = dialog.querySelector('#change-lines'), form = lines?.closest('form');
    if (!(lines instanceof HTMLDetailsElement) || !form || !lines.dataset.preview) return;
    request.abort();
    const { signal } = request = new AbortController();
    const data = new URLSearchParams();
    for (const [name, value] of new FormData(form)) data.append(name, String(value));
    try {
      const response = await fetch(new URL(lines.dataset.preview, location.origin + sessionAddress()), { method: 'POST', body: data, signal, headers: { Accept: '*/*' } });
      const template = document.createElement('template');
      if (response.ok) template.innerHTML = await response.text();
      const now = template.content.querySelector('details');
      if (!now || !lines.isConnected) return;
      now.open = lines.open;
      const focused = document.activeElement === lines.firstElementChild;
      lines.replaceWith(now);
      if (focused && now.firstElementChild instanceof HTMLElement) now.firstElementChild.focus();
    } catch (err) {
      if (!isAbortError(err) && !(err instanceof TypeError)) throw err; // TypeError: no connection, which a banner reports
    }
  };
  dialog.addEventListener('input', (event) => {
    if (event.target instanceof Element && event.target.id === 'change-prompt') return; // it is not part of the lines
    clearTimeout(timer);
    timer = setTimeout(fetchPreview, PREVIEW_DELAY);
  });
  dialog.addEventListener('close', () => { clearTimeout(timer); request.abort(); });
}
