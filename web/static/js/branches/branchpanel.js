// @ts-check
// The list of branches, which takes the place of the path. The server filters and sorts it;
// only the rows near the visible ones are in the page.

import { closestElement, requireElement } from '../dom.js';
import { announce, showToast } from '../notify.js';
import { morphElement } from '../path/morphitems.js';
import { fetchFragment, isAbortError } from '../server.js';
import { pluralize } from '../text.js';
import { formatViewQuery, readFacts } from '../view.js';
import { VirtualRows } from '../virtualrows/virtualrows.js';
import { BranchKeys } from './branchkeys.js';
import { PickedBranches } from './pickedbranches.js';

const INPUT_DELAY = 80; // ms after the last key
const REFRESH_DELAY = 500; // ms between two refreshes of a session that grows
const LIST_PARAMS = ['sort', 'order', 'show', 'find'];
/** The parts of the panel, besides the rows, that depend on the filter and on the session. */
const PARTS = ['branch-header', 'branch-shows', 'branch-sort', 'branch-head', 'no-branches'];

export class BranchPanel {
  /** The rows; null while the panel is closed. @type {VirtualRows | null} */
  #rows = null;
  /** The parameters of the list. @type {Record<string, string>} */
  #list = {};
  #request = new AbortController();
  #inputTimer = 0;
  #refreshTimer = 0;
  #shownRevision = '';
  /** The element that had the focus before. @type {Element | null} */
  #returnFocus = null;

  /** @param {import('../session.js').SessionPage} session */
  constructor(session) {
    this.session = session;
    this.section = requireElement('branches');
    this.picked = new PickedBranches(session.base);
    this.section.addEventListener('click', (event) => this.#handleClick(event));
    this.section.addEventListener('input', (event) => this.#handleInput(event));
    this.section.addEventListener('change', (event) => this.#handleChange(event));
    this.section.addEventListener('submit', (event) => this.#handleSubmit(event));
    this.keys = new BranchKeys(this.section, { rows: () => this.#rows, view: (row) => this.#viewRow(row), toggle: (row) => this.#togglePicked(row), close: () => this.close() });
    document.addEventListener('click', (event) => { if (closestElement(event, '[data-do="close-panel"]') && !event.defaultPrevented) this.#closeByClick(event); });
    document.addEventListener('click', (event) => {
      if (!closestElement(event, '[data-do="branches"]') || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (!this.isOpen) this.open();
    });
    addEventListener('popstate', () => this.followAddress());
    session.onFactsChange(() => this.#refreshSoon());
    if (this.section.firstElementChild) this.#showPanel(listParams(location.href));
  }

  get isOpen() { return this.#rows !== null; }

  /** The field of the filter. */
  get #field() { return /** @type {HTMLInputElement} */ (requireElement('branch-find')); }

  /**
   * The address of the list in the shown view, or of a part of it.
   * @param {Record<string, string | number>} [part]
   */
  address(part) { return this.session.base + '/branches' + formatViewQuery(this.session.view, { ...this.#list, ...part }); }

  /**
   * Opens the list.
   * @param {Record<string, string>} [list]
   * @param {'push' | 'none'} [historyChange]
   */
  async open(list = {}, historyChange = 'push') {
    if (this.isOpen) return this.#field.focus();
    this.#list = list;
    const focused = document.activeElement;
    const panel = await this.#fetchPanel();
    if (!panel || this.isOpen) return;
    this.#returnFocus = focused;
    this.section.replaceChildren(panel);
    if (historyChange === 'push') document.dispatchEvent(new CustomEvent('leaving'));
    this.#showPanel(list);
    if (historyChange === 'push') history.pushState(null, '', this.address());
    announce(pluralize(Number(panel.dataset.total), 'branch', 'branches'));
  }

  /** @param {Record<string, string>} list */
  #showPanel(list) {
    this.#list = list;
    this.section.hidden = false;
    requireElement('app').dataset.panel = 'branches';
    document.title = requireElement('branch-panel').dataset.title ?? document.title;
    this.session.panel = this;
    const scroller = requireElement('branch-scroll');
    this.#rows = new VirtualRows(scroller, (at, n) => this.address({ part: 'rows', at, n }), () => this.refresh());
    this.#rows.onRowsPainted((rows) => { for (const row of rows) this.picked.markRow(row); });
    this.#shownRevision = this.#rows.revision;
    this.#rows.scrollToRow(0);
    this.keys.markActive(-1);
    this.picked.showFoot();
    this.#field.focus();
  }

  /** Closes the list and shows the path again. */
  close() {
    if (!this.isOpen) return;
    this.leave();
    history.replaceState(null, '', this.session.viewAddress());
    const to = this.#returnFocus;
    if (to instanceof HTMLElement && to.isConnected && to !== document.body && to.checkVisibility()) to.focus({ preventScroll: true });
    else this.session.main.focus({ preventScroll: true });
  }

  /** Hides the list because another view is shown. */
  leave() {
    this.#request.abort();
    clearTimeout(this.#inputTimer);
    clearTimeout(this.#refreshTimer);
    this.#rows = null;
    this.session.panel = null;
    this.picked.clear();
    this.section.hidden = true;
    this.section.replaceChildren();
    delete requireElement('app').dataset.panel;
    document.title = document.getElementById('title')?.dataset.title ?? document.title;
  }

  /** Opens or closes the list after Back or Forward. */
  followAddress() {
    const wanted = location.pathname.endsWith('/branches');
    if (wanted && !this.isOpen) return this.open(listParams(location.href), 'none');
    if (!wanted && this.isOpen) this.leave();
  }

  /** @returns {Promise<HTMLElement | null>} */
  async #fetchPanel() {
    this.#request.abort();
    const { signal } = this.#request = new AbortController();
    try {
      const { body, status } = await fetchFragment(this.address({ part: 'panel' }), signal);
      const panel = body.querySelector('#branch-panel');
      if (status === 200 && panel instanceof HTMLElement) return panel;
      showToast('The branches cannot be listed now.');
    } catch (err) {
      if (!isAbortError(err)) showToast('The server is not responding.');
    }
    return null;
  }

  /** Fetches the list again. The filter and the focus stay. */
  async refresh() {
    const panel = await this.#fetchPanel();
    const rows = panel?.querySelector('.rows');
    if (!panel || !this.#rows || !(rows instanceof HTMLElement)) return;
    for (const id of PARTS) {
      const old = document.getElementById(id), part = panel.querySelector('#' + id);
      if (old && part) morphElement(old, part);
    }
    requireElement('branch-count').textContent = rows.dataset.count ?? '';
    requireElement('branch-table').setAttribute('aria-rowcount', String(Number(rows.dataset.total) + 1));
    this.#shownRevision = rows.dataset.rev ?? '';
    this.#rows.replaceRows(rows, null, false);
  }

  /** Shows the list with other parameters. @param {Record<string, string>} list */
  async #changeList(list) {
    this.#list = list;
    history.replaceState(history.state, '', this.address());
    await this.refresh();
    if (!this.#rows) return;
    this.keys.markActive(-1);
    this.#rows.scrollToRow(0);
    announce(`${this.#rows.total} in the list`);
  }

  /** Refreshes the list after the session changed. */
  #refreshSoon() {
    if (!this.isOpen) return;
    document.title = requireElement('branch-panel').dataset.title ?? document.title;
    clearTimeout(this.#refreshTimer);
    if (readFacts().rev !== this.#shownRevision) this.#refreshTimer = setTimeout(() => this.refresh(), REFRESH_DELAY);
  }

  /** @param {MouseEvent} event */
  #closeByClick(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !this.isOpen) return;
    event.preventDefault();
    this.close();
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    const link = closestElement(event, 'a[data-panel-link]');
    if (closestElement(event, '[data-do="clear-picked"]')) this.#clearPicked();
    if (!closestElement(event, '#branch-sort')) document.getElementById('branch-sort')?.removeAttribute('open');
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    document.getElementById('branch-sort')?.removeAttribute('open');
    return this.#changeList(this.#withFind(listParams(link.href)));
  }

  /**
   * Returns parameters with the text that is in the field now.
   * @param {Record<string, string>} list
   */
  #withFind(list) {
    const { find: _, ...rest } = list, find = this.#field.value.trim();
    return find ? { ...rest, find } : rest;
  }

  /** @param {Event} event */
  #handleInput(event) {
    if (event.target !== this.#field) return;
    clearTimeout(this.#inputTimer);
    this.#inputTimer = setTimeout(() => this.#changeList(this.#withFind(this.#list)), INPUT_DELAY);
  }

  /** @param {Event} event */
  #handleSubmit(event) {
    event.preventDefault();
    return this.#changeList(this.#withFind(this.#list));
  }

  /** @param {Event} event */
  #handleChange(event) {
    const row = event.target instanceof HTMLElement ? event.target.closest('.branch-row[data-head]') : null;
    if (row instanceof HTMLElement) this.#togglePicked(row);
  }

  /** @param {HTMLElement} row */
  #togglePicked(row) {
    this.picked.toggle(row);
    this.#showPicked();
  }

  #clearPicked() {
    this.picked.clear();
    this.#showPicked();
    this.#field.focus();
  }

  #showPicked() {
    this.#rows?.paintRows();
    this.picked.showFoot();
  }

  /** Views the branch of a row. @param {HTMLElement | undefined} row */
  #viewRow(row) {
    const link = row?.querySelector('a[data-view]');
    if (link instanceof HTMLAnchorElement) link.click();
  }
}

/**
 * Returns the parameters of the list in an address.
 * @param {string} href
 * @returns {Record<string, string>}
 */
function listParams(href) {
  const params = new URL(href, location.href).searchParams;
  return Object.fromEntries(LIST_PARAMS.filter((name) => params.get(name)).map((name) => [name, params.get(name) ?? '']));
}
