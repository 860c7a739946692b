// @ts-check
// Settings of this browser.

/** What was set while the local storage is unavailable. @type {Map<string, string | null>} */
const unsaved = new Map();

/** The settings in this browser's local storage. Without it, they last as long as the page. */
export const settings = {
  /** @param {string} key */
  get(key) {
    if (unsaved.has(key)) return unsaved.get(key) ?? null;
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
    } catch { unsaved.set(key, value); }
  },
};

/**
 * The values of the settings that people choose. The first one is the default, which is not
 * stored.
 * @type {Record<string, string[]>}
 */
const CHOICES = {
  theme: ['system', 'light', 'dark'],
  'text-size': ['normal', 'small', 'large', 'largest'],
  density: ['comfortable', 'compact'],
  thinking: ['folded', 'open'],
  tools: ['folded', 'open'],
  'single-keys': ['on', 'off'],
};

/** The settings that the stylesheet reads, as attributes of the root. boot.js sets them too. */
const ROOT_ATTRIBUTES = ['theme', 'text-size', 'density'];

/** The names of the settings that people choose. */
export const choiceNames = Object.keys(CHOICES);

/**
 * Returns the chosen value of a setting. An address may contain a theme, which is then the
 * chosen one.
 * @param {string} name
 * @returns {string}
 */
export function readChoice(name) {
  const attribute = ROOT_ATTRIBUTES.includes(name) ? document.documentElement.getAttribute('data-' + name) : null;
  const value = attribute ?? settings.get(name) ?? '';
  return CHOICES[name].includes(value) ? value : CHOICES[name][0];
}

/**
 * Stores the value of a setting and applies it.
 * @param {string} name
 * @param {string} [value] the default without it
 */
export function saveChoice(name, value = CHOICES[name][0]) {
  settings.set(name, value === CHOICES[name][0] ? null : value);
  applyChoice(name);
}

/**
 * Calls fn after a setting was changed, here or in another tab.
 * @param {(name: string) => void} fn
 */
export const onChoiceChange = (fn) => document.addEventListener('setting-changed', (event) => fn(/** @type {CustomEvent} */ (event).detail));

/** Reports whether shortcuts of a single letter or sign are on. */
export const areLetterKeysOn = () => readChoice('single-keys') === 'on';

/** Sets the attributes of the root, before the first paint. */
export function applyRootAttributes() {
  for (const name of ROOT_ATTRIBUTES) if (settings.get(name) !== null) setRootAttribute(name);
}

/** Follows the settings of other tabs. */
export function startSettings() {
  addEventListener('storage', (event) => {
    for (const name of choiceNames) if (event.key === null || event.key === name) applyChoice(name);
  });
}

/** @param {string} name */
function applyChoice(name) {
  if (ROOT_ATTRIBUTES.includes(name)) setRootAttribute(name);
  document.dispatchEvent(new CustomEvent('setting-changed', { detail: name }));
}

/** @param {string} name */
function setRootAttribute(name) {
  const value = settings.get(name) ?? '';
  document.documentElement.setAttribute('data-' + name, CHOICES[name].includes(value) ? value : CHOICES[name][0]);
}
