// @ts-check
// The hits by week, and the dates that narrow them.

import { requireElement } from '../dom.js';

const BARS = 12, WIDTH = 192, HEIGHT = 26, BASE = 30, STEP = WIDTH / BARS;
const DAY = 86_400_000;
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A day as a number of days since 1970. @param {string} iso */
const parseDay = (iso) => Math.floor(Date.parse(iso + 'T00:00:00Z') / DAY);

/** @param {number} day */
const formatDay = (day) => new Date(day * DAY).toISOString().slice(0, 10);

/** Returns today in the browser's zone. */
const today = () => { const now = new Date(); return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY); };

/**
 * Returns the first day of a date in a query, null if it is of another form.
 * @param {string} value
 */
function parseDate(value) {
  const ago = value.match(/^(\d{1,4})([dw])$/i);
  if (ago) return today() - Number(ago[1]) * (ago[2].toLowerCase() === 'w' ? 7 : 1);
  if (/^today$/i.test(value)) return today();
  if (/^yesterday$/i.test(value)) return today() - 1;
  const [, year, month = '01', day = '01'] = value.match(/^(\d{4})(?:-(\d\d))?(?:-(\d\d))?/) ?? [];
  return year ? parseDay(`${year}-${month}-${day}`) : null;
}

export class Histogram {
  #box = requireElement('histogram');
  #svg = /** @type {SVGSVGElement} */ (this.#box.querySelector('svg'));
  #dates = requireElement('facet-dates');
  #button = requireElement('choose-dates');
  /** Hits by day, also of days that the query now excludes. @type {Map<number, number>} */
  #days = new Map();
  #after = -Infinity;
  #before = Infinity;
  #first = 0; // day of the first bar
  #perBar = 7; // days
  #dragFrom = -1;

  /** @param {(chips: string[]) => void} setTime replaces the filters of time */
  constructor(setTime) {
    this.setTime = setTime;
    this.#svg.addEventListener('pointerdown', (event) => this.#startDrag(event));
    this.#svg.addEventListener('pointermove', (event) => { if (this.#dragFrom >= 0) this.#markBars(this.#dragFrom, this.#barAt(event)); });
    this.#svg.addEventListener('pointerup', (event) => this.#endDrag(event));
    this.#svg.addEventListener('pointercancel', () => { this.#dragFrom = -1; this.#draw(); });
    this.#dates.addEventListener('change', () => this.#applyDates());
  }

  /** @param {string[]} chips */
  setChips(chips) {
    const dates = (/** @type {string} */ key) => chips.filter((chip) => chip.startsWith(key)).map((chip) => parseDate(chip.slice(key.length))).filter((day) => day !== null);
    this.#after = Math.max(-Infinity, ...dates('after:'));
    this.#before = Math.min(Infinity, ...dates('before:'));
    const areDates = chips.some((chip) => /^(after:\d{4}|before:)/.test(chip));
    this.#button.setAttribute('aria-pressed', String(areDates || !this.#dates.hidden));
    if (areDates) this.#dates.hidden = false;
    this.#fillDates();
    this.#draw();
  }

  /** @param {Record<string, number>} days */
  setDays(days) {
    for (const day of [...this.#days.keys()]) if (day >= this.#after && day < this.#before) this.#days.delete(day);
    for (const [iso, n] of Object.entries(days)) this.#days.set(parseDay(iso), n);
    this.#draw();
  }

  /** Shows or hides the fields for dates. @param {string[]} chips */
  toggleDates(chips) {
    this.#dates.hidden = !this.#dates.hidden;
    this.setChips(chips);
    if (!this.#dates.hidden) this.#dates.querySelector('input')?.focus();
  }

  #inputs() { return /** @type {HTMLInputElement[]} */ ([...this.#dates.querySelectorAll('input')]); }

  #fillDates() {
    const [from, until] = this.#inputs();
    from.value = Number.isFinite(this.#after) ? formatDay(this.#after) : '';
    until.value = Number.isFinite(this.#before) ? formatDay(this.#before - 1) : '';
  }

  #applyDates() {
    const [from, until] = this.#inputs(), chips = [];
    if (from.value) chips.push('after:' + from.value);
    if (until.value) chips.push('before:' + formatDay(parseDay(until.value) + 1));
    this.setTime(chips);
  }

  #draw() {
    const last = today(), oldest = Math.max(Math.min(last, ...this.#days.keys()), last - 3650);
    this.#box.hidden = this.#days.size === 0;
    if (this.#box.hidden) return;
    this.#perBar = 7 * Math.max(1, Math.ceil((last + 1 - oldest) / 7 / BARS));
    this.#first = last + 1 - this.#perBar * BARS;
    const counts = new Array(BARS).fill(0);
    for (const [day, n] of this.#days) counts[Math.min(BARS - 1, Math.max(0, Math.floor((day - this.#first) / this.#perBar)))] += n;
    const most = Math.max(1, ...counts);
    const base = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    base.setAttribute('d', `M0 ${BASE + 0.5}h${WIDTH}`);
    this.#svg.replaceChildren(base, ...counts.map((n, i) => createBar(i, n / most)));
    this.#svg.setAttribute('aria-label', `Hits by ${this.#perBar === 7 ? 'week' : `${this.#perBar / 7} weeks`} since ${dayFormat.format(this.#first * DAY)}: ${counts.join(', ')}`);
    const [from] = this.#box.querySelectorAll('span');
    from.textContent = dayFormat.format(this.#first * DAY);
    this.#markSelected();
  }

  /** Colors the bars that the filters of time include. */
  #markSelected() {
    const bar = (/** @type {number} */ day) => Math.floor((day - this.#first) / this.#perBar);
    this.#markBars(Number.isFinite(this.#after) ? bar(this.#after) : 0, Number.isFinite(this.#before) ? bar(this.#before - 1) : BARS - 1);
  }

  /**
   * @param {number} a
   * @param {number} b
   */
  #markBars(a, b) {
    [...this.#svg.querySelectorAll('rect')].forEach((rect, i) => rect.classList.toggle('on', i >= Math.min(a, b) && i <= Math.max(a, b)));
  }

  /** @param {PointerEvent} event */
  #barAt(event) {
    const { left, width } = this.#svg.getBoundingClientRect();
    return Math.min(BARS - 1, Math.max(0, Math.floor((event.clientX - left) / width * BARS)));
  }

  /** @param {PointerEvent} event */
  #startDrag(event) {
    this.#dragFrom = this.#barAt(event);
    this.#svg.setPointerCapture(event.pointerId);
    this.#markBars(this.#dragFrom, this.#dragFrom);
  }

  /** @param {PointerEvent} event */
  #endDrag(event) {
    if (this.#dragFrom < 0) return;
    const from = Math.min(this.#dragFrom, this.#barAt(event)), to = Math.max(this.#dragFrom, this.#barAt(event));
    this.#dragFrom = -1;
    const chips = ['after:' + formatDay(this.#first + from * this.#perBar)];
    if (to < BARS - 1) chips.push('before:' + formatDay(this.#first + (to + 1) * this.#perBar));
    this.setTime(chips);
  }
}

/**
 * @param {number} i
 * @param {number} part of the highest bar
 */
function createBar(i, part) {
  const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const height = part ? Math.max(1.5, HEIGHT * part) : 0;
  for (const [name, value] of Object.entries({ x: i * STEP + 1, y: BASE - height, width: STEP - 3, height, rx: Math.min(1.5, height / 2) })) rect.setAttribute(name, value.toFixed(1));
  return rect;
}
