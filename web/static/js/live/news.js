// @ts-check
// Requests the news of a followed session: the items and rows that its page does not show yet.

/**
 * @typedef {import('./socket.js').LiveSocket} LiveSocket
 * @typedef {import('../server.js').FragmentResponse} FragmentResponse
 * @typedef {import('../session.js').SessionPage} SessionPage
 */

export class SessionNews {
  /** @type {{url: string, response: Promise<FragmentResponse>} | null} news requested before its notice */
  #early = null;

  /**
   * @param {SessionPage} session
   * @param {() => LiveSocket} socket
   */
  constructor(session, socket) {
    this.session = session;
    this.socket = socket;
  }

  /** Whether what is new is appended to the shown path. */
  get canGrow() {
    const { view, path } = this.session;
    return view.leaf === '' && path.hasLastPage;
  }

  get #url() {
    const { session } = this, { path, rows } = session;
    /** @type {Record<string, string | number>} */
    const after = this.canGrow ? { after: path.lastPage.dataset.anchor || 'none', n: 200 } : {};
    return session.fragmentURL('news', { since: rows.revision, ...after });
  }

  /**
   * Returns the news of a revision. If it was requested before the notice, it is on its way.
   * It is requested again if the page has changed, or if notices were merged meanwhile.
   * @param {string} rev
   */
  async fetch(rev) {
    const url = this.#url, early = this.#early;
    this.#early = null;
    if (early?.url === url) {
      const response = await early.response;
      if (response.rev === rev) return response;
    }
    return this.socket().requestFragment(url);
  }

  /**
   * Requests the news of the notice after a revision, once: a hidden page makes up for all its
   * paints when it is shown.
   * @param {string} shown the revision that the page shows
   */
  requestEarly(shown) {
    const url = this.#url;
    if (this.#early?.url === url) return;
    const response = this.socket().requestAfterChange(url, shown);
    const early = this.#early = { url, response };
    response.catch(() => { if (this.#early === early) this.#early = null; }); // the socket was closed
  }
}
