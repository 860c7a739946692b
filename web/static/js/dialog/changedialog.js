// @ts-check
// The dialogs that change a session. Each is a form that the server makes; script
// shows it over the page, sends it, and keeps what was typed when nothing came of
// it.

import { aborted, closest, fetchFragment, need, say, toast } from '../dom.js';
import { Busy } from './busyform.js';
import { done } from './changeresult.js';
import { place } from './popover.js';
import { startPreview } from './linepreview.js';
import { post } from './submitform.js';
import { targetOf } from './changetarget.js';
import { setDrawer } from '../tree/drawer.js';
import { localise } from '../times.js';
import { facts } from '../view.js';

/** @typedef {import('../session.js').Session} Session */

/** What gets the focus when a dialog opens: the first of these that it has. */
const FIRST = ['[autofocus]', '[name="summary"]:checked', '[data-do="change-submit"]', '.tip a[data-change]', 'a.act', '.dialog-foot [data-do="change-close"]', '[data-do="change-close"]'];

export class Changes {
  dialog = /** @type {HTMLDialogElement} */ (need('change'));
  /** Where the focus was. @type {Element | null} */
  #from = null;
  /** The element that a popover stands at. @type {Element | null} */
  #at = null;
  /** Ends what is being sent. @type {AbortController | null} */
  #sending = null;
  #typed = false;

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    startPreview(this.dialog);
    document.addEventListener('click', (event) => this.#clicked(event));
    document.addEventListener('submit', (event) => this.#submitted(event));
    this.dialog.addEventListener('input', () => { this.#typed = true; });
    this.dialog.addEventListener('keydown', (event) => this.#key(event));
    this.dialog.addEventListener('cancel', (event) => { if (this.#sending) event.preventDefault(); });
    this.dialog.addEventListener('close', () => this.#closed());
    // A press beside the dialog closes it, but not what somebody wrote.
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog && (this.#sending || this.#typed)) event.stopPropagation();
    });
    addEventListener('resize', () => { if (this.dialog.open) place(this.dialog, this.#at); });
  }

  /**
   * Opens the dialog of an action about the entry that the reader stands on: in a
   * view that is on its way, of that view.
   * @param {string} action
   */
  async act(action) {
    const focused = document.activeElement;
    await this.session.settled;
    const target = targetOf(this.session, focused), { row } = target, entry = action === 'branch' ? target.place : target.entry;
    if (!entry) return say('There is no entry yet.');
    return this.open(`${this.session.base}/${action}?entry=${encodeURIComponent(entry)}`, row);
  }

  /**
   * Opens the dialog that shares what the reader looks at: from an entry on, or
   * without one the session.
   * @param {string} entry
   */
  async share(entry) {
    await this.session.settled;
    const { leaf } = facts(), about = new URLSearchParams({ leaf: leaf === 'none' ? '' : leaf });
    if (entry) about.set('entry', entry);
    return this.open(`${this.session.base}/shares?${about}`);
  }

  /**
   * Opens the dialog of an action about the session.
   * @param {string} action
   */
  about(action) { return this.open(`${this.session.base}/${action}`); }

  /**
   * @param {string} href
   * @param {Element | null} [at] what a popover stands at
   */
  async open(href, at = null) {
    const url = new URL(href, location.href);
    url.searchParams.set('part', 'dialog');
    try {
      const { status, body } = await fetchFragment(url.href);
      const form = body.querySelector('.change');
      if (status !== 200 || !form) return toast(status === 404 ? 'This entry is no longer in the session.' : 'This cannot be done now.');
      if (!this.dialog.open) this.#from = document.activeElement;
      this.#at = at;
      this.#typed = false;
      this.#show(form);
    } catch (err) {
      if (!aborted(err)) toast('The server is not responding.');
    }
  }

  /** @param {Element} form */
  #show(form) {
    this.dialog.replaceChildren(form);
    this.dialog.classList.toggle('is-pop', form.classList.contains('change--label'));
    if (!this.dialog.open) this.dialog.showModal();
    place(this.dialog, this.#at);
    document.dispatchEvent(new CustomEvent('shown', { detail: form }));
    localise(form);
    const first = FIRST.map((selector) => form.querySelector(selector)).find((el) => el !== null);
    if (!(first instanceof HTMLElement)) return;
    first.focus();
    if (first instanceof HTMLInputElement && first.type === 'text') first.select();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const close = closest(event, '[data-do="change-close"]');
    if (close && this.dialog.contains(close)) {
      if (!close.hasAttribute('data-view')) event.preventDefault();
      return this.cancel();
    }
    const link = closest(event, 'a[data-change]');
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    if (!this.dialog.contains(link)) setDrawer(false);
    if (link.dataset.act === 'shares') return this.share(this.session.view.entry);
    if (link.dataset.act) return this.act(link.dataset.act);
    this.open(link.href, link.closest('.acts'));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'Escape' && this.#sending) {
      event.preventDefault();
      this.cancel();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      event.target.form?.requestSubmit();
    }
  }

  /** Ends what is being sent; without that, closes the dialog. */
  cancel() {
    if (this.#sending) this.#sending.abort();
    else this.dialog.close();
  }

  #closed() {
    this.#sending?.abort();
    this.dialog.replaceChildren();
    const { rows } = this.session;
    if (this.#from instanceof HTMLElement && this.#from.isConnected) this.#from.focus({ preventScroll: true });
    else if (this.#from?.classList.contains('row')) rows.refocus();
    else this.session.main.focus({ preventScroll: true });
  }

  /** @param {SubmitEvent} event */
  #submitted(event) {
    const form = event.target;
    if (form instanceof HTMLFormElement && form.dataset.download !== undefined && this.dialog.contains(form)) {
      setTimeout(() => this.dialog.close()); // the form must be there while it is sent
      return toast('The download has started.');
    }
    if (!(form instanceof HTMLFormElement) || form.dataset.changeForm === undefined || event.submitter?.hasAttribute('formtarget')) return;
    event.preventDefault();
    if (form.dataset.action === 'undo') return this.#undo(form);
    if (!this.#sending) this.#send(form, event.submitter);
  }

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement | null} submitter
   */
  async #send(form, submitter) {
    const { signal } = this.#sending = new AbortController();
    const sent = post(form, submitter, signal, (text) => busy.says(text)); // before the buttons are off: one of them may count
    const busy = new Busy(form);
    try {
      const answer = await sent;
      this.#sending = null;
      busy.end();
      this.#take(answer);
    } catch (err) {
      this.#sending = null;
      busy.end();
      if (aborted(err)) busy.left('Cancelled. Nothing was written.');
      else busy.left('The server is not responding. Nothing is lost.');
    }
  }

  /** @param {import('./submitform.js').Answer} answer */
  #take({ status, body, text }) {
    const said = body.querySelector('.done'), form = body.querySelector('.change');
    if (status === 200 && said instanceof HTMLElement) {
      this.dialog.close();
      done(this.session, said);
    } else if (form) this.#again(form);
    else new Busy(this.dialog.querySelector('.change')).left(text || 'This could not be done.');
  }

  /**
   * Shows the form that came back, with what was typed.
   * @param {Element} form
   */
  #again(form) {
    this.#show(form);
    say(form.querySelector('[role="alert"] span')?.textContent?.trim() ?? form.getAttribute('data-say') ?? '');
  }

  /** @param {HTMLFormElement} form */
  async #undo(form) {
    try {
      const { status, body } = await post(form, null);
      const said = body.querySelector('.done');
      if (status === 200 && said instanceof HTMLElement) done(this.session, said);
      else toast('Not undone: it has changed since.', 5000);
    } catch {
      toast('The server is not responding.');
    }
  }
}
