// Runs before the first paint, as a classic script: theme and sidebar width from
// the last visit, so that nothing jumps. Everything else is main.js.
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
})();
