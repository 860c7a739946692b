// @ts-check
// Answers pages of the path: items that the page holds, of as many stretches as make
// a page.

import { queryOf, viewOf } from '../js/view.js';
import { Parts } from './embeddeddata.js';

const PAGE = 50; // entries
export const items = new Parts('path', 12);

/**
 * @typedef {import('./entrytree.js').Forest} Forest
 * @typedef {import('./entrytree.js').Piece} Piece
 */

/**
 * Which pieces make the page that is asked for: pieces[a] up to pieces[b].
 * @param {Forest} forest
 * @param {import('./entrytree.js').Path} path
 * @param {Piece[]} pieces
 * @param {URLSearchParams} asked
 * @param {number} entry what is viewed
 */
function range(forest, path, pieces, asked, entry) {
  const n = Number(asked.get('n')) || PAGE, [before, after, around] = ['before', 'after', 'around'].map((name) => asked.get(name));
  const holds = (/** @type {number} */ place) => pieces.findIndex((p) => place < p.from + p.size);
  const grow = (/** @type {number} */ a, /** @type {number} */ b, /** @type {boolean} */ up, /** @type {boolean} */ down) => {
    while (sizeOf(pieces, a, b) < n) {
      if (down && b < pieces.length) b++;
      else if (up && a > 0) a--;
      else break;
    }
    return { a, b };
  };
  if (before) {
    const b = before === 'none' ? pieces.length : holds(forest.place(path, forest.find(before)));
    return grow(b, b, true, false);
  }
  if (after) {
    const a = after === 'none' ? 0 : holds(forest.place(path, forest.find(after))) + 1;
    return grow(a, a, false, true);
  }
  const pos = around ? forest.find(around) : entry;
  const a = Math.max(0, holds(forest.place(path, pos < 0 ? path.leaf : pos)));
  return grow(a, Math.min(a + 1, pieces.length), true, true);
}

/** @param {Piece[]} pieces @param {number} a @param {number} b */
const sizeOf = (pieces, a, b) => pieces.slice(a, b).reduce((sum, p) => sum + p.size, 0);

/**
 * A page of the path.
 * @param {Forest} forest
 * @param {import('../js/view.js').View} view
 * @param {URLSearchParams} asked
 * @param {Record<string, string>} ends
 */
export async function pathBody(forest, view, asked, ends) {
  const path = forest.path(forest.leafOf(view)), pieces = forest.pieces(path);
  const { a, b } = range(forest, path, pieces, asked, forest.find(view.entry));
  const some = pieces.slice(a, b);
  const html = await Promise.all(some.map(async ({ page }) => (await items.get(forest.held[page].part))[forest.held[page].at]));
  const template = document.createElement('template');
  template.innerHTML = '<ol class="path-page"></ol>';
  const list = /** @type {HTMLElement} */ (template.content.firstElementChild);
  const begins = new Set(path.legs.map((leg) => leg.from));
  some.forEach((piece, i) => join(list, html[i], begins.has(piece.from)));
  const from = some[0]?.from ?? 0, to = from + sizeOf(some, 0, some.length);
  if (to === path.total) end(list, forest, path, ends);
  const told = {
    first: forest.entryAt(path, from), last: forest.entryAt(path, to - 1), total: path.total, skipped: from, left: path.total - to,
    atLeaf: path.leaf === forest.leaf, atEnd: to === path.total, rev: '', anchor: '', more: '', after: '',
  };
  for (const [name, value] of Object.entries(told)) list.dataset[name] = String(value);
  aim(list, forest, path, view);
  return template.content;
}

/**
 * Adds the items of a piece. Where a stretch begins that no reader sees, tools go on
 * in the group above.
 * @param {HTMLElement} list
 * @param {string} html
 * @param {boolean} begins whether the piece begins a stretch
 */
function join(list, html, begins) {
  const last = list.lastElementChild;
  list.insertAdjacentHTML('beforeend', html);
  const next = last?.nextElementSibling;
  if (!begins || !last?.matches('.entry--tools') || !next?.matches('.entry--tools')) return;
  last.querySelector('.tools')?.append(...next.querySelectorAll('.tools > .tool'));
  next.remove();
}

/**
 * Ends the path: at an entry in the middle of a page, what follows it is no part of
 * it.
 * @param {HTMLElement} list
 * @param {Forest} forest
 * @param {import('./entrytree.js').Path} path
 * @param {Record<string, string>} ends
 */
function end(list, forest, path, ends) {
  if (path.leaf >= 0) {
    const stretch = path.legs[path.legs.length - 1];
    if (stretch.size < forest.size[stretch.stretch]) {
      const id = CSS.escape(forest.ids[path.leaf]);
      const last = list.querySelector(`[data-entry="${id}"]:not(.entry--fork), [data-result="${id}"]`)?.closest('.entry');
      while (last?.nextElementSibling) last.nextElementSibling.remove();
    }
  }
  const which = path.leaf < 0 ? 'none' : path.leaf === forest.leaf ? 'leaf' : 'other';
  list.insertAdjacentHTML('beforeend', ends[which]);
  const item = /** @type {HTMLElement} */ (list.lastElementChild);
  if (which === 'leaf') item.dataset.entry = forest.ids[path.leaf];
}

/**
 * Lets the links of items lead on from the view: entries of the path keep its end,
 * and filter and opened branches stay as they are. A line that says what begins here
 * is not wanted where the path goes on in it.
 * @param {ParentNode} body
 * @param {Forest} forest
 * @param {import('./entrytree.js').Path} path
 * @param {import('../js/view.js').View} view
 */
export function aim(body, forest, path, view) {
  const to = (/** @type {string} */ href) => {
    const { entry, leaf } = viewOf(href), pos = forest.find(entry);
    return '#' + queryOf({ ...view, entry, leaf: pos >= 0 && path.has(pos) ? view.leaf : leaf });
  };
  for (const el of body.querySelectorAll('a[href^="#?"]')) el.setAttribute('href', to(el.getAttribute('href') ?? ''));
  for (const el of body.querySelectorAll('[data-href^="#?"]')) el.setAttribute('data-href', to(el.getAttribute('data-href') ?? ''));
  for (const el of body.querySelectorAll('.entry--join[id^="j-"] a')) {
    const pos = forest.find(viewOf(el.getAttribute('href') ?? '').entry);
    if (pos >= 0 && path.has(pos)) el.closest('.entry')?.remove();
  }
}
