// @ts-check
// What can be done on each page, as the list of commands shows it.

import { awayFromLeaf, copy, copyAddress, toggleThinking, toggleTools } from '../actions.js';
import { fetchFragment, need } from '../dom.js';
import { nextTheme, theme } from '../theme.js';
import { momentText } from '../times.js';
import { paramsOf } from '../view.js';
import { walkPrompt } from '../path/pathscroll.js';

/** @typedef {import('./palette.js').Command} Command */

export const showKeys = () => /** @type {HTMLDialogElement} */ (need('keys')).showModal();

/** @returns {Command[]} what every page can do */
export function pageCommands() {
  return [
    { name: `Switch theme, now ${theme()}`, icon: 'theme', run: nextTheme },
    { name: 'Key help', icon: 'keys', keys: ['?'], run: showKeys },
  ];
}

/** @param {HTMLElement} field */
export const indexCommands = (field) => [
  { name: 'Show all shares', icon: 'share', run: () => location.assign('/shares') },
  { name: 'Filter sessions', icon: 'search', keys: ['/'], run: () => field.focus() },
  ...pageCommands(),
];

/**
 * @param {{session: import('../session.js').Session, branches: import('../path/branchswitch.js').Branches,
 *   tree: import('../tree/tree.js').Tree, search: import('../search.js').Search, labels: () => unknown,
 *   changing: (focused: Element | null) => Command[]}} page changing lists what changes the session
 * @param {Element | null} focused what had the focus when the list was opened
 * @returns {Command[]}
 */
export function sessionCommands({ session, branches, tree, search, labels, changing }, focused) {
  const { view } = session, { resume } = need('app').dataset;
  const filter = (/** @type {string} */ name) => () => session.go({ ...session.view, filter: name }, { rowsToo: true, scroll: 'keep' });
  const other = view.layout === 'outline' ? 'spine' : 'outline';
  return [
    ...(awayFromLeaf() ? [{ name: 'Reset to leaf', icon: 'leaf', keys: ['L'], run: () => branches.reset() }] : []),
    ...changing(focused),
    { name: 'Next branch', icon: 'chev', keys: [']'], run: () => branches.step('next') },
    { name: 'Previous branch', icon: 'left', keys: ['['], run: () => branches.step('prev') },
    { name: 'Next prompt', icon: 'down', keys: ['Shift', '↓'], run: () => walkPrompt(session, 1) },
    { name: 'Previous prompt', icon: 'up', keys: ['Shift', '↑'], run: () => walkPrompt(session, -1) },
    { name: 'Search this session', icon: 'search', keys: ['/'], run: () => search.focus() },
    { name: 'Go to a label', icon: 'flag', keys: ['G'], run: labels },
    ...compactionCommands(session),
    { name: 'Open or close all tools', icon: 'tool', keys: ['O'], run: () => toggleTools(session) },
    { name: 'Open or close all thinking', icon: 'think', keys: ['T'], run: () => toggleThinking(session) },
    { name: 'Open all branches at this level', icon: 'fork', keys: ['*'], run: () => tree.openLevel() },
    ...(tree.deep ? [{ name: 'Focus this branch', icon: 'focus', run: () => tree.focusBranch() }] : []),
    ...(view.root ? [{ name: 'Show the whole tree', icon: 'tree', run: () => tree.wholeTree() }] : []),
    { name: 'Copy link to this view', icon: 'link', run: () => copyAddress(session) },
    ...(resume ? [{ name: 'Copy the command that resumes this session', icon: 'term', run: () => copy(resume, 'Command copied') }] : []),
    { name: 'Show default entries', icon: 'tree', run: filter('default') },
    { name: 'Show no tools', icon: 'tree', run: filter('no-tools') },
    { name: 'Show prompts only', icon: 'tree', run: filter('user-only') },
    { name: 'Show labeled entries only', icon: 'tree', run: filter('labeled-only') },
    { name: 'Show all entries', icon: 'tree', run: filter('all') },
    ...(document.querySelector('.layout-link') ? [{ name: `Show the tree as ${other}`, icon: 'tree', run: () => session.go({ ...session.view, layout: other }, { rowsToo: true, scroll: 'keep' }) }] : []),
    { name: 'Focus the tree', icon: 'tree', keys: ['Esc'], run: () => tree.enterTree() },
    ...(session.reader ? [] : [{ name: 'All sessions', icon: 'back', run: () => location.assign('/') }]),
    ...pageCommands(),
  ];
}

/**
 * The compactions of the viewed path, as the ruler has them.
 * @param {import('../session.js').Session} session
 * @returns {Command[]}
 */
const compactionCommands = (session) => [...document.querySelectorAll('#ruler a[data-pack]')].map((tick) => {
  const what = tick.textContent?.trim().replace('Compacted', 'Go to compaction'), when = tick.getAttribute('data-pack');
  return { name: [what, when && momentText(new Date(when))].filter(Boolean).join(', '), icon: 'pack', run: () => session.follow(tick.getAttribute('href') ?? '', { rowsToo: true }) };
});

/**
 * Every label of a session, each leading to its entry.
 * @param {import('../session.js').Session} session
 * @returns {Promise<Command[]>}
 */
export async function labelCommands(session) {
  const view = { ...session.view, filter: 'labeled-only', q: '' };
  const { body } = await fetchFragment(session.url('rows', { at: 0, n: 500 }, view));
  const found = [];
  for (const row of body.querySelectorAll('.row')) {
    const chip = row.querySelector('.chip'), link = row.querySelector('.row-link');
    if (!chip || !(link instanceof HTMLAnchorElement)) continue;
    const { entry, leaf } = Object.fromEntries(paramsOf(link.href));
    const to = { ...session.view, entry: entry ?? '', leaf: leaf ?? '' };
    found.push({ name: `${chip.textContent?.trim()}: ${link.textContent?.trim()}`, icon: 'flag', run: () => session.go(to, { rowsToo: true }) });
  }
  return found;
}
