// @ts-check
// Light, dark, or what the system says.

import { closest, say, settings } from './dom.js';

const ORDER = ['system', 'light', 'dark'];

/** The theme that was chosen. */
export function theme() {
  const chosen = document.documentElement.dataset.theme ?? 'system';
  return ORDER.includes(chosen) ? chosen : 'system';
}

/** Takes the next of the three. */
export function nextTheme() {
  const next = ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length];
  document.documentElement.dataset.theme = next;
  settings.set('theme', next === 'system' ? null : next);
  tell();
  say(next === 'system' ? 'Theme of the system' : `Theme ${next}`);
}

function tell() {
  for (const el of document.querySelectorAll('[data-do="theme"]')) el.setAttribute('title', `Switch theme (now ${theme()})`);
}

export function startTheme() {
  tell();
  document.addEventListener('click', (event) => { if (closest(event, '[data-do="theme"]')) nextTheme(); });
}
