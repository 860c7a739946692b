// @ts-check
// Keys of the page. Letters act only outside fields and can be turned off; Shift is
// read from the event, so Caps Lock changes nothing.

import { toggleThinking, toggleTools } from './actions.js';
import { showKeys } from './palette/commands.js';
import { need, settings } from './dom.js';
import { isOpen, setDrawer } from './tree/drawer.js';
import { inTree } from './tree/tree.js';
import { walkPrompt } from './path/pathscroll.js';

const typing = () => {
  const el = document.activeElement;
  return el instanceof HTMLElement && (el.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName) && el.getAttribute('type') !== 'checkbox');
};
const inDialog = () => document.querySelector('dialog[open]') !== null;

/** Whether letters are commands. */
const lettersOn = () => settings.get('single-keys') !== 'off';

/** The switch in the key help. */
function startSwitch() {
  const box = /** @type {HTMLInputElement} */ (need('single-keys'));
  box.checked = lettersOn();
  box.addEventListener('change', () => settings.set('single-keys', box.checked ? null : 'off'));
}

/**
 * Runs a command for a key that no field and no dialog wants.
 * @param {(key: string, event: KeyboardEvent) => (() => unknown) | undefined} find
 * @param {{open: () => void}} palette
 */
export function startKeys(find, palette) {
  startSwitch();
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      if (!inDialog()) palette.open();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || inDialog()) return;
    if (typing() && event.key !== 'Escape') return;
    const single = event.key.length === 1 && event.key !== ' ';
    if (single && !lettersOn()) return;
    const run = find(single && event.shiftKey && /[a-z]/i.test(event.key) ? 'Shift+' + event.key.toLowerCase() : single ? event.key.toLowerCase() : event.key, event);
    if (!run) return;
    event.preventDefault();
    run();
  });
}

/**
 * The keys of the session page.
 * @param {{session: import('./session.js').Session, branches: import('./path/branchswitch.js').Branches,
 *   tree: import('./tree/tree.js').Tree, search: import('./search.js').Search, labels: () => unknown,
 *   changes: import('./dialog/changedialog.js').Changes | null}} page changes is null for readers
 */
export function sessionKeys({ session, branches, tree, search, labels, changes }) {
  const step = (/** @type {1 | -1} */ way) => () => (inTree() ? tree.prompt(way) : walkPrompt(session, way));
  /** @type {Record<string, () => unknown>} */
  const anywhere = {
    j: () => tree.focus(inTree() ? tree.current + 1 : tree.current),
    k: () => tree.focus(inTree() ? tree.current - 1 : tree.current),
    '[': () => branches.step('prev'),
    ']': () => branches.step('next'),
    l: () => branches.reset(),
    o: () => toggleTools(session),
    t: () => toggleThinking(session),
    g: labels,
    '*': () => tree.openLevel(),
    '/': () => { setDrawer(true); search.focus(); },
    '?': showKeys,
    Escape: () => (isOpen() ? setDrawer(false) : tree.enterTree()),
  };
  if (changes) {
    anywhere['Shift+l'] = () => changes.act('label');
    anywhere.b = () => changes.act('branch');
  }
  /** @type {Record<string, () => unknown>} */
  const onRows = {
    ArrowDown: () => tree.focus(tree.current + 1),
    ArrowUp: () => tree.focus(tree.current - 1),
    ArrowRight: () => tree.right(),
    ArrowLeft: () => tree.left(),
    Home: () => tree.focus(0),
    End: () => tree.focus(session.rows.total - 1),
    PageDown: () => tree.focus(tree.current + pageful(session)),
    PageUp: () => tree.focus(tree.current - pageful(session)),
    Enter: () => tree.enter(),
    ' ': () => tree.enter(),
  };
  return (/** @type {string} */ key, /** @type {KeyboardEvent} */ event) => {
    if (event.shiftKey && key === 'ArrowDown') return step(1);
    if (event.shiftKey && key === 'ArrowUp') return step(-1);
    if (inTree() && onRows[key] && !event.shiftKey) return onRows[key];
    return anywhere[key];
  };
}

/** @param {import('./session.js').Session} session */
function pageful(session) {
  const { first, last } = session.rows.visible;
  return Math.max(1, last - first - 2);
}
