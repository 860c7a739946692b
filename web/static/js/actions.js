// @ts-check
// What the buttons and links of the session page do. Every button names its action
// in data-do; every link that only changes the view has data-view.

import { all, closest, fetchFragment, need, toast } from './dom.js';
import { dress, opened, openThinking, openTools } from './path/enhance.js';
import { viewOf } from './view.js';
import { walkPrompt } from './path/pathscroll.js';

/** @typedef {import('./session.js').Session} Session */

/**
 * @param {Session} session
 * @param {import('./path/branchswitch.js').Branches} branches
 */
export function startActions(session, branches) {
  /** @type {Record<string, (el: HTMLElement) => unknown>} */
  const actions = {
    leaf: () => branches.reset(),
    tools: () => toggleTools(session),
    thinking: () => toggleThinking(session),
    'prompt-prev': () => walkPrompt(session, -1),
    'prompt-next': () => walkPrompt(session, 1),
    'copy-link': (el) => copy(new URL(el.dataset.href ?? '', location.href).href, 'Link copied'),
    'change-copy': (el) => copy(textOf(el), el.dataset.done ?? 'Copied'),
    'copy-export': (el) => copyFrom(el.dataset.href ?? ''),
    'copy-code': (el) => copy(el.closest('.code')?.querySelector('code')?.textContent ?? '', 'Code copied'),
  };
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const el = closest(event, '[data-do]');
    const action = actions[el?.dataset.do ?? ''];
    if (el && action) {
      event.preventDefault();
      action(el);
    } else followLink(session, event);
  });
  session.onArrive(() => pressed());
  pressed();
}

/**
 * Links that change nothing but the view are followed without loading the page.
 * @param {Session} session
 * @param {MouseEvent} event
 */
function followLink(session, event) {
  const more = closest(event, 'a[data-more]');
  if (more instanceof HTMLAnchorElement) {
    event.preventDefault();
    showAll(more);
    return;
  }
  const link = closest(event, 'a[data-view], #filters a, .layout-link, .rows .state a');
  const href = link?.getAttribute('href');
  if (!link || !href) return;
  event.preventDefault();
  const { entry, leaf, filter, q, layout, open } = session.view;
  // A link of the path was made for the view in which its page came.
  const here = link.closest('#filters, .side-foot') ? { entry, leaf } : link.closest('#path') ? { filter, q, layout, open } : {};
  session.go({ ...viewOf(href), ...here }, { rowsToo: true, scroll: link.closest('#filters, .side-foot') ? 'keep' : 'entry' });
}

/**
 * Fetches what was cut in place of the piece that is shown.
 * @param {HTMLAnchorElement} link
 */
async function showAll(link) {
  link.setAttribute('aria-busy', 'true');
  const { body, status } = await fetchFragment(link.href);
  if (status === 200 && link.dataset.more === 'rest') return showRest(link, body);
  const old = link.closest(link.dataset.more === 'tool' ? '.tool' : '.block');
  const now = old?.id ? body.querySelector('#' + CSS.escape(old.id)) : body.querySelector('.block, .tool');
  if (status !== 200 || !old || !now) {
    link.removeAttribute('aria-busy');
    toast('The rest could not be read.');
    return;
  }
  if (now instanceof HTMLDetailsElement) now.open = true;
  now.classList.add('is-whole');
  const focused = link === document.activeElement;
  old.replaceWith(now);
  dress(now);
  const to = now.querySelector('summary, pre, [tabindex]');
  if (focused && to instanceof HTMLElement) to.focus({ preventScroll: true });
}

/**
 * Puts the blocks that a page left out where it says that there are more.
 * @param {HTMLAnchorElement} link
 * @param {DocumentFragment} body
 */
function showRest(link, body) {
  dress(body);
  const first = body.querySelector('.block');
  const focused = link === document.activeElement;
  link.closest('.block')?.replaceWith(body);
  if (!focused || !(first instanceof HTMLElement)) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
}

/** The buttons that copy, on pages that show no session. */
export function startCopies() {
  document.addEventListener('click', (event) => {
    const el = closest(event, '[data-do="change-copy"]');
    if (el) copy(textOf(el), el.dataset.done ?? 'Copied');
  });
}

/** @param {Session} session */
export function toggleTools(session) {
  opened.tools = !opened.tools;
  openTools(session.path.pages);
  pressed();
}

/** @param {Session} session */
export function toggleThinking(session) {
  opened.thinking = !opened.thinking;
  openThinking(session.path.pages);
  pressed();
}

/** Buttons of what is on look pressed, also after the bar was fetched again. */
function pressed() {
  for (const el of all('[data-do="tools"]')) el.setAttribute('aria-pressed', String(opened.tools));
  for (const el of all('[data-do="thinking"]')) el.setAttribute('aria-pressed', String(opened.thinking));
  if (awayFromLeaf()) need('bar-leaf').removeAttribute('aria-current');
  else need('bar-leaf').setAttribute('aria-current', 'true');
}

/**
 * @param {string} text
 * @param {string} done
 */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast('The browser blocks copying on this page.');
  }
}

/**
 * Copies the text that an address answers.
 * @param {string} href
 */
export async function copyFrom(href) {
  const answer = await fetch(href).catch(() => undefined);
  if (!answer?.ok) return toast('This cannot be copied now.');
  return copy(await answer.text(), 'Path copied as Markdown');
}

/**
 * What a button copies: its own value, or what a field or element holds.
 * @param {HTMLElement} button
 */
function textOf({ dataset }) {
  const from = document.getElementById(dataset.from ?? '');
  return from instanceof HTMLTextAreaElement ? from.value : from?.textContent ?? dataset.value ?? '';
}

/** The address of what is shown, for others. @param {Session} session */
export const copyAddress = (session) => copy(new URL(session.address(), location.href).href, 'Link copied');

/** Whether the reader can go back to the leaf from here. */
export const awayFromLeaf = () => !need('away').hidden;
