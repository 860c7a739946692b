// @ts-check
// The panel of what the model was sent before an answer, next to the path. In a narrow window
// there is only the page of the same content.

import { closestElement, findAll, requireElement } from '../dom.js';
import { fetchPanelContent, openSidePanel, returnFocus, startSidePanel, wide } from '../sidepanel.js';
import { formatViewQuery } from '../view.js';
import { ContextList } from './contextlist.js';

const REFRESH_DELAY = 500; // ms after the session changed

export class ContextPanel {
  #request = new AbortController();
  #refreshTimer = 0;
  /** The address of what is shown, '' while the panel is closed. */
  #shown = '';
  /** The entries that are sent; null if the panel is closed or they are not known. @type {Set<string> | null} */
  #sent = null;
  /** The element that had the focus before. @type {Element | null} */
  #returnFocus = null;

  /** @param {import('../session.js').SessionPage} session */
  constructor(session) {
    this.session = session;
    this.panel = requireElement('context');
    this.list = new ContextList(this.panel, { show: (href) => this.show(href), close: () => this.close() });
    document.addEventListener('click', (event) => this.#handleClick(event));
    session.rows.onRowsPainted((rows) => { for (const row of rows) row.classList.toggle('is-not-sent', this.#sent !== null && !this.#sent.has(row.dataset.entry ?? '')); });
    session.onFactsChange(() => this.#refreshSoon());
    startSidePanel(this.panel, () => this.close());
  }

  get isOpen() { return this.#shown !== ''; }

  /** Shows the context of the viewed answer, or closes the panel. */
  toggle() {
    if (this.isOpen) return this.close();
    return this.show(this.session.base + '/context' + formatViewQuery(this.session.view));
  }

  /**
   * Shows a context.
   * @param {string} href
   */
  async show(href) {
    if (!wide.matches) return location.assign(href);
    if (!this.isOpen) this.#returnFocus = document.activeElement;
    this.#shown = href;
    if (!(await this.#load(href))) return;
    openSidePanel(this.panel);
    requireElement('app').dataset.context = 'open';
    this.#markSent()?.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Fetches a context. It reports whether it is shown.
   * @param {string} href
   */
  async #load(href) {
    this.#request.abort();
    const { signal } = this.#request = new AbortController();
    const address = new URL(href, location.href);
    address.searchParams.set('part', 'panel');
    const content = await fetchPanelContent(address, '#context-content', signal, 'The context cannot be shown now.');
    if (content) this.list.replace(content);
    else if (this.panel.hidden && !signal.aborted) this.#shown = '';
    return content !== null;
  }

  close() {
    if (!this.isOpen) return;
    this.#request.abort();
    clearTimeout(this.#refreshTimer);
    this.#shown = '';
    this.panel.hidden = true;
    this.panel.replaceChildren();
    delete requireElement('app').dataset.context;
    this.#markSent();
    returnFocus(this.#returnFocus, this.session.main);
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = closestElement(event, 'a[data-context]');
    if (closestElement(event, '#context [data-context-close]')) {
      event.preventDefault();
      this.close();
    } else if (link instanceof HTMLAnchorElement && wide.matches) {
      event.preventDefault();
      if (link.matches('.facts a') && this.isOpen) this.close();
      else this.show(link.href);
    }
  }

  /** Frames the answer in the path and returns its item. In the tree, other entries than those that are sent turn grey. */
  #markSent() {
    this.#sent = this.isOpen ? this.list.sent : null;
    if (this.#sent) this.#sent.add(this.list.entry);
    this.session.rows.paintRows();
    for (const el of findAll('.is-in-context')) el.classList.remove('is-in-context');
    const entry = this.isOpen ? this.list.entry : '';
    const item = entry ? this.session.path.findItem(entry) : null;
    item?.classList.add('is-in-context');
    for (const el of findAll('.facts a[data-context]')) el.setAttribute('aria-expanded', String(this.isOpen));
    return item;
  }

  /** Fetches the context again after the session or the view changed. */
  #refreshSoon() {
    this.#markSent();
    if (!this.isOpen) return;
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(async () => { if (this.isOpen && await this.#load(this.#shown)) this.#markSent(); }, REFRESH_DELAY);
  }
}
