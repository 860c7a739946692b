// @ts-check
// Keyboard shortcuts. Letters work only outside fields and can be turned off. Shift is read
// from the event, so that Caps Lock has no effect.

import { toggleThinking, toggleTools } from './actions.js';
import { showKeyHelp } from './palette/commands.js';
import { showSettings } from './dialog/settingsdialog.js';
import { closestElement } from './dom.js';
import { areLetterKeysOn } from './settings.js';
import { isDrawerOpen, setDrawer } from './tree/drawer.js';
import { isTreeFocused } from './tree/tree.js';
import { scrollToPrompt } from './path/pathscroll.js';

const isTyping = () => {
  const el = document.activeElement;
  return el instanceof HTMLElement && (el.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName) && el.getAttribute('type') !== 'checkbox');
};
const isDialogOpen = () => document.querySelector('dialog[open]') !== null;

// The keys with which browsers scroll what has the focus, and without a focus the document.
const SCROLL_KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

/** Focuses the main part of a page that scrolls instead of the document. */
function focusScroller() {
  const main = document.getElementById('main');
  if (main && main.scrollHeight > main.clientHeight) main.focus({ preventScroll: true });
}

/** The shortcuts of every page. @type {Record<string, () => unknown>} */
const everyPage = { '?': showKeyHelp, ',': showSettings };

/**
 * Runs the command of a key that no field or dialog handles.
 * @param {(key: string, event: KeyboardEvent) => (() => unknown) | undefined} find
 * @param {{openCommands: () => void}} palette
 */
export function startKeys(find, palette) {
  document.addEventListener('click', (event) => { if (closestElement(event, '[data-do="key-help"]')) showKeyHelp(); });
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      if (!isDialogOpen()) palette.openCommands();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return;
    if (document.activeElement === document.body && SCROLL_KEYS.has(event.key)) focusScroller();
    if (isTyping() && event.key !== 'Escape') return;
    if (event.key === 'Escape' && document.querySelector(':popover-open')) return; // the browser closes it
    const single = event.key.length === 1 && event.key !== ' ';
    if (single && !areLetterKeysOn()) return;
    const key = single && event.shiftKey && /[a-z]/i.test(event.key) ? 'Shift+' + event.key.toLowerCase() : single ? event.key.toLowerCase() : event.key;
    const run = find(key, event) ?? everyPage[key];
    if (!run) return;
    event.preventDefault();
    run();
  });
}

/**
 * Returns the shortcuts of the session page.
 * @param {{session: import('./session.js').SessionPage, branches: import('./path/branchswitch.js').BranchSwitch,
 *   tree: import('./tree/tree.js').TreePane, search: import('./find/searchfield.js').SessionSearch, labels: () => unknown,
 *   changes: import('./dialog/changes.js').SessionChanges | null,
 *   branchPanel: import('./panels.js').LazyPanel<import('./branches/branchpanel.js').BranchPanel> | null,
 *   contextPanel: import('./panels.js').LazyPanel<import('./context/contextpanel.js').ContextPanel> | null,
 *   mapPanel: import('./panels.js').LazyPanel<import('./map/mappanel.js').MapPanel> | null}} page the last four are null in snapshots
 */
export function sessionKeys({ session, branches, tree, search, labels, changes, branchPanel, contextPanel, mapPanel }) {
  const step = (/** @type {1 | -1} */ direction) => () => (isTreeFocused() ? tree.focusPrompt(direction) : scrollToPrompt(session, direction));
  /** @type {Record<string, () => unknown>} */
  const anywhere = {
    j: () => tree.focusRow(isTreeFocused() ? tree.currentIndex + 1 : tree.currentIndex),
    k: () => tree.focusRow(isTreeFocused() ? tree.currentIndex - 1 : tree.currentIndex),
    '[': () => branches.stepBranch('prev'),
    ']': () => branches.stepBranch('next'),
    l: () => branches.resetToLeaf(),
    o: () => toggleTools(session),
    t: () => toggleThinking(session),
    g: labels,
    n: () => search.stepHit(1),
    'Shift+n': () => search.stepHit(-1),
    e: () => search.stepFailure(1),
    'Shift+e': () => search.stepFailure(-1),
    '*': () => tree.openBranchesAtLevel(),
    '/': () => search.focusField(),
    Escape: () => (isDrawerOpen() ? setDrawer(false) : branchPanel?.isOpen ? branchPanel.close() : contextPanel?.isOpen ? contextPanel.close() : mapPanel?.isOpen ? mapPanel.close() : search.panel.isOpen ? search.closeList() : tree.focusTree()),
  };
  if (mapPanel) anywhere.m = () => mapPanel.use((panel) => panel.toggle());
  if (branchPanel) anywhere['Shift+b'] = () => branchPanel.use((panel) => (panel.isOpen ? panel.close() : panel.open()));
  if (contextPanel) anywhere.i = () => contextPanel.use((panel) => panel.toggle());
  if (changes) {
    anywhere['Shift+l'] = () => changes.openForTarget('label');
    anywhere.b = () => changes.openForTarget('branch');
  }
  /** @type {Record<string, () => unknown>} */
  const onRows = {
    ArrowDown: () => tree.focusRow(tree.currentIndex + 1),
    ArrowUp: () => tree.focusRow(tree.currentIndex - 1),
    ArrowRight: () => tree.openOrEnterBranch(),
    ArrowLeft: () => tree.closeOrLeaveBranch(),
    Home: () => tree.focusRow(0),
    End: () => tree.focusRow(session.rows.total - 1),
    PageDown: () => tree.focusRow(tree.currentIndex + rowsPerPage(session)),
    PageUp: () => tree.focusRow(tree.currentIndex - rowsPerPage(session)),
    Enter: () => tree.viewCurrentRow(),
    ' ': () => tree.viewCurrentRow(),
  };
  return (/** @type {string} */ key, /** @type {KeyboardEvent} */ event) => {
    if (event.shiftKey && key === 'ArrowDown') return step(1);
    if (event.shiftKey && key === 'ArrowUp') return step(-1);
    if (isTreeFocused() && onRows[key] && !event.shiftKey) return onRows[key];
    return anywhere[key];
  };
}

/** @param {import('./session.js').SessionPage} session */
function rowsPerPage(session) {
  const { first, last } = session.rows.visibleRange;
  return Math.max(1, last - first - 2);
}
