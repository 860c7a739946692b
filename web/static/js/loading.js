// @ts-check
// The page that is shown while a large session is read: it fetches the whole page
// and becomes it. Until then it tells how far the reading is. It imports nothing:
// everything else is fetched once the rows are on the screen.

const PACE = 250; // ms between two questions how far it is

/**
 * The element with an id that the page is known to have.
 * @param {string} id
 */
const need = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

await whole();

/** Settles when the whole page, or the one that says what went wrong, stands. */
async function whole() {
  const { whole = '', progress = '' } = need('loading').dataset;
  // Back and Forward change the address of this page without a new request.
  const gone = () => location.reload();
  addEventListener('popstate', gone);
  const timer = setInterval(() => tell(progress), PACE);
  try {
    const answer = await fetch(whole, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (answer.redirected) history.replaceState(history.state, '', address(answer.url));
    become(page);
  } catch {
    lost();
  } finally {
    clearInterval(timer);
    removeEventListener('popstate', gone);
  }
}

/** @param {string} url where how far it is is told */
async function tell(url) {
  try {
    const { text } = await (await fetch(url)).json();
    const el = document.getElementById('loading-text');
    if (el && text) el.textContent = text;
  } catch { /* the whole page fails as well, and says so */ }
}

/**
 * Where the session was found, without what only asked to wait for it.
 * @param {string} url
 */
function address(url) {
  const to = new URL(url);
  to.searchParams.delete('wait');
  return to.pathname + to.search;
}

/**
 * Puts a page in place of this one. Its rows are painted first, near where its
 * script will scroll to; then its script begins.
 * @param {Document} page
 */
function become(page) {
  const root = document.documentElement, now = page.documentElement;
  root.className = now.className + ' js';
  for (const name of ['epoch', 'live']) root.dataset[name] = now.dataset[name] ?? '';
  document.title = page.title;
  const links = [...page.querySelectorAll('link[rel="modulepreload"]')];
  const main = page.querySelector('script[type="module"]')?.getAttribute('src');
  document.body.replaceWith(document.adoptNode(page.body));
  document.querySelector('.row.is-selected')?.scrollIntoView({ block: 'center' });
  document.querySelector('.entry.is-target, .path-page > :last-child')?.scrollIntoView();
  requestAnimationFrame(() => setTimeout(() => {
    document.head.append(...links);
    if (main) import(main);
  }));
}

/** The server does not answer: says so, and how to go on. */
function lost() {
  need('main').removeAttribute('aria-busy');
  need('loading-text').textContent = 'The local server does not answer.';
  const again = /** @type {HTMLAnchorElement} */ (need('loading-again'));
  again.href = location.href;
  again.hidden = false;
}
