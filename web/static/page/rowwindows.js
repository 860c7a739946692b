// @ts-check
// Renders windows of rows: embedded pieces of HTML, with their position in the view and
// their lanes.

import { queryWords } from '../js/text.js';
import { formatViewQuery } from '../js/view.js';
import { formatOpenBranches } from './openbranches.js';
import { GROUP, BRANCH } from './outline.js';
import { PartCache } from './embeddeddata.js';

const PIECES_PER_PART = 256; // pieces per element
const pieceParts = new PartCache('piece', 24);

/** @typedef {import('./outline.js').Outline} Outline */

/**
 * Renders a window of rows.
 * @param {Outline} outline
 * @param {import('../js/view.js').View} view
 * @param {string} empty the HTML shown if there are no rows
 * @param {{at: number, n: number}} where
 */
export async function renderRowWindow(outline, view, empty, { at, n }) {
  const template = document.createElement('template');
  const total = outline.rows.length;
  template.innerHTML = total ? '<div class="rows" role="none"></div>' : empty;
  const list = /** @type {HTMLElement} */ (template.content.firstElementChild);
  for (const a of list.querySelectorAll('a')) a.href = '#' + formatViewQuery({ ...view, filter: 'all' });
  const from = Math.max(0, Math.min(at, total)), to = Math.min(total, from + n);
  const selected = String(outline.selectedRow);
  Object.assign(list.dataset, { at: String(from), from: String(from), total: String(total), rev: '', selected, focus: selected, hits: '' });
  list.append(...await createRows(outline, view, from, to));
  return template.content;
}

/**
 * @param {Outline} outline
 * @param {import('../js/view.js').View} view
 * @param {number} from
 * @param {number} to
 */
async function createRows(outline, view, from, to) {
  const wanted = [...outline.rows.subarray(from, to)].map((i) => outline.cols.piece[i]);
  const parts = new Map(await Promise.all([...new Set(wanted.map((p) => Math.floor(p / PIECES_PER_PART)))]
    .map(async (p) => /** @type {const} */ ([p, await pieceParts.get(p)]))));
  const template = document.createElement('template');
  template.innerHTML = wanted.map((p) => parts.get(Math.floor(p / PIECES_PER_PART))?.[p % PIECES_PER_PART]).join('');
  const words = queryWords(view.q), { lastPathRow } = outline;
  return [...template.content.children].map((el, n) => placeRow(/** @type {HTMLElement} */ (el), outline, view, from + n, words, lastPathRow));
}

/**
 * Sets the position and state of a row in the view.
 * @param {HTMLElement} el
 * @param {Outline} outline
 * @param {import('../js/view.js').View} view
 * @param {number} k
 * @param {string[]} words
 * @param {number} current
 */
function placeRow(el, outline, view, k, words, current) {
  const { cols, options: { entryTree: { ids } } } = outline, i = outline.rows[k], up = cols.parent[i];
  const on = outline.isOnPath(i), selected = k === outline.selectedRow;
  el.dataset.row = String(k);
  el.dataset.parentRow = String(up < 0 ? -1 : outline.rowIndexes[up]);
  const aria = { level: cols.level[i], setsize: cols.setSize[i], posinset: cols.setPosition[i], selected };
  for (const [name, value] of Object.entries(aria)) el.setAttribute('aria-' + name, String(value));
  if (k === current) el.setAttribute('aria-current', 'true');
  if (el.hasAttribute('aria-expanded')) el.setAttribute('aria-expanded', String(outline.isOpen[i] === 1));
  el.tabIndex = selected ? 0 : -1;
  el.classList.toggle('is-path', on);
  el.classList.toggle('is-selected', selected);
  el.classList.toggle('is-hit', outline.isHit[i] === 1);
  drawLanes(el, outline.laneClasses(k));
  const link = el.querySelector('.row-link'), id = ids[cols.title[i]];
  link?.setAttribute('href', '#' + formatViewQuery({ ...view, entry: id, leaf: on ? view.leaf : '' }));
  if (link && words.length) markWords(link, words);
  if (outline.isHit[i] === 1) showHits(el, outline.hitEntries.get(i)?.size ?? 0, view.q !== '');
  const toggle = el.querySelector('.node--toggle');
  if (!toggle) return el;
  const to = '#' + formatViewQuery({ ...view, open: toggledBranches(outline, i) });
  toggle.setAttribute('href', to);
  toggle.setAttribute('aria-label', outline.isOpen[i] ? 'Close' : 'Open');
  if (cols.kind(i) === GROUP) link?.setAttribute('href', to);
  return el;
}

/**
 * Shows the number of hits of a closed row in place of its count and age, or a dot where
 * a hit is not in the text.
 * @param {HTMLElement} el
 * @param {number} n
 * @param {boolean} isQuery whether the hits are of a query, and not failed calls
 */
function showHits(el, n, isQuery) {
  if (el.getAttribute('aria-expanded') !== 'false') {
    if (isQuery && !el.querySelector('.row-link mark')) el.append(createDot());
    return;
  }
  const count = document.createElement('span'), text = document.createElement('b');
  count.className = 'row-meta';
  text.className = isQuery ? 'hit-count' : 'hit-count hit-count--failed';
  text.textContent = isQuery ? `${n.toLocaleString('en')} ${n === 1 ? 'hit' : 'hits'}` : `${n.toLocaleString('en')} failed`;
  count.append(text);
  const [first, ...others] = el.querySelectorAll('.row-meta:has(.count-noun), .row-age');
  first?.replaceWith(count);
  for (const other of others) other.remove();
}

function createDot() {
  const dot = document.createElement('i');
  dot.className = 'hit-dot';
  dot.role = 'img';
  dot.ariaLabel = dot.title = '1 hit';
  return dot;
}

/**
 * Returns the list of open branches after a row is opened or closed.
 * @param {Outline} outline
 * @param {number} i
 */
function toggledBranches(outline, i) {
  const { cols, options: { entryTree: { ids }, open } } = outline;
  const title = ids[cols.title[i]], head = ids[cols.pos[i]], is = outline.isOpen[i] === 1;
  if (cols.kind(i) === GROUP) return formatOpenBranches(open, [title], is ? null : true);
  if (is && cols.kind(i) === BRANCH && !outline.isOpenByDefault(i)) return formatOpenBranches(open, [head, title], null);
  return formatOpenBranches(open, [head], !is);
}

/**
 * @param {HTMLElement} el
 * @param {string[]} cells classes of the cells; the last is the row's own lane
 */
function drawLanes(el, cells) {
  const own = el.firstElementChild;
  if (!own) return;
  const node = [...own.classList].find((name) => name.startsWith('node--'));
  own.className = cells[cells.length - 1] + (node ? ' ' + node : '');
  own.before(...cells.slice(0, -1).map((name) => {
    const cell = document.createElement('i');
    cell.className = name;
    return cell;
  }));
}

/**
 * Marks the words in the text of a row.
 * @param {Element} link
 * @param {string[]} words
 */
function markWords(link, words) {
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
