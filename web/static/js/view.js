// @ts-check
// The view: which part of a session is shown, and how, as URL parameters.

import { requireElement } from './dom.js';

/**
 * @typedef {{entry: string, leaf: string, filter: string, q: string, layout: string, root: string, open: string}} View
 * entry: the viewed entry, '' = the leaf. leaf: the end of the viewed path if it is not the
 * session's leaf, else ''. root: the branch whose rows are shown, '' = all.
 */

const NAMES = /** @type {const} */ (['entry', 'leaf', 'filter', 'q', 'layout', 'root', 'open']);
const DEFAULTS = /** @type {Record<string, string>} */ ({ filter: 'default', layout: 'spine' });

/**
 * Returns the view parameters of a URL. An HTML export has them in the fragment.
 * @param {string} href
 */
export function parseViewParams(href) {
  const url = new URL(href, location.href);
  return url.hash.startsWith('#?') ? new URLSearchParams(url.hash.slice(2).split('#')[0]) : url.searchParams;
}

/**
 * Returns the view that a URL's parameters describe.
 * @param {string} href
 * @returns {View}
 */
export function parseView(href) {
  const params = parseViewParams(href);
  const view = /** @type {View} */ ({});
  for (const name of NAMES) view[name] = params.get(name) ?? DEFAULTS[name] ?? '';
  return view;
}

/**
 * Returns the query of a view without default values.
 * @param {View} view
 * @param {Record<string, string | number>} [more]
 */
export function formatViewQuery(view, more = {}) {
  const params = new URLSearchParams();
  for (const name of NAMES) if (view[name] && view[name] !== DEFAULTS[name]) params.set(name, view[name]);
  for (const [name, value] of Object.entries(more)) params.set(name, String(value));
  const query = params.toString();
  return query ? '?' + query : '';
}

/**
 * Returns the address of the map with the path of a view.
 * @param {string} base the address of the session
 * @param {View} view
 */
export const mapAddress = (base, view) => base + '/map' + (view.leaf ? '?' + new URLSearchParams({ leaf: view.leaf }) : '');

/**
 * Reports whether two views show the same path.
 * @param {View} a
 * @param {View} b
 */
export const isSamePath = (a, b) => a.leaf === b.leaf && (a.entry === b.entry || a.leaf !== '');

/**
 * Reports whether two views differ at most in the viewed entry.
 * @param {View} a
 * @param {View} b
 */
export const isSameButEntry = (a, b) => NAMES.every((name) => name === 'entry' || a[name] === b[name]);

/** Returns what the server reported about the shown view, as data attributes of the facts bar. */
export function readFacts() {
  const d = requireElement('facts').dataset;
  return { entry: d.entry ?? '', leaf: d.leaf ?? '', atLeaf: d.atLeaf === 'true', sessionLeaf: d.sessionLeaf ?? '', root: d.root ?? '', rev: d.rev ?? '' };
}

/**
 * Reports whether an address is the current one, ignoring a position on the page.
 * @param {string} address
 */
export const isCurrentAddress = (address) => (address.startsWith('#') ? (location.hash || '#') === address : address === location.pathname + location.search);

/** Returns the address of the session without a view. */
export const sessionAddress = () => requireElement('app').dataset.base ?? location.pathname;

/**
 * Merges two lists of branches that are opened or closed against their default.
 * @param {string} list
 * @param {string} other
 */
export function mergeOpenBranches(list, other) {
  const ids = new Map();
  for (const item of [...list.split(','), ...other.split(',')]) if (item) ids.set(item.replace(/^-/, ''), item);
  return [...ids.values()].slice(-200).join(',');
}
