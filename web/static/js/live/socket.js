// @ts-check
// The socket: one for a page, opened again whenever it is lost. The server says
// that something changed; what, the page asks for.

import { need, Unreachable } from '../dom.js';

/**
 * @typedef {{topic: string, rev: string, kind: 'append' | 'label' | 'rewrite' | 'remove', leaf?: string, entries: number}} Notice
 * @typedef {{status: number, body: DocumentFragment}} Answer
 * @typedef {{topic: string, rev: () => string, notice: (n: Notice) => void, restarted?: () => void, closed?: () => void}} Subscription
 */

const FIRST_WAIT = 250, LONGEST_WAIT = 10_000; // ms

export class Live {
  #wait = FIRST_WAIT;
  /** @type {WebSocket | undefined} */
  #socket;
  #timer = 0;
  #retryAt = 0;
  #epoch = document.documentElement.dataset.epoch ?? '';
  /** @type {'live' | 'connecting' | 'lost'} */
  state = 'connecting';
  #asked = 0;
  /** @type {Map<number, {resolve: (a: Answer) => void, reject: (err: Error) => void}>} who waits for an answer */
  #waiting = new Map();

  /** @param {Subscription} wish */
  constructor(wish) {
    this.wish = wish;
    this.#open();
    document.addEventListener('click', (event) => {
      if (!(event.target instanceof Element)) return;
      if (event.target.closest('[data-do="reconnect"]')) this.#again();
      if (event.target.closest('[data-do="reload"]')) location.reload();
    });
    addEventListener('online', () => this.#again());
    addEventListener('pageshow', (event) => { if (event.persisted) this.#again(); });
    setInterval(() => this.#countdown(), 500);
  }

  #open() {
    const url = new URL(document.documentElement.dataset.live ?? '/live', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = this.#socket = new WebSocket(url);
    socket.onopen = () => {
      this.#wait = FIRST_WAIT;
      socket.send(JSON.stringify({ sub: [{ topic: this.wish.topic, rev: this.wish.rev() }] }));
      this.#is('live');
    };
    socket.onmessage = (event) => this.#message(event.data);
    socket.onclose = () => this.#closed(socket);
  }

  /**
   * Asks for a fragment over the socket: a request of its own takes longer.
   * @param {string} url
   * @returns {Promise<Answer>}
   */
  ask(url) {
    const socket = this.#socket, id = ++this.#asked;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Unreachable());
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ get: url, id }));
    });
  }

  /** @param {string} data a line of JSON, behind it the body of an answer */
  #message(data) {
    const end = data.indexOf('\n');
    if (end >= 0) return this.#answer(JSON.parse(data.slice(0, end)), data.slice(end + 1));
    const message = JSON.parse(data);
    if (message.topic === this.wish.topic) return this.wish.notice(message);
    if (message.topic !== 'hello') return;
    if (message.assets !== document.documentElement.dataset.assets) need('updated').hidden = false;
    if (this.#epoch && message.epoch !== this.#epoch) this.wish.restarted?.();
    this.#epoch = message.epoch;
  }

  /**
   * @param {{id: number, status: number}} head
   * @param {string} html
   */
  #answer({ id, status }, html) {
    const template = document.createElement('template');
    template.innerHTML = html;
    this.#waiting.get(id)?.resolve({ status, body: template.content });
    this.#waiting.delete(id);
  }

  /** @param {WebSocket} socket */
  #closed(socket) {
    if (socket !== this.#socket) return;
    for (const { reject } of this.#waiting.values()) reject(new Unreachable());
    this.#waiting.clear();
    this.wish.closed?.();
    this.#is(this.#wait > FIRST_WAIT ? 'lost' : 'connecting');
    this.#retryAt = Date.now() + this.#wait;
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.8 + Math.random() * 0.4));
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  /** Tries at once. */
  #again() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.#timer);
    this.#open();
  }

  /** @param {'live' | 'connecting' | 'lost'} state */
  #is(state) {
    this.state = state;
    this.show();
  }

  /** Shows the state; the bar may have been fetched again since. */
  show() {
    const el = need('live-state');
    const writing = el.dataset.liveSession === 'true';
    el.dataset.state = this.state;
    el.hidden = this.state === 'live' && !writing;
    const text = this.state === 'live' ? 'Live' : this.state === 'lost' ? 'Offline' : 'Connecting';
    const label = el.querySelector('span');
    if (label && label.textContent !== text) label.textContent = text;
    need('offline').hidden = this.state !== 'lost';
    const icon = /** @type {HTMLLinkElement} */ (document.getElementById('favicon'));
    const href = writing && this.state === 'live' ? icon.dataset.live : icon.dataset.idle;
    if (href && icon.getAttribute('href') !== href) icon.href = href;
  }

  #countdown() {
    if (this.state !== 'lost') return;
    const left = Math.max(0, Math.ceil((this.#retryAt - Date.now()) / 1000));
    need('offline-wait').textContent = left > 0 ? `Trying again in ${left} s.` : 'Trying again.';
  }
}
