// @ts-check
// Answers what stands around tree and path, made of what the page holds with
// everything in it: what does not hold of the view is taken away.

import { queryOf } from '../js/view.js';
import { part } from './embeddeddata.js';

const TICKS = 240; // marks of the ruler

/** @typedef {{At: number, Class: string, Title?: string, Time?: string}} Tick */

/** @type {Promise<{Tip: number[], HTML: string[]}> | undefined} */
let lists;

/**
 * @param {any} data of the tree
 * @param {import('./entrytree.js').Forest} forest
 * @param {import('./outline.js').Outline} outline
 * @param {import('../js/view.js').View} view
 */
export async function factsBody(data, forest, outline, view) {
  const template = document.createElement('template');
  template.innerHTML = data.Facts;
  const body = template.content, get = (/** @type {string} */ id) => /** @type {HTMLElement} */ (body.getElementById(id));
  const { path } = outline, atLeaf = path.leaf === forest.leaf;
  const name = path.leaf < 0 ? 'none' : forest.ids[path.leaf];
  Object.assign(get('facts').dataset, { ...view, leaf: name, root: '', atLeaf, sessionLeaf: forest.ids[forest.leaf] ?? '', rev: '' });
  await list(get('facts'), forest, path);
  const visible = get('side-foot').querySelector('b');
  const filter = data.Filters.find((/** @type {any} */ f) => f.Name === view.filter);
  if (visible) visible.textContent = filter.Visible.toLocaleString('en');
  only(get('away'), !atLeaf);
  for (const a of get('away').querySelectorAll('a')) a.href = '#' + queryOf({ ...view, entry: '', leaf: '' });
  only(get('focus-bar'), false);
  chips(get('filters'), view);
  noHits(get('no-hits'), outline, view);
  ruler(get('ruler'), path, ticksOf(data.Ticks ?? [], forest, path), view, forest);
  return body;
}

/**
 * Shows a part, or empties it.
 * @param {HTMLElement} el
 * @param {boolean} on
 */
function only(el, on) {
  el.hidden = !on;
  if (!on) el.replaceChildren();
}

/**
 * @param {HTMLElement} bar
 * @param {import('./entrytree.js').Forest} forest
 * @param {import('./entrytree.js').Path} path
 */
async function list(bar, forest, path) {
  lists ??= part('facts');
  const { Tip, HTML } = await lists;
  const at = (Tip ?? []).indexOf(path.leaf), old = bar.querySelector('dl');
  if (!old) return;
  if (at >= 0) old.outerHTML = HTML[at];
  else while (old.children.length > 1) old.lastElementChild?.remove(); // an end that nobody reads to: only its length is known
  const count = bar.querySelector('.first dd');
  if (count) count.textContent = `${path.total.toLocaleString('en')} ${path.total === 1 ? 'entry' : 'entries'}`;
}

/**
 * @param {HTMLElement} nav
 * @param {import('../js/view.js').View} view
 */
function chips(nav, view) {
  for (const a of nav.querySelectorAll('a')) {
    a.setAttribute('href', '#' + queryOf({ ...view, filter: a.dataset.filter ?? '' }));
    if (a.dataset.filter === view.filter) a.setAttribute('aria-current', 'true');
  }
}

/**
 * @param {HTMLElement} el
 * @param {import('./outline.js').Outline} outline
 * @param {import('../js/view.js').View} view
 */
function noHits(el, outline, view) {
  only(el, view.q !== '' && outline.look.hits?.size === 0);
  const text = el.querySelector('b'), all = el.querySelector('a');
  if (text) text.textContent = `No match for “${view.q}”` + (view.filter === 'all' ? '' : ' in the visible entries');
  if (view.filter === 'all') all?.remove();
  else all?.setAttribute('href', '#' + queryOf({ ...view, filter: 'all' }));
}

/**
 * The marks along a path, thinned out where there are too many: prompts first.
 * @param {Tick[]} ticks
 * @param {import('./entrytree.js').Forest} forest
 * @param {import('./entrytree.js').Path} path
 */
function ticksOf(ticks, forest, path) {
  const here = ticks.filter((t) => path.has(t.At));
  const rare = thin(here.filter((t) => t.Class !== 'u'), TICKS);
  return [...thin(here.filter((t) => t.Class === 'u'), TICKS - rare.length), ...rare];
}

/** @param {Tick[]} ticks @param {number} n */
const thin = (ticks, n) => (ticks.length <= n ? ticks : Array.from({ length: n }, (_, i) => ticks[Math.floor(i * ticks.length / n)]));

/**
 * @param {HTMLElement} svg
 * @param {import('./entrytree.js').Path} path
 * @param {Tick[]} ticks
 * @param {import('../js/view.js').View} view
 * @param {import('./entrytree.js').Forest} forest
 */
function ruler(svg, path, ticks, view, forest) {
  const make = (/** @type {string} */ name, /** @type {Record<string, string>} */ attrs) => {
    const el = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attrs)) el.setAttribute(key, value);
    return el;
  };
  for (const t of ticks) {
    const y = (Math.floor(forest.place(path, t.At) * 1000 / path.total) / 10).toFixed(1) + '%';
    const a = make('a', { href: '#' + queryOf({ ...view, entry: forest.ids[t.At] }), tabindex: '-1', 'data-view': '', ...(t.Time ? { 'data-pack': t.Time } : {}) });
    const title = make('title', {});
    title.textContent = t.Title ?? '';
    a.append(title, make('line', { class: t.Class, x1: t.Class === 'u' ? '10' : '6', x2: '16', y1: y, y2: y }));
    svg.append(a);
  }
}
