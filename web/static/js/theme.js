// @ts-check
// The theme: light, dark or the system's.

import { closestElement } from './dom.js';
import { announce } from './notify.js';
import { settings } from './settings.js';

const ORDER = ['system', 'light', 'dark'];

/** Returns the chosen theme. */
export function currentTheme() {
  const chosen = document.documentElement.dataset.theme ?? 'system';
  return ORDER.includes(chosen) ? chosen : 'system';
}

/** Switches to the next of the three themes. */
export function switchTheme() {
  const next = ORDER[(ORDER.indexOf(currentTheme()) + 1) % ORDER.length];
  document.documentElement.dataset.theme = next;
  settings.set('theme', next === 'system' ? null : next);
  updateThemeTitles();
  announce(next === 'system' ? 'Theme of the system' : `Theme ${next}`);
}

function updateThemeTitles() {
  for (const el of document.querySelectorAll('[data-do="theme"]')) el.setAttribute('title', `Switch theme (now ${currentTheme()})`);
}

export function startTheme() {
  updateThemeTitles();
  document.addEventListener('click', (event) => { if (closestElement(event, '[data-do="theme"]')) switchTheme(); });
}
