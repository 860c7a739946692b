// @ts-check
// Shows an image of the path enlarged in a dialog. When the dialog closes, the link gets
// the focus back.

import { closestElement, requireElement } from '../dom.js';

export function startImageViewer() {
  document.addEventListener('click', (event) => {
    const link = closestElement(event, 'a.image-link');
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const image = /** @type {HTMLImageElement} */ (requireElement('picture-image'));
    const small = link.querySelector('img');
    image.src = small?.src ?? '';
    image.alt = requireElement('picture-title').textContent = small?.alt ?? '';
    const tab = /** @type {HTMLAnchorElement} */ (requireElement('picture-link'));
    tab.href = link.href;
    tab.hidden = image.src.startsWith('data:'); // browsers do not open data: URLs in a tab
    /** @type {HTMLDialogElement} */ (requireElement('picture')).showModal();
  });
}
