// @ts-check
// Sharing: the dialog counts again what another part holds, and the list of links
// ends them in place.

import { aborted, all, fetchFragment, say, toast } from './dom.js';
import { morph } from './items.js';
import { localise } from './times.js';

/** The parts of the dialog that depend on what is chosen in it. */
const COUNTED = ['share-local', 'share-parts', 'share-holds', 'share-secrets'];

export function startShare() {
  let asked = new AbortController();
  document.addEventListener('change', (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement) || !field.closest('[data-recount]')) return;
    asked.abort();
    asked = new AbortController();
    recount(field.form, asked.signal);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.share === undefined) return;
    event.preventDefault();
    end(form);
  });
}

/**
 * @param {HTMLFormElement | null} form
 * @param {AbortSignal} signal
 */
async function recount(form, signal) {
  if (!form) return;
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) url.searchParams.append(name, String(value));
  url.searchParams.set('part', 'dialog');
  try {
    const { status, body } = await fetchFragment(url.href, signal);
    if (status !== 200) return toast('This count is not available right now.');
    const fresh = body.querySelector('form');
    if (fresh && !!fresh.querySelector('.reason') !== !!form.querySelector('.reason')) return instead(form, fresh);
    for (const id of COUNTED) {
      const old = form.querySelector('#' + id), now = body.querySelector('#' + id);
      if (old && now) morph(old, now);
    }
  } catch (err) {
    if (!aborted(err)) toast('The server is not responding.');
  }
}

/**
 * Puts a form that asks for other things in the place of one.
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} fresh
 */
function instead(form, fresh) {
  form.replaceWith(fresh);
  /** @type {HTMLElement | null} */ (fresh.querySelector('[name="scope"]:checked'))?.focus();
  say(fresh.querySelector('.reason')?.textContent?.trim() ?? '');
}

/**
 * Ends a link, or takes it off the list. The focus goes on to what stands there
 * then.
 * @param {HTMLFormElement} form
 */
async function end(form) {
  const buttons = all('#shares form button'), at = buttons.indexOf(/** @type {HTMLElement} */ (form.querySelector('button')));
  const url = new URL(form.action);
  url.searchParams.set('part', 'list');
  try {
    const answer = await fetch(url, { method: 'POST', headers: { Accept: 'text/html' } });
    const template = document.createElement('template');
    template.innerHTML = await answer.text();
    const now = template.content.querySelector('#shares'), old = document.getElementById('shares');
    if (!answer.ok || !now || !old) return toast('This could not be done. Reload the page.');
    localise(now);
    morph(old, now);
    const left = all('#shares form button, #shares .state a');
    (left[at] ?? left[left.length - 1])?.focus();
    say(document.getElementById('shares')?.dataset.say ?? '');
  } catch {
    toast('The server is not responding.');
  }
}
