// @ts-check
// Search for all words of a query in the visible text of entries.

import { queryWords } from '../js/text.js';
import { itemParts } from './pathpages.js';
import { readPart } from './embeddeddata.js';

const MAX_KEPT = 60_000_000; // characters of text kept for the next search
const TIME_SLICE = 12; // ms per slice; then the browser handles input

// An empty part of a note only marks that the item also belongs to that entry.
const ENTRY_TAG = /<(?:li class="entry|details class="tool)[^>]*>|<span class="note-part[^>]*>(?!<\/span>)/g;
const INLINE_TAG = /<\/?(?:span|b|i|em|strong|code|a|mark|q|kbd|small|time)(?:\s[^>]*)?>/g;
const HEADING = /<header class="message-head">.*?<\/header>|<summary.*?<\/summary>/gs;
/** @type {Record<string, string>} what a class says of the role of a text */
const ROLES = { 'entry--user': 'prompt', 'entry--answer': 'answer', 'entry--summary': 'summary', 'entry--compaction': 'summary', 'class="tool': 'output' };
/** @type {Record<string, string>} */
const NAMED_ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** @typedef {{entry: string, role: string, failed: boolean, heading: string, own: string, text: string}} EntryText the visible text of an entry, own without
 * its heading, and text in lower case */

export class TextSearch {
  /** @type {Map<number, EntryText[]>} */
  #texts = new Map();
  #keptSize = 0;

  /** @param {import('./entrytree.js').EntryTree} entryTree */
  constructor(entryTree) { this.entryTree = entryTree; }

  /**
   * Returns the entries that contain all words, by position.
   * @param {string} query
   * @param {AbortSignal} [signal]
   * @param {boolean} [failedOnly] whether to find failed tool calls only
   */
  async findEntries(query, signal, failedOnly = false) {
    const words = queryWords(query);
    /** @type {Map<string, string>} */
    const split = new Map(); // an entry may be shown in several places
    /** @type {Map<number, EntryText>} */
    const found = new Map();
    let began = performance.now();
    for (let n = 0; n < this.entryTree.partCount; n++) {
      for (const part of await this.#readTexts(n)) {
        if (failedOnly && !part.failed) continue;
        const { entry, text } = part, whole = split.has(entry) ? `${split.get(entry)} ${text}` : text;
        if (words.every((word) => whole.includes(word))) this.#addFound(found, part);
        else if (words.length > 1 && words.some((word) => whole.includes(word))) split.set(entry, whole);
      }
      signal?.throwIfAborted();
      if (performance.now() - began < TIME_SLICE) continue;
      await new Promise((done) => { setTimeout(done); });
      began = performance.now();
      signal?.throwIfAborted();
    }
    found.delete(-1);
    return found;
  }

  /**
   * @param {Map<number, EntryText>} found
   * @param {EntryText} part
   */
  #addFound(found, part) {
    const pos = this.entryTree.findPosition(part.entry);
    if (!found.has(pos)) found.set(pos, part);
  }

  /**
   * Returns the text of an entry, "" if it is not known.
   * @param {string} entry
   */
  textOf(entry) {
    for (const texts of this.#texts.values()) {
      const part = texts.find((other) => other.entry === entry);
      if (part) return part.own;
    }
    return '';
  }

  /** @param {number} n */
  async #readTexts(n) {
    const here = this.#texts.get(n);
    if (here) return here;
    const texts = (await readPart(`${itemParts.name}-${n}`)).flatMap(parseTexts);
    const size = texts.reduce((/** @type {number} */ sum, /** @type {EntryText} */ t) => sum + t.text.length + t.own.length, 0);
    if (this.#keptSize + size < MAX_KEPT) {
      this.#texts.set(n, texts);
      this.#keptSize += size;
    }
    return texts;
  }
}

/**
 * Returns the visible texts of the entries of a page.
 * @param {string} html
 * @returns {EntryText[]}
 */
function parseTexts(html) {
  const marks = [...html.matchAll(ENTRY_TAG)];
  return marks.map((m, i) => {
    const body = html.slice(m.index, marks[i + 1]?.index);
    return {
      entry: unescapeHTML(readAttribute(m[0], 'data-result') || readAttribute(m[0], 'data-entry')),
      role: Object.entries(ROLES).find(([name]) => m[0].includes(name))?.[1] ?? 'note',
      failed: m[0].includes('tool--error'),
      heading: textOfHTML(body.match(/<summary.*?<\/summary>/s)?.[0] ?? '').replace(/\s+/g, ' ').trim(),
      own: textOfHTML(body.replace(HEADING, '')),
      text: textOfHTML(body).toLowerCase(),
    };
  }).filter((texts, i) => !marks[i][0].includes('entry--fork'));
}

/** @param {string} html */
const textOfHTML = (html) => unescapeHTML(html.replace(INLINE_TAG, '').replace(/<[^>]*>/g, ' '));

/** @param {string} tag @param {string} name */
const readAttribute = (tag, name) => tag.match(new RegExp(` ${name}="([^"]*)"`))?.[1] ?? '';

/** @param {string} text */
const unescapeHTML = (text) => text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, dec, hex, name) =>
  (name ? NAMED_ENTITIES[name] ?? whole : String.fromCodePoint(Math.min(0x10ffff, dec ? Number(dec) : parseInt(hex, 16)))));
