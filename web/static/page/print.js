// @ts-check
// Prints the whole viewed path, up to a number of entries.

import { findAll } from '../js/dom.js';
import { showToast } from '../js/notify.js';
import { fetchFragment } from '../js/server.js';
import { pluralize } from '../js/text.js';
import { replacePages } from '../js/path/morphitems.js';

/** @typedef {import('../js/session.js').SessionPage} SessionPage */

/**
 * @param {() => unknown} print
 * @param {SessionPage} session
 */
export function startPrint(print, session) {
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'p') return;
    event.preventDefault();
    print();
  });
  addEventListener('beforeprint', () => {
    const { firstPage, lastPage, pages } = session.path;
    if (pages.some((page) => page.dataset.printed) || (Number(firstPage?.dataset.skipped) === 0 && Number(lastPage?.dataset.left) === 0)) return;
    showPrintNote(session, 'Only the loaded part of the path is printed. Press Ctrl P in the page to print all of it.');
  });
  addEventListener('afterprint', () => {
    document.getElementById('print-note')?.remove();
    if (!session.path.pages.some((page) => page.dataset.printed)) return;
    // Pass a scroll state, even an empty one: without it the printed path would stay.
    session.showView(session.view, { history: 'none', scrollState: history.state ?? {}, scroll: 'keep' });
  });
}

/**
 * Shows a note below the path about what is not printed.
 * @param {SessionPage} session
 * @param {string} text
 */
function showPrintNote({ path }, text) {
  const el = document.createElement('p');
  el.id = 'print-note';
  el.className = 'print-note';
  el.textContent = text;
  path.container.after(el);
}

/**
 * @param {SessionPage} session
 * @param {number} most entries
 */
export async function printPath(session, most) {
  const { path } = session;
  const { body } = await fetchFragment(session.fragmentURL('path', { after: 'none', n: most }));
  const page = body.querySelector('.path-page');
  if (!(page instanceof HTMLElement)) return;
  page.dataset.printed = 'true';
  for (const el of findAll('img[loading]', /** @type {any} */ (page))) el.removeAttribute('loading');
  replacePages(path.container, page);
  const left = Number(page.dataset.left);
  if (left) {
    const text = `${pluralize(left, 'later entry is', 'later entries are')} not printed.`;
    showPrintNote(session, text);
    showToast(text);
  }
  await Promise.all([...page.querySelectorAll('img')].map((img) => img.decode().catch(() => {})));
  window.print();
}
