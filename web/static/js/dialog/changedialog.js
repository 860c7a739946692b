// @ts-check
// The dialogs that change a session. Each is a form that the server makes; script
// shows it over the page, sends it, and keeps what was typed when nothing came of
// it.

import { isAbortError, closestElement, fetchFragment, requireElement, announce, showToast } from '../dom.js';
import { BusyForm } from './busyform.js';
import { showChangeResult } from './changeresult.js';
import { positionPopover } from './popover.js';
import { startLinePreview } from './linepreview.js';
import { submitForm } from './submitform.js';
import { findTarget } from './changetarget.js';
import { setDrawer } from '../tree/drawer.js';
import { localizeTimes } from '../times.js';
import { readFacts } from '../view.js';

/** @typedef {import('../session.js').SessionPage} Session */

/** What gets the focus when a dialog opens: the first of these that it has. */
const FOCUS_ORDER = ['[autofocus]', '[name="summary"]:checked', '[data-do="change-submit"]', '.tip a[data-change]', 'a.act', '.dialog-foot [data-do="change-close"]', '[data-do="change-close"]'];

export class ChangeDialog {
  dialog = /** @type {HTMLDialogElement} */ (requireElement('change'));
  /** Where the focus was. @type {Element | null} */
  #returnFocus = null;
  /** The element that a popover stands at. @type {Element | null} */
  #anchor = null;
  /** Ends what is being sent. @type {AbortController | null} */
  #request = null;
  #isEdited = false;

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    startLinePreview(this.dialog);
    document.addEventListener('click', (event) => this.#handleClick(event));
    document.addEventListener('submit', (event) => this.#handleSubmit(event));
    this.dialog.addEventListener('input', () => { this.#isEdited = true; });
    this.dialog.addEventListener('keydown', (event) => this.#handleKey(event));
    this.dialog.addEventListener('cancel', (event) => { if (this.#request) event.preventDefault(); });
    this.dialog.addEventListener('close', () => this.#handleClose());
    // A press beside the dialog closes it, but not what somebody wrote.
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog && (this.#request || this.#isEdited)) event.stopPropagation();
    });
    addEventListener('resize', () => { if (this.dialog.open) positionPopover(this.dialog, this.#anchor); });
  }

  /**
   * Opens the dialog of an action about the entry that the reader stands on: in a
   * view that is on its way, of that view.
   * @param {string} action
   */
  async openForTarget(action) {
    const focused = document.activeElement;
    await this.session.viewSettled;
    const target = findTarget(this.session, focused), { row } = target, entry = action === 'branch' ? target.place : target.entry;
    if (!entry) return announce('There is no entry yet.');
    return this.openAddress(`${this.session.base}/${action}?entry=${encodeURIComponent(entry)}`, row);
  }

  /**
   * Opens the dialog that shares what the reader looks at: from an entry on, or
   * without one the session.
   * @param {string} entry
   */
  async openShare(entry) {
    await this.session.viewSettled;
    const { leaf } = readFacts(), about = new URLSearchParams({ leaf: leaf === 'none' ? '' : leaf });
    if (entry) about.set('entry', entry);
    return this.openAddress(`${this.session.base}/shares?${about}`);
  }

  /**
   * Opens the dialog of an action about the session.
   * @param {string} action
   */
  openForSession(action) { return this.openAddress(`${this.session.base}/${action}`); }

  /**
   * @param {string} href
   * @param {Element | null} [at] what a popover stands at
   */
  async openAddress(href, at = null) {
    const url = new URL(href, location.href);
    url.searchParams.set('part', 'dialog');
    try {
      const { status, body } = await fetchFragment(url.href);
      const form = body.querySelector('.change');
      if (status !== 200 || !form) return showToast(status === 404 ? 'This entry is no longer in the session.' : 'This cannot be done now.');
      if (!this.dialog.open) this.#returnFocus = document.activeElement;
      this.#anchor = at;
      this.#isEdited = false;
      this.#showForm(form);
    } catch (err) {
      if (!isAbortError(err)) showToast('The server is not responding.');
    }
  }

  /** @param {Element} form */
  #showForm(form) {
    this.dialog.replaceChildren(form);
    this.dialog.classList.toggle('is-pop', form.classList.contains('change--label'));
    if (!this.dialog.open) this.dialog.showModal();
    positionPopover(this.dialog, this.#anchor);
    document.dispatchEvent(new CustomEvent('shown', { detail: form }));
    localizeTimes(form);
    const first = FOCUS_ORDER.map((selector) => form.querySelector(selector)).find((el) => el !== null);
    if (!(first instanceof HTMLElement)) return;
    first.focus();
    if (first instanceof HTMLInputElement && first.type === 'text') first.select();
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const close = closestElement(event, '[data-do="change-close"]');
    if (close && this.dialog.contains(close)) {
      if (!close.hasAttribute('data-view')) event.preventDefault();
      return this.cancelOrClose();
    }
    const link = closestElement(event, 'a[data-change]');
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    if (!this.dialog.contains(link)) setDrawer(false);
    if (link.dataset.act === 'shares') return this.openShare(this.session.view.entry);
    if (link.dataset.act) return this.openForTarget(link.dataset.act);
    this.openAddress(link.href, link.closest('.acts'));
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.key === 'Escape' && this.#request) {
      event.preventDefault();
      this.cancelOrClose();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      event.target.form?.requestSubmit();
    }
  }

  /** Ends what is being sent; without that, closes the dialog. */
  cancelOrClose() {
    if (this.#request) this.#request.abort();
    else this.dialog.close();
  }

  #handleClose() {
    this.#request?.abort();
    this.dialog.replaceChildren();
    const { rows } = this.session;
    if (this.#returnFocus instanceof HTMLElement && this.#returnFocus.isConnected) this.#returnFocus.focus({ preventScroll: true });
    else if (this.#returnFocus?.classList.contains('row')) rows.restoreFocus();
    else this.session.main.focus({ preventScroll: true });
  }

  /** @param {SubmitEvent} event */
  #handleSubmit(event) {
    const form = event.target;
    if (form instanceof HTMLFormElement && form.dataset.download !== undefined && this.dialog.contains(form)) {
      setTimeout(() => this.dialog.close()); // the form must be there while it is sent
      return showToast('The download has started.');
    }
    if (!(form instanceof HTMLFormElement) || form.dataset.changeForm === undefined || event.submitter?.hasAttribute('formtarget')) return;
    event.preventDefault();
    if (form.dataset.action === 'undo') return this.#sendUndo(form);
    if (!this.#request) this.#sendForm(form, event.submitter);
  }

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement | null} submitter
   */
  async #sendForm(form, submitter) {
    const { signal } = this.#request = new AbortController();
    const sent = submitForm(form, submitter, signal, (text) => busy.showProgress(text)); // before the buttons are off: one of them may count
    const busy = new BusyForm(form);
    try {
      const answer = await sent;
      this.#request = null;
      busy.endBusy();
      this.#showResponse(answer);
    } catch (err) {
      this.#request = null;
      busy.endBusy();
      if (isAbortError(err)) busy.endWithMessage('Cancelled. Nothing was written.');
      else busy.endWithMessage('The server is not responding. Nothing is lost.');
    }
  }

  /** @param {import('./submitform.js').FormResponse} answer */
  #showResponse({ status, body, text }) {
    const said = body.querySelector('.done'), form = body.querySelector('.change');
    if (status === 200 && said instanceof HTMLElement) {
      this.dialog.close();
      showChangeResult(this.session, said);
    } else if (form) this.#showReturnedForm(form);
    else new BusyForm(this.dialog.querySelector('.change')).endWithMessage(text || 'This could not be done.');
  }

  /**
   * Shows the form that came back, with what was typed.
   * @param {Element} form
   */
  #showReturnedForm(form) {
    this.#showForm(form);
    announce(form.querySelector('[role="alert"] span')?.textContent?.trim() ?? form.getAttribute('data-say') ?? '');
  }

  /** @param {HTMLFormElement} form */
  async #sendUndo(form) {
    try {
      const { status, body } = await submitForm(form, null);
      const said = body.querySelector('.done');
      if (status === 200 && said instanceof HTMLElement) showChangeResult(this.session, said);
      else showToast('Not undone: it has changed since.', 5000);
    } catch {
      showToast('The server is not responding.');
    }
  }
}
