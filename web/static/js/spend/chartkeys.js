// @ts-check
// The chart of the page about spend: Left and Right move between its bars, and the value of
// the focused bar, or of the one below the pointer, is shown.

import { closestElement } from '../dom.js';

/** Starts the keys of the chart. */
export function startChartKeys() {
  document.addEventListener('keydown', (event) => {
    const bar = barOf(event);
    if (!bar || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const bars = barsNextTo(bar), at = bars.indexOf(bar);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    focusBar(bars[Math.max(0, Math.min(to, bars.length - 1))], bars);
  }, true);
  for (const type of ['focusin', 'pointerover']) document.addEventListener(type, (event) => showValue(barOf(event)));
  document.addEventListener('focusout', () => showValue(null));
}

/** @param {Event} event */
const barOf = (event) => closestElement(event, '.plot .day');

/**
 * @param {Element} bar
 * @returns {HTMLElement[]}
 */
const barsNextTo = (bar) => [.../** @type {NodeListOf<HTMLElement>} */ (/** @type {Element} */ (bar.parentElement).querySelectorAll('.day'))];

/**
 * Focuses a bar and makes it the one that Tab reaches.
 * @param {HTMLElement} bar
 * @param {HTMLElement[]} bars
 */
function focusBar(bar, bars) {
  for (const other of bars) other.setAttribute('tabindex', other === bar ? '0' : '-1');
  bar.focus();
}

/** @param {HTMLElement | null} bar */
function showValue(bar) {
  const value = document.querySelector('.plot-value');
  if (value) value.textContent = bar?.getAttribute('aria-label') ?? '';
}
