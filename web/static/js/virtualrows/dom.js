// @ts-check
// Mounts rows in the page with the fewest changes. A row that stays is not moved, because
// moving it would remove its focus.

/**
 * Returns the elements of the list: rows, spacers for missing rows, and the tab stop even
 * outside the visible range.
 * @param {(i: number) => HTMLElement | undefined} row
 * @param {number} from
 * @param {number} to
 * @param {number} stop index of the tab stop
 * @param {number} h height of a row
 */
export function rowsToMount(row, from, to, stop, h) {
  /** @type {HTMLElement[]} */
  const want = [];
  const parked = stop < from || stop >= to ? row(stop) : undefined;
  if (parked && stop < from) want.push(parked);
  let gap = 0;
  for (let i = from; i < to; i++) {
    const el = row(i);
    if (!el) { gap++; continue; }
    if (gap) want.push(createSpacer(gap * h));
    gap = 0;
    want.push(el);
  }
  if (gap) want.push(createSpacer(gap * h));
  if (parked && stop >= to) want.push(parked);
  return { want, parked };
}

/**
 * @param {HTMLElement} list
 * @param {{want: HTMLElement[], parked: HTMLElement | undefined}} rows
 * @param {string} stop id of the tab stop
 */
export function mountRows(list, { want, parked }, stop) {
  const stay = new Set(want);
  for (const el of [...list.children]) if (!stay.has(/** @type {HTMLElement} */ (el)) && !el.classList.contains('state')) el.remove();
  let next = list.firstElementChild;
  for (const el of want) {
    if (el === next) next = next.nextElementSibling;
    else list.insertBefore(el, next);
    if (el.classList.contains('is-parked') !== (el === parked)) el.classList.toggle('is-parked');
    const tab = el.id !== '' && el.id === stop ? 0 : -1;
    if (el.tabIndex !== tab && el.classList.contains('row')) el.tabIndex = tab;
  }
}

/** @param {number} height */
function createSpacer(height) {
  const el = document.createElement('div');
  el.className = 'rows-spacer';
  el.setAttribute('role', 'none');
  el.style.height = height + 'px';
  return el;
}
