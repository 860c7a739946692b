// @ts-check
// Reads embedded data: elements with compressed text.

import { requireElement } from '../js/dom.js';

/**
 * Returns the decompressed text of an element.
 * @param {string} id
 * @param {CompressionFormat} format
 */
export async function inflateElement(id, format) {
  const text = requireElement(id).textContent ?? '';
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)));
}

/**
 * Returns the JSON value of an element.
 * @param {string} name
 * @returns {Promise<any>}
 */
export const readPart = async (name) => (await inflateElement('part-' + name, 'deflate-raw')).json();

/** A cache of numbered elements of one kind. It keeps the most recently used ones. */
export class PartCache {
  /** @type {Map<number, Promise<string[]>>} */
  #kept = new Map();

  /**
   * @param {string} name
   * @param {number} keep the number of kept elements
   */
  constructor(name, keep) {
    this.name = name;
    this.maxKept = keep;
  }

  /**
   * @param {number} n
   * @returns {Promise<string[]>}
   */
  get(n) {
    const here = this.#kept.get(n) ?? readPart(`${this.name}-${n}`);
    this.#kept.delete(n);
    this.#kept.set(n, here);
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= this.maxKept) break;
      this.#kept.delete(old);
    }
    return here;
  }
}

/**
 * Decodes delta-encoded numbers.
 * @param {number[]} list
 */
export function prefixSums(list) {
  const out = new Int32Array(list.length);
  let last = 0;
  for (let i = 0; i < list.length; i++) out[i] = last += list[i];
  return out;
}
