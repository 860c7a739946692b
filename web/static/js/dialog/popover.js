// @ts-check
// Where a popover stands: below the element it is about, inside the window. On a
// phone it is a sheet at the bottom, like all dialogs.

const narrow = matchMedia('(max-width: 760px)');
const EDGE = 8;

/**
 * @param {HTMLDialogElement} dialog
 * @param {Element | null} at
 */
export function place(dialog, at) {
  const { style } = dialog;
  style.left = style.top = '';
  if (!dialog.classList.contains('is-pop') || narrow.matches) return;
  const box = at?.isConnected ? at.getBoundingClientRect() : new DOMRect((innerWidth - 300) / 2, innerHeight * .2, 0, 0);
  const indent = at?.classList.contains('row') ? 32 : 0;
  const right = at?.classList.contains('acts') ? box.right - dialog.offsetWidth : box.left + indent;
  const below = box.bottom + 4, above = box.top - dialog.offsetHeight - 4;
  style.left = Math.max(EDGE, Math.min(right, innerWidth - dialog.offsetWidth - EDGE)) + 'px';
  style.top = Math.max(EDGE, below + dialog.offsetHeight + EDGE > innerHeight ? above : below) + 'px';
}
