// @ts-check
// Reads the results of a search as the server finds them.

import { readLines } from '../server.js';

/**
 * How many hits there are, by filter and by day.
 * @typedef {{hits: number, sessions: number, tokens: Record<string, number>, days: Record<string, number>}} FacetCounts
 */

/** @typedef {{bytes: number, totalBytes: number, sessions: number, totalSessions: number, failed?: number, onlyTexts?: number, reached?: string}} ReadProgress */

/**
 * A line of the response. The last one has done or problem.
 * @typedef {{html?: string, counts?: FacetCounts, copies?: {key: string, entry: string, href: string, title: string}[],
 *   progress?: ReadProgress, problem?: string, done?: boolean, elapsed?: number, listing?: boolean}} ResultLine
 */

/** The response ended before the search did. */
export class LostError extends Error {}

/**
 * Searches and calls a function for each line of the response. With all= in the address of the page
 * it searches all of old sessions, of which a hub searches only texts otherwise.
 * @param {string} query
 * @param {AbortSignal} signal
 * @param {(line: ResultLine) => void} onLine
 */
export async function streamResults(query, signal, onLine) {
  let complete = false;
  try {
    const all = new URL(location.href).searchParams.has('all') ? '&all=1' : '';
    const response = await fetch('/search/stream?q=' + encodeURIComponent(query) + all, { signal });
    if (!response.ok) throw new LostError();
    await readLines(response, (/** @type {ResultLine} */ line) => {
      complete ||= Boolean(line.done || line.problem);
      onLine(line);
    }, signal);
  } catch (err) {
    if (signal.aborted) return;
    throw err instanceof TypeError ? new LostError() : err; // TypeError: a failed fetch
  }
  if (!complete && !signal.aborted) throw new LostError();
}

/**
 * Returns the number of hits of a query.
 * @param {string} query
 * @param {AbortSignal} signal
 */
export async function countHits(query, signal) {
  let hits = 0;
  await streamResults(query, signal, (line) => { hits = line.counts?.hits ?? hits; });
  return hits;
}
