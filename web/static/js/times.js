// @ts-check
// Times in the viewer's time zone. The server sends them in UTC; data-time-format of <time> is the
// format: "age", "clock", "short" or "date".

const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const weekdayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const yearFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const fullFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/**
 * Formats an age, as formatAge of web/components/time_text.go does.
 * @param {number} ms
 */
function formatAge(ms) {
  if (ms < MINUTE) return 'now';
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h`;
  if (ms < 7 * DAY) return `${Math.floor(ms / DAY)}d`;
  if (ms < 60 * DAY) return `${Math.floor(ms / (7 * DAY))}w`;
  if (ms < 730 * DAY) return `${Math.floor(ms / (30.44 * DAY))}mo`;
  return `${Math.floor(ms / (365.25 * DAY))}y`;
}

/** @param {Date} at */
export const formatMoment = (at) => formatClock(at, new Date());

/**
 * @param {Date} at
 * @param {Date} now
 */
function formatClock(at, now) {
  if (at.toDateString() === now.toDateString()) return clockFormat.format(at);
  const past = now.getTime() - at.getTime();
  if (past > 0 && past < 6 * DAY) return weekdayFormat.format(at).replace(',', ''); // "Fri 23:51"
  return at.getFullYear() === now.getFullYear() ? dayFormat.format(at) : yearFormat.format(at);
}

/**
 * @param {HTMLTimeElement} el
 * @param {Date} now
 */
function writeTime(el, now) {
  const at = new Date(el.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const past = now.getTime() - at.getTime();
  const how = el.dataset.timeFormat;
  const text = how === 'date' ? dateFormat.format(at) : how === 'clock' ? formatClock(at, now) : how === 'short' && past < DAY ? clockFormat.format(at) : formatAge(past);
  if (el.textContent !== text) el.textContent = text;
}

/**
 * Rewrites the times inside an element. A title is set when the pointer first enters a
 * time, because formatting all of them is slow.
 * @param {ParentNode} root
 */
export function localizeTimes(root) {
  const now = new Date();
  for (const el of root.querySelectorAll('time[data-time-format]')) writeTime(/** @type {HTMLTimeElement} */ (el), now);
}

/** Updates the times each minute and sets titles in the viewer's time zone. */
export function startTimes() {
  localizeTimes(document);
  setInterval(() => { if (!document.hidden) localizeTimes(document); }, MINUTE);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) localizeTimes(document); });
  document.addEventListener('pointerover', (event) => {
    const el = event.target instanceof Element ? event.target.closest('time[data-time-format]') : null;
    if (el instanceof HTMLTimeElement && !el.dataset.titled) {
      el.dataset.titled = '1';
      el.title = fullFormat.format(new Date(el.dateTime));
    }
  });
}
