// @ts-check
// Runs one search at a time and shows what it finds.

import { requireElement } from '../dom.js';
import { pluralize } from '../text.js';
import { formatMoment } from '../times.js';
import { clearMessage, describeOld, showHidingFilter, showLost, showNoHits, showProblem } from './messages.js';
import { joinQuery } from './querytext.js';
import { ResultList } from './resultlist.js';
import { countHits, LostError, streamResults } from './resultstream.js';
import { SearchStatus } from './status.js';

/** @typedef {import('./resultstream.js').ResultLine} ResultLine */

/** What is searched, in one text and in parts. @typedef {{query: string, chips: string[], words: string}} SearchText */

const MAX_LISTED = 500; // sessions, see result_stream.go

export class SearchRun {
  #grid = requireElement('search-grid');
  #request = new AbortController();
  #isRunning = false;
  #status = new SearchStatus(() => this.stop());
  list = new ResultList();

  /** @param {import('./facets.js').Facets} facets */
  constructor(facets) { this.facets = facets; }

  /** Ends the search without a word. */
  abort() { this.#request.abort(); }

  /** Ends the search and removes its results. */
  clear() {
    this.abort();
    this.#isRunning = false;
    clearMessage();
    this.list.startSearch();
    this.list.removeStale();
    this.#status.finish('none');
    this.facets.setCounts(null, false);
  }

  /** Ends the search. What was found stays. It returns false if none was running. */
  stop() {
    if (!this.#isRunning) return false;
    this.abort();
    this.#isRunning = false;
    this.list.finish();
    this.#status.finish('stopped');
    return true;
  }

  /**
   * Searches. It aborts an earlier search.
   * @param {SearchText} text
   * @param {string} [focusHref] the address of the hit to focus when it appears
   */
  async start(text, focusHref) {
    this.abort();
    const { signal } = this.#request = new AbortController();
    this.#isRunning = true;
    clearMessage();
    this.list.startSearch(focusHref);
    this.#status.start();
    try {
      await streamResults(text.query, signal, (line) => this.#showLine(line, text, signal));
    } catch (err) {
      if (!signal.aborted) this.#showFailure(err);
    }
    if (this.#request.signal === signal) this.#isRunning = false;
  }

  /** @param {unknown} err */
  #showFailure(err) {
    if (!(err instanceof LostError)) throw err;
    this.list.finish();
    this.#status.finish('none');
    showLost(this.#status.progress, this.#status.hits);
  }

  /**
   * @param {ResultLine} line
   * @param {SearchText} text
   * @param {AbortSignal} signal
   */
  #showLine(line, text, signal) {
    if (signal.aborted) return;
    this.#grid.dataset.state = line.problem ? 'problem' : '';
    if (line.problem) return this.#showProblem(line.problem);
    if (line.progress) this.#status.progress = line.progress;
    if (line.counts) this.#showCounts(line.counts, Boolean(line.done));
    if (line.html) this.list.append(line.html);
    if (line.copies) this.list.addCopies(line.copies);
    if (!line.done) return this.#status.update();
    this.#status.finish(this.#status.hits ? 'done' : 'none', line.elapsed);
    this.list.finish(...(this.#status.hits ? describeEnd(line) : []));
    if (this.#status.hits) return;
    showNoHits(text.chips, text.words, this.#status.progress);
    findHidingFilter(text, signal);
  }

  /**
   * @param {import('./resultstream.js').FacetCounts} counts
   * @param {boolean} done
   */
  #showCounts(counts, done) {
    this.#status.hits = counts.hits;
    this.#status.sessions = counts.sessions;
    this.facets.setCounts(counts.hits ? counts : null, done);
    requireElement('facet-sheet-done').textContent = `Show ${pluralize(counts.hits, 'hit', 'hits')}`;
  }

  /** @param {string} html */
  #showProblem(html) {
    this.list.finish();
    this.#status.finish('none');
    this.facets.setCounts(null, false);
    showProblem(html);
  }
}

/**
 * Finds a filter without which there are hits, the last one first.
 * @param {SearchText} text
 * @param {AbortSignal} signal
 */
async function findHidingFilter({ chips, words }, signal) {
  for (const chip of chips.toReversed()) {
    const query = joinQuery(chips.filter((c) => c !== chip), words);
    if (!query) continue;
    try {
      const hits = await countHits(query, signal);
      if (signal.aborted) return;
      if (hits) return showHidingFilter(chip, hits);
    } catch (err) {
      if (err instanceof LostError) return;
      throw err;
    }
  }
}

/**
 * Describes the end of the list.
 * @param {ResultLine} line the last one
 */
function describeEnd({ progress, listing, counts }) {
  const parts = [];
  if (progress?.reached && !listing) parts.push(`All sessions since ${formatMoment(new Date(progress.reached))} were searched.`);
  if (progress?.failed) parts.push(`${pluralize(progress.failed, 'session', 'sessions')} could not be read.`);
  if (listing) parts.push('Some sessions were not known yet: search again for all of them.');
  if (counts && counts.sessions > MAX_LISTED) parts.push(`Only the newest ${MAX_LISTED} sessions are listed.`);
  const [leftOut, searchAll] = describeOld(progress);
  if (leftOut) parts.push(leftOut);
  return [parts.join(' '), ...(searchAll ? [' ', searchAll] : [])];
}
