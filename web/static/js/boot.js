// Runs before the first paint, as a classic script. It applies the stored theme and sidebar
// width, so that the layout does not shift. It loads main.js after the first paint.
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const stored = (/** @type {string} */ key) => {
    try { return localStorage.getItem(key); } catch { return null; }
  };
  const requested = new URLSearchParams(location.search).get('theme');
  const theme = requested || stored('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const width = Number(stored('side-width'));
  if (width >= 240 && width <= 640) root.style.setProperty('--side-w', width + 'px');

  const { static: base = '', modules = '' } = document.getElementById('boot')?.dataset ?? {};
  /** @param {string} tag @param {object} what */
  const add = (tag, what) => document.head.append(Object.assign(document.createElement(tag), what));
  let started = false;
  const main = () => {
    if (started) return;
    started = true;
    for (const name of modules.split(' ')) add('link', { rel: 'modulepreload', href: `${base}/${name}` });
    add('script', { type: 'module', src: `${base}/js/main.js` });
  };
  addEventListener('DOMContentLoaded', () => {
    requestAnimationFrame(() => setTimeout(main));
    setTimeout(main, 200); // a background page is not painted
  });
})();
