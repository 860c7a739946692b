// @ts-check
// After a change: a toast says what happened and offers to go on, or back for as
// long as it stands (Ctrl Z as well).

import { need, say, toast } from '../dom.js';
import { viewOf } from '../view.js';

const OFFERS = 8000; // ms a toast with something to press stands

/**
 * @param {import('../session.js').Session} session
 * @param {HTMLElement} said what the server answered
 */
export function done(session, said) {
  const { go } = said.dataset;
  toast(said, said.querySelector('button, a') ? OFFERS : 4000);
  say(said.querySelector('.done-text')?.textContent?.replace(/\s+/g, ' ').trim() ?? '');
  if (!go) return;
  const { entry, leaf } = viewOf(go);
  session.go({ ...session.view, entry, leaf }, { rowsToo: true, scroll: entry ? 'entry' : 'end' });
}

/** The form that takes the last change back, while it is offered. */
export function undoForm() {
  const form = need('toast').hidden ? null : need('toast').querySelector('form[data-action="undo"]');
  return form instanceof HTMLFormElement ? form : null;
}

/** Ctrl Z presses Undo while the toast stands. */
export function startUndo() {
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'z') return;
    if (event.target instanceof Element && event.target.closest('input, textarea')) return;
    const form = undoForm();
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
