// @ts-check
// Renders pages of the path from the embedded items.

import { formatViewQuery, parseView } from '../js/view.js';
import { PartCache } from './embeddeddata.js';

const PAGE_SIZE = 50; // entries
export const itemParts = new PartCache('path', 12);

/**
 * @typedef {import('./entrytree.js').EntryTree} EntryTree
 * @typedef {import('./entrytree.js').PathPage} PathPage
 */

/**
 * Returns the range of pieces that form the requested page: from pieces[a] up to, but not
 * including, pieces[b].
 * @param {EntryTree} entryTree
 * @param {import('./entrytree.js').EntryPath} path
 * @param {PathPage[]} pieces
 * @param {URLSearchParams} params
 * @param {number} entry the viewed entry
 */
function findPageRange(entryTree, path, pieces, params, entry) {
  const n = Number(params.get('n')) || PAGE_SIZE, [before, after, around] = ['before', 'after', 'around'].map((name) => params.get(name));
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
    const b = before === 'none' ? pieces.length : holds(entryTree.pathIndex(path, entryTree.findPosition(before)));
    return grow(b, b, true, false);
  }
  if (after) {
    const a = after === 'none' ? 0 : holds(entryTree.pathIndex(path, entryTree.findPosition(after))) + 1;
    return grow(a, a, false, true);
  }
  const pos = around ? entryTree.findPosition(around) : entry;
  const a = Math.max(0, holds(entryTree.pathIndex(path, pos < 0 ? path.leaf : pos)));
  return grow(a, Math.min(a + 1, pieces.length), true, true);
}

/** @param {PathPage[]} pieces @param {number} a @param {number} b */
const countEntries = (pieces, a, b) => pieces.slice(a, b).reduce((sum, p) => sum + p.size, 0);

/**
 * Renders a page of the path.
 * @param {EntryTree} entryTree
 * @param {import('../js/view.js').View} view
 * @param {URLSearchParams} params
 * @param {Record<string, string>} ends
 */
export async function renderPathPage(entryTree, view, params, ends) {
  const path = entryTree.pathTo(entryTree.viewLeaf(view)), pieces = entryTree.pathPages(path);
  const { a, b } = findPageRange(entryTree, path, pieces, params, entryTree.findPosition(view.entry));
  const some = pieces.slice(a, b);
  const html = await Promise.all(some.map(async ({ page }) => (await itemParts.get(entryTree.pageLocations[page].part))[entryTree.pageLocations[page].at]));
  const template = document.createElement('template');
  template.innerHTML = '<ol class="path-page"></ol>';
  const list = /** @type {HTMLElement} */ (template.content.firstElementChild);
  const begins = new Set(path.segments.map((segment) => segment.start));
  some.forEach((piece, i) => appendPiece(list, html[i], begins.has(piece.start)));
  const from = some[0]?.start ?? 0, to = from + countEntries(some, 0, some.length);
  if (to === path.total) appendPathEnd(list, entryTree, path, ends);
  const attributes = {
    first: entryTree.entryAtIndex(path, from), last: entryTree.entryAtIndex(path, to - 1), total: path.total, skipped: from, left: path.total - to,
    atLeaf: path.leaf === entryTree.leaf, atEnd: to === path.total, rev: '', anchor: '', more: '', after: '',
  };
  for (const [name, value] of Object.entries(attributes)) list.dataset[name] = String(value);
  rewriteLinks(list, entryTree, path, view);
  return template.content;
}

/**
 * Appends the items of a piece. At the start of a segment, a group of tools joins the group
 * above.
 * @param {HTMLElement} list
 * @param {string} html
 * @param {boolean} begins whether the piece begins a segment
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
 * Ends the path. If the last entry is in the middle of a page, the items after it are
 * removed.
 * @param {HTMLElement} list
 * @param {EntryTree} entryTree
 * @param {import('./entrytree.js').EntryPath} path
 * @param {Record<string, string>} ends
 */
function appendPathEnd(list, entryTree, path, ends) {
  if (path.leaf >= 0) {
    const segment = path.segments[path.segments.length - 1];
    if (segment.size < entryTree.segmentSize[segment.segment]) {
      const id = CSS.escape(entryTree.ids[path.leaf]);
      const last = list.querySelector(`[data-entry="${id}"]:not(.entry--fork), [data-result="${id}"]`)?.closest('.entry');
      while (last?.nextElementSibling) last.nextElementSibling.remove();
    }
  }
  const which = path.leaf < 0 ? 'none' : path.leaf === entryTree.leaf ? 'leaf' : 'other';
  list.insertAdjacentHTML('beforeend', ends[which]);
  const item = /** @type {HTMLElement} */ (list.lastElementChild);
  if (which === 'leaf') item.dataset.entry = entryTree.ids[path.leaf];
}

/**
 * Rewrites the links of items to keep the view: entries of the path keep its end, and
 * filter and open branches are kept. It removes the note on a thread that begins here if
 * the path continues in it.
 * @param {ParentNode} body
 * @param {EntryTree} entryTree
 * @param {import('./entrytree.js').EntryPath} path
 * @param {import('../js/view.js').View} view
 */
function rewriteLinks(body, entryTree, path, view) {
  const to = (/** @type {string} */ href) => {
    const { entry, leaf } = parseView(href), pos = entryTree.findPosition(entry);
    return '#' + formatViewQuery({ ...view, entry, leaf: pos >= 0 && path.has(pos) ? view.leaf : leaf });
  };
  for (const el of body.querySelectorAll('a[href^="#?"]')) el.setAttribute('href', to(el.getAttribute('href') ?? ''));
  for (const el of body.querySelectorAll('[data-href^="#?"]')) el.setAttribute('data-href', to(el.getAttribute('data-href') ?? ''));
  body.querySelector('.hidden-lines a')?.setAttribute('href', '#' + formatViewQuery({ ...view, filter: 'all' }));
  for (const el of body.querySelectorAll('.entry--join[id^="j-"] a')) {
    const pos = entryTree.findPosition(parseView(el.getAttribute('href') ?? '').entry);
    if (pos >= 0 && path.has(pos)) el.closest('.entry')?.remove();
  }
}
