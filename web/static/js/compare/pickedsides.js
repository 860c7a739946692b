// @ts-check
// The check boxes of a comparison of more than two branches: two at a time are picked.

import { findAll, requireElement } from '../dom.js';

/**
 * Starts the check boxes, if there are any.
 * @param {HTMLElement} main
 */
export function startPickedSides(main) {
  const boxes = /** @type {HTMLInputElement[]} */ (findAll('input[name="with"]', main));
  if (boxes.length === 0) return;
  let picked = boxes.filter((box) => box.checked);
  const show = () => {
    for (const box of boxes) box.checked = picked.includes(box);
    const letters = picked.map((box) => box.dataset.letter ?? '').sort();
    const button = /** @type {HTMLButtonElement} */ (requireElement('compare-picked'));
    button.disabled = picked.length < 2;
    const text = button.querySelector('span');
    if (text) text.textContent = picked.length < 2 ? 'Pick two' : `Compare ${letters.join(' and ')}`;
  };
  requireElement('compare-form').addEventListener('change', (event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    picked = [...picked.filter((other) => other !== box), ...(box.checked ? [box] : [])].slice(-2);
    show();
  });
  show();
}
