// @ts-check
// How many entries came that the reader has not seen, and the pill that says so.

import { need, plural } from '../dom.js';

export class Unseen {
  #n = 0;

  /** @param {import('../session.js').Session} session */
  constructor(session) {
    this.session = session;
    session.main.addEventListener('scroll', () => this.look(), { passive: true });
    session.onArrive(() => this.look());
  }

  /** @param {number} n */
  add(n) {
    this.#n += n;
    this.#show();
  }

  /** A reader at the bottom of the leaf path has seen them all. */
  look() {
    if (!this.#n) return;
    if (this.session.view.leaf === '' && this.session.path.atBottom) this.#n = 0;
    this.#show();
  }

  #show() {
    const text = `${plural(this.#n, 'new entry', 'new entries')} on the leaf`;
    if (this.#n && need('new-count').textContent !== text) need('new-count').textContent = text;
    need('new-pill').hidden = this.#n === 0;
  }
}
