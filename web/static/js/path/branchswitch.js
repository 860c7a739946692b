// @ts-check
// Walking between branches: the switchers of the path, the keys [ and ], and back
// to the leaf. What was last visited below a fork is remembered for the visit.

import { all, closest, say } from '../dom.js';
import { facts, viewOf } from '../view.js';

/** @typedef {import('../session.js').Session} Session */

export class Branches {
  /** @type {Map<string, string>} head of a branch -> the leaf last viewed below it */
  #visited = new Map();

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    session.main.addEventListener('click', (event) => {
      const link = closest(event, 'a[data-switch]');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#take(/** @type {HTMLAnchorElement} */ (link));
    });
    session.onArrive(() => this.#note());
    this.#note();
  }

  /** Remembers where the reader is below each fork of the path. */
  #note() {
    const { leaf } = facts();
    for (const el of all('.switch[data-head]', this.session.path.pages)) this.#visited.set(el.dataset.head ?? '', leaf);
  }

  /**
   * Goes to a sibling branch; its switcher stays where the old one was.
   * @param {HTMLAnchorElement} link
   */
  #take(link) {
    const view = { ...this.session.view, ...pathOf(viewOf(link.href)) };
    const leaf = this.#visited.get(view.entry);
    if (leaf) view.leaf = leaf === facts().sessionLeaf ? '' : leaf;
    const y = link.closest('.switch')?.getBoundingClientRect().top ?? 0;
    return this.session.go(view, { align: { head: view.entry, y }, rowsToo: true });
  }

  /**
   * Goes to the previous or next branch at the fork nearest to the viewed entry.
   * @param {'prev' | 'next'} way
   */
  step(way) {
    const { path, view } = this.session;
    const forks = all('.switch', path.pages);
    const at = (view.entry && path.find(view.entry)) || path.pages.lastElementChild?.lastElementChild;
    if (!forks.length || !at) return say('No fork on the part of the path that is shown.');
    const above = forks.filter((el) => el.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING);
    const fork = above[above.length - 1] ?? forks[0];
    const link = fork.querySelector(`.ctl a[data-switch="${way}"]`);
    if (link instanceof HTMLAnchorElement) return this.#take(link);
    say(way === 'next' ? 'This is the last branch.' : 'This is the first branch.');
  }

  /** Back to the leaf, where the agent stands. */
  reset() {
    return this.session.go({ ...this.session.view, entry: '', leaf: '' }, { scroll: 'end', rowsToo: true });
  }
}

/** @param {import('../view.js').View} view */
const pathOf = ({ entry, leaf }) => ({ entry, leaf });
