// @ts-check
// What script adds to the items of a path when they arrive: times in the reader's
// zone, copy buttons on code, and whether tools and thinking are open.

import { all } from '../dom.js';
import { localise } from '../times.js';

/** Whether all tools, all thinking are to be open. */
export const opened = { tools: false, thinking: false };

/** @param {ParentNode} root */
export function dress(root) {
  localise(root);
  if (opened.tools) openTools(root);
  if (opened.thinking) openThinking(root);
  for (const box of all('.code:not(.has-copy)', root)) addCopy(box);
}

/** @param {ParentNode} root */
export function openTools(root) {
  for (const el of root.querySelectorAll('details.tool')) if (el instanceof HTMLDetailsElement) el.open = opened.tools || el.dataset.default === 'true';
}

/** @param {ParentNode} root */
export function openThinking(root) {
  for (const el of root.querySelectorAll('details.think')) if (el instanceof HTMLDetailsElement) el.open = opened.thinking;
}

/** @param {HTMLElement} box */
function addCopy(box) {
  box.classList.add('has-copy');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn btn--sm btn--icon copy';
  button.dataset.do = 'copy-code';
  button.setAttribute('aria-label', 'Copy code');
  button.title = 'Copy code';
  const icon = document.createElement('i');
  icon.className = 'i i--copy i-14';
  button.append(icon);
  box.append(button);
}
