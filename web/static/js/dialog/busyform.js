// @ts-check
// A form that waits for its answer.

import { toast } from '../dom.js';

/** What was typed stays, only Cancel acts. */
export class Busy {
  /** @param {Element | null} form */
  constructor(form) {
    this.form = form;
    this.note = form?.querySelector('.change-progress') ?? null;
    this.#set(true);
    const cancel = form?.querySelector('.dialog-foot [data-do="change-close"]');
    if (cancel instanceof HTMLElement && form?.querySelector('[name="summary"][value="generate"]:checked')) {
      this.says('Asking the summarizer…');
      cancel.focus();
    }
  }

  /** @param {boolean} on */
  #set(on) {
    this.form?.classList.toggle('is-busy', on);
    this.form?.setAttribute('aria-busy', String(on));
    const body = this.form?.querySelector('.dialog-body');
    if (body instanceof HTMLElement) body.inert = on;
    for (const button of this.form?.querySelectorAll('button[type="submit"]') ?? []) /** @type {HTMLButtonElement} */ (button).disabled = on;
  }

  /** @param {string} text how far it is */
  says(text) {
    if (!(this.note instanceof HTMLElement)) return;
    const spin = document.createElement('i');
    spin.className = 'spin';
    const words = document.createElement('span');
    words.className = 'trunc';
    words.textContent = text;
    this.note.replaceChildren(spin, words);
    this.note.hidden = false;
  }

  end() {
    this.#set(false);
    if (this.note instanceof HTMLElement) this.note.hidden = true;
  }

  /** @param {string} text why nothing came of it */
  left(text) {
    this.end();
    if (!(this.note instanceof HTMLElement)) return toast(text);
    this.note.textContent = text;
    this.note.hidden = false;
    const button = this.form?.querySelector('.dialog-foot button[type="submit"]');
    if (button instanceof HTMLElement) button.focus();
  }
}
