// @ts-check
// The frame in the overview around the visible part of a map. It is dragged, or moved with the
// arrow keys, to scroll the map.

import { requireElement } from '../dom.js';

const KEY_STEP = 0.1; // of the whole map

/** Starts the frame. */
export function startBrush() {
  placeBrush();
  addEventListener('resize', placeBrush);
  document.addEventListener('scroll', (event) => { if (event.target instanceof Element && event.target.id === 'mapscroll') placeBrush(); }, true);
  document.addEventListener('pointerdown', startDrag);
  document.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP, Home: -1, End: 1 }[event.key];
    if (document.activeElement?.id !== 'mapbrush' || by === undefined) return;
    event.preventDefault();
    scrollBy(by);
  });
}

/** Places the frame around the visible part. */
export function placeBrush() {
  const map = requireElement('mapscroll'), brush = requireElement('mapbrush');
  const all = map.scrollWidth, left = map.scrollLeft / all, width = Math.min(1, map.clientWidth / all);
  brush.style.left = `${100 * left}%`;
  brush.style.width = `${100 * width}%`;
  const end = all - map.clientWidth;
  brush.setAttribute('aria-valuenow', String(end > 0 ? Math.round(100 * map.scrollLeft / end) : 0));
  brush.setAttribute('aria-valuetext', `${Math.round(100 * left)} to ${Math.round(100 * (left + width))} percent`);
}

/** @param {number} share of the whole map */
function scrollBy(share) {
  const map = requireElement('mapscroll');
  map.scrollLeft += share * map.scrollWidth;
}

/**
 * Scrolls to the pressed place, and then with the pointer.
 * @param {PointerEvent} event
 */
function startDrag(event) {
  const overview = event.target instanceof Element ? event.target.closest('#mapoverview') : null;
  if (!overview || event.button !== 0) return;
  const map = requireElement('mapscroll'), { left, width } = overview.getBoundingClientRect();
  const scrollTo = (/** @type {PointerEvent} */ e) => { map.scrollLeft = (e.clientX - left) / width * map.scrollWidth - map.clientWidth / 2; };
  scrollTo(event);
  document.addEventListener('pointermove', scrollTo);
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => document.removeEventListener('pointermove', scrollTo), { once: true });
}
