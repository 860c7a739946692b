// @ts-check
// Times since a moment, which count on. The server sends the moment in data-since, in ms, and
// the format in data-elapsed: "clock", "words" or "ago".

const SLOW = 180; // s after which a running tool is slow

/** @param {number} n */
const twoDigits = (n) => String(n).padStart(2, '0');

/** @param {number} s */
function formatClock(s) {
  const minutes = Math.floor(s / 60);
  return minutes < 60 ? `${minutes}:${twoDigits(s % 60)}` : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(s % 60)}`;
}

/** @param {number} s */
function formatWords(s) {
  if (s < 60) return `${s} s`;
  if (s < 600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return s < 3600 ? `${Math.floor(s / 60)} min` : `${Math.floor(s / 3600)} h`;
}

let clockOffset = 0; // ms that the server's clock is ahead of the browser's

/**
 * Notes the time of the server, as it has just been received.
 * @param {number} serverNow in ms
 */
export function setServerTime(serverNow) {
  if (serverNow > 0) clockOffset = serverNow - Date.now();
}

/** Returns the time by the server's clock, in ms. */
export const serverTime = () => Date.now() + clockOffset;

/**
 * Writes the elapsed times inside an element. Only the data of text nodes that differ changes.
 * @param {ParentNode} root
 */
export function writeElapsedTimes(root) {
  const now = serverTime();
  for (const el of root.querySelectorAll('[data-elapsed]')) {
    const seconds = Math.max(0, Math.floor((now - Number(el.getAttribute('data-since'))) / 1000)), how = el.getAttribute('data-elapsed');
    const text = how === 'clock' ? formatClock(seconds) : formatWords(seconds) + (how === 'ago' ? ' ago' : '');
    const node = el.firstChild;
    if (!(node instanceof Text)) el.textContent = text;
    else if (node.data !== text) node.data = text;
    if (how === 'clock' && seconds >= SLOW && !el.classList.contains('is-slow')) el.classList.add('is-slow');
  }
}

/** Counts on once a second while the page is visible. */
export function startElapsedTimes() {
  const write = () => { if (!document.hidden) writeElapsedTimes(document); };
  write();
  setInterval(write, 1000);
  document.addEventListener('visibilitychange', write);
}
