// @ts-check
// On a phone the facets are in a sheet.

import { closestElement, requireElement } from '../dom.js';

/**
 * Moves the facets into the sheet when it opens and back when it closes.
 * @param {() => void} clearFilters removes all filters
 */
export function startFacetSheet(clearFilters) {
  const sheet = /** @type {HTMLDialogElement} */ (requireElement('facet-sheet')), list = requireElement('facet-list');
  document.addEventListener('click', (event) => {
    if (!closestElement(event, '#open-facets')) return;
    requireElement('facet-sheet-body').append(list);
    sheet.showModal();
  });
  sheet.addEventListener('close', () => requireElement('facets').append(list));
  requireElement('clear-facets').addEventListener('click', clearFilters);
}
