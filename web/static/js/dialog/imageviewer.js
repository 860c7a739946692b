// @ts-check
// Images of the path in large, over the page. The dialog gives the focus back to
// the link when it closes.

import { closestElement, requireElement } from '../dom.js';

export function startImageViewer() {
  document.addEventListener('click', (event) => {
    const link = closestElement(event, 'a.shot');
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const image = /** @type {HTMLImageElement} */ (requireElement('picture-image'));
    const small = link.querySelector('img');
    image.src = small?.src ?? '';
    image.alt = requireElement('picture-title').textContent = small?.alt ?? '';
    const tab = /** @type {HTMLAnchorElement} */ (requireElement('picture-link'));
    tab.href = link.href;
    tab.hidden = image.src.startsWith('data:'); // no browser opens data in a tab
    /** @type {HTMLDialogElement} */ (requireElement('picture')).showModal();
  });
}
