// Runs before the first paint, as a classic script: theme and sidebar width from
// the last visit, so that nothing jumps. Everything else is main.js, which is
// fetched when the page has been painted: until then it would only be in the way.
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const stored = (/** @type {string} */ key) => {
    try { return localStorage.getItem(key); } catch { return null; }
  };
  const asked = new URLSearchParams(location.search).get('theme');
  const theme = asked || stored('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const width = Number(stored('side-width'));
  if (width >= 240 && width <= 640) root.style.setProperty('--side-w', width + 'px');

  const { static: base = '', modules = '' } = document.getElementById('boot')?.dataset ?? {};
  /** @param {string} tag @param {object} what */
  const add = (tag, what) => document.head.append(Object.assign(document.createElement(tag), what));
  let begun = false;
  const main = () => {
    if (begun) return;
    begun = true;
    for (const name of modules.split(' ')) add('link', { rel: 'modulepreload', href: `${base}/${name}` });
    add('script', { type: 'module', src: `${base}/js/main.js` });
  };
  addEventListener('DOMContentLoaded', () => {
    requestAnimationFrame(() => setTimeout(main));
    setTimeout(main, 200); // a page in the background is not painted
  });
})();
