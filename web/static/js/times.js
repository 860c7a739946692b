// @ts-check
// Times in the reader's zone. The server writes them in UTC; <time data-t> says
// how each is to read: "age", "clock", "short" or "date".

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const year = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/**
 * @param {number} ms since then
 */
export function age(ms) {
  if (ms < MINUTE) return 'now';
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h`;
  if (ms < 7 * DAY) return `${Math.floor(ms / DAY)}d`;
  if (ms < 60 * DAY) return `${Math.floor(ms / (7 * DAY))}w`;
  if (ms < 730 * DAY) return `${Math.floor(ms / (30.44 * DAY))}mo`;
  return `${Math.floor(ms / (365.25 * DAY))}y`;
}

/** @param {Date} at */
export const momentText = (at) => clockText(at, new Date());

/**
 * @param {Date} at
 * @param {Date} now
 */
function clockText(at, now) {
  if (at.toDateString() === now.toDateString()) return clock.format(at);
  return at.getFullYear() === now.getFullYear() ? day.format(at) : year.format(at);
}

/**
 * @param {HTMLTimeElement} el
 * @param {Date} now
 */
function write(el, now) {
  const at = new Date(el.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const past = now.getTime() - at.getTime();
  const how = el.dataset.t;
  const text = how === 'date' ? date.format(at) : how === 'clock' ? clockText(at, now) : how === 'short' && past < DAY ? clock.format(at) : age(past);
  if (el.textContent !== text) el.textContent = text;
}

/**
 * Rewrites the times below an element. Titles are made when a time is first
 * pointed at: formatting them all would cost more than the page.
 * @param {ParentNode} root
 */
export function localise(root) {
  const now = new Date();
  for (const el of root.querySelectorAll('time[data-t]')) write(/** @type {HTMLTimeElement} */ (el), now);
}

/** Keeps times true: each minute, and titles in the reader's zone. */
export function startTimes() {
  localise(document);
  setInterval(() => { if (!document.hidden) localise(document); }, MINUTE);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) localise(document); });
  document.addEventListener('pointerover', (event) => {
    const el = event.target instanceof Element ? event.target.closest('time[data-t]') : null;
    if (el instanceof HTMLTimeElement && !el.dataset.titled) {
      el.dataset.titled = '1';
      el.title = full.format(new Date(el.dateTime));
    }
  });
}
