// @ts-check
// Images of the path in large, over the page. The dialog gives the focus back to
// the link when it closes.

import { closest, need } from './dom.js';

export function startPictures() {
  document.addEventListener('click', (event) => {
    const link = closest(event, 'a.shot');
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const image = /** @type {HTMLImageElement} */ (need('picture-image'));
    image.src = link.href;
    image.alt = need('picture-title').textContent = link.querySelector('img')?.alt ?? '';
    /** @type {HTMLAnchorElement} */ (need('picture-link')).href = link.href;
    /** @type {HTMLDialogElement} */ (need('picture')).showModal();
  });
}
