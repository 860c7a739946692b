// @ts-check
// The dialog of the settings of this browser. Each choice applies at once.

import { closestElement, findAll, requireElement } from '../dom.js';
import { announce } from '../notify.js';
import { choiceNames, onChoiceChange, readChoice, saveChoice } from '../settings.js';

/** Shows the dialog. */
export const showSettings = () => /** @type {HTMLDialogElement} */ (requireElement('settings')).showModal();

/** Starts the dialog and the other controls of its settings. */
export function startSettingsDialog() {
  updateControls();
  onChoiceChange(updateControls);
  document.addEventListener('change', (event) => {
    const control = closestElement(event, '[data-setting]');
    if (!(control instanceof HTMLInputElement)) return;
    saveChoice(control.dataset.setting ?? '', control.type === 'checkbox' ? (control.checked ? 'on' : 'off') : control.value);
  });
  document.addEventListener('click', (event) => {
    if (closestElement(event, '[data-do="settings"]')) showSettings();
    if (!closestElement(event, '[data-do="reset-settings"]')) return;
    for (const name of choiceNames) saveChoice(name);
    announce('All settings have their defaults');
  });
}

/** Shows the chosen values in the controls. */
function updateControls() {
  for (const control of findAll('[data-setting]')) {
    if (!(control instanceof HTMLInputElement)) continue;
    control.checked = readChoice(control.dataset.setting ?? '') === (control.type === 'checkbox' ? 'on' : control.value);
  }
}
