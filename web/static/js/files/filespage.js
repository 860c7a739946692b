// @ts-check
// The pages about files: the files of a session, and the history of a file. Every view has an
// address, so the keys follow links.

import { copyText } from '../actions.js';
import { closestElement, findAll } from '../dom.js';
import { startKeys } from '../keyboard.js';
import { showToast } from '../notify.js';
import { pageCommands } from '../palette/commands.js';
import { CommandPalette } from '../palette/palette.js';
import { pageSources } from '../palette/sources.js';

/** Starts the page. */
export function startFilesPage() {
  const page = document.getElementById('filespage');
  document.addEventListener('click', (event) => {
    const copy = closestElement(event, '[data-do="copy-path"]');
    if (copy) copyText(copy.dataset.path ?? '', 'Path copied');
  });
  document.getElementById('files-filter')?.addEventListener('input', (event) => filterFiles(/** @type {HTMLInputElement} */ (event.target).value));
  document.getElementById('go-to-line')?.addEventListener('submit', goToLine);
  const back = page?.dataset.back;
  const commands = () => [...(back ? [{ name: 'Back to the session', icon: 'back', keys: ['Esc'], run: () => location.assign(back) }] : []), ...pageCommands()];
  startKeys((key) => (page ? filesKeys[key] : historyKeys[key]), new CommandPalette(commands, pageSources()));
  document.querySelector('.file-row[aria-current], .history-row.is-on')?.scrollIntoView({ block: 'nearest' });
  (page ?? document.getElementById('historypage'))?.setAttribute('data-keys', '');
}

/** @type {Record<string, () => unknown>} */
const filesKeys = {
  j: () => followNext('.file-row', 1),
  k: () => followNext('.file-row', -1),
  ']': () => followNext('.file-tabs a', 1),
  '[': () => followNext('.file-tabs a', -1),
  h: () => document.getElementById('file-history')?.click(),
  '/': () => document.getElementById('files-filter')?.focus(),
  Escape: leaveField,
};

/** @type {Record<string, () => unknown>} */
const historyKeys = {
  j: () => followNext('.history-pick', 1),
  k: () => followNext('.history-pick', -1),
  ':': () => document.getElementById('line-number')?.focus(),
  '/': () => document.getElementById('history-path')?.focus(),
  Escape: () => (document.activeElement instanceof HTMLInputElement ? document.activeElement.blur() : undefined),
};

/** Leaves the field that has the focus, else the page. */
function leaveField() {
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
  else location.assign(document.getElementById('filespage')?.dataset.back ?? '/');
}

/**
 * Follows the link after or before the current one of a list.
 * @param {string} selector
 * @param {number} step
 */
function followNext(selector, step) {
  const links = findAll(selector).filter((link) => !link.closest('[hidden]')), at = links.findIndex((link) => link.hasAttribute('aria-current'));
  links[at < 0 ? 0 : at + step]?.click();
}

/**
 * Shows only the files whose path contains a text.
 * @param {string} text
 */
function filterFiles(text) {
  const wanted = text.trim().toLowerCase();
  for (const dir of findAll('.file-dir')) {
    const name = dir.querySelector('h2')?.textContent?.trim() ?? '';
    let shown = 0;
    for (const row of dir.querySelectorAll('li')) {
      const path = `${name}/${row.querySelector('.truncate')?.textContent ?? ''}`.toLowerCase();
      row.hidden = !path.includes(wanted);
      if (!row.hidden) shown++;
    }
    dir.hidden = shown === 0;
  }
}

/**
 * Shows a line of the file, on another page of its lines if need be.
 * @param {SubmitEvent} event
 */
function goToLine(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  const text = /** @type {HTMLInputElement} */ (document.getElementById('line-number')).value.trim();
  const number = /^\d+$/.test(text) ? Number(text) : 0, lines = Number(form.dataset.lines), pageLines = Number(form.dataset.pageLines);
  if (number < 1 || number > lines) {
    showToast(lines === 1 ? 'The file has 1 line' : `The file has ${lines} lines`);
    return;
  }
  const line = document.getElementById('L' + number);
  if (line) {
    history.replaceState(history.state, '', '#L' + number);
    location.replace('#L' + number); // so that the line is the target of the address
    line.scrollIntoView({ block: 'center' });
    return;
  }
  const url = new URL(location.href);
  url.searchParams.set('from', String(Math.floor((number - 1) / pageLines) * pageLines));
  url.hash = 'L' + number;
  location.assign(url);
}
