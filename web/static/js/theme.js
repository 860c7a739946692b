// @ts-check
// The button of the theme: light, dark or the system's.

import { closestElement } from './dom.js';
import { announce } from './notify.js';
import { onChoiceChange, readChoice, saveChoice } from './settings.js';

const ORDER = ['system', 'light', 'dark'];

/** Returns the chosen theme. */
export const currentTheme = () => readChoice('theme');

/** Switches to the next of the three themes. */
export function switchTheme() {
  const next = ORDER[(ORDER.indexOf(currentTheme()) + 1) % ORDER.length];
  saveChoice('theme', next);
  announce(next === 'system' ? 'Theme of the system' : `Theme ${next}`);
}

function updateThemeTitles() {
  for (const el of document.querySelectorAll('[data-do="theme"]')) el.setAttribute('title', `Switch theme (now ${currentTheme()})`);
}

export function startTheme() {
  updateThemeTitles();
  onChoiceChange(updateThemeTitles);
  document.addEventListener('click', (event) => { if (closestElement(event, '[data-do="theme"]')) switchTheme(); });
}
