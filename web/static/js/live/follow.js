// @ts-check
// Following a session that grows. The way from a notice to the screen is short:
// the end of the path and its rows are asked for at once and shown together; what
// comes in the meantime is taken together afterwards.

import { afterPaint, rethrowUnexpected, announce, UnreachableError } from '../dom.js';
import { firstVisibleItem } from '../scrollstate.js';
import { NewEntryCount } from './newcount.js';

const MAX_PAGE_ITEMS = 600; // items of a page that grows
const FACTS_DELAY = 300; // ms from a notice to the facts
const RETRY_DELAY = 2000; // ms until what failed is asked for again

/**
 * @typedef {import('./socket.js').Notice} Notice
 * @typedef {import('../session.js').SessionPage} Session
 */

export class SessionFollower {
  /** @type {Notice | null} what came while something was being fetched */
  #pendingNotice = null;
  #isApplying = false;
  #factsTimer = 0;
  #retryTimer = 0;
  /** The revision that rows and path both reached: what came after it may be missing in one. */
  shownRevision = '';

  /**
   * @param {Session} session
   * @param {(url: string) => Promise<import('./socket.js').Answer>} ask
   */
  constructor(session, ask) {
    this.session = session;
    this.requestFragment = ask;
    this.shownRevision = session.rows.revision;
    this.newEntryCount = new NewEntryCount(session);
  }

  /** @param {Notice} n */
  handleNotice(n) {
    this.#pendingNotice = this.#pendingNotice ? mergeNotices(this.#pendingNotice, n) : n;
    return this.#applyPending();
  }

  /**
   * Takes what waits. What failed waits on: it is taken with what came meanwhile,
   * once, or else a little later.
   */
  async #applyPending() {
    if (this.#isApplying) return;
    this.#isApplying = true;
    clearTimeout(this.#retryTimer);
    try {
      for (let again = true, n = this.#takePending(); n; n = this.#takePending()) {
        try {
          await this.#applyNotice(n);
        } catch (err) {
          const came = this.#pendingNotice;
          this.#pendingNotice = came ? mergeNotices(n, came) : n;
          rethrowUnexpected(err);
          if (!came || !again) return this.#scheduleRetry();
          again = false;
        }
      }
    } finally {
      this.#isApplying = false;
    }
  }

  #scheduleRetry() { this.#retryTimer = setTimeout(() => this.#applyPending(), RETRY_DELAY); }

  #takePending() {
    const n = this.#pendingNotice;
    this.#pendingNotice = null;
    return n;
  }

  /** @param {Notice} n */
  async #applyNotice(n) {
    if (n.kind === 'remove') return this.#handleRemoval();
    const { session } = this;
    let turn, bottom, atLeaf;
    do { // once more when the reader went elsewhere meanwhile
      await session.viewSettled;
      turn = session.viewVersion;
      bottom = session.path.atBottom;
      atLeaf = session.view.leaf === '';
      if (n.kind === 'append') await this.#applyAppend(n, atLeaf, bottom);
      else await this.#reloadAll();
    } while (turn !== session.viewVersion);
    this.shownRevision = n.rev;
    this.#markPainted(n.rev);
    this.#countNew(n, session.path.atBottom && atLeaf);
    this.#scheduleFacts();
  }

  /**
   * What came, of path and tree at once. What the server cannot tell by itself is
   * asked for as a whole.
   * @param {Notice} n
   * @param {boolean} atLeaf
   * @param {boolean} bottom
   */
  async #applyAppend(n, atLeaf, bottom) {
    const { session } = this, { path, rows, viewVersion } = session;
    const grows = atLeaf && path.hasLastPage, end = this.#followsTree;
    /** @type {Record<string, string | number>} */
    const after = grows ? { after: path.lastPage.dataset.anchor || 'none', n: 200 } : {};
    const { status, body } = await this.requestFragment(session.fragmentURL('news', { since: rows.revision, ...after }));
    if (viewVersion !== session.viewVersion) return;
    if (status >= 500) throw new UnreachableError();
    const tail = body.querySelector('.path-page'), list = body.querySelector('.rows');
    // Both are looked at, then both changed, then both scrolled: the page is laid
    // out once.
    const follows = bottom && path.atBottom, sight = rows.geometry.readViewport(); // the reader may have gone up meanwhile
    if (grows && tail instanceof HTMLElement) path.updateTail(tail);
    if (list instanceof HTMLElement) this.#applyRows(list, end, sight);
    await Promise.all([
      list ? null : session.reloadRows(end),
      grows && !tail ? this.#handleLeafMove(bottom) : null,
      tail && follows ? this.#followPath() : null,
    ]);
  }

  /** Whether the reader watches the end of the tree. */
  get #followsTree() {
    const { rows } = this.session;
    return rows.isEndVisible && !rows.hasFocus;
  }

  /**
   * @param {HTMLElement} list the rows that came
   * @param {boolean} end whether the reader watches the end
   * @param {import('../virtualrows/geometry.js').Viewport} sight of before
   */
  #applyRows(list, end, sight) {
    const { rows } = this.session, { hasFocus } = rows;
    rows.cache.dropFrom(Number(list.dataset.from));
    rows.addRows(list, false);
    updateSetSizes(rows.cache, Number(list.dataset.from));
    if (end) rows.scrollToRow(rows.total - 1, 'nearest', sight);
    else rows.paintRows();
    if (hasFocus && !rows.hasFocus) rows.restoreFocus();
  }

  /**
   * Follows a path that has grown. More than one page came, or very many over time:
   * the end alone is enough.
   */
  #followPath() {
    const { path, view } = this.session;
    if (!path.hasLastPage || path.lastPage.children.length > MAX_PAGE_ITEMS) return path.loadPage(view, { scroll: 'end' });
    path.scrollToEnd();
  }

  /**
   * The leaf went to another branch. A reader at the bottom goes along; anyone
   * else keeps what is on the screen.
   * @param {boolean} bottom
   */
  #handleLeafMove(bottom) {
    const { session } = this, { path, tree, view } = session;
    tree.classList.add('leaf-moved');
    setTimeout(() => tree.classList.remove('leaf-moved'), 200);
    setTimeout(() => announce('Leaf moved to ' + (tree.querySelector('.row:has(.leaf-tag) .row-link')?.textContent?.trim() ?? 'another branch')), 300);
    const item = bottom ? null : firstVisibleItem(session);
    if (bottom || view.entry) return path.loadPage(view, { scroll: bottom ? 'end' : 'keep', scrollState: item && { row: null, item } });
    const leaf = path.lastPage.dataset.last ?? '';
    return session.showView({ ...view, leaf }, { history: 'replace', scrollState: { row: null, item } });
  }

  /**
   * Reads everything again: the file was rewritten, or a label changed old rows. A
   * reader whose entry is not on the path any more is taken to the viewed one.
   */
  async #reloadAll() {
    const { session } = this;
    const { path, view } = session;
    const bottom = path.atBottom && view.leaf === '' && view.entry === '';
    const item = bottom ? null : firstVisibleItem(session);
    const [rows, page] = await Promise.all([session.reloadRows(this.#followsTree), path.loadPage(view, { scroll: bottom ? 'end' : 'keep', scrollState: item && { row: null, item } })]);
    if (rows === 404) return session.returnToLeaf();
    if (page === 205) await path.loadPage(view, { scroll: view.entry ? 'entry' : 'end' });
    if (bottom) path.scrollToEnd();
  }

  /**
   * Nobody writes any more. The path is not fetched again: the server cannot read
   * its entries any more, while the reader still has them.
   */
  async #handleRemoval() {
    this.session.path.markRunStopped();
    await Promise.all([this.session.reloadRows(), this.session.reloadFacts()]);
    announce(document.querySelector('#banners .banner--err > span')?.textContent?.trim() ?? 'The file is gone.');
  }

  /** @param {string} rev */
  #markPainted(rev) {
    afterPaint(() => {
      performance.mark('painted:' + rev);
      document.documentElement.dataset.paintedRev = rev;
    });
  }

  /** Facts can wait a moment, and are asked for once for all that comes in it. */
  #scheduleFacts() {
    this.#factsTimer ||= setTimeout(() => {
      this.#factsTimer = 0;
      this.session.reloadFacts().catch(rethrowUnexpected);
    }, FACTS_DELAY);
  }

  /**
   * @param {Notice} n
   * @param {boolean} following
   */
  #countNew(n, following) {
    if (following || n.kind === 'rewrite') this.newEntryCount.resetIfSeen();
    else this.newEntryCount.addEntries(n.entries);
  }
}

/**
 * @param {Notice} a
 * @param {Notice} b
 * @returns {Notice}
 */
function mergeNotices(a, b) {
  const order = ['append', 'label', 'rewrite', 'remove'];
  const kind = order.indexOf(a.kind) > order.indexOf(b.kind) && a.kind !== 'remove' ? a.kind : b.kind;
  return { ...b, kind, entries: a.entries + b.entries };
}

/**
 * A run that grew has a new size on all its rows; the server sends only those
 * that look different.
 * @param {import('../virtualrows/cache.js').RowCache} held
 * @param {number} from index of the first row that was sent
 */
function updateSetSizes(held, from) {
  const run = (/** @type {HTMLElement} */ row) => row.dataset.up + ' ' + row.getAttribute('aria-level');
  /** @type {Map<string, string>} */
  const sizes = new Map();
  for (const [i, row] of held.entries()) if (i >= from) sizes.set(run(row), row.getAttribute('aria-setsize') ?? '');
  for (const [i, row] of held.entries()) {
    const size = i < from ? sizes.get(run(row)) : undefined;
    if (size && row.getAttribute('aria-setsize') !== size) row.setAttribute('aria-setsize', size);
  }
}
