// @ts-check
// The text of a query: words, phrases, patterns, and filters such as tool:bash. The server
// splits it in the same way (internal/session/query/parse.go).

/** The keys of filters. A pattern (re:) is not a filter. */
const FILTER_KEYS = ['agent', 'project', 'role', 'tool', 'label', 'is', 'after', 'before'];

/** @typedef {{key: string, value: string, start: number, end: number}} QueryToken */

/**
 * Splits a text at white space outside of quotes.
 * @param {string} text
 * @returns {QueryToken[]}
 */
export function scanTokens(text) {
  const tokens = [];
  for (let at = text.search(/\S/); at >= 0 && at < text.length;) {
    const key = FILTER_KEYS.concat('re').find((k) => text.startsWith(k + ':', at)) ?? '';
    const { value, end } = scanValue(text, key ? at + key.length + 1 : at);
    tokens.push({ key, value, start: at, end });
    const next = text.slice(end).search(/\S/);
    at = next < 0 ? -1 : end + next;
  }
  return tokens;
}

/**
 * Returns the value that starts at a place, and its end. Within quotes, a backslash escapes
 * a quote or a backslash.
 * @param {string} text
 * @param {number} at
 */
function scanValue(text, at) {
  if (text[at] !== '"') {
    const length = text.slice(at).search(/\s|$/);
    return { value: text.slice(at, at + length), end: at + length };
  }
  const quoted = text.slice(at).match(/^"(?:\\["\\]|[^"])*"?/)?.[0] ?? '"';
  return { value: quoted.replace(/^"|"$/g, '').replace(/\\(["\\])/g, '$1'), end: at + quoted.length };
}

/**
 * Separates the filters of a text from the rest of it. While someone types, the last filter
 * is finished only if a blank follows.
 * @param {string} text
 * @param {boolean} typing
 * @returns {{chips: string[], words: string}}
 */
export function splitChips(text, typing) {
  const chips = [];
  let words = '', from = 0;
  for (const { key, value, start, end } of scanTokens(text)) {
    if (!FILTER_KEYS.includes(key) || !value || (typing && end === text.length)) continue;
    chips.push(text.slice(start, end));
    words += text.slice(from, start);
    from = end;
  }
  words += text.slice(from);
  return { chips, words: chips.length ? words.replace(/\s+/g, ' ').trimStart() : words };
}

/**
 * Joins filters and words to the text of a query.
 * @param {string[]} chips
 * @param {string} words
 */
export const joinQuery = (chips, words) => [...chips, words.trim()].filter(Boolean).join(' ');

/**
 * Returns the text of a filter.
 * @param {string} key
 * @param {string} value
 */
export const formatFilter = (key, value) => `${key}:${/[\s"]/.test(value) || !value ? `"${value.replace(/["\\]/g, '\\$&')}"` : value}`;

/**
 * Reports whether two filters are the same.
 * @param {string} a
 * @param {string} b
 */
export const isSameFilter = (a, b) => a.toLowerCase() === b.toLowerCase();
