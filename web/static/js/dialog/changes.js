// @ts-check
// What changes a session. The dialog is loaded when the first change is started.

import { closestElement } from '../dom.js';
import { LazyFeature, loadPanelStyles } from '../lazyfeature.js';

/** @extends {LazyFeature<import('./changedialog.js').ChangeDialog>} */
export class SessionChanges extends LazyFeature {
  /** @param {import('../session.js').SessionPage} session */
  constructor(session) {
    super(async () => {
      const [{ ChangeDialog }] = await Promise.all([import('./changedialog.js'), loadPanelStyles()]);
      return new ChangeDialog(session);
    });
    this.session = session;
    document.addEventListener('click', (event) => this.#handleClick(event));
  }

  /**
   * Opens the dialog of an action on the current entry.
   * @param {string} action
   */
  openForTarget(action) {
    const focused = document.activeElement;
    return this.use((dialog) => dialog.openForTarget(action, focused));
  }

  /**
   * Opens the share dialog for the session, or from an entry on.
   * @param {string} entry
   */
  openShare(entry) { return this.use((dialog) => dialog.openShare(entry)); }

  /**
   * Opens the dialog of an action on the session.
   * @param {string} action
   */
  openForSession(action) { return this.use((dialog) => dialog.openForSession(action)); }

  /**
   * Opens the dialog at an address.
   * @param {string} href
   * @param {Element | null} [at] the element that a popover is placed at
   */
  openAddress(href, at = null) { return this.use((dialog) => dialog.openAddress(href, at)); }

  /** Edits the name of the session. */
  rename() { return this.use((dialog) => dialog.rename()); }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    if (this.loaded || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return; // the dialog has its own listener
    const link = closestElement(event, 'a[data-change], a[data-rename]');
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    this.use((dialog) => dialog.openLink(link));
  }
}
