// @ts-check
// After a change: a toast says what happened and offers to go on, or back for as
// long as it stands (Ctrl Z as well).

import { requireElement, announce, showToast } from '../dom.js';
import { parseView } from '../view.js';

const ACTION_TOAST_TIME = 8000; // ms a toast with something to press stands

/**
 * @param {import('../session.js').SessionPage} session
 * @param {HTMLElement} said what the server answered
 */
export function showChangeResult(session, said) {
  const { go } = said.dataset;
  showToast(said, said.querySelector('button, a') ? ACTION_TOAST_TIME : 4000);
  announce(said.querySelector('.done-text')?.textContent?.replace(/\s+/g, ' ').trim() ?? '');
  if (!go) return;
  const { entry, leaf } = parseView(go);
  session.showView({ ...session.view, entry, leaf }, { selectRow: true, scroll: entry ? 'entry' : 'end' });
}

/** The form that takes the last change back, while it is offered. */
export function findUndoForm() {
  const form = requireElement('toast').hidden ? null : requireElement('toast').querySelector('form[data-action="undo"]');
  return form instanceof HTMLFormElement ? form : null;
}

/** Ctrl Z presses Undo while the toast stands. */
export function startUndoKey() {
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'z') return;
    if (event.target instanceof Element && event.target.closest('input, textarea')) return;
    const form = findUndoForm();
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
