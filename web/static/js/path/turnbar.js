// @ts-check
// The bar above the path that shows the prompt of the turn after it has scrolled out.

import { findAll, requireElement } from '../dom.js';

const MAX_TEXT = 300; // characters of the prompt

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
    bar.hidden = !prompt;
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
 * Returns the last prompt that has scrolled out, unless the next one is about to.
 * @param {SessionPage} session
 */
function findScrolledPrompt({ path }) {
  const prompts = findAll('.entry--user', path.container), line = barTop();
  let low = 0, high = prompts.length; // prompts before low have scrolled out
  while (low < high) {
    const middle = (low + high) >> 1;
    if (prompts[middle].getBoundingClientRect().bottom <= line) low = middle + 1;
    else high = middle;
  }
  const next = prompts[low];
  return next && next.getBoundingClientRect().top < line + 40 ? undefined : prompts[low - 1];
}

/**
 * @param {HTMLElement} bar
 * @param {HTMLElement} prompt
 */
function fillBar(bar, prompt) {
  const [who, text, time] = ['b', 'span', 'time'].map((name) => bar.querySelector(name));
  if (who) who.textContent = prompt.querySelector('.message-head b')?.textContent ?? '';
  if (text) text.textContent = (prompt.querySelector('.message-body .markdown, .message-body')?.textContent ?? '').trim().slice(0, MAX_TEXT);
  if (time) time.textContent = prompt.querySelector('.entry-time time')?.textContent ?? '';
}
