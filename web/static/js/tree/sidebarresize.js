// @ts-check
// The separator between tree and path, moved by dragging or with the arrow keys.

import { settings } from '../settings.js';

const MIN_WIDTH = 240, MAX_WIDTH = 640, WIDTH_STEP = 16;

export function startSidebarResize() {
  const line = document.querySelector('.resizer');
  if (!(line instanceof HTMLElement)) return;
  const now = () => Number(line.getAttribute('aria-valuenow'));
  /** @param {number} width */
  const set = (width) => {
    const w = Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
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
    const to = { ArrowLeft: now() - WIDTH_STEP, ArrowRight: now() + WIDTH_STEP, Home: MIN_WIDTH, End: MAX_WIDTH };
    if (!(event.key in to)) return;
    event.preventDefault();
    set(to[event.key]);
  });
}
