// @ts-check
// The chips of a query: its filters, each with a button that removes it.

import { requireElement } from '../dom.js';

/** @param {string} chip */
function createChip(chip) {
  const el = document.createElement('span'), text = document.createElement('span'), key = document.createElement('b'), remove = document.createElement('button'), icon = document.createElement('i');
  const at = chip.indexOf(':') + 1;
  el.className = 'query-token';
  key.textContent = chip.slice(0, at);
  text.append(key, chip.slice(at));
  remove.type = 'button';
  remove.dataset.remove = chip;
  remove.setAttribute('aria-label', 'Remove ' + chip);
  icon.className = 'icon icon--x icon-12';
  icon.setAttribute('aria-hidden', 'true');
  remove.append(icon);
  el.append(text, remove);
  return el;
}

/** Filters that a phone offers next to the chips. @type {[token: string, text: string][]} */
const FREQUENT = [['is:abandoned', 'Abandoned'], ['role:prompt', 'Prompts']];

/**
 * Shows the chips in the field, and on a phone in the row below it.
 * @param {string[]} chips
 */
export function showChips(chips) {
  requireElement('query-chips').replaceChildren(...chips.map(createChip));
  const row = requireElement('search-filters'), open = document.createElement('button'), icon = document.createElement('i');
  open.type = 'button';
  open.className = 'pill' + (chips.length ? ' is-on' : '');
  open.id = 'open-facets';
  open.setAttribute('aria-haspopup', 'dialog');
  icon.className = 'icon icon--filter icon-14';
  icon.setAttribute('aria-hidden', 'true');
  open.append(icon, 'Filters');
  if (chips.length) {
    const count = document.createElement('span');
    count.className = 'number';
    count.textContent = String(chips.length);
    open.append(count);
  }
  row.replaceChildren(open, ...chips.map(createChip), ...FREQUENT.filter(([token]) => !chips.includes(token)).map(([token, text]) => {
    const pill = document.createElement('button');
    pill.type = 'button';
    pill.className = 'pill';
    pill.dataset.add = token;
    pill.textContent = text;
    return pill;
  }));
}
