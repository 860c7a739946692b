// @ts-check
// The buttons and links of the session page. A button names its action in data-do. A link
// that only changes the view has data-view.

import { closestElement, findAll, requireElement } from './dom.js';
import { showToast } from './notify.js';
import { fetchFragment } from './server.js';
import { enhanceItems, openState, applyThinkingState, applyToolState } from './path/enhance.js';
import { parseView, readFacts } from './view.js';
import { scrollToPrompt } from './path/pathscroll.js';
import { onChoiceChange, readChoice } from './settings.js';

const MAX_EXCERPT = 60; // characters of a copied text in the message about it

/** @typedef {import('./session.js').SessionPage} SessionPage */

/**
 * @param {SessionPage} session
 * @param {import('./path/branchswitch.js').BranchSwitch} branches
 */
export function startActions(session, branches) {
  /** @type {Record<string, (el: HTMLElement) => unknown>} */
  const actions = {
    leaf: () => branches.resetToLeaf(),
    tools: () => toggleTools(session),
    thinking: () => toggleThinking(session),
    'prompt-prev': () => scrollToPrompt(session, -1),
    'prompt-next': () => scrollToPrompt(session, 1),
    'copy-link': (el) => copyText(new URL(el.dataset.href ?? '', location.href).href, 'Link copied'),
    'change-copy': (el) => copyText(copySourceText(el), el.dataset.done ?? 'Copied'),
    'copy-text': (el) => copyEntryText(el),
    'copy-resume': () => copyText(requireElement('app').dataset.resume ?? '', 'Command copied'),
    'copy-export': (el) => copyResponse(el.dataset.href ?? ''),
    'copy-code': (el) => copyText(el.closest('.code')?.querySelector('code')?.textContent ?? '', 'Code copied'),
  };
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const el = closestElement(event, '[data-do]');
    const action = actions[el?.dataset.do ?? ''];
    if (el && action) {
      event.preventDefault();
      action(el);
    } else followViewLink(session, event);
  });
  session.onFactsChange(() => updatePressedButtons());
  onChoiceChange((name) => {
    const isOpen = readChoice(name) === 'open';
    if (name === 'tools' && openState.tools !== isOpen) toggleTools(session);
    if (name === 'thinking' && openState.thinking !== isOpen) toggleThinking(session);
  });
  updatePressedButtons();
}

/**
 * Follows links that only change the view without loading the page.
 * @param {SessionPage} session
 * @param {MouseEvent} event
 */
function followViewLink(session, event) {
  const more = closestElement(event, 'a[data-more]');
  if (more instanceof HTMLAnchorElement) {
    event.preventDefault();
    loadFullBlock(more);
    return;
  }
  const link = closestElement(event, 'a[data-view], #filters a, .layout-link, .rows .state a');
  const href = link?.getAttribute('href');
  if (!link || !href) return;
  event.preventDefault();
  const { entry, leaf, filter, q, layout, open } = session.view;
  const changesTree = link.closest('#filters, .side-foot, .hidden-lines');
  // The links of a path page are for the view it was fetched in.
  const here = changesTree ? { entry, leaf } : link.closest('#path, #context') ? { filter, q, layout, open } : {};
  session.showView({ ...parseView(href), ...here }, { selectRow: true, scroll: changesTree ? 'keep' : 'entry' });
}

/**
 * Replaces a truncated block with the full one.
 * @param {HTMLAnchorElement} link
 */
export async function loadFullBlock(link) {
  link.setAttribute('aria-busy', 'true');
  const { body, status } = await fetchFragment(link.href);
  if (status === 200 && link.dataset.more === 'rest') return insertRemainingBlocks(link, body);
  const old = link.closest(link.dataset.more === 'tool' ? '.tool' : '.block');
  const now = old?.id ? body.querySelector('#' + CSS.escape(old.id)) : body.querySelector('.block, .tool');
  if (status !== 200 || !old || !now) {
    link.removeAttribute('aria-busy');
    showToast('The rest could not be read.');
    return;
  }
  if (now instanceof HTMLDetailsElement) now.open = true;
  now.classList.add('is-whole');
  const focused = link === document.activeElement;
  old.replaceWith(now);
  enhanceItems(now);
  const to = now.querySelector('summary, pre, [tabindex]');
  if (focused && to instanceof HTMLElement) to.focus({ preventScroll: true });
}

/**
 * Replaces a link to further blocks with these blocks.
 * @param {HTMLAnchorElement} link
 * @param {DocumentFragment} body
 */
function insertRemainingBlocks(link, body) {
  enhanceItems(body);
  const first = body.querySelector('.block');
  const focused = link === document.activeElement;
  link.closest('.block')?.replaceWith(body);
  if (!focused || !(first instanceof HTMLElement)) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
}

/** Starts the copy buttons of pages without a session. */
export function startCopyButtons() {
  document.addEventListener('click', (event) => {
    const el = closestElement(event, '[data-do="change-copy"]');
    if (el) copyText(copySourceText(el), el.dataset.done ?? 'Copied');
  });
}

/** @param {SessionPage} session */
export function toggleTools(session) {
  openState.tools = !openState.tools;
  applyToolState(session.path.container);
  updatePressedButtons();
}

/** @param {SessionPage} session */
export function toggleThinking(session) {
  openState.thinking = !openState.thinking;
  applyThinkingState(session.path.container);
  updatePressedButtons();
}

/** Updates the pressed state of the buttons, which a refetched bar has lost. */
function updatePressedButtons() {
  for (const el of findAll('[data-do="tools"]')) el.setAttribute('aria-pressed', String(openState.tools));
  for (const el of findAll('[data-do="thinking"]')) el.setAttribute('aria-pressed', String(openState.thinking));
  if (isAwayFromLeaf()) requireElement('bar-leaf').removeAttribute('aria-current');
  else requireElement('bar-leaf').setAttribute('aria-current', 'true');
}

/**
 * @param {string} text
 * @param {string} done
 */
export async function copyText(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    showToast(`${done}: ${excerpt(text)}`);
  } catch {
    showToast('The browser blocks copying on this page.');
  }
}

/**
 * Returns the start of a text in one line.
 * @param {string} text
 */
const excerpt = (text) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_EXCERPT ? line.slice(0, MAX_EXCERPT) + '…' : line;
};

/**
 * Copies the text that a URL returns.
 * @param {string} href
 * @param {string} [done]
 */
export async function copyResponse(href, done = 'Path copied as Markdown') {
  const response = await fetch(href).catch(() => undefined);
  if (!response?.ok) return showToast('This cannot be copied now.');
  return copyText(await response.text(), done);
}

/**
 * Copies the text of an entry: as it was recorded, or in an HTML export as it is shown.
 * @param {HTMLElement} button
 */
export function copyEntryText(button) {
  const done = 'Text copied', { href } = button.dataset;
  if (href) return copyResponse(href, done);
  const within = button.closest('.tool, .entry');
  const parts = findAll(within?.matches('.tool') ? 'pre.output, .diff' : '.message-body, .markdown', within ?? document);
  return copyText(parts.map((part) => part.innerText).join('\n\n'), done);
}

/**
 * Returns the text that a button copies: its own value or the text of a field or element.
 * @param {HTMLElement} button
 */
function copySourceText({ dataset }) {
  const from = document.getElementById(dataset.from ?? '');
  return from instanceof HTMLTextAreaElement ? from.value : from?.textContent ?? dataset.value ?? '';
}

/** Copies a link to the shown view. @param {SessionPage} session */
export const copyViewLink = (session) => copyText(new URL(session.viewAddress(), location.href).href, 'Link copied');

/** Compares the viewed path with the newest other branch. @param {SessionPage} session */
export const compareBranches = (session) => location.assign(`${session.base}/compare?${new URLSearchParams({ a: readFacts().leaf })}`);

/** Reports whether the viewed path does not end at the leaf. */
export const isAwayFromLeaf = () => !requireElement('away').hidden;
