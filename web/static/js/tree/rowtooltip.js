// @ts-check
// The full text of a truncated row, over the row that the pointer or the focus is on.

import { closestElement, createElement } from '../dom.js';

const DELAY = 400; // ms until the text is shown

/** @param {HTMLElement} tree */
export function startRowTooltip(tree) {
  const tooltip = createElement('div', 'row-tooltip');
  tooltip.popover = 'manual';
  tooltip.setAttribute('aria-hidden', 'true'); // a row is read in full anyway
  let timer = 0;
  const hide = () => {
    clearTimeout(timer);
    if (tooltip.isConnected) tooltip.hidePopover();
  };
  const showSoon = (/** @type {Event} */ event) => {
    hide();
    const link = closestElement(event, '.row')?.querySelector('.row-link');
    if (link instanceof HTMLElement) timer = window.setTimeout(() => showTooltip(tooltip, link), DELAY);
  };
  tree.addEventListener('pointerover', (event) => { if (event.pointerType === 'mouse') showSoon(event); });
  tree.addEventListener('focusin', (event) => { if (event.target instanceof Element && event.target.matches(':focus-visible')) showSoon(event); });
  for (const type of ['pointerleave', 'pointerdown', 'focusout', 'scroll', 'keydown']) tree.addEventListener(type, hide, { passive: true });
}

/**
 * Shows the text of a row if it is truncated.
 * @param {HTMLElement} tooltip
 * @param {HTMLElement} link
 */
function showTooltip(tooltip, link) {
  if (!link.isConnected || link.scrollWidth <= link.clientWidth) return;
  const box = link.getBoundingClientRect(), style = getComputedStyle(link);
  tooltip.replaceChildren(...[...link.childNodes].map((node) => node.cloneNode(true)));
  tooltip.style.font = style.font;
  tooltip.style.left = box.left + parseFloat(style.paddingLeft) - 9 + 'px'; // 8 px of padding and the border
  if (!tooltip.isConnected) document.body.append(tooltip);
  tooltip.showPopover();
  tooltip.style.top = Math.min(box.top, innerHeight - tooltip.offsetHeight - 4) + 'px';
}
