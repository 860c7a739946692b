// @ts-check
// The number of new entries that the viewer has not seen, shown in a pill.

import { requireElement } from '../dom.js';
import { pluralize } from '../text.js';

export class NewEntryCount {
  #count = 0;

  /** @param {import('../session.js').SessionPage} session */
  constructor(session) {
    this.session = session;
    session.main.addEventListener('scroll', () => this.resetIfSeen(), { passive: true });
    session.onFactsChange(() => this.resetIfSeen());
  }

  /** @param {number} n */
  addEntries(n) {
    this.#count += n;
    this.#updatePill();
  }

  /** Resets the count if the viewer is at the bottom of the path to the leaf. */
  resetIfSeen() {
    if (!this.#count) return;
    if (this.session.view.leaf === '' && this.session.path.atBottom) this.#count = 0;
    this.#updatePill();
  }

  #updatePill() {
    const text = `${pluralize(this.#count, 'new entry', 'new entries')} on the leaf`;
    if (this.#count && requireElement('new-count').textContent !== text) requireElement('new-count').textContent = text;
    requireElement('new-pill').hidden = this.#count === 0;
  }
}
