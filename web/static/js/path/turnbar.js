// @ts-check
// The bar above the path that shows the prompt of the turn after it has scrolled out.

import { childrenWithClass, firstIndexBelow, requireElement } from '../dom.js';

const MAX_TEXT = 300; // characters of the prompt
const CLEARANCE = 50; // px below the facts bar, a little more than the bar is high

/** @typedef {import('../session.js').SessionPage} SessionPage */

/** @param {SessionPage} session */
export function startTurnBar(session) {
  const bar = requireElement('turn-bar');
  /** @type {HTMLElement | undefined} */
  let shown;
  let due = false;
  const update = () => {
    due = false;
    const prompt = findScrolledPrompt(session);
    if (bar.hidden === Boolean(prompt)) bar.hidden = !prompt; // a change would make the next reading of a position a layout
    if (prompt && prompt !== shown) fillBar(bar, prompt);
    shown = prompt;
  };
  const updateSoon = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(update);
  };
  session.main.addEventListener('scroll', updateSoon, { passive: true });
  document.addEventListener('path-changed', updateSoon);
  bar.addEventListener('click', () => {
    if (!shown) return;
    session.main.scrollTop += shown.getBoundingClientRect().top - barTop() - 8;
    session.path.container.focus({ preventScroll: true });
  });
  updateSoon();
}

/** Returns the lower edge of the facts bar, where the bar is. */
const barTop = () => requireElement('facts').getBoundingClientRect().bottom;

/**
 * Returns the last prompt that has scrolled out, unless the bar would cover the next prompt or
 * the switcher of a fork.
 * @param {SessionPage} session
 */
function findScrolledPrompt({ path }) {
  const line = barTop(), heads = path.pages.flatMap((page) => childrenWithClass(page, 'entry--user', 'entry--fork'));
  const low = firstIndexBelow(heads, line), next = heads[low]; // heads before low have scrolled out
  if (next && next.getBoundingClientRect().top < line + CLEARANCE) return undefined;
  return heads.slice(0, low).findLast((el) => el.matches('.entry--user'));
}

/**
 * @param {HTMLElement} bar
 * @param {HTMLElement} prompt
 */
function fillBar(bar, prompt) {
  const [who, text, time] = ['b', 'span', 'time'].map((name) => bar.querySelector(name));
  if (who) who.textContent = prompt.querySelector('.message-head b')?.textContent ?? '';
  if (text) text.textContent = ((prompt.querySelector('.message-body :is(.block--md, .block--text)') ?? prompt.querySelector('.message-body'))?.textContent ?? '').trim().slice(0, MAX_TEXT);
  if (time) time.textContent = prompt.querySelector('.entry-time time')?.textContent ?? '';
}
