// @ts-check
// Images of the path in large, over the page. The dialog gives the focus back to
// the link when it closes.

import { closest, need } from '../dom.js';

export function startPictures() {
  document.addEventListener('click', (event) => {
    const link = closest(event, 'a.shot');
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const image = /** @type {HTMLImageElement} */ (need('picture-image'));
    const small = link.querySelector('img');
    image.src = small?.src ?? '';
    image.alt = need('picture-title').textContent = small?.alt ?? '';
    const tab = /** @type {HTMLAnchorElement} */ (need('picture-link'));
    tab.href = link.href;
    tab.hidden = image.src.startsWith('data:'); // no browser opens data in a tab
    /** @type {HTMLDialogElement} */ (need('picture')).showModal();
  });
}
