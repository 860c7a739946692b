// @ts-check
// Answers pages of the path: items that the page holds, of as many stretches as make
// a page.

import { formatViewQuery, parseView } from '../js/view.js';
import { PartCache } from './embeddeddata.js';

const PAGE_SIZE = 50; // entries
export const itemParts = new PartCache('path', 12);

/**
 * @typedef {import('./entrytree.js').EntryTree} Forest
 * @typedef {import('./entrytree.js').PathPage} Piece
 */

/**
 * Which pieces make the page that is asked for: pieces[a] up to pieces[b].
 * @param {Forest} forest
 * @param {import('./entrytree.js').EntryPath} path
 * @param {Piece[]} pieces
 * @param {URLSearchParams} asked
 * @param {number} entry what is viewed
 */
function findPageRange(forest, path, pieces, asked, entry) {
  const n = Number(asked.get('n')) || PAGE_SIZE, [before, after, around] = ['before', 'after', 'around'].map((name) => asked.get(name));
  const holds = (/** @type {number} */ place) => pieces.findIndex((p) => place < p.start + p.size);
  const grow = (/** @type {number} */ a, /** @type {number} */ b, /** @type {boolean} */ up, /** @type {boolean} */ down) => {
    while (countEntries(pieces, a, b) < n) {
      if (down && b < pieces.length) b++;
      else if (up && a > 0) a--;
      else break;
    }
    return { a, b };
  };
  if (before) {
    const b = before === 'none' ? pieces.length : holds(forest.pathIndex(path, forest.findPosition(before)));
    return grow(b, b, true, false);
  }
  if (after) {
    const a = after === 'none' ? 0 : holds(forest.pathIndex(path, forest.findPosition(after))) + 1;
    return grow(a, a, false, true);
  }
  const pos = around ? forest.findPosition(around) : entry;
  const a = Math.max(0, holds(forest.pathIndex(path, pos < 0 ? path.leaf : pos)));
  return grow(a, Math.min(a + 1, pieces.length), true, true);
}

/** @param {Piece[]} pieces @param {number} a @param {number} b */
const countEntries = (pieces, a, b) => pieces.slice(a, b).reduce((sum, p) => sum + p.size, 0);

/**
 * A page of the path.
 * @param {Forest} forest
 * @param {import('../js/view.js').View} view
 * @param {URLSearchParams} asked
 * @param {Record<string, string>} ends
 */
export async function renderPathPage(forest, view, asked, ends) {
  const path = forest.pathTo(forest.viewLeaf(view)), pieces = forest.pathPages(path);
  const { a, b } = findPageRange(forest, path, pieces, asked, forest.findPosition(view.entry));
  const some = pieces.slice(a, b);
  const html = await Promise.all(some.map(async ({ page }) => (await itemParts.get(forest.pageLocations[page].part))[forest.pageLocations[page].at]));
  const template = document.createElement('template');
  template.innerHTML = '<ol class="path-page"></ol>';
  const list = /** @type {HTMLElement} */ (template.content.firstElementChild);
  const begins = new Set(path.segments.map((segment) => segment.start));
  some.forEach((piece, i) => appendPiece(list, html[i], begins.has(piece.start)));
  const from = some[0]?.start ?? 0, to = from + countEntries(some, 0, some.length);
  if (to === path.total) appendPathEnd(list, forest, path, ends);
  const told = {
    first: forest.entryAtIndex(path, from), last: forest.entryAtIndex(path, to - 1), total: path.total, skipped: from, left: path.total - to,
    atLeaf: path.leaf === forest.leaf, atEnd: to === path.total, rev: '', anchor: '', more: '', after: '',
  };
  for (const [name, value] of Object.entries(told)) list.dataset[name] = String(value);
  rewriteLinks(list, forest, path, view);
  return template.content;
}

/**
 * Adds the items of a piece. Where a stretch begins that no reader sees, tools go on
 * in the group above.
 * @param {HTMLElement} list
 * @param {string} html
 * @param {boolean} begins whether the piece begins a stretch
 */
function appendPiece(list, html, begins) {
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
 * @param {import('./entrytree.js').EntryPath} path
 * @param {Record<string, string>} ends
 */
function appendPathEnd(list, forest, path, ends) {
  if (path.leaf >= 0) {
    const segment = path.segments[path.segments.length - 1];
    if (segment.size < forest.segmentSize[segment.segment]) {
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
 * @param {import('./entrytree.js').EntryPath} path
 * @param {import('../js/view.js').View} view
 */
export function rewriteLinks(body, forest, path, view) {
  const to = (/** @type {string} */ href) => {
    const { entry, leaf } = parseView(href), pos = forest.findPosition(entry);
    return '#' + formatViewQuery({ ...view, entry, leaf: pos >= 0 && path.has(pos) ? view.leaf : leaf });
  };
  for (const el of body.querySelectorAll('a[href^="#?"]')) el.setAttribute('href', to(el.getAttribute('href') ?? ''));
  for (const el of body.querySelectorAll('[data-href^="#?"]')) el.setAttribute('data-href', to(el.getAttribute('data-href') ?? ''));
  for (const el of body.querySelectorAll('.entry--join[id^="j-"] a')) {
    const pos = forest.findPosition(parseView(el.getAttribute('href') ?? '').entry);
    if (pos >= 0 && path.has(pos)) el.closest('.entry')?.remove();
  }
}
