// @ts-check
// The elements of the list of hits.

import { createElement, requireElement } from '../dom.js';
import { localizeTimes } from '../times.js';

/**
 * @typedef {import('./hitgroups.js').Hit} Hit
 * @typedef {import('./hitgroups.js').Branch} Branch
 */

/** @typedef {{icon: string, class?: string, name: string}} Sign how a kind of hit is shown */

/** The signs by role, which the page has. @type {() => Record<string, Sign>} */
const readSigns = () => (signs ??= JSON.parse(requireElement('finder').dataset.signs ?? '{}'));
/** @type {Record<string, Sign> | undefined} */
let signs;

/**
 * Returns the list item of a hit.
 * @param {Hit} hit
 * @param {string} href
 * @param {boolean} showsCall whether the list is of calls: their command is the text
 */
export function createHit(hit, href, showsCall) {
  const isTool = hit.role === 'input' || hit.role === 'output';
  const sign = readSigns()[hit.failed && isTool ? 'failed' : hit.role];
  const link = /** @type {HTMLAnchorElement} */ (createElement('a', 'search-hit'));
  link.href = href;
  link.tabIndex = -1;
  link.dataset.hit = hit.entry;
  const mark = createElement('span', sign.class ? `search-hit-icon ${sign.class}` : 'search-hit-icon');
  mark.append(createElement('i', `icon icon--${(!hit.failed && hit.icon) || sign.icon} icon-14`), createElement('span', 'visually-hidden', sign.name));
  const text = createElement('p', isTool ? 'mono' : '');
  const facts = createElement('small', '');
  if (showsCall) {
    text.append(hit.arg || hit.tool || '');
    addFacts(facts, [hit.tool, { err: hit.status }, hit.text.join('').trim() || 'no output']);
  } else {
    text.append(...markedText(hit.text));
    if (isTool) addFacts(facts, [[hit.tool, hit.arg].filter(Boolean).join(' '), { err: hit.status }]);
  }
  link.append(mark, text, createTime(hit.time), facts);
  const item = document.createElement('li');
  item.append(link);
  localizeTimes(item);
  return item;
}

/** @param {number | undefined} ms */
function createTime(ms) {
  const time = /** @type {HTMLTimeElement} */ (createElement('time', 'number'));
  if (ms === undefined) return time;
  time.dateTime = new Date(ms).toISOString();
  time.dataset.timeFormat = 'clock';
  return time;
}

/** @param {string[]} parts every second one is marked */
const markedText = (parts) => parts.map((part, i) => (i % 2 ? createElement('mark', '', part) : part));

/**
 * @param {HTMLElement} el
 * @param {(string | undefined | {err: string | undefined})[]} facts
 */
function addFacts(el, facts) {
  for (const fact of facts) {
    const text = typeof fact === 'object' ? fact.err : fact;
    if (text) el.append(createElement('span', typeof fact === 'object' ? 'error' : '', text));
  }
}

/**
 * Returns the section of a branch: its heading and an empty list.
 * @param {Branch} branch
 */
export function createSection(branch) {
  const section = createElement('section', `hit-branch hit-branch--${branch.kind === 'abandoned' ? 'left' : branch.kind}`);
  const heading = createElement('h3', ''), node = createElement('span', 'hit-branch-node');
  node.append(branch.kind === 'path' ? createElement('i', 'hit-branch-dot') : createElement('i', `icon icon--${branch.kind === 'agent' ? 'agent' : branch.label ? 'flag' : 'fork'} icon-12`));
  const title = branch.kind === 'path' ? 'Current path' : branch.title || 'Branch';
  const tag = createElement('span', branch.kind === 'path' ? 'tag tag--leaf' : branch.kind === 'agent' ? 'tag tag--agent' : 'tag', { path: 'leaf', abandoned: 'abandoned', agent: 'sub-agent' }[branch.kind]);
  const count = createElement('span', 'number end'), name = createElement('span', 'truncate', title);
  name.title = title;
  heading.append(node, name, tag, count);
  const list = document.createElement('ul');
  section.append(heading, list);
  return { section, list, count };
}
