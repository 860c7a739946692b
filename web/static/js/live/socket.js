// @ts-check
// The page's WebSocket, reopened whenever it closes. The server sends notices of changes;
// the page fetches the content.

import { requireElement } from '../dom.js';
import { UnreachableError } from '../server.js';

/**
 * @typedef {{topic: string, rev: string, kind: 'append' | 'label' | 'rewrite' | 'remove', leaf?: string, entries: number}} Notice
 * @typedef {import('../server.js').FragmentResponse} FragmentResponse
 * @typedef {{topic: string, rev: () => string, onNotice: (n: Notice) => void, onRestart?: () => void, onClose?: () => void}} Subscription
 */

const FIRST_RETRY_DELAY = 250, MAX_RETRY_DELAY = 10_000; // ms

export class LiveSocket {
  #retryDelay = FIRST_RETRY_DELAY;
  /** @type {WebSocket | undefined} */
  #socket;
  #retryTimer = 0;
  #retryAt = 0;
  #epoch = document.documentElement.dataset.epoch ?? '';
  /** @type {'live' | 'connecting' | 'lost'} */
  state = 'connecting';
  #lastRequestID = 0;
  /** @type {Map<number, {resolve: (r: FragmentResponse) => void, reject: (err: Error) => void}>} requests without a response */
  #pendingRequests = new Map();
  #waitingID = 0; // of the request that waits for a change

  /** @param {Subscription} subscription */
  constructor(subscription) {
    this.subscription = subscription;
    this.#connect();
    document.addEventListener('click', (event) => {
      if (!(event.target instanceof Element)) return;
      if (event.target.closest('[data-do="reconnect"]')) this.#reconnectNow();
      if (event.target.closest('[data-do="reload"]')) location.reload();
    });
    addEventListener('online', () => this.#reconnectNow());
    addEventListener('pageshow', (event) => { if (event.persisted) this.#reconnectNow(); });
    setInterval(() => this.#updateCountdown(), 500);
  }

  #connect() {
    const url = new URL(document.documentElement.dataset.live ?? '/live', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = this.#socket = new WebSocket(url);
    socket.onopen = () => {
      this.#retryDelay = FIRST_RETRY_DELAY;
      socket.send(JSON.stringify({ sub: [{ topic: this.subscription.topic, rev: this.subscription.rev() }] }));
      this.#setState('live');
    };
    socket.onmessage = (event) => this.#handleMessage(event.data);
    socket.onclose = () => this.#handleClose(socket);
  }

  /**
   * Fetches a fragment over the socket, which is faster than an HTTP request.
   * @param {string} url
   * @returns {Promise<FragmentResponse>}
   */
  requestFragment(url) { return this.#request({ get: url }); }

  /**
   * Fetches a fragment as soon as the topic has a newer revision than rev. The response then
   * follows the notice without a request. A later call replaces one that still waits, whose
   * promise stays pending.
   * @param {string} url
   * @param {string} rev
   */
  requestAfterChange(url, rev) {
    this.#pendingRequests.delete(this.#waitingID);
    const response = this.#request({ get: url, after: { topic: this.subscription.topic, rev } });
    this.#waitingID = this.#lastRequestID;
    return response;
  }

  /**
   * @param {object} message
   * @returns {Promise<FragmentResponse>}
   */
  #request(message) {
    const socket = this.#socket, id = ++this.#lastRequestID;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new UnreachableError());
    return new Promise((resolve, reject) => {
      this.#pendingRequests.set(id, { resolve, reject });
      socket.send(JSON.stringify({ ...message, id }));
    });
  }

  /** @param {string} data a line of JSON, followed by the body of a response */
  #handleMessage(data) {
    const end = data.indexOf('\n');
    if (end >= 0) return this.#handleResponse(JSON.parse(data.slice(0, end)), data.slice(end + 1));
    const message = JSON.parse(data);
    if (message.topic === this.subscription.topic) return this.subscription.onNotice(message);
    if (message.topic !== 'hello') return;
    if (message.assets !== document.documentElement.dataset.assets) requireElement('updated').hidden = false;
    if (this.#epoch && message.epoch !== this.#epoch) this.subscription.onRestart?.();
    this.#epoch = message.epoch;
  }

  /**
   * @param {{id: number, status: number, rev?: string}} head
   * @param {string} html
   */
  #handleResponse({ id, status, rev }, html) {
    const template = document.createElement('template');
    template.innerHTML = html;
    this.#pendingRequests.get(id)?.resolve({ status, rev, body: template.content });
    this.#pendingRequests.delete(id);
  }

  /** @param {WebSocket} socket */
  #handleClose(socket) {
    if (socket !== this.#socket) return;
    for (const { reject } of this.#pendingRequests.values()) reject(new UnreachableError());
    this.#pendingRequests.clear();
    this.subscription.onClose?.();
    this.#setState(this.#retryDelay > FIRST_RETRY_DELAY ? 'lost' : 'connecting');
    this.#retryAt = Date.now() + this.#retryDelay;
    this.#retryTimer = setTimeout(() => this.#connect(), this.#retryDelay * (0.8 + Math.random() * 0.4));
    this.#retryDelay = Math.min(MAX_RETRY_DELAY, this.#retryDelay * 2);
  }

  /** Reconnects without waiting. */
  #reconnectNow() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.#retryTimer);
    this.#connect();
  }

  /** @param {'live' | 'connecting' | 'lost'} state */
  #setState(state) {
    this.state = state;
    this.showState();
  }

  /** Shows the state of the connection. It is called again after the bar was refetched. */
  showState() {
    const el = requireElement('live-state');
    const writing = el.dataset.liveSession === 'true';
    el.dataset.state = this.state;
    el.hidden = this.state === 'live' && !writing;
    const text = this.state === 'live' ? 'Live' : this.state === 'lost' ? 'Offline' : 'Connecting';
    const label = el.querySelector('span');
    if (label && label.textContent !== text) label.textContent = text;
    requireElement('offline').hidden = this.state !== 'lost';
    const icon = /** @type {HTMLLinkElement} */ (document.getElementById('favicon'));
    const href = writing && this.state === 'live' ? icon.dataset.live : icon.dataset.idle;
    if (href && icon.getAttribute('href') !== href) icon.href = href;
  }

  #updateCountdown() {
    if (this.state !== 'lost') return;
    const left = Math.max(0, Math.ceil((this.#retryAt - Date.now()) / 1000));
    requireElement('offline-wait').textContent = left > 0 ? `Trying again in ${left} s.` : 'Trying again.';
  }
}
