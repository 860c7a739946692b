// @ts-check
// The map next to the path. A frame on it marks the part of the path on the screen, and
// dragging the frame scrolls the path. In a narrow window there is only the page of the map.

import { closestElement, findAll, requireElement } from '../dom.js';
import { fetchPanelContent, openSidePanel, returnFocus, startSidePanel, wide } from '../sidepanel.js';
import { mapAddress } from '../view.js';
import { morphElement } from '../path/morphitems.js';
import { visibleFractions, scrollToFraction } from '../path/pathscroll.js';

const REFRESH_DELAY = 1000; // ms after the session changed
const MIN_WINDOW = 6; // px
const MIN_DRAG = 4; // px after which a press on a link is no click
const HEAD = 40; // px of the panel's head
const MIN_HEIGHT = 160, MAX_HEIGHT = 4000; // px of the picture

const preventDefault = (/** @type {Event} */ event) => { event.preventDefault(); event.stopPropagation(); };

/** @typedef {[place: number, entry: string]} Stop an entry of the path, and its place on the map */

export class MapPanel {
  #request = new AbortController();
  #refreshTimer = 0;
  #isOpen = false;
  #axis = 'steps';
  /** Entries evenly spaced along the path. @type {Stop[]} */
  #stops = [];
  /** The element that had the focus before. @type {Element | null} */
  #returnFocus = null;

  /** @param {import('../session.js').SessionPage} session */
  constructor(session) {
    this.session = session;
    this.panel = requireElement('map-panel');
    document.addEventListener('click', (event) => this.#handleClick(event));
    this.panel.addEventListener('pointerdown', (event) => this.#startDrag(event));
    this.panel.addEventListener('dragstart', preventDefault);
    this.panel.addEventListener('keydown', (event) => this.#handleKey(event));
    startSidePanel(this.panel, () => this.close());
    session.onFactsChange(() => this.#refreshSoon());
    session.main.addEventListener('scroll', () => this.#placeWindowSoon(), { passive: true });
    document.addEventListener('path-changed', () => this.#placeWindowSoon());
    addEventListener('resize', () => this.#refreshSoon());
  }

  get isOpen() { return this.#isOpen; }

  /** Shows or closes the panel. A narrow window shows the page of the map. */
  async toggle() {
    const { session } = this;
    if (this.#isOpen) return this.close();
    if (!wide.matches) return location.assign(mapAddress(session.base, session.view));
    this.#returnFocus = document.activeElement;
    this.#isOpen = true;
    if (!(await this.#load())) return;
    openSidePanel(this.panel);
    requireElement('app').dataset.map = 'open';
    this.#markButton();
    this.#placeWindowSoon();
  }

  /** Fetches the map. It reports whether it is shown. */
  async #load() {
    this.#request.abort();
    const { signal } = this.#request = new AbortController(), { session } = this;
    const address = new URL(mapAddress(session.base, session.view), location.href);
    for (const [name, value] of Object.entries({ axis: this.#axis, part: 'panel', height: String(this.#pictureHeight()) })) address.searchParams.set(name, value);
    const content = await fetchPanelContent(address, '#map-panel-content', signal, 'The map cannot be shown now.');
    if (content) this.#replace(content);
    else if (this.panel.hidden && !signal.aborted) this.#isOpen = false;
    return content !== null;
  }

  /** Returns the height that the picture has room for. */
  #pictureHeight() {
    return Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, Math.floor(this.session.main.getBoundingClientRect().height) - HEAD - 8));
  }

  /** @param {HTMLElement} content */
  #replace(content) {
    this.#stops = JSON.parse(content.dataset.stops ?? '[]');
    const old = document.getElementById('map-panel-content');
    if (old) morphElement(old, content);
    else this.panel.replaceChildren(content);
    this.#placeWindowSoon();
  }

  close() {
    if (!this.#isOpen) return;
    this.#request.abort();
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = 0;
    this.#isOpen = false;
    const hadFocus = this.panel.contains(document.activeElement);
    this.panel.hidden = true;
    this.panel.replaceChildren();
    delete requireElement('app').dataset.map;
    this.#markButton();
    if (hadFocus) returnFocus(this.#returnFocus, this.session.main);
  }

  #markButton() {
    for (const el of findAll('a[data-map-panel]')) el.setAttribute('aria-expanded', String(this.#isOpen));
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    const axis = closestElement(event, '#map-panel a[data-map-axis]');
    if (closestElement(event, '[data-do="map-close"]')) this.close();
    else if (closestElement(event, 'a[data-map-panel]') && wide.matches) this.toggle();
    else if (axis instanceof HTMLAnchorElement) {
      this.#axis = new URL(axis.href).searchParams.get('axis') ?? 'time';
      this.#load();
    } else return;
    event.preventDefault();
  }

  /** Fetches the map again after the session, the view or the size changed. */
  #refreshSoon() {
    if (!this.#isOpen || this.#refreshTimer) return;
    this.#refreshTimer = setTimeout(() => {
      this.#refreshTimer = 0;
      if (this.#isOpen) this.#load();
    }, REFRESH_DELAY);
  }

  #isPlacing = false;
  #placeWindowSoon() {
    if (this.#isPlacing || !this.#isOpen) return;
    this.#isPlacing = true;
    requestAnimationFrame(() => {
      this.#isPlacing = false;
      if (this.#isOpen && !this.panel.hidden) this.#placeWindow();
    });
  }

  /** Places the frame around the part of the path that is on the screen. */
  #placeWindow() {
    const frame = requireElement('map-window'), { from, to } = visibleFractions(this.session);
    const top = this.#placeAt(from), height = Math.max(MIN_WINDOW, this.#placeAt(to) - top);
    frame.style.transform = `translateY(${top.toFixed(1)}px)`;
    frame.style.height = `${height.toFixed(1)}px`;
    frame.setAttribute('aria-valuenow', String(Math.round(100 * from)));
    frame.setAttribute('aria-valuetext', `${Math.round(100 * from)} to ${Math.round(100 * to)} percent of the path`);
  }

  /**
   * Returns the place on the map of a fraction of the path.
   * @param {number} fraction
   */
  #placeAt(fraction) {
    const stops = this.#stops, at = fraction * (stops.length - 1), i = Math.max(0, Math.min(stops.length - 2, Math.floor(at)));
    if (stops.length < 2) return stops[0]?.[0] ?? 0;
    return stops[i][0] + (stops[i + 1][0] - stops[i][0]) * (at - i);
  }

  /**
   * Returns the fraction of the path at a place on the map, the inverse of #placeAt.
   * @param {number} place
   */
  #fractionAt(place) {
    const stops = this.#stops, next = stops.findIndex(([at]) => at >= place);
    if (next <= 0) return next < 0 ? 1 : 0;
    const [low, high] = [stops[next - 1][0], stops[next][0]];
    return (next - 1 + (place - low) / Math.max(1, high - low)) / (stops.length - 1);
  }

  /**
   * Scrolls the path with the pointer. Where the path is not loaded, it is fetched once the
   * pointer rests or is released.
   * @param {PointerEvent} event
   */
  #startDrag(event) {
    const body = closestElement(event, '#map-panel-body');
    if (!body || event.button !== 0) return;
    event.preventDefault();
    const { top } = body.getBoundingClientRect(), frame = requireElement('map-window'), link = closestElement(event, 'a');
    const grabbed = closestElement(event, '#map-window') || link ? event.clientY - frame.getBoundingClientRect().top : frame.offsetHeight / 2;
    let last = -1;
    const scrollTo = (/** @type {PointerEvent} */ e) => {
      if (link && last < 0 && Math.abs(e.clientY - event.clientY) < MIN_DRAG) return;
      last = this.#fractionAt(e.clientY - top + body.scrollTop - grabbed);
      scrollToFraction(this.session, last);
    };
    scrollTo(event);
    if (!link) frame.focus({ preventScroll: true });
    document.addEventListener('pointermove', scrollTo);
    const end = () => {
      document.removeEventListener('pointermove', scrollTo);
      for (const type of ['pointerup', 'pointercancel']) document.removeEventListener(type, end);
      if (last < 0) return; // a click on a link
      this.#showFraction(last);
      if (link) link.addEventListener('click', preventDefault, { once: true, capture: true });
    };
    for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, end);
  }

  /**
   * Scrolls to a fraction of the path, which is fetched if it is not loaded.
   * @param {number} fraction
   */
  #showFraction(fraction) {
    const { session } = this;
    if (scrollToFraction(session, fraction)) return;
    const entry = this.#stops[Math.round(Math.max(0, Math.min(1, fraction)) * (this.#stops.length - 1))]?.[1];
    if (entry) session.path.loadAround(session.view, entry);
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { main } = this.session, page = main.clientHeight * 0.8;
    const by = { ArrowUp: -60, ArrowDown: 60, PageUp: -page, PageDown: page }[event.key];
    if (event.key === 'Escape') this.close();
    else if (document.activeElement?.id !== 'map-window') return;
    else if (by !== undefined) main.scrollTop += by;
    else if (event.key === 'Home') this.#showFraction(0);
    else if (event.key === 'End') this.#showFraction(1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
