// @ts-check
// Switches between branches: the switchers of the path, the keys [ and ], and the direction back
// to the leaf. It remembers the last viewed leaf of each branch.

import { closestElement, findAll } from '../dom.js';
import { announce } from '../notify.js';
import { readFacts, parseView } from '../view.js';

/** @typedef {import('../session.js').SessionPage} SessionPage */

export class BranchSwitch {
  /** @type {Map<string, string>} head of a branch -> the leaf last viewed below it */
  #visited = new Map();

  /** @param {SessionPage} session */
  constructor(session) {
    this.session = session;
    session.main.addEventListener('click', (event) => {
      const link = closestElement(event, 'a[data-switch]');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#switchTo(/** @type {HTMLAnchorElement} */ (link));
    });
    session.onFactsChange(() => this.#rememberLeaf());
    this.#rememberLeaf();
  }

  /** Remembers the viewed leaf for each fork of the path. */
  #rememberLeaf() {
    const { leaf } = readFacts();
    for (const el of findAll('.switch[data-head]', this.session.path.container)) this.#visited.set(el.dataset.head ?? '', leaf);
  }

  /**
   * Shows a sibling branch. The switcher keeps its position on the screen.
   * @param {HTMLAnchorElement} link
   */
  #switchTo(link) {
    const view = { ...this.session.view, ...pathParams(parseView(link.href)) };
    const leaf = this.#visited.get(view.entry);
    if (leaf) view.leaf = leaf === readFacts().sessionLeaf ? '' : leaf;
    const y = link.closest('.switch')?.getBoundingClientRect().top ?? 0;
    return this.session.showView(view, { align: { head: view.entry, y }, selectRow: true });
  }

  /**
   * Shows the previous or next branch of the fork nearest to the viewed entry.
   * @param {'prev' | 'next'} direction
   */
  stepBranch(direction) {
    const { path, view } = this.session;
    const forks = findAll('.switch', path.container);
    const at = (view.entry && path.findItem(view.entry)) || path.container.lastElementChild?.lastElementChild;
    if (!forks.length || !at) return announce('No fork on the part of the path that is shown.');
    const above = forks.filter((el) => el.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING);
    const fork = above[above.length - 1] ?? forks[0];
    const link = fork.querySelector(`.switch-buttons a[data-switch="${direction}"]`);
    if (link instanceof HTMLAnchorElement) return this.#switchTo(link);
    announce(direction === 'next' ? 'This is the last branch.' : 'This is the first branch.');
  }

  /** Shows the path to the leaf. */
  resetToLeaf() {
    return this.session.showView({ ...this.session.view, entry: '', leaf: '' }, { scroll: 'end', selectRow: true });
  }
}

/** @param {import('../view.js').View} view */
const pathParams = ({ entry, leaf }) => ({ entry, leaf });
