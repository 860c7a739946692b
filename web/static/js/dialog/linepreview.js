// @ts-check
// The lines that a dialog would append, asked for again as the form changes.

import { isAbortError } from '../dom.js';
import { sessionAddress } from '../view.js';

const PREVIEW_DELAY = 200; // ms of quiet before lines are asked for

/** @param {HTMLElement} dialog */
export function startLinePreview(dialog) {
  let timer = 0;
  let asked = new AbortController();
  const ask = async () => {
    const lines = dialog.querySelector('#change-lines'), form = lines?.closest('form');
    if (!(lines instanceof HTMLDetailsElement) || !form || !lines.dataset.preview) return;
    asked.abort();
    const { signal } = asked = new AbortController();
    const data = new URLSearchParams();
    for (const [name, value] of new FormData(form)) data.append(name, String(value));
    try {
      const answer = await fetch(new URL(lines.dataset.preview, location.origin + sessionAddress()), { method: 'POST', body: data, signal, headers: { Accept: '*/*' } });
      const template = document.createElement('template');
      if (answer.ok) template.innerHTML = await answer.text();
      const now = template.content.querySelector('details');
      if (!now || !lines.isConnected) return;
      now.open = lines.open;
      const focused = document.activeElement === lines.firstElementChild;
      lines.replaceWith(now);
      if (focused && now.firstElementChild instanceof HTMLElement) now.firstElementChild.focus();
    } catch (err) {
      if (!isAbortError(err) && !(err instanceof TypeError)) throw err; // TypeError: no answer; a banner says so
    }
  };
  dialog.addEventListener('input', (event) => {
    if (event.target instanceof Element && event.target.id === 'change-prompt') return; // it is not written
    clearTimeout(timer);
    timer = setTimeout(ask, PREVIEW_DELAY);
  });
  dialog.addEventListener('close', () => { clearTimeout(timer); asked.abort(); });
}
