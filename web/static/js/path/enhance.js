// @ts-check
// Enhances the items of a path when they arrive: local times, copy buttons on code, and the
// open state of tools and thinking.

import { findAll } from '../dom.js';
import { readChoice } from '../settings.js';
import { localizeTimes } from '../times.js';

/** Whether all tools and all thinking are open: as the settings say until the buttons change it. */
export const openState = { tools: readChoice('tools') === 'open', thinking: readChoice('thinking') === 'open' };

/** @param {ParentNode} root */
export function enhanceItems(root) {
  localizeTimes(root);
  if (openState.tools) applyToolState(root);
  if (openState.thinking) applyThinkingState(root);
  for (const box of findAll('.code:not(.has-copy)', root)) addCopyButton(box);
}

/** @param {ParentNode} root */
export function applyToolState(root) {
  for (const el of root.querySelectorAll('details.tool')) if (el instanceof HTMLDetailsElement) el.open = openState.tools || el.dataset.default === 'true';
}

/** @param {ParentNode} root */
export function applyThinkingState(root) {
  for (const el of root.querySelectorAll('details.thinking')) if (el instanceof HTMLDetailsElement) el.open = openState.thinking;
}

/** @param {HTMLElement} box */
function addCopyButton(box) {
  box.classList.add('has-copy');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn btn--sm btn--icon copy';
  button.dataset.do = 'copy-code';
  button.setAttribute('aria-label', 'Copy code');
  button.title = 'Copy code';
  const icon = document.createElement('i');
  icon.className = 'icon icon--copy icon-14';
  button.append(icon);
  box.append(button);
}
