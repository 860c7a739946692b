// @ts-check
// Features whose scripts are loaded when they are first used.

import { showToast } from './notify.js';

/** @template T */
export class LazyFeature {
  /** The feature; null while it is not loaded. @type {T | null} */
  loaded = null;
  /** @type {Promise<void> | null} */
  #loading = null;
  #load;

  /** @param {() => Promise<T>} load */
  constructor(load) { this.#load = load; }

  /**
   * Calls a function with the feature, which is loaded first if needed. A failure is reported;
   * the next use tries again.
   * @template R
   * @param {(feature: T) => R} fn
   * @returns {Promise<Awaited<R> | undefined>}
   */
  async use(fn) {
    if (!this.loaded) {
      this.#loading ??= this.#load().then((feature) => { this.loaded = feature; });
      try {
        await this.#loading;
      } catch (err) {
        this.#loading = null;
        if (!(err instanceof TypeError)) throw err; // a script or stylesheet that cannot be fetched is a TypeError
        showToast('The server is not responding.');
      }
    }
    return this.loaded ? fn(this.loaded) : undefined;
  }
}

/** The stylesheets of lazy features. @type {Promise<void> | null} */
let stylesheet = null;

/**
 * Loads the stylesheet of dialogs and panels, which a page does not need at first. An exported
 * page contains it.
 */
export function loadPanelStyles() {
  const base = document.getElementById('boot')?.dataset.static;
  if (!base || document.querySelector('link[href$="/css/pages/panels.css"], link[href$="/css/pages/all.css"]')) return stylesheet ?? Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = base + '/css/pages/panels.css';
  stylesheet = new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new TypeError('the stylesheet of panels cannot be fetched'));
    };
  });
  document.head.append(link);
  return stylesheet;
}
