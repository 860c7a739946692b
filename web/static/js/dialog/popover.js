// @ts-check
// Places a popover below its element and inside the window. On a phone it is a sheet at the
// bottom, like all dialogs.

import { narrow } from '../dom.js';

const EDGE_MARGIN = 8;

/**
 * @param {HTMLDialogElement} dialog
 * @param {Element | null} at
 */
export function positionPopover(dialog, at) {
  const { style } = dialog;
  style.left = style.top = '';
  if (!dialog.classList.contains('is-popover') || narrow.matches) return;
  const box = at?.isConnected ? at.getBoundingClientRect() : new DOMRect((innerWidth - 300) / 2, innerHeight * .2, 0, 0);
  const indent = at?.classList.contains('row') ? 32 : 0;
  const right = at?.classList.contains('action-bar') ? box.right - dialog.offsetWidth : box.left + indent;
  const below = box.bottom + 4, above = box.top - dialog.offsetHeight - 4;
  style.left = Math.max(EDGE_MARGIN, Math.min(right, innerWidth - dialog.offsetWidth - EDGE_MARGIN)) + 'px';
  style.top = Math.max(EDGE_MARGIN, below + dialog.offsetHeight + EDGE_MARGIN > innerHeight ? above : below) + 'px';
}
