// @ts-check
// Formats and splits texts.

/**
 * Returns the words of a query, in lower case.
 * @param {string} query
 */
export const queryWords = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Formats a number with its noun: "1 branch", "8 branches".
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
export const pluralize = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
