// @ts-check
// The keys in a context: arrows move through the messages, brackets through the requests.

import { findAll } from '../dom.js';
import { morphElement } from '../path/morphitems.js';
import { areLetterKeysOn } from '../settings.js';
import { localizeTimes } from '../times.js';

/** @typedef {{show: (href: string) => unknown, close: () => unknown}} ContextActions */

export class ContextList {
  /**
   * @param {HTMLElement} container the panel or the page
   * @param {ContextActions} actions
   */
  constructor(container, actions) {
    this.container = container;
    this.actions = actions;
    container.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** The content, or null while nothing is shown. */
  get content() {
    const content = this.container.querySelector('#context-content');
    return content instanceof HTMLElement ? content : null;
  }

  /** The id of the answer. */
  get entry() { return this.content?.dataset.entry ?? ''; }

  /** The ids of the entries that are sent, null if they are not known. @returns {Set<string> | null} */
  get sent() {
    const ids = this.content?.dataset.sent;
    return ids ? new Set(JSON.parse(ids)) : null;
  }

  /**
   * Shows other content. The place of the list stays if it is of the same answer.
   * @param {Element} content
   */
  replace(content) {
    const old = this.content;
    localizeTimes(content);
    if (!old) this.container.replaceChildren(content);
    else if (old.dataset.entry === content.getAttribute('data-entry')) morphElement(old, content);
    else old.replaceWith(content);
  }

  /** The links and buttons of the messages. */
  get #rows() { return findAll('.context-row :is(a.context-source), summary.context-row', this.container); }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const run = this.#find(event.key);
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  /**
   * @param {string} key
   * @returns {(() => unknown) | undefined}
   */
  #find(key) {
    const rows = this.#rows, at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const move = (/** @type {number} */ i) => () => rows[Math.max(0, Math.min(rows.length - 1, i))]?.focus();
    if (key === 'Escape') return () => this.actions.close();
    if (key === 'ArrowDown') return move(at + 1);
    if (key === 'ArrowUp') return move(at - 1);
    if (key === 'Home') return move(0);
    if (key === 'End') return move(rows.length - 1);
    if (!areLetterKeysOn()) return undefined;
    if (key === '[') return this.#step('previous');
    if (key === ']') return this.#step('next');
  }

  /** @param {'previous' | 'next'} direction */
  #step(direction) {
    const link = this.container.querySelector(`a[data-step="${direction}"]`);
    return link instanceof HTMLAnchorElement ? () => this.actions.show(link.href) : () => {};
  }
}

/**
 * Starts the page of a context.
 * @param {HTMLElement} page
 */
export function startContextPage(page) {
  const list = new ContextList(page, { show: (href) => location.assign(href), close: () => location.assign(list.content?.dataset.back ?? '/') });
  page.focus({ preventScroll: true });
}
