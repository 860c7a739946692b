// @ts-check
// Draws the choices of the palette.

import { createElement } from '../dom.js';
import { localizeTimes } from '../times.js';

/** @typedef {import('./rank.js').Command} Command */
/** @typedef {import('./rank.js').ChoiceGroup} ChoiceGroup */

/**
 * Returns what a list shows of commands, for comparison.
 * @param {Command[]} commands
 */
export const serializeCommands = (commands) => JSON.stringify(commands.map(({ name, icon, keys, disabledReason }) => [name, icon, keys, disabledReason]));

/** @param {string} name */
const createIcon = (name) => createElement('i', 'icon icon--' + name);

/**
 * Returns the elements of groups. Options are numbered across groups.
 * @param {ChoiceGroup[]} groups
 * @param {string[]} words
 * @param {Node[]} notes what follows the commands
 */
export function createGroups(groups, words, notes) {
  let n = 0;
  const elements = groups.map((group) => {
    const el = createElement('div', '');
    el.setAttribute('role', 'group');
    el.setAttribute('aria-label', group.name || 'Choices');
    if (group.name && group.name !== 'Search') el.append(createHeading(group));
    for (const choice of group.choices) el.append(createOption(choice, n++, group.name === 'Search' ? [] : words));
    if (group.name === 'Commands') el.append(...notes.splice(0));
    return el;
  });
  return [...elements, ...notes.splice(0)];
}

/** @param {ChoiceGroup} group */
function createHeading(group) {
  const el = createElement('div', 'palette-group', group.name);
  el.setAttribute('role', 'presentation');
  if (group.total > group.choices.length) el.append(createElement('span', 'number', `${group.choices.length} of ${group.total.toLocaleString('en')}`));
  return el;
}

/**
 * @param {Command} choice
 * @param {number} n
 * @param {string[]} words
 */
function createOption(choice, n, words) {
  const el = createElement('div', '', createIcon(choice.icon));
  el.id = 'command-' + n;
  el.dataset.n = String(n);
  el.setAttribute('role', 'option');
  const texts = createElement('span', 'palette-text', createElement('b', '', ...markWords(choice.name, words)));
  const detail = choice.disabledReason ?? choice.detail;
  if (detail) texts.append(createElement('span', '', ...markWords(detail, words)));
  el.append(texts);
  if (choice.disabledReason) el.setAttribute('aria-disabled', 'true');
  if (choice.keys) el.append(createElement('span', 'palette-keys', ...choice.keys.map((key) => createElement('kbd', 'kbd', key))));
  else if (choice.more) el.append(createElement('span', 'palette-detail number', choice.more));
  else if (choice.time) el.append(createTime(choice.time));
  return el;
}

/** @param {string} iso */
function createTime(iso) {
  const time = document.createElement('time');
  time.dateTime = iso;
  time.dataset.timeFormat = 'short';
  const el = createElement('span', 'palette-detail number', time);
  localizeTimes(el);
  return el;
}

/**
 * Returns the line that tells which commands are not possible now, and why.
 * @param {{reason: string, commands: Command[]}} group
 */
export function createReason({ reason, commands }) {
  const what = createElement('b', '', commands[0].name), rest = commands.length - 1;
  const text = rest ? ` and ${rest} more are not available: ` : ' is not available: ';
  return createNote(what, text + reason.charAt(0).toLowerCase() + reason.slice(1));
}

/**
 * Returns a line that is no choice.
 * @param {...(string | Node)} content
 */
export function createNote(...content) {
  const el = createElement('div', 'palette-reason', createElement('i', 'icon icon--info icon-14'), createElement('span', '', ...content));
  el.setAttribute('role', 'presentation');
  return el;
}

/**
 * Returns a text with marks around all words.
 * @param {string} text
 * @param {string[]} words
 * @returns {(string | HTMLElement)[]}
 */
export function markWords(text, words) {
  const low = text.toLowerCase();
  if (low.length !== text.length) return [text];
  /** @type {[number, number][]} */
  const hits = [];
  for (const word of words) {
    const at = low.indexOf(word);
    if (at >= 0 && !hits.some(([from, to]) => at < to && at + word.length > from)) hits.push([at, at + word.length]);
  }
  hits.sort((a, b) => a[0] - b[0]);
  /** @type {(string | HTMLElement)[]} */
  const out = [];
  let done = 0;
  for (const [from, to] of hits) {
    out.push(text.slice(done, from), createElement('mark', '', text.slice(from, to)));
    done = to;
  }
  return [...out, text.slice(done)];
}
