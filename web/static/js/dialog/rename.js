// @ts-check
// Edits the session's name in place: Enter saves, Escape cancels.

import { narrow, requireElement } from '../dom.js';
import { showToast } from '../notify.js';
import { showChangeResult } from './changeresult.js';
import { submitForm } from './submitform.js';

/** @param {import('./changedialog.js').ChangeDialog} changes */
export function renameSession(changes) {
  if (narrow.matches || requireElement('can').dataset.name) return changes.openForSession('rename');
  const title = requireElement('title');
  if (document.querySelector('.title-form')) return;
  const form = document.createElement('form'), field = document.createElement('input');
  form.className = 'title-form';
  form.method = 'post';
  form.action = changes.session.base + '/rename';
  field.className = 'text-input';
  field.name = 'name';
  field.value = title.dataset.name ?? '';
  field.placeholder = title.textContent?.trim() ?? '';
  field.maxLength = 200;
  field.autocomplete = 'off';
  field.setAttribute('aria-label', 'Name of the session');
  form.append(field);
  title.after(form); // CSS hides the title, also after it is morphed
  field.select();
  field.focus();
  let ended = false;
  const end = () => {
    if (ended) return; // removing the field blurs it, which calls this again
    ended = true;
    form.remove();
    title.querySelector('a')?.focus({ preventScroll: true });
  };
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end();
  });
  field.addEventListener('blur', () => { if (form.isConnected && field.value === (title.dataset.name ?? '')) end(); });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (field.value.trim() === (title.dataset.name ?? '')) return end();
    saveName(changes, form, end);
  });
}

/**
 * @param {import('./changedialog.js').ChangeDialog} changes
 * @param {HTMLFormElement} form
 * @param {() => void} end
 */
async function saveName(changes, form, end) {
  try {
    const { status, body, text } = await submitForm(form, null);
    const result = body.querySelector('.done');
    if (status !== 200 || !(result instanceof HTMLElement)) return showToast(text || (body.querySelector('[role="alert"] span')?.textContent?.trim() ?? 'The name could not be saved.'), 5000);
    end();
    showChangeResult(changes.session, result);
    await changes.session.reloadFacts();
  } catch {
    showToast('The server is not responding.');
  }
}
