// @ts-check
// What the page says in place of results: that there are none, and why; that a query is not
// valid; that the connection was lost.

import { createElement, requireElement } from '../dom.js';
import { pluralize } from '../text.js';
import { formatRead } from './status.js';

/** @typedef {import('./resultstream.js').ReadProgress} ReadProgress */

const box = () => requireElement('search-message');

export const clearMessage = () => box().replaceChildren();

/** @param {string} html of the server */
export function showProblem(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  box().replaceChildren(template.content);
}

/**
 * Says that there are no hits.
 * @param {string[]} chips
 * @param {string} words
 * @param {ReadProgress} progress
 */
export function showNoHits(chips, words, progress) {
  const state = createElement('div', 'state state--page');
  const shown = words.trim() ? ` for “${words.trim()}”` : '';
  state.append(createIcon('search'), createElement('b', '', `No hits${shown}${chips.length ? ' with these filters' : ''}`));
  const [leftOut, searchAll] = describeOld(progress);
  const text = createElement('span', '', [describeSearched(progress), leftOut].filter(Boolean).join(' '));
  text.id = 'no-hits-text';
  state.append(text);
  const actions = createElement('span', 'state-actions');
  if (searchAll) actions.append(searchAll);
  if (!chips.length) actions.append(createButton('Clear search', { clear: '' }));
  state.append(actions);
  box().replaceChildren(state);
}

/** @param {ReadProgress} progress */
function describeSearched(progress) {
  const { totalSessions: n, onlyTexts } = progress;
  if (!n) return 'No session passes the filters.';
  if (onlyTexts) return pluralize(n, 'session was', 'sessions were') + ' searched.';
  return `All ${formatRead(progress)} in ${pluralize(n, 'session', 'sessions')} were read.`;
}

/**
 * Returns what a hub left out of the search, if anything, and a button that searches it too.
 * @param {ReadProgress} [progress]
 * @returns {[] | [string, HTMLElement]}
 */
export function describeOld(progress) {
  if (!progress?.onlyTexts) return [];
  const sessions = pluralize(progress.onlyTexts, 'old session', 'old sessions');
  return [`In ${sessions} only prompts, answers and labels were searched.`, createButton('Search all of them', { all: '' })];
}

/**
 * Adds to the message which filter hides hits.
 * @param {string} chip
 * @param {number} hits
 */
export function showHidingFilter(chip, hits) {
  const text = document.getElementById('no-hits-text'), actions = box().querySelector('.state-actions');
  if (!text || !actions) return;
  text.append(` There ${hits === 1 ? 'is' : 'are'} ${pluralize(hits, 'hit', 'hits')} without `, createElement('code', '', chip), '.');
  actions.replaceChildren(createButton(`Remove ${chip}`, { remove: chip }));
}

/**
 * Says that the connection was lost.
 * @param {ReadProgress} progress
 * @param {number} hits
 */
export function showLost(progress, hits) {
  const banner = createElement('div', 'banner banner--error banner--card');
  banner.setAttribute('role', 'alert');
  const text = document.createElement('span'), grow = createElement('span', 'grow');
  text.append(createElement('b', '', progress.totalBytes ? `The search stopped at ${formatRead(progress)}.` : 'The search stopped.'), ' Connection lost.');
  if (hits) text.append(` The ${pluralize(hits, 'hit', 'hits')} so far ${hits === 1 ? 'is' : 'are'} below.`);
  banner.append(createIcon('warn'), text, grow, createButton('Search again', { again: '' }, 'btn btn--sm'));
  box().replaceChildren(banner);
}

/** @param {string} name */
function createIcon(name) {
  const icon = createElement('i', 'icon icon--' + name);
  icon.setAttribute('aria-hidden', 'true');
  return icon;
}

/**
 * @param {string} text
 * @param {Record<string, string>} data
 * @param {string} [className]
 */
function createButton(text, data, className = 'btn btn--line') {
  const button = /** @type {HTMLButtonElement} */ (createElement('button', className, text));
  button.type = 'button';
  Object.assign(button.dataset, data);
  return button;
}
