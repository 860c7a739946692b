// @ts-check
// The page that compares branches: its tabs, what is folded, and its keys.

import { copyEntryText, copyText, loadFullBlock } from '../actions.js';
import { closestElement, findAll, requireElement } from '../dom.js';
import { startKeys } from '../keyboard.js';
import { announce } from '../notify.js';
import { pageCommands } from '../palette/commands.js';
import { CommandPalette } from '../palette/palette.js';
import { pageSources } from '../palette/sources.js';
import { startPickedSides } from './pickedsides.js';

/** @typedef {import('../palette/rank.js').Command} Command */

class ComparePage {
  #main = requireElement('main');
  #tabs = findAll('.compare [role="tab"]');
  #isUnfolded = false;

  constructor() {
    document.addEventListener('click', (event) => this.#handleClick(event));
    this.#main.addEventListener('toggle', (event) => this.#togglePartner(event), true);
    this.#main.querySelector('.tabs')?.addEventListener('keydown', (event) => this.#moveInTabs(/** @type {KeyboardEvent} */ (event)));
    startPickedSides(this.#main);
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const more = closestElement(event, 'a[data-more]'), tab = closestElement(event, '[role="tab"]');
    if (more instanceof HTMLAnchorElement) {
      event.preventDefault();
      loadFullBlock(more);
    } else if (tab) {
      event.preventDefault();
      this.showTab(tab);
    } else this.#runAction(closestElement(event, '[data-do]'));
  }

  /** @param {HTMLElement | null} el */
  #runAction(el) {
    /** @type {Record<string, () => unknown>} */
    const actions = {
      'copy-address': () => copyText(location.href, 'Link copied'),
      'copy-text': () => (el ? copyEntryText(el) : undefined),
      unfold: () => this.toggleAnswers(),
      'difference-prev': () => this.stepDifference(-1),
      'difference-next': () => this.stepDifference(1),
      'show-side': () => this.#showSide(el?.dataset.side ?? ''),
    };
    actions[el?.dataset.do ?? '']?.();
  }

  /** @param {HTMLElement} tab */
  showTab(tab) {
    for (const other of this.#tabs) {
      const on = other === tab;
      other.setAttribute('aria-selected', String(on));
      other.tabIndex = on ? 0 : -1;
      requireElement(other.getAttribute('aria-controls') ?? '').hidden = !on;
    }
    tab.focus({ preventScroll: true });
    history.replaceState(history.state, '', tab.getAttribute('href'));
    this.#keepTab();
  }

  /** Makes the links to other comparisons open the shown tab. */
  #keepTab() {
    const tab = new URLSearchParams(location.search).get('tab');
    for (const link of this.#main.querySelectorAll('a[href*="/compare?"]:not([role="tab"])')) {
      const url = new URL(/** @type {HTMLAnchorElement} */ (link).href);
      if (tab) url.searchParams.set('tab', tab);
      else url.searchParams.delete('tab');
      link.setAttribute('href', url.pathname + url.search);
    }
  }

  /** @param {number} index */
  showTabAt(index) {
    const tab = this.#tabs[index];
    if (tab) this.showTab(tab);
  }

  /** @param {KeyboardEvent} event */
  #moveInTabs(event) {
    const at = this.#tabs.findIndex((tab) => tab === event.target), last = this.#tabs.length - 1;
    /** @type {Record<string, number>} */
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at <= 0 ? last : at - 1, Home: 0, End: last };
    if (at < 0 || to[event.key] === undefined) return;
    event.preventDefault();
    this.showTabAt(to[event.key]);
  }

  /** Opens or closes an answer with its partner. @param {Event} event */
  #togglePartner(event) {
    const answer = event.target;
    if (!(answer instanceof HTMLDetailsElement) || !answer.classList.contains('compare-answer')) return;
    for (const other of answer.closest('.compare-step')?.querySelectorAll('details.compare-answer') ?? []) /** @type {HTMLDetailsElement} */ (other).open = answer.open;
  }

  /** Opens all answers, or closes them. */
  toggleAnswers() {
    this.#isUnfolded = !this.#isUnfolded;
    for (const answer of this.#main.querySelectorAll('details.compare-answer')) /** @type {HTMLDetailsElement} */ (answer).open = this.#isUnfolded;
    this.#main.querySelector('[data-do="unfold"]')?.setAttribute('aria-pressed', String(this.#isUnfolded));
    announce(this.#isUnfolded ? 'Answers unfolded' : 'Answers folded');
  }

  /** @param {string} side */
  #showSide(side) {
    this.#main.dataset.side = side;
    for (const button of findAll('.compare-show button', this.#main)) button.setAttribute('aria-pressed', String(button.dataset.side === side));
  }

  /** The differences of the visible tab: the focusable element of each. */
  #listDifferences() {
    const steps = findAll('#panel-talk:not([hidden]) .compare-step:not(.is-same)', this.#main).map((step) => step.querySelector('.compare-open, summary, a'));
    const files = findAll('#panel-files:not([hidden]) .compare-file > summary, #panel-failures:not([hidden]) .tool > summary', this.#main);
    return [...steps, ...files].filter((el) => el instanceof HTMLElement);
  }

  /** Focuses the next or previous difference. @param {1 | -1} direction */
  stepDifference(direction) {
    const all = this.#listDifferences(), focused = document.activeElement, relation = direction > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    const inside = this.#main.contains(focused) && focused?.closest('.compare-panel');
    const beyond = inside && focused ? all.filter((el) => focused.closest('.compare-step, .compare-file') !== el.closest('.compare-step, .compare-file, .tool') && focused.compareDocumentPosition(el) & relation) : all;
    const to = direction > 0 ? beyond[0] : beyond.at(-1);
    if (!to) return announce(direction > 0 ? 'No further difference' : 'No earlier difference');
    to.focus({ preventScroll: true });
    (to.closest('.compare-step') ?? to).scrollIntoView({ block: 'start' });
  }

  swap() {
    const link = document.getElementById('compare-swap');
    if (link instanceof HTMLAnchorElement) location.replace(link.href);
  }

  /** Returns to the session, to where it was left. */
  goBack() {
    const { base = '', back = '' } = this.#main.dataset, from = document.referrer && new URL(document.referrer);
    if (from && from.origin === location.origin && from.pathname === base) history.back();
    else location.assign(back);
  }

  /** @returns {Record<string, () => unknown>} */
  keys() {
    return {
      1: () => this.showTabAt(0), 2: () => this.showTabAt(1), 3: () => this.showTabAt(2),
      n: () => this.stepDifference(1), p: () => this.stepDifference(-1),
      o: () => this.toggleAnswers(), x: () => this.swap(),
      Escape: () => this.goBack(),
    };
  }

  /** @returns {Command[]} */
  commands() {
    const pair = this.#tabs.length ? [
      { name: 'Show conversation', icon: 'list', keys: ['1'], run: () => this.showTabAt(0) },
      { name: 'Show files', icon: 'file', keys: ['2'], run: () => this.showTabAt(1) },
      { name: 'Show failures', icon: 'warn', keys: ['3'], run: () => this.showTabAt(2) },
      { name: 'Next difference', icon: 'down', keys: ['N'], run: () => this.stepDifference(1) },
      { name: 'Previous difference', icon: 'up', keys: ['P'], run: () => this.stepDifference(-1) },
      { name: 'Unfold or fold all answers', icon: 'tool', keys: ['O'], run: () => this.toggleAnswers() },
      { name: 'Swap the branches', icon: 'compare', keys: ['X'], run: () => this.swap() },
    ] : [];
    return [...pair, { name: 'Back to the session', icon: 'back', keys: ['Esc'], run: () => this.goBack() }, ...pageCommands()];
  }
}

/** Starts the page. */
export function startComparePage() {
  const page = new ComparePage(), keys = page.keys();
  startKeys((key) => keys[key], new CommandPalette(() => page.commands(), pageSources()));
}
