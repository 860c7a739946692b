// @ts-check
// Sharing: the dialog updates its counts when another part is chosen, and the list of
// shares revokes them in place.

import { findAll } from '../dom.js';
import { announce, showToast } from '../notify.js';
import { fetchFragment, isAbortError } from '../server.js';
import { morphElement } from '../path/morphitems.js';
import { localizeTimes } from '../times.js';

/** The ids of the elements that depend on the choices in the dialog. */
const COUNTED_PARTS = ['share-local', 'share-parts', 'share-holds', 'share-secrets'];

export function startSharing() {
  let request = new AbortController();
  document.addEventListener('change', (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement) || !field.closest('[data-recount]')) return;
    request.abort();
    request = new AbortController();
    recountParts(field.form, request.signal);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.share === undefined) return;
    event.preventDefault();
    endShare(form);
  });
}

/**
 * @param {HTMLFormElement | null} form
 * @param {AbortSignal} signal
 */
async function recountParts(form, signal) {
  if (!form) return;
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) url.searchParams.append(name, String(value));
  url.searchParams.set('part', 'dialog');
  try {
    const { status, body } = await fetchFragment(url.href, signal);
    if (status !== 200) return showToast('This count is not available right now.');
    const fresh = body.querySelector('form');
    if (fresh && !!fresh.querySelector('.reason') !== !!form.querySelector('.reason')) return replaceForm(form, fresh);
    for (const id of COUNTED_PARTS) {
      const old = form.querySelector('#' + id), now = body.querySelector('#' + id);
      if (old && now) morphElement(old, now);
    }
  } catch (err) {
    if (!isAbortError(err)) showToast('The server is not responding.');
  }
}

/**
 * Replaces a form with one that has other fields.
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} fresh
 */
function replaceForm(form, fresh) {
  form.replaceWith(fresh);
  /** @type {HTMLElement | null} */ (fresh.querySelector('[name="scope"]:checked'))?.focus();
  announce(fresh.querySelector('.reason')?.textContent?.trim() ?? '');
}

/**
 * Revokes a share or removes it from the list. The focus moves to the next one.
 * @param {HTMLFormElement} form
 */
async function endShare(form) {
  const buttons = findAll('#shares form button'), at = buttons.indexOf(/** @type {HTMLElement} */ (form.querySelector('button')));
  const url = new URL(form.action);
  url.searchParams.set('part', 'list');
  try {
    const response = await fetch(url, { method: 'POST', headers: { Accept: 'text/html' } });
    const template = document.createElement('template');
    template.innerHTML = await response.text();
    const now = template.content.querySelector('#shares'), old = document.getElementById('shares');
    if (!response.ok || !now || !old) return showToast('This could not be done. Reload the page.');
    localizeTimes(now);
    morphElement(old, now);
    const left = findAll('#shares form button, #shares .state a');
    (left[at] ?? left[left.length - 1])?.focus();
    announce(document.getElementById('shares')?.dataset.say ?? '');
  } catch {
    showToast('The server is not responding.');
  }
}
