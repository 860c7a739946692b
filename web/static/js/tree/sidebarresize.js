// @ts-check
// The line between tree and path: dragged, or moved with the arrow keys.

import { settings } from '../dom.js';

const LEAST = 240, MOST = 640, STEP = 16;

export function startResize() {
  const line = document.querySelector('.resizer');
  if (!(line instanceof HTMLElement)) return;
  const now = () => Number(line.getAttribute('aria-valuenow'));
  /** @param {number} width */
  const set = (width) => {
    const w = Math.round(Math.min(MOST, Math.max(LEAST, width)));
    document.documentElement.style.setProperty('--side-w', w + 'px');
    line.setAttribute('aria-valuenow', String(w));
    settings.set('side-width', String(w));
  };
  const kept = Number(settings.get('side-width'));
  if (kept) line.setAttribute('aria-valuenow', String(kept));

  line.addEventListener('pointerdown', (event) => {
    line.setPointerCapture(event.pointerId);
    event.preventDefault();
    line.focus();
  });
  line.addEventListener('pointermove', (event) => { if (line.hasPointerCapture(event.pointerId)) set(event.clientX); });
  line.addEventListener('dblclick', () => set(360));
  line.addEventListener('keydown', (event) => {
    /** @type {Record<string, number>} */
    const to = { ArrowLeft: now() - STEP, ArrowRight: now() + STEP, Home: LEAST, End: MOST };
    if (!(event.key in to)) return;
    event.preventDefault();
    set(to[event.key]);
  });
}
