// @ts-check
// Follows a growing session. After a notice the end of the path and its rows are fetched in
// one request. The path is shown first, since it is what is read, and the rows in the frame after.
// Notices that arrive meanwhile are merged.

import { afterPaint, nextPaint } from '../dom.js';
import { announce } from '../notify.js';
import { rethrowUnexpected, UnreachableError } from '../server.js';
import { firstVisibleItem } from '../scrollstate.js';
import { NewEntryCount } from './newcount.js';
import { SessionNews } from './news.js';

const FACTS_DELAY = 300; // ms from a notice to the facts
const FACTS_INTERVAL = 1000; // ms between two requests for facts, at least
const RETRY_DELAY = 2000; // ms until a failed request is sent again

/**
 * @typedef {import('./socket.js').Notice} Notice
 * @typedef {import('./socket.js').LiveSocket} LiveSocket
 * @typedef {import('../session.js').SessionPage} SessionPage
 */

export class SessionFollower {
  /** @type {Notice | null} the notices that arrived during a request, merged */
  #pendingNotice = null;
  #isApplying = false;
  #factsTimer = 0;
  #lastFacts = -FACTS_INTERVAL; // time of the last request, by performance.now
  #retryTimer = 0;
  /** The revision that both rows and path show. */
  shownRevision = '';

  /**
   * @param {SessionPage} session
   * @param {() => LiveSocket} socket
   */
  constructor(session, socket) {
    this.session = session;
    this.news = new SessionNews(session, socket);
    this.shownRevision = session.rows.revision;
    this.newEntryCount = new NewEntryCount(session);
  }

  /** @param {Notice} n */
  handleNotice(n) {
    this.#pendingNotice = this.#pendingNotice ? mergeNotices(this.#pendingNotice, n) : n;
    return this.#applyPending();
  }

  /**
   * Applies the pending notice. After an error the notice becomes pending again. It is
   * retried at once if another notice arrived meanwhile, else after a delay.
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
          const newer = this.#pendingNotice;
          this.#pendingNotice = newer ? mergeNotices(n, newer) : n;
          rethrowUnexpected(err);
          if (!newer || !again) return this.#scheduleRetry();
          again = false;
        }
      }
      afterPaint(() => { if (!this.#isApplying) this.news.requestEarly(this.shownRevision); });
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
    let version, bottom, atLeaf;
    do { // again if the viewer changed the view meanwhile
      await session.viewSettled;
      version = session.viewVersion;
      bottom = session.path.atBottom;
      atLeaf = session.view.leaf === '';
      if (n.kind === 'append') await this.#applyAppend(n, bottom);
      else await this.#reloadAll();
    } while (version !== session.viewVersion);
    this.shownRevision = n.rev;
    this.#markPainted(n.rev);
    this.#countNew(n, session.path.atBottom && atLeaf);
    this.#scheduleFacts();
    if (atLeaf) await this.#dropFirstPages();
  }

  /**
   * Fetches the new items and rows in one request. If the response lacks one of them, all
   * of it is fetched again.
   * @param {Notice} n
   * @param {boolean} bottom
   */
  async #applyAppend(n, bottom) {
    const { session } = this, { path, rows, viewVersion } = session;
    const grows = this.news.canGrow, end = this.#followsTree, since = rows.revision;
    const { status, body } = await this.news.fetch(n.rev);
    if (viewVersion !== session.viewVersion) return;
    if (status >= 500) throw new UnreachableError();
    const tail = body.querySelector('.path-page'), list = body.querySelector('.rows');
    const grown = grows && tail instanceof HTMLElement;
    await Promise.all([
      grown ? this.#showTail(tail, bottom) : null,
      this.#showRows(list, { since, end, afterPath: grown }),
      grows && !tail ? this.#handleLeafMove(bottom) : null,
    ]);
  }

  /**
   * @param {HTMLElement} tail the new end of the path
   * @param {boolean} bottom whether the viewer was at the end when the notice came
   */
  async #showTail(tail, bottom) {
    const { path } = this.session;
    const follows = bottom && path.atBottom; // the viewer may have scrolled up meanwhile
    path.updateTail(tail);
    if (follows) await this.#followPath();
  }

  /**
   * @param {Element | null} list the new rows
   * @param {{since: string, end: boolean, afterPath: boolean}} how since which revision they are
   *   new, whether the viewer follows the end, and whether the path is to be painted first
   */
  async #showRows(list, { since, end, afterPath }) {
    const { session } = this, { rows, viewVersion } = session;
    if (afterPath) await nextPaint();
    if (viewVersion !== session.viewVersion) return;
    if (list instanceof HTMLElement && rows.revision === since) this.#applyRows(list, end);
    else await session.reloadRows(end);
  }

  /** Whether the viewer follows the end of the tree. */
  get #followsTree() {
    const { rows } = this.session;
    return rows.isEndVisible && !rows.hasFocus;
  }

  /**
   * @param {HTMLElement} list the new rows
   * @param {boolean} end whether the viewer followed the end when the notice came
   */
  #applyRows(list, end) {
    const { rows } = this.session, { hasFocus } = rows;
    const viewport = rows.geometry.readViewport(); // before the change, which would need a layout
    const follows = end && rows.isEndWithin(viewport); // the viewer may have scrolled up meanwhile
    const from = Number(list.dataset.from), n = list.children.length;
    rows.cache.dropFrom(from);
    rows.addRows(list, false);
    rows.cache.updateSetSizes(from, n);
    if (follows) rows.scrollToRow(rows.total - 1, 'nearest', viewport);
    else rows.paintRows();
    if (hasFocus && !rows.hasFocus) rows.restoreFocus();
  }

  /**
   * Scrolls to the end of a path that has grown. If more than a page is new, only the last
   * page is loaded.
   */
  #followPath() {
    const { path, view } = this.session;
    if (!path.hasLastPage) return path.loadPage(view, { scroll: 'end' });
    path.scrollToEnd();
  }

  /** Removes the first pages of a path that has grown too long, after what is new was painted. */
  async #dropFirstPages() {
    const { path } = this.session;
    if (!path.hasSpareFirstPage) return;
    await nextPaint();
    if (!this.#pendingNotice && path.hasSpareFirstPage) path.dropFirstPages();
  }

  /**
   * Handles a leaf that moved to another branch. A viewer at the bottom follows it; any
   * other keeps the shown path.
   * @param {boolean} bottom
   */
  #handleLeafMove(bottom) {
    const { session } = this, { path, tree, view } = session;
    tree.classList.add('leaf-moved');
    setTimeout(() => tree.classList.remove('leaf-moved'), 200);
    setTimeout(() => announce('Leaf moved to ' + (tree.querySelector('.row:has(.leaf-tag) .row-link')?.textContent?.trim() ?? 'another branch')), 300);
    if (bottom || view.entry) return path.reloadPage(view, bottom);
    const leaf = path.lastPage.dataset.last ?? '';
    return session.showView({ ...view, leaf }, { history: 'replace', scrollState: { row: null, item: firstVisibleItem(session) } });
  }

  /**
   * Reloads rows and path after the file was rewritten or a label changed. If the first
   * visible item is no longer on the path, the viewed entry is shown.
   */
  async #reloadAll() {
    const { session } = this;
    const { path, view } = session;
    const bottom = path.atBottom && view.leaf === '' && view.entry === '';
    const [rows, page] = await Promise.all([session.reloadRows(this.#followsTree), path.reloadPage(view, bottom)]);
    if (rows === 404) return session.returnToLeaf();
    if (page === 205) await path.loadPage(view, { scroll: view.entry ? 'entry' : 'end' });
    if (bottom && path.atBottom) path.scrollToEnd();
  }

  /**
   * Handles the removal of the file. The shown path stays, because the server can no longer
   * read its entries.
   */
  async #handleRemoval() {
    this.session.path.markRunStopped();
    await Promise.all([this.session.reloadRows(), this.session.reloadFacts()]);
    announce(document.querySelector('#banners .banner--error > span')?.textContent?.trim() ?? 'The file is gone.');
  }

  /** @param {string} rev */
  #markPainted(rev) {
    afterPaint(() => {
      performance.mark('painted:' + rev);
      document.documentElement.dataset.paintedRev = rev;
    });
  }

  /**
   * Fetches the facts after a delay, once for all notices in it. The delay is longer while an
   * agent writes without pause: the facts with the ruler cost the server more than the entry.
   */
  #scheduleFacts() {
    const delay = Math.max(FACTS_DELAY, this.#lastFacts + FACTS_INTERVAL - performance.now());
    this.#factsTimer ||= setTimeout(() => {
      this.#factsTimer = 0;
      this.#lastFacts = performance.now();
      this.session.reloadFacts().catch(rethrowUnexpected);
    }, delay);
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
