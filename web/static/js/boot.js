// Runs before the first paint, as a classic script. It applies the stored settings and the
// sidebar width, so that the layout does not shift, and scrolls a session to its end. It starts
// the script of the page after the first paint.
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const stored = (/** @type {string} */ key) => {
    try { return localStorage.getItem(key); } catch { return null; }
  };
  for (const name of ['theme', 'text-size', 'density']) {
    const requested = name === 'theme' ? new URLSearchParams(location.search).get(name) : null;
    const value = requested || stored(name);
    if (value) root.setAttribute('data-' + name, value); // the stylesheet ignores unknown values
  }
  const width = Number(stored('side-width'));
  if (width >= 240 && width <= 640) root.style.setProperty('--side-w', width + 'px');

  // Thinking and tools that are open by default are opened as the page arrives.
  const opened = ['thinking', 'tools'].filter((name) => stored(name) === 'open').map((name) => (name === 'tools' ? 'details.tool' : 'details.thinking')).join();
  if (opened) {
    const open = (/** @type {MutationRecord[]} */ changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof HTMLDetailsElement && node.matches(opened)) node.open = true;
    };
    const observer = new MutationObserver(open);
    observer.observe(root, { childList: true, subtree: true });
    addEventListener('DOMContentLoaded', () => {
      open(observer.takeRecords());
      observer.disconnect();
    });
  }

  // A session is shown at the end of its path. It is scrolled there before the first paint, not when its script runs.
  addEventListener('DOMContentLoaded', () => {
    const app = document.querySelector('#app[data-snapshot="false"][data-panel=""]');
    if (!app || history.state || new URLSearchParams(location.search).has('entry')) return;
    const path = document.getElementById('main'), tree = document.getElementById('tree'), row = tree?.querySelector('.is-selected');
    if (path) path.scrollTop = path.scrollHeight;
    if (tree && row instanceof HTMLElement) tree.scrollTop = row.offsetTop - tree.clientHeight / 2;
  });

  const { static: base, main: entry } = document.getElementById('boot')?.dataset ?? {};
  let started = false;
  const main = () => {
    if (started) return;
    started = true;
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: `${base}/${entry}` }));
  };
  addEventListener('DOMContentLoaded', () => {
    requestAnimationFrame(() => setTimeout(main));
    setTimeout(main, 200); // a background page is not painted
  });
})();
