// @ts-check
// Settings of this browser.

/** The settings in this browser's local storage, which may be unavailable. */
export const settings = {
  /** @param {string} key */
  get(key) {
    try { return localStorage.getItem(key); } catch { return null; }
  },
  /**
   * @param {string} key
   * @param {string | null} value
   */
  set(key, value) {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch { /* private mode: the setting lasts as long as the page */ }
  },
};
