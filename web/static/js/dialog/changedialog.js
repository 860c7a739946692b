// @ts-check
// The dialog that changes a session. It shows a form of the server over the page, sends it,
// and keeps the input if that fails.

import { closestElement, requireElement } from '../dom.js';
import { announce, showToast } from '../notify.js';
import { fetchFragment, isAbortError } from '../server.js';
import { BusyForm } from './busyform.js';
import { showChangeResult } from './changeresult.js';
import { positionPopover } from './popover.js';
import { startLinePreview } from './linepreview.js';
import { renameSession } from './rename.js';
import { startSharing } from './share.js';
import { submitForm } from './submitform.js';
import { findTarget } from './changetarget.js';
import { setDrawer } from '../tree/drawer.js';
import { localizeTimes } from '../times.js';
import { readFacts } from '../view.js';

/** @typedef {import('../session.js').SessionPage} SessionPage */

/** The element that gets the focus when a dialog opens is the first match in this order. */
const FOCUS_ORDER = ['[autofocus]', '[name="summary"]:checked', '[data-do="change-submit"]', 'a.menu-action', '.dialog-foot [data-do="change-close"]', '[data-do="change-close"]'];

export class ChangeDialog {
  dialog = /** @type {HTMLDialogElement} */ (requireElement('change'));
  /** The element that had the focus before. @type {Element | null} */
  #returnFocus = null;
  /** The element that a popover is placed at. @type {Element | null} */
  #anchor = null;
  /** Aborts the request that is being sent. @type {AbortController | null} */
  #request = null;
  #isEdited = false;

  /** @param {SessionPage} session */
  constructor(session) {
    this.session = session;
    startLinePreview(this.dialog);
    startSharing();
    document.addEventListener('click', (event) => this.#handleClick(event));
    document.addEventListener('submit', (event) => this.#handleSubmit(event));
    this.dialog.addEventListener('input', () => { this.#isEdited = true; });
    this.dialog.addEventListener('keydown', (event) => this.#handleKey(event));
    this.dialog.addEventListener('cancel', (event) => { if (this.#request) event.preventDefault(); });
    this.dialog.addEventListener('close', () => this.#handleClose());
    // A click outside the dialog closes it, unless that would lose input.
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog && (this.#request || this.#isEdited)) event.stopPropagation();
    });
    addEventListener('resize', () => { if (this.dialog.open) positionPopover(this.dialog, this.#anchor); });
  }

  /**
   * Opens the dialog of an action on the current entry. It waits for a view that is being
   * loaded.
   * @param {string} action
   * @param {Element | null} [focused] the focused element when the action was started
   */
  async openForTarget(action, focused = document.activeElement) {
    await this.session.viewSettled;
    const target = findTarget(this.session, focused), { row } = target, entry = action === 'branch' ? target.branchEntry : target.entry;
    if (!entry) return announce('There is no entry yet.');
    return this.openAddress(`${this.session.base}/${action}?entry=${encodeURIComponent(entry)}`, row);
  }

  /**
   * Opens the share dialog for the session, or from an entry on.
   * @param {string} entry
   */
  async openShare(entry) {
    await this.session.viewSettled;
    const { leaf } = readFacts(), about = new URLSearchParams({ leaf: leaf === 'none' ? '' : leaf });
    if (entry) about.set('entry', entry);
    return this.openAddress(`${this.session.base}/shares?${about}`);
  }

  /**
   * Opens the dialog of an action on the session.
   * @param {string} action
   */
  openForSession(action) { return this.openAddress(`${this.session.base}/${action}`); }

  /**
   * @param {string} href
   * @param {Element | null} [at] the element that a popover is placed at
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
    this.dialog.classList.toggle('is-popover', form.classList.contains('change--label'));
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
    const link = closestElement(event, 'a[data-change], a[data-rename]');
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    this.openLink(link);
  }

  /**
   * Opens the dialog that a link leads to.
   * @param {HTMLAnchorElement} link
   */
  openLink(link) {
    if (link.hasAttribute('data-rename')) return this.rename();
    if (!this.dialog.contains(link)) setDrawer(false);
    if (link.dataset.changeKind === 'shares') return this.openShare(this.session.view.entry);
    if (link.dataset.changeKind) return this.openForTarget(link.dataset.changeKind);
    return this.openAddress(link.href, link.closest('.action-bar'));
  }

  /** Edits the name of the session. */
  rename() { return renameSession(this); }

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

  /** Aborts the request that is being sent, else closes the dialog. */
  cancelOrClose() {
    if (this.#request) this.#request.abort();
    else this.dialog.close();
  }

  #handleClose() {
    if (this.dialog.open) return; // opened again before the event came
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
      setTimeout(() => this.dialog.close()); // the form must exist while it is sent
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
    const sent = submitForm(form, submitter, signal, (text) => busy.showProgress(text)); // before the buttons are disabled: the data includes the submitter
    const busy = new BusyForm(form);
    try {
      const response = await sent;
      this.#request = null;
      busy.endBusy();
      this.#showResponse(response);
    } catch (err) {
      this.#request = null;
      busy.endBusy();
      if (isAbortError(err)) busy.endWithMessage('Cancelled. Nothing was written.');
      else busy.endWithMessage('The server is not responding. Nothing is lost.');
    }
  }

  /** @param {import('./submitform.js').FormResponse} response */
  #showResponse({ status, body, text }) {
    const result = body.querySelector('.done'), form = body.querySelector('.change');
    if (status === 200 && result instanceof HTMLElement) {
      this.dialog.close();
      showChangeResult(this.session, result);
    } else if (form) this.#showReturnedForm(form);
    else new BusyForm(this.dialog.querySelector('.change')).endWithMessage(text || 'This could not be done.');
  }

  /**
   * Shows the form that the server returned with the input.
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
      const result = body.querySelector('.done');
      if (status === 200 && result instanceof HTMLElement) showChangeResult(this.session, result);
      else showToast('Not undone: it has changed since.', 5000);
    } catch {
      showToast('The server is not responding.');
    }
  }
}
