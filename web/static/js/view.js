// @ts-check
// The view: what the URL says about how the session is looked at.

import { requireElement } from './dom.js';

/**
 * @typedef {{entry: string, leaf: string, filter: string, q: string, layout: string, root: string, open: string}} View
 * entry: the viewed entry, '' = the leaf. leaf: the end of the viewed path when it
 * is not the session's leaf, else ''. root: the branch the rows begin with, '' = all.
 */

const NAMES = /** @type {const} */ (['entry', 'leaf', 'filter', 'q', 'layout', 'root', 'open']);
const DEFAULTS = /** @type {Record<string, string>} */ ({ filter: 'default', layout: 'spine' });

/**
 * The parameters of a URL. A page that stands by itself has them in its fragment.
 * @param {string} href
 */
export function parseViewParams(href) {
  const url = new URL(href, location.href);
  return url.hash.startsWith('#?') ? new URLSearchParams(url.hash.slice(2).split('#')[0]) : url.searchParams;
}

/**
 * Reads a view out of a URL's parameters.
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
 * The parameters of a view, without what is the default.
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
 * Whether two views show the same path.
 * @param {View} a
 * @param {View} b
 */
export const isSamePath = (a, b) => a.leaf === b.leaf && (a.entry === b.entry || a.leaf !== '');

/**
 * Whether two views show the same rows but for what is marked on them.
 * @param {View} a
 * @param {View} b
 */
export const isSameRowList = (a, b) => a.filter === b.filter && a.q === b.q && a.layout === b.layout;

/** What the server said of the view that is shown; it stands on the facts bar. */
export function readFacts() {
  const d = requireElement('facts').dataset;
  return { entry: d.entry ?? '', leaf: d.leaf ?? '', atLeaf: d.atLeaf === 'true', sessionLeaf: d.sessionLeaf ?? '', root: d.root ?? '', rev: d.rev ?? '' };
}

/**
 * Whether an address is that of the page as it is, but for a place on it.
 * @param {string} address
 */
export const isCurrentAddress = (address) => (address.startsWith('#') ? (location.hash || '#') === address : address === location.pathname + location.search);

/** The address of the session, without a view. */
export const sessionAddress = () => requireElement('app').dataset.base ?? location.pathname;

/**
 * Two lists of branches that differ from their default, as one.
 * @param {string} list
 * @param {string} other
 */
export function mergeOpenBranches(list, other) {
  const ids = new Map();
  for (const item of [...list.split(','), ...other.split(',')]) if (item) ids.set(item.replace(/^-/, ''), item);
  return [...ids.values()].slice(-200).join(',');
}
