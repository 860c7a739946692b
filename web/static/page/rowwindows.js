// @ts-check
// Answers windows of rows: pieces that the page holds, put where they stand in the
// view, with the lanes that run through them.

import { queryOf } from '../js/view.js';
import { withOpen } from './openbranches.js';
import { FOLD, STUB } from './outline.js';
import { Parts } from './embeddeddata.js';

const IN_PART = 256; // pieces an element holds
const pieces = new Parts('piece', 24);

/** @typedef {import('./outline.js').Outline} Outline */

/**
 * A window of rows.
 * @param {Outline} outline
 * @param {import('../js/view.js').View} view
 * @param {string} empty what stands there when there are no rows
 * @param {{at: number, n: number}} where
 */
export async function rowsBody(outline, view, empty, { at, n }) {
  const template = document.createElement('template');
  const total = outline.rows.length;
  template.innerHTML = total ? '<div class="rows" role="none"></div>' : empty;
  const list = /** @type {HTMLElement} */ (template.content.firstElementChild);
  for (const a of list.querySelectorAll('a')) a.href = '#' + queryOf({ ...view, filter: 'all' });
  const from = Math.max(0, Math.min(at, total)), to = Math.min(total, from + n);
  const selected = String(outline.selected);
  Object.assign(list.dataset, { at: String(from), from: String(from), total: String(total), rev: '', selected, focus: selected, hits: '' });
  list.append(...await elements(outline, view, from, to));
  return template.content;
}

/**
 * @param {Outline} outline
 * @param {import('../js/view.js').View} view
 * @param {number} from
 * @param {number} to
 */
async function elements(outline, view, from, to) {
  const wanted = [...outline.rows.subarray(from, to)].map((i) => outline.cols.piece[i]);
  const parts = new Map(await Promise.all([...new Set(wanted.map((p) => Math.floor(p / IN_PART)))]
    .map(async (p) => /** @type {const} */ ([p, await pieces.get(p)]))));
  const template = document.createElement('template');
  template.innerHTML = wanted.map((p) => parts.get(Math.floor(p / IN_PART))?.[p % IN_PART]).join('');
  const words = view.q.toLowerCase().split(/\s+/).filter(Boolean), { current } = outline;
  return [...template.content.children].map((el, n) => placed(/** @type {HTMLElement} */ (el), outline, view, from + n, words, current));
}

/**
 * Puts a piece where it stands.
 * @param {HTMLElement} el
 * @param {Outline} outline
 * @param {import('../js/view.js').View} view
 * @param {number} k
 * @param {string[]} words
 * @param {number} current
 */
function placed(el, outline, view, k, words, current) {
  const { cols, look: { forest: { ids } } } = outline, i = outline.rows[k], up = cols.up[i];
  const on = outline.onPath(i), selected = k === outline.selected;
  el.dataset.i = String(k);
  el.dataset.up = String(up < 0 ? -1 : outline.at[up]);
  const aria = { level: cols.level[i], setsize: cols.set[i], posinset: cols.nth[i], selected };
  for (const [name, value] of Object.entries(aria)) el.setAttribute('aria-' + name, String(value));
  if (k === current) el.setAttribute('aria-current', 'true');
  if (el.hasAttribute('aria-expanded')) el.setAttribute('aria-expanded', String(outline.opened[i] === 1));
  el.tabIndex = selected ? 0 : -1;
  el.classList.toggle('is-path', on);
  el.classList.toggle('is-selected', selected);
  el.classList.toggle('is-hit', outline.hit[i] === 1);
  drawLanes(el, outline.cells(k));
  const link = el.querySelector('.row-link'), id = ids[cols.title[i]];
  link?.setAttribute('href', '#' + queryOf({ ...view, entry: id, leaf: on ? view.leaf : '' }));
  if (link && words.length) mark(link, words);
  const toggle = el.querySelector('.nd--tog');
  if (!toggle) return el;
  const to = '#' + queryOf({ ...view, open: toggled(outline, i) });
  toggle.setAttribute('href', to);
  toggle.setAttribute('aria-label', outline.opened[i] ? 'Close' : 'Open');
  if (cols.kind(i) === FOLD) link?.setAttribute('href', to);
  return el;
}

/**
 * The list of opened branches when a row is opened or closed.
 * @param {Outline} outline
 * @param {number} i
 */
function toggled(outline, i) {
  const { cols, look: { forest: { ids }, open } } = outline;
  const title = ids[cols.title[i]], head = ids[cols.pos[i]], is = outline.opened[i] === 1;
  if (cols.kind(i) === FOLD) return withOpen(open, [title], is ? null : true);
  if (is && cols.kind(i) === STUB && !outline.preset(i)) return withOpen(open, [head, title], null);
  return withOpen(open, [head], !is);
}

/**
 * @param {HTMLElement} el
 * @param {string[]} cells classes of them; the last is the row's own
 */
function drawLanes(el, cells) {
  const own = el.firstElementChild;
  if (!own) return;
  const node = [...own.classList].find((name) => name.startsWith('nd--'));
  own.className = cells[cells.length - 1] + (node ? ' ' + node : '');
  own.before(...cells.slice(0, -1).map((name) => {
    const cell = document.createElement('i');
    cell.className = name;
    return cell;
  }));
}

/**
 * Marks words in the text of a row.
 * @param {Element} link
 * @param {string[]} words
 */
function mark(link, words) {
  const any = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'giu');
  for (const node of [...link.childNodes]) {
    if (node.nodeType !== Node.TEXT_NODE) continue;
    const text = node.nodeValue ?? '';
    let at = 0;
    const out = [];
    for (const found of text.matchAll(any)) {
      const el = document.createElement('mark');
      el.textContent = found[0];
      out.push(text.slice(at, found.index), el);
      at = found.index + found[0].length;
    }
    if (at) /** @type {ChildNode} */ (node).replaceWith(...out, text.slice(at));
  }
}
