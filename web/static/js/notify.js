// @ts-check
// Notifies the viewer: short messages on the page and announcements for assistive technology.

import { requireElement } from './dom.js';

/**
 * Announces a text to assistive technology.
 * @param {string} text
 */
export function announce(text) {
  const el = requireElement('say');
  el.textContent = '';
  requestAnimationFrame(() => { el.textContent = text; });
}

let toastTimer = 0;

/**
 * Shows a short message. It announces text but not elements. The message stays while it has
 * the pointer or the focus.
 * @param {string | HTMLElement} what
 * @param {number} [ms]
 */
export function showToast(what, ms = 2500) {
  const el = requireElement('toast');
  const hide = () => {
    if (el.matches(':hover, :focus-within')) toastTimer = setTimeout(hide, 1000);
    else el.hidden = true;
  };
  el.replaceChildren(what);
  el.hidden = false;
  el.popover = 'manual'; // shown above an open dialog
  el.hidePopover?.();
  el.showPopover?.();
  if (typeof what === 'string') announce(what);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(hide, ms);
}
