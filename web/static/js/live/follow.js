// @ts-check
// Following a session that grows. The way from a notice to the screen is short:
// the end of the path and its rows are asked for at once and shown together; what
// comes in the meantime is taken together afterwards.

import { afterPaint, expected, say, Unreachable } from '../dom.js';
import { firstItem } from '../scrollstate.js';
import { Unseen } from './newcount.js';

const MOST = 600; // items of a page that grows
const FACTS = 300; // ms from a notice to the facts
const RETRY = 2000; // ms until what failed is asked for again

/**
 * @typedef {import('./socket.js').Notice} Notice
 * @typedef {import('../session.js').Session} Session
 */

export class Follow {
  /** @type {Notice | null} what came while something was being fetched */
  #waiting = null;
  #busy = false;
  #factsDue = 0;
  #retry = 0;
  /** The revision that rows and path both reached: what came after it may be missing in one. */
  taken = '';

  /**
   * @param {Session} session
   * @param {(url: string) => Promise<import('./socket.js').Answer>} ask
   */
  constructor(session, ask) {
    this.session = session;
    this.ask = ask;
    this.taken = session.rows.rev;
    this.unseen = new Unseen(session);
  }

  /** @param {Notice} n */
  notice(n) {
    this.#waiting = this.#waiting ? merged(this.#waiting, n) : n;
    return this.#takeAll();
  }

  /**
   * Takes what waits. What failed waits on: it is taken with what came meanwhile,
   * once, or else a little later.
   */
  async #takeAll() {
    if (this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#retry);
    try {
      for (let again = true, n = this.#next(); n; n = this.#next()) {
        try {
          await this.#take(n);
        } catch (err) {
          const came = this.#waiting;
          this.#waiting = came ? merged(n, came) : n;
          expected(err);
          if (!came || !again) return this.#later();
          again = false;
        }
      }
    } finally {
      this.#busy = false;
    }
  }

  #later() { this.#retry = setTimeout(() => this.#takeAll(), RETRY); }

  #next() {
    const n = this.#waiting;
    this.#waiting = null;
    return n;
  }

  /** @param {Notice} n */
  async #take(n) {
    if (n.kind === 'remove') return this.#removed();
    const { session } = this;
    let turn, bottom, atLeaf;
    do { // once more when the reader went elsewhere meanwhile
      await session.settled;
      turn = session.turn;
      bottom = session.path.atBottom;
      atLeaf = session.view.leaf === '';
      if (n.kind === 'append') await this.#append(n, atLeaf, bottom);
      else await this.#reload();
    } while (turn !== session.turn);
    this.taken = n.rev;
    this.#painted(n.rev);
    this.#count(n, session.path.atBottom && atLeaf);
    this.#facts();
  }

  /**
   * What came, of path and tree at once. What the server cannot tell by itself is
   * asked for as a whole.
   * @param {Notice} n
   * @param {boolean} atLeaf
   * @param {boolean} bottom
   */
  async #append(n, atLeaf, bottom) {
    const { session } = this, { path, rows, turn } = session;
    const grows = atLeaf && path.complete, end = this.#atEnd;
    const after = grows ? { after: path.last.dataset.anchor || 'none', n: 200 } : {};
    const { status, body } = await this.ask(session.url('news', { since: rows.rev, ...after }));
    if (turn !== session.turn) return;
    if (status >= 500) throw new Unreachable();
    const tail = body.querySelector('.path-page'), list = body.querySelector('.rows');
    // Both are looked at, then both changed, then both scrolled: the page is laid
    // out once.
    const follows = bottom && path.atBottom, sight = rows.scale.look(); // the reader may have gone up meanwhile
    if (grows && tail instanceof HTMLElement) path.grow(tail);
    if (list instanceof HTMLElement) this.#rows(list, end, sight);
    await Promise.all([
      list ? null : session.reloadRows(end),
      grows && !tail ? this.#moved(bottom) : null,
      tail && follows ? this.#toEnd() : null,
    ]);
  }

  /** Whether the reader watches the end of the tree. */
  get #atEnd() {
    const { rows } = this.session;
    return rows.atEnd && !rows.focused;
  }

  /**
   * @param {HTMLElement} list the rows that came
   * @param {boolean} end whether the reader watches the end
   * @param {import('../virtualrows/geometry.js').Sight} sight of before
   */
  #rows(list, end, sight) {
    const { rows } = this.session, { focused } = rows;
    rows.store.drop(Number(list.dataset.from));
    rows.take(list, false);
    resize(rows.store, Number(list.dataset.from));
    if (end) rows.scrollTo(rows.total - 1, 'nearest', sight);
    else rows.paint();
    if (focused && !rows.focused) rows.refocus();
  }

  /**
   * Follows a path that has grown. More than one page came, or very many over time:
   * the end alone is enough.
   */
  #toEnd() {
    const { path, view } = this.session;
    if (!path.complete || path.last.children.length > MOST) return path.load(view, { scroll: 'end' });
    path.toEnd();
  }

  /**
   * The leaf went to another branch. A reader at the bottom goes along; anyone
   * else keeps what is on the screen.
   * @param {boolean} bottom
   */
  #moved(bottom) {
    const { session } = this, { path, tree, view } = session;
    tree.classList.add('leaf-moved');
    setTimeout(() => tree.classList.remove('leaf-moved'), 200);
    setTimeout(() => say('Leaf moved to ' + (tree.querySelector('.row:has(.leaf-tag) .row-link')?.textContent?.trim() ?? 'another branch')), 300);
    const item = bottom ? null : firstItem(session);
    if (bottom || view.entry) return path.load(view, { scroll: bottom ? 'end' : 'keep', place: item && { row: null, item } });
    const leaf = path.last.dataset.last ?? '';
    return session.go({ ...view, leaf }, { history: 'replace', place: { row: null, item } });
  }

  /**
   * Reads everything again: the file was rewritten, or a label changed old rows. A
   * reader whose entry is not on the path any more is taken to the viewed one.
   */
  async #reload() {
    const { session } = this;
    const { path, view } = session;
    const bottom = path.atBottom && view.leaf === '' && view.entry === '';
    const item = bottom ? null : firstItem(session);
    const [rows, page] = await Promise.all([session.reloadRows(this.#atEnd), path.load(view, { scroll: bottom ? 'end' : 'keep', place: item && { row: null, item } })]);
    if (rows === 404) return session.gone();
    if (page === 205) await path.load(view, { scroll: view.entry ? 'entry' : 'end' });
    if (bottom) path.toEnd();
  }

  /**
   * Nobody writes any more. The path is not fetched again: the server cannot read
   * its entries any more, while the reader still has them.
   */
  async #removed() {
    this.session.path.rest();
    await Promise.all([this.session.reloadRows(), this.session.reloadFacts()]);
    say(document.querySelector('#banners .banner--err > span')?.textContent?.trim() ?? 'The file is gone.');
  }

  /** @param {string} rev */
  #painted(rev) {
    afterPaint(() => {
      performance.mark('painted:' + rev);
      document.documentElement.dataset.paintedRev = rev;
    });
  }

  /** Facts can wait a moment, and are asked for once for all that comes in it. */
  #facts() {
    this.#factsDue ||= setTimeout(() => {
      this.#factsDue = 0;
      this.session.reloadFacts().catch(expected);
    }, FACTS);
  }

  /**
   * @param {Notice} n
   * @param {boolean} following
   */
  #count(n, following) {
    if (following || n.kind === 'rewrite') this.unseen.look();
    else this.unseen.add(n.entries);
  }
}

/**
 * @param {Notice} a
 * @param {Notice} b
 * @returns {Notice}
 */
function merged(a, b) {
  const order = ['append', 'label', 'rewrite', 'remove'];
  const kind = order.indexOf(a.kind) > order.indexOf(b.kind) && a.kind !== 'remove' ? a.kind : b.kind;
  return { ...b, kind, entries: a.entries + b.entries };
}

/**
 * A run that grew has a new size on all its rows; the server sends only those
 * that look different.
 * @param {import('../virtualrows/cache.js').RowStore} held
 * @param {number} from index of the first row that was sent
 */
function resize(held, from) {
  const run = (/** @type {HTMLElement} */ row) => row.dataset.up + ' ' + row.getAttribute('aria-level');
  /** @type {Map<string, string>} */
  const sizes = new Map();
  for (const [i, row] of held.entries()) if (i >= from) sizes.set(run(row), row.getAttribute('aria-setsize') ?? '');
  for (const [i, row] of held.entries()) {
    const size = i < from ? sizes.get(run(row)) : undefined;
    if (size && row.getAttribute('aria-setsize') !== size) row.setAttribute('aria-setsize', size);
  }
}
