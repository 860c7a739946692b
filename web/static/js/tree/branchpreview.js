// @ts-check
// A preview of a closed branch: its facts, its first entries and its last one.

import { createElement } from '../dom.js';
import { fetchFragment, rethrowUnexpected } from '../server.js';
import { localizeTimes } from '../times.js';

export class BranchPreview {
  #request = new AbortController();
  #element = createElement('div', 'branch-preview');

  /** @param {import('../session.js').SessionPage} session */
  constructor(session) {
    this.session = session;
    this.#element.popover = 'manual';
    this.#element.setAttribute('aria-hidden', 'true'); // the branch can be opened
  }

  /**
   * Shows the preview of the branch of a row, right of the tree.
   * @param {HTMLElement} row
   */
  async show(row) {
    this.hide();
    const { signal } = this.#request = new AbortController(), { session } = this;
    const query = new URLSearchParams({ part: 'branch', branch: row.dataset.entry ?? '' });
    try {
      const { status, body } = await fetchFragment(`${session.base}/map?${query}`, signal);
      const content = body.querySelector('.branch-preview-content');
      if (status !== 200 || !content || !row.isConnected) return;
      localizeTimes(content);
      this.#element.replaceChildren(content);
    } catch (err) {
      return rethrowUnexpected(err);
    }
    const box = row.getBoundingClientRect();
    if (!this.#element.isConnected) document.body.append(this.#element);
    this.#element.showPopover();
    this.#element.style.left = box.right + 8 + 'px';
    this.#element.style.top = Math.max(4, Math.min(box.top, innerHeight - this.#element.offsetHeight - 4)) + 'px';
  }

  hide() {
    this.#request.abort();
    if (this.#element.isConnected) this.#element.hidePopover();
  }
}
