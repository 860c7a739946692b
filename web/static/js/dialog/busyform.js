// @ts-check
// A form while it is being sent.

import { showToast } from '../notify.js';

/** Disables a form but keeps its input. Only Cancel works. */
export class BusyForm {
  /** @param {Element | null} form */
  constructor(form) {
    this.form = form;
    this.progressElement = form?.querySelector('.change-progress') ?? null;
    this.#setBusy(true);
    const cancel = form?.querySelector('.dialog-foot [data-do="change-close"]');
    if (cancel instanceof HTMLElement && form?.querySelector('[name="summary"][value="generate"]:checked')) {
      this.showProgress('Asking the summarizer…');
      cancel.focus();
    }
  }

  /** @param {boolean} on */
  #setBusy(on) {
    this.form?.classList.toggle('is-busy', on);
    this.form?.setAttribute('aria-busy', String(on));
    const body = this.form?.querySelector('.dialog-body');
    if (body instanceof HTMLElement) body.inert = on;
    for (const button of this.form?.querySelectorAll('button[type="submit"]') ?? []) /** @type {HTMLButtonElement} */ (button).disabled = on;
  }

  /** @param {string} text the progress */
  showProgress(text) {
    if (!(this.progressElement instanceof HTMLElement)) return;
    const spin = document.createElement('i');
    spin.className = 'spin';
    const words = document.createElement('span');
    words.className = 'truncate';
    words.textContent = text;
    this.progressElement.replaceChildren(spin, words);
    this.progressElement.hidden = false;
  }

  endBusy() {
    this.#setBusy(false);
    if (this.progressElement instanceof HTMLElement) this.progressElement.hidden = true;
  }

  /** @param {string} text why it failed */
  endWithMessage(text) {
    this.endBusy();
    if (!(this.progressElement instanceof HTMLElement)) return showToast(text);
    this.progressElement.textContent = text;
    this.progressElement.hidden = false;
    const button = this.form?.querySelector('.dialog-foot button[type="submit"]');
    if (button instanceof HTMLElement) button.focus();
  }
}
