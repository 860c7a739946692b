// @ts-check
// The full text of a truncated row, over the row that the pointer or the focus is on. A closed
// branch has a preview instead.

import { closestElement, createElement } from '../dom.js';
import { BranchPreview } from './branchpreview.js';

const DELAY = 400; // ms until the text is shown

/** @param {import('../session.js').SessionPage} session */
export function startRowTooltip(session) {
  const { tree } = session, tooltip = createElement('div', 'row-tooltip');
  const preview = session.isSnapshot ? null : new BranchPreview(session);
  tooltip.popover = 'manual';
  tooltip.setAttribute('aria-hidden', 'true'); // a row is read in full anyway
  let timer = 0;
  const hide = () => {
    clearTimeout(timer);
    if (tooltip.isConnected) tooltip.hidePopover();
    preview?.hide();
  };
  const showSoon = (/** @type {Event} */ event) => {
    hide();
    const row = closestElement(event, '.row'), link = row?.querySelector('.row-link');
    if (row && preview && row.matches('.row--branch[aria-expanded="false"]')) timer = window.setTimeout(() => preview.show(row), DELAY);
    else if (link instanceof HTMLElement) timer = window.setTimeout(() => showTooltip(tooltip, link), DELAY);
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
