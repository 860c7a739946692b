// @ts-check
// Renders the parts around tree and path from an embedded template that contains
// everything: it removes what does not apply to the view.

import { formatViewQuery } from '../js/view.js';
import { readPart } from './embeddeddata.js';

const MAX_TICKS = 240; // ticks of the ruler
const MAX_FOUND_TICKS = 150; // of failed calls, and of hits

/** @typedef {{At: number, Class: string, Title?: string, Time?: string}} Tick */

/** @type {Promise<{Tip: number[], HTML: string[]}> | undefined} */
let factLists;

/**
 * @param {any} data of the tree
 * @param {import('./entrytree.js').EntryTree} entryTree
 * @param {import('./outline.js').Outline} outline
 * @param {import('../js/view.js').View} view
 */
export async function renderFacts(data, entryTree, outline, view) {
  const template = document.createElement('template');
  template.innerHTML = data.Facts;
  const body = template.content, get = (/** @type {string} */ id) => /** @type {HTMLElement} */ (body.getElementById(id));
  const { path } = outline, atLeaf = path.leaf === entryTree.leaf;
  const name = path.leaf < 0 ? 'none' : entryTree.ids[path.leaf];
  Object.assign(get('facts').dataset, { ...view, leaf: name, root: '', atLeaf, sessionLeaf: entryTree.ids[entryTree.leaf] ?? '', rev: '' });
  await updateFactList(get('facts'), entryTree, path);
  const filter = data.Filters.find((/** @type {any} */ f) => f.Name === view.filter);
  countVisible(get('side-foot'), filter.Visible, view);
  if (view.filter === 'failed') countFailures(get('side-foot'));
  showIf(get('away'), !atLeaf);
  for (const a of get('away').querySelectorAll('a')) a.href = '#' + formatViewQuery({ ...view, entry: '', leaf: '' });
  showIf(get('focus-bar'), false);
  get('facts').querySelector('.failed-button')?.setAttribute('aria-pressed', String(view.filter === 'failed'));
  updateFilterLinks(get('filters'), view);
  updateNoHits(get('no-hits'), outline, view);
  drawRuler(get('ruler'), path, selectTicks([...data.Ticks ?? [], ...hitTicks(outline)], path), view, entryTree);
  return body;
}

/**
 * Shows in the footer of the tree how many entries have a row, and how many have none.
 * @param {HTMLElement} foot
 * @param {number} visible
 * @param {import('../js/view.js').View} view
 */
function countVisible(foot, visible, view) {
  const [shown, all] = foot.querySelectorAll('b'), hidden = /** @type {HTMLElement | null} */ (foot.querySelector('.hidden-count'));
  if (!shown || !all || !hidden) return;
  shown.textContent = visible.toLocaleString('en');
  const count = Number(all.textContent?.replaceAll(',', '')) - visible;
  showIf(hidden, count > 0 && view.filter !== 'all');
  if (hidden.hidden) return;
  const dot = document.createElement('span'), link = document.createElement('a');
  dot.textContent = '·';
  dot.ariaHidden = 'true';
  link.textContent = `${count.toLocaleString('en')} hidden`;
  link.href = '#' + formatViewQuery({ ...view, filter: 'all' });
  link.dataset.view = '';
  link.title = 'Show all lines in the tree';
  hidden.replaceChildren(dot, ' ', link);
}

/**
 * Shows in the footer of the tree how many tool calls failed, in place of the entries.
 * @param {HTMLElement} foot
 */
function countFailures(foot) {
  const { failed, calls } = foot.dataset, rest = [...foot.children].slice([...foot.children].findIndex((el) => el.classList.contains('grow')));
  const count = document.createElement('span'), dot = document.createElement('span'), note = document.createElement('span');
  const number = document.createElement('b');
  number.textContent = failed ?? '';
  count.className = 'number';
  count.append(number, ` failed of ${calls}`);
  dot.className = note.className = 'optional';
  dot.textContent = '·';
  dot.ariaHidden = 'true';
  note.textContent = 'Others are hidden';
  foot.replaceChildren(count, ' ', dot, ' ', note, ' ', ...rest);
}

/**
 * Shows an element, or hides and empties it.
 * @param {HTMLElement} el
 * @param {boolean} on
 */
function showIf(el, on) {
  el.hidden = !on;
  if (!on) el.replaceChildren();
}

/**
 * @param {HTMLElement} bar
 * @param {import('./entrytree.js').EntryTree} entryTree
 * @param {import('./entrytree.js').EntryPath} path
 */
async function updateFactList(bar, entryTree, path) {
  factLists ??= readPart('facts');
  const { Tip, HTML } = await factLists;
  const at = (Tip ?? []).indexOf(path.leaf), old = bar.querySelector('dl');
  if (!old) return;
  if (at >= 0) old.outerHTML = HTML[at];
  else while (old.children.length > 1) old.lastElementChild?.remove(); // no list exists for this leaf: only the length is known
  const cost = bar.querySelector('#spent-path'), spent = /** @type {HTMLElement | null} */ (bar.querySelector('.spent-btn'));
  if (cost && spent) cost.textContent = spent.dataset.path ?? '';
  const count = bar.querySelector('.first dd');
  if (count) count.textContent = `${path.total.toLocaleString('en')} ${path.total === 1 ? 'entry' : 'entries'}`;
}

/**
 * @param {HTMLElement} nav
 * @param {import('../js/view.js').View} view
 */
function updateFilterLinks(nav, view) {
  for (const a of nav.querySelectorAll('a')) {
    a.setAttribute('href', '#' + formatViewQuery({ ...view, filter: a.dataset.filter ?? '' }));
    if (a.dataset.filter === view.filter) a.setAttribute('aria-current', 'true');
  }
}

/**
 * @param {HTMLElement} el
 * @param {import('./outline.js').Outline} outline
 * @param {import('../js/view.js').View} view
 */
function updateNoHits(el, outline, view) {
  showIf(el, view.q !== '' && outline.options.hits?.size === 0);
  const text = el.querySelector('b'), all = el.querySelector('a');
  if (text) text.textContent = `No match for “${view.q}”` + (view.filter === 'all' ? '' : ' in the visible entries');
  if (view.filter === 'all') all?.remove();
  else all?.setAttribute('href', '#' + formatViewQuery({ ...view, filter: 'all' }));
}

/** @param {import('./outline.js').Outline} outline */
const hitTicks = ({ options }) => [...options.matches].sort((a, b) => a - b).map((At) => ({ At, Class: 'hit', Title: 'Hit' }));

/**
 * Returns the ticks of a path. If there are too many, prompts are thinned out first.
 * @param {Tick[]} ticks
 * @param {import('./entrytree.js').EntryPath} path
 */
function selectTicks(ticks, path) {
  const here = ticks.filter((t) => path.has(t.At));
  const only = (/** @type {string} */ name) => here.filter((t) => t.Class === name);
  const rare = thinOut(here.filter((t) => !['prompt', 'failed', 'hit'].includes(t.Class)), MAX_TICKS);
  return [...thinOut(only('prompt'), MAX_TICKS - rare.length), ...rare, ...thinOut(only('failed'), MAX_FOUND_TICKS), ...thinOut(only('hit'), MAX_FOUND_TICKS)];
}

/** @param {Tick[]} ticks @param {number} n */
const thinOut = (ticks, n) => (ticks.length <= n ? ticks : Array.from({ length: n }, (_, i) => ticks[Math.floor(i * ticks.length / n)]));

/**
 * @param {HTMLElement} svg
 * @param {import('./entrytree.js').EntryPath} path
 * @param {Tick[]} ticks
 * @param {import('../js/view.js').View} view
 * @param {import('./entrytree.js').EntryTree} entryTree
 */
function drawRuler(svg, path, ticks, view, entryTree) {
  const make = (/** @type {string} */ name, /** @type {Record<string, string>} */ attrs) => {
    const el = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attrs)) el.setAttribute(key, value);
    return el;
  };
  for (const t of ticks) {
    const y = (Math.floor(entryTree.pathIndex(path, t.At) * 1000 / path.total) / 10).toFixed(1) + '%';
    const a = make('a', { href: '#' + formatViewQuery({ ...view, entry: entryTree.ids[t.At] }), tabindex: '-1', 'data-view': '', ...(t.Time ? { 'data-compaction-time': t.Time } : {}) });
    const title = make('title', {});
    title.textContent = t.Title ?? '';
    a.append(title, make('line', { class: 'tick--' + t.Class, x1: t.Class === 'prompt' ? '10' : '6', x2: '16', y1: y, y2: y }));
    svg.append(a);
  }
}
