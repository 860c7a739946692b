// @ts-check
// Starts a page: what all pages have in common, and then the features of its kind.

import { startImageViewer } from './dialog/imageviewer.js';
import { startSettingsDialog } from './dialog/settingsdialog.js';
import { startElapsedTimes } from './elapsed.js';
import { registerWorker } from './registerworker.js';
import { startSearchAllKey } from './searchlink.js';
import { startSettings } from './settings.js';
import { startTheme } from './theme.js';
import { startTimes } from './times.js';

/**
 * @param {() => unknown} startFeatures starts the features of the page, and may return a promise
 */
export async function startPage(startFeatures) {
  if (/Mac|iP(hone|ad)/.test(navigator.platform)) {
    for (const el of document.querySelectorAll('[data-modifier-key]')) el.textContent = '⌘ ' + el.getAttribute('data-modifier-key');
  }
  for (const el of document.querySelectorAll('#loading, .loading-text')) el.remove(); // placeholders from while the session was read
  startSettings();
  startTheme();
  startSettingsDialog();
  startTimes();
  startElapsedTimes();
  startImageViewer();
  startSearchAllKey();
  await startFeatures();
  document.documentElement.dataset.ready = '';
  registerWorker();
}
