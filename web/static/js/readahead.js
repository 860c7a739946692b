// @ts-check
// Lets the server read a session before its link is followed: when the pointer rests on the
// link, when it gets the focus, and when it is pressed.

import { closestElement, findAll } from './dom.js';

const REST = 40; // ms that the pointer or the focus rests on a link
const AGAIN = 60_000; // ms until a session is requested again: the server closes what nobody views
const MAX_NEWEST = 2; // large sessions that are read without any sign

/** When each session was requested, by address. @type {Map<string, number>} */
const requested = new Map();
let isReading = false;
/** The session to read next: the server reads one at a time. @type {HTMLAnchorElement | null} */
let next = null;

/**
 * Lets the server read a session, and returns when it was read. It does nothing for the session
 * that is shown.
 * @param {HTMLAnchorElement} link
 */
async function readAhead(link) {
  const { pathname, search } = link, now = performance.now();
  if (now < (requested.get(pathname) ?? -Infinity) + AGAIN || `${location.pathname}/`.startsWith(pathname + '/')) return;
  if (isReading) {
    next = link;
    return;
  }
  isReading = true;
  requested.set(pathname, now);
  await fetch(`${pathname}/ahead${search}`, { priority: 'low' }).catch(() => requested.delete(pathname));
  isReading = false;
  if (!next) return;
  const waiting = next;
  next = null;
  await readAhead(waiting);
}

/**
 * Returns the link to a session that an event is about.
 * @param {Event} event
 */
function sessionLink(event) {
  const link = closestElement(event, 'a[href^="/sessions/"]');
  return link instanceof HTMLAnchorElement && /^\/sessions\/[^/]+$/.test(link.pathname) ? link : null;
}

/** Starts reading ahead of the links of a page. */
export function startReadAhead() {
  let timer = 0;
  const readSoon = (/** @type {Event} */ event) => {
    clearTimeout(timer);
    const link = sessionLink(event);
    if (link) timer = setTimeout(() => readAhead(link), REST);
  };
  document.addEventListener('pointerover', (event) => { if (event.pointerType !== 'touch') readSoon(event); });
  document.addEventListener('focusin', readSoon);
  document.addEventListener('pointerdown', (event) => {
    const link = sessionLink(event);
    if (link && event.button === 0) readAhead(link);
  });
}

/**
 * Lets the server read the newest large sessions of the list, one after the other. They are the
 * ones whose opening takes time.
 */
export async function readNewestAhead() {
  const age = (/** @type {HTMLElement} */ link) => link.closest('.session-row')?.querySelector('time')?.getAttribute('datetime') ?? '';
  const newest = findAll('a[data-large]').sort((a, b) => age(b).localeCompare(age(a))).slice(0, MAX_NEWEST);
  for (const link of newest) await readAhead(/** @type {HTMLAnchorElement} */ (link));
}
