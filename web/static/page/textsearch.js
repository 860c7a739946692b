// @ts-check
// Search: all words of a query, in what is shown of an entry, wherever it stands.

import { items } from './pathpages.js';
import { part } from './embeddeddata.js';

const KEEP = 60_000_000; // characters of text that are kept for the next search
const SLICE = 12; // ms at a time; then whoever types is let through

// An empty part of a note only tells that the item is that entry's too.
const BEGIN = /<(?:li class="entry|details class="tool)[^>]*>|<span class="note-part[^>]*>(?!<\/span>)/g;
const INLINE = /<\/?(?:span|b|i|em|strong|code|a|mark|q|kbd|small|time)(?:\s[^>]*)?>/g;
/** @type {Record<string, string>} */
const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** @typedef {{entry: string, text: string}} Told what is shown of an entry */

export class Searcher {
  /** @type {Map<number, Told[]>} */
  #texts = new Map();
  #kept = 0;

  /** @param {import('./entrytree.js').Forest} forest */
  constructor(forest) { this.forest = forest; }

  /**
   * The entries that hold all words.
   * @param {string} query
   * @param {AbortSignal} [signal]
   */
  async find(query, signal) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    /** @type {Map<string, string>} */
    const split = new Map(); // an entry may be shown in several places
    const found = new Set();
    let began = performance.now();
    for (let n = 0; n < this.forest.parts; n++) {
      for (const { entry, text } of await this.#read(n)) {
        const whole = split.has(entry) ? `${split.get(entry)} ${text}` : text;
        if (words.every((word) => whole.includes(word))) found.add(this.forest.find(entry));
        else if (words.length > 1 && words.some((word) => whole.includes(word))) split.set(entry, whole);
      }
      signal?.throwIfAborted();
      if (performance.now() - began < SLICE) continue;
      await new Promise((done) => { setTimeout(done); });
      began = performance.now();
      signal?.throwIfAborted();
    }
    found.delete(-1);
    return found;
  }

  /** @param {number} n */
  async #read(n) {
    const here = this.#texts.get(n);
    if (here) return here;
    const told = (await part(`${items.name}-${n}`)).flatMap(textsOf);
    const size = told.reduce((/** @type {number} */ sum, /** @type {Told} */ t) => sum + t.text.length, 0);
    if (this.#kept + size < KEEP) {
      this.#texts.set(n, told);
      this.#kept += size;
    }
    return told;
  }
}

/**
 * What is shown of the entries of a page.
 * @param {string} html
 * @returns {Told[]}
 */
function textsOf(html) {
  const marks = [...html.matchAll(BEGIN)];
  return marks.map((m, i) => ({
    entry: unescape(attribute(m[0], 'data-result') || attribute(m[0], 'data-entry')),
    text: unescape(html.slice(m.index, marks[i + 1]?.index).replace(INLINE, '').replace(/<[^>]*>/g, ' ')).toLowerCase(),
  })).filter((told, i) => !marks[i][0].includes('entry--fork'));
}

/** @param {string} tag @param {string} name */
const attribute = (tag, name) => tag.match(new RegExp(` ${name}="([^"]*)"`))?.[1] ?? '';

/** @param {string} text */
const unescape = (text) => text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, dec, hex, name) =>
  (name ? NAMED[name] ?? whole : String.fromCodePoint(Math.min(0x10ffff, dec ? Number(dec) : parseInt(hex, 16)))));
