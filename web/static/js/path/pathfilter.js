// @ts-check
// The choice whether the path follows the filter of the tree. The stylesheet hides the items.

import { requireElement } from '../dom.js';
import { settings } from '../settings.js';

/** The filters that the path can follow, and whether it does unless the user chose. */
const DEFAULTS = /** @type {Record<string, boolean>} */ ({ 'no-tools': true, 'user-only': false });

/** @param {import('../session.js').SessionPage} session */
export function startPathFilter(session) {
  const label = requireElement('path-filter'), box = label.querySelector('input');
  if (!box) return;
  const key = (/** @type {string} */ filter) => 'path-filter-' + filter;
  const update = () => {
    const { filter } = session.view;
    const isOffered = filter in DEFAULTS;
    label.hidden = !isOffered;
    box.checked = isOffered && (settings.get(key(filter)) ?? String(DEFAULTS[filter])) === 'true';
    const shown = box.checked ? filter : '';
    if (session.path.container.dataset.filter === shown) return;
    session.path.container.dataset.filter = shown;
    document.dispatchEvent(new Event('path-changed')); // more pages may fit
  };
  box.addEventListener('change', () => {
    settings.set(key(session.view.filter), String(box.checked));
    update();
  });
  session.onFactsChange(update);
  update();
}
