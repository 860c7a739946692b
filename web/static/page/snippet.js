// @ts-check
// The part of a text around the words of a query.

import { queryWords } from '../js/text.js';

const BEFORE = 60, LENGTH = 200; // characters before the first word, and of a snippet

/**
 * Returns the part of a text around the first word of a query, split at the words: every
 * second part is one.
 * @param {string} text
 * @param {string} query
 */
export function cutSnippet(text, query) {
  const words = queryWords(query);
  const line = text.replace(/\s+/g, ' ').trim(), low = line.toLowerCase();
  const first = Math.min(...words.map((word) => low.indexOf(word)).filter((at) => at >= 0), line.length);
  const near = first === line.length ? 0 : Math.max(0, first - BEFORE);
  const start = near > 0 ? line.indexOf(' ', near) + 1 : 0, end = start + LENGTH;
  const cut = (start ? '…' : '') + line.slice(start, end) + (end < line.length ? '…' : '');
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return pattern ? cut.split(new RegExp(`(${pattern})`, 'gi')) : [cut];
}
