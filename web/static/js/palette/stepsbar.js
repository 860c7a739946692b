// @ts-check
// Shows the questions of a command above the choices of the palette.

import { createElement, requireElement } from '../dom.js';

/**
 * Shows the questions, or none. The answered ones lead back.
 * @param {HTMLElement} dialog
 * @param {import('./exportsteps.js').ExportSteps | null} steps
 */
export function renderSteps(dialog, steps) {
  const chip = requireElement('palette-chip'), bar = requireElement('palette-steps');
  chip.hidden = bar.hidden = !steps;
  dialog.classList.toggle('has-steps', steps !== null);
  if (!steps) return;
  chip.textContent = steps.chip;
  bar.replaceChildren(...steps.names.map((name, i) => {
    const item = createElement('li', '', i < steps.index ? createBackButton(name, steps.answers[i].name, i) : name);
    if (i === steps.index) item.setAttribute('aria-current', 'step');
    return item;
  }));
}

/**
 * @param {string} name
 * @param {string} answer
 * @param {number} index
 */
function createBackButton(name, answer, index) {
  const button = createElement('button', '', name + ': ', createElement('b', '', answer));
  button.setAttribute('type', 'button');
  button.dataset.step = String(index);
  return button;
}
