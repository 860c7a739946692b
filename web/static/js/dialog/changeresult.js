// @ts-check
// The result of a change: a toast that reports it and offers the next step and Undo (Ctrl
// Z).

import { requireElement } from '../dom.js';
import { announce, showToast } from '../notify.js';
import { parseView } from '../view.js';

const ACTION_TOAST_TIME = 8000; // ms that a toast with a button or link is shown

/**
 * @param {import('../session.js').SessionPage} session
 * @param {HTMLElement} result the server's response
 */
export function showChangeResult(session, result) {
  const { go } = result.dataset;
  showToast(result, result.querySelector('button, a') ? ACTION_TOAST_TIME : 4000);
  announce(result.querySelector('.done-text')?.textContent?.replace(/\s+/g, ' ').trim() ?? '');
  if (!go) return;
  const { entry, leaf } = parseView(go);
  session.showView({ ...session.view, entry, leaf }, { selectRow: true, scroll: entry ? 'entry' : 'end' });
}

/** Returns the form that undoes the last change while the toast shows it. */
export function findUndoForm() {
  const form = requireElement('toast').hidden ? null : requireElement('toast').querySelector('form[data-action="undo"]');
  return form instanceof HTMLFormElement ? form : null;
}

/** Makes Ctrl Z press Undo while the toast is shown. */
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
