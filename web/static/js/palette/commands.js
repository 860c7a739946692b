// @ts-check
// The commands of each page.

import { compareBranches, isAwayFromLeaf, copyText, copyViewLink, toggleThinking, toggleTools } from '../actions.js';
import { showSettings } from '../dialog/settingsdialog.js';
import { requireElement } from '../dom.js';
import { canSearchAll, searchAllSessions } from '../searchlink.js';
import { fetchFragment } from '../server.js';
import { switchTheme, currentTheme } from '../theme.js';
import { formatMoment } from '../times.js';
import { mapAddress, parseViewParams } from '../view.js';
import { scrollToPrompt } from '../path/pathscroll.js';

/** @typedef {import('./rank.js').Command} Command */

export const showKeyHelp = () => /** @type {HTMLDialogElement} */ (requireElement('keys')).showModal();

/** @returns {Command[]} the commands of every page */
export function pageCommands() {
  return [
    ...(canSearchAll() ? [{ name: 'Search all sessions', icon: 'search', run: () => searchAllSessions('') }, { name: 'Go to Now', icon: 'clock', run: () => location.assign('/now') }, { name: 'History of a file', icon: 'clock', run: () => location.assign('/files') }] : []),
    { name: `Switch theme, now ${currentTheme()}`, icon: 'theme', run: switchTheme },
    { name: 'Settings', icon: 'settings', keys: [','], run: showSettings },
    { name: 'Key help', icon: 'keys', keys: ['?'], run: showKeyHelp },
  ];
}

/** @param {HTMLElement} field */
export const sessionListCommands = (field) => [
  { name: 'Show all shares', icon: 'share', run: () => location.assign('/shares') },
  { name: 'Filter sessions', icon: 'search', keys: ['/'], run: () => field.focus() },
  ...pageCommands(),
];

/**
 * @param {{session: import('../session.js').SessionPage, branches: import('../path/branchswitch.js').BranchSwitch,
 *   tree: import('../tree/tree.js').TreePane, search: import('../find/searchfield.js').SessionSearch, labels: () => unknown,
 *   branchPanel: import('../panels.js').LazyPanel<import('../branches/branchpanel.js').BranchPanel> | null,
 *   contextPanel: import('../panels.js').LazyPanel<import('../context/contextpanel.js').ContextPanel> | null,
 *   mapPanel: import('../panels.js').LazyPanel<import('../map/mappanel.js').MapPanel> | null,
 *   listChangeCommands: (focused: Element | null) => Command[]}} page listChangeCommands returns the commands
 * that change the session
 * @param {Element | null} focused the focused element when the palette was opened
 * @returns {Command[]}
 */
export function sessionCommands({ session, branches, tree, search, labels, branchPanel, contextPanel, mapPanel, listChangeCommands }, focused) {
  const { view } = session, { resume } = requireElement('app').dataset;
  const filter = (/** @type {string} */ name) => () => session.showView({ ...session.view, filter: name }, { selectRow: true, scroll: 'keep' });
  const other = view.layout === 'outline' ? 'spine' : 'outline';
  return [
    ...(isAwayFromLeaf() ? [{ name: 'Reset to leaf', icon: 'leaf', keys: ['L'], run: () => branches.resetToLeaf() }] : []),
    ...(branchPanel ? [{ name: 'Show branches', icon: 'fork', keys: ['Shift', 'B'], run: () => branchPanel.use((panel) => panel.open()) }, { name: 'Compare branches', icon: 'compare', run: () => compareBranches(session) }] : []),
    ...(contextPanel ? [{ name: 'Show the context of the answer', icon: 'chip', keys: ['I'], run: () => contextPanel.use((panel) => panel.toggle()) }] : []),
    ...(mapPanel ? [{ name: 'Show the map', icon: 'map', keys: ['M'], run: () => mapPanel.use((panel) => panel.toggle()) }, { name: 'Open the map as a page', icon: 'map', run: () => location.assign(mapAddress(session.base, session.view)) }, { name: 'Files', icon: 'file', run: () => location.assign(session.base + '/files') }] : []),
    ...listChangeCommands(focused),
    { name: 'Next branch', icon: 'chev', keys: [']'], run: () => branches.stepBranch('next') },
    { name: 'Previous branch', icon: 'left', keys: ['['], run: () => branches.stepBranch('prev') },
    { name: 'Next prompt', icon: 'down', keys: ['Shift', '↓'], run: () => scrollToPrompt(session, 1) },
    { name: 'Previous prompt', icon: 'up', keys: ['Shift', '↑'], run: () => scrollToPrompt(session, -1) },
    { name: 'Search this session', icon: 'search', keys: ['/'], run: () => search.focusField() },
    { name: 'Next failed tool call', icon: 'warn', keys: ['E'], run: () => search.stepFailure(1) },
    { name: 'Previous failed tool call', icon: 'warn', keys: ['Shift', 'E'], run: () => search.stepFailure(-1) },
    { name: 'Go to a label', icon: 'flag', keys: ['G'], run: labels },
    ...compactionCommands(session),
    { name: 'Open or close all tools', icon: 'tool', keys: ['O'], run: () => toggleTools(session) },
    { name: 'Open or close all thinking', icon: 'think', keys: ['T'], run: () => toggleThinking(session) },
    { name: 'Open all branches at this level', icon: 'fork', keys: ['*'], run: () => tree.openBranchesAtLevel() },
    ...(tree.canFocusBranch ? [{ name: 'Focus this branch', icon: 'focus', run: () => tree.focusBranch() }] : []),
    ...(view.root ? [{ name: 'Show the whole tree', icon: 'tree', run: () => tree.showWholeTree() }] : []),
    { name: 'Copy link to this view', icon: 'link', run: () => copyViewLink(session) },
    ...(resume ? [{ name: 'Copy resume command', detail: resume, icon: 'term', run: () => copyText(resume, 'Command copied') }] : []),
    { name: 'Show default entries', icon: 'tree', run: filter('default') },
    { name: 'Show no tools', icon: 'tree', run: filter('no-tools') },
    { name: 'Show prompts only', icon: 'tree', run: filter('user-only') },
    { name: 'Show labeled entries only', icon: 'tree', run: filter('labeled-only') },
    { name: 'Show failed tool calls only', icon: 'tree', run: filter('failed') },
    { name: 'Show all entries', icon: 'tree', run: filter('all') },
    ...(document.querySelector('.layout-link') ? [{ name: `Show the tree as ${other}`, icon: 'tree', run: () => session.showView({ ...session.view, layout: other }, { selectRow: true, scroll: 'keep' }) }] : []),
    { name: 'Focus the tree', icon: 'tree', keys: ['Esc'], run: () => tree.focusTree() },
    ...(session.isSnapshot ? [] : [{ name: 'All sessions', icon: 'back', run: () => location.assign('/') }]),
    ...pageCommands(),
  ];
}

/**
 * Returns a command for each compaction on the ruler of the viewed path.
 * @param {import('../session.js').SessionPage} session
 * @returns {Command[]}
 */
const compactionCommands = (session) => [...document.querySelectorAll('#ruler a[data-compaction-time]')].map((tick) => {
  const what = tick.textContent?.trim().replace('Compacted', 'Go to compaction'), when = tick.getAttribute('data-compaction-time');
  return { name: [what, when && formatMoment(new Date(when))].filter(Boolean).join(', '), icon: 'pack', run: () => session.followLink(tick.getAttribute('href') ?? '', { selectRow: true }) };
});

/**
 * Opens the list of labels: the newest first, or by name.
 * @param {import('../session.js').SessionPage} session
 * @param {import('./palette.js').CommandPalette} palette
 * @param {'time' | 'name'} [order]
 * @returns {Promise<void>}
 */
export function openLabels(session, palette, order = 'time') {
  const other = order === 'time' ? 'name' : 'time';
  const change = { name: `Sort by ${other}`, icon: 'list', run: () => openLabels(session, palette, other) };
  const list = labelCommands(session, order).then((labels) => (labels.length > 1 ? [...labels, change] : labels));
  return palette.openChoices(list, order === 'time' ? 'Go to a label, newest first' : 'Go to a label, by name', 'No such label.');
}

/**
 * Returns a command for each label of a session that goes to its entry.
 * @param {import('../session.js').SessionPage} session
 * @param {'time' | 'name'} order
 * @returns {Promise<Command[]>}
 */
async function labelCommands(session, order) {
  const view = { ...session.view, filter: 'labeled-only', q: '' };
  const { body } = await fetchFragment(session.fragmentURL('rows', { at: 0, n: 500 }, view));
  const found = [];
  for (const row of body.querySelectorAll('.row')) {
    const chip = row.querySelector('.chip'), link = row.querySelector('.row-link');
    if (!chip || !(link instanceof HTMLAnchorElement)) continue;
    const { entry, leaf } = Object.fromEntries(parseViewParams(link.href));
    const to = { ...session.view, entry: entry ?? '', leaf: leaf ?? '' };
    const time = chip.getAttribute('title')?.match(/, set (.*)$/)?.[1] ?? '';
    found.push({ time, name: `${chip.textContent?.trim()}: ${link.textContent?.trim()}`, icon: 'flag', run: () => session.showView(to, { selectRow: true }) });
  }
  return found.sort((a, b) => (order === 'name' ? a.name.localeCompare(b.name) : b.time.localeCompare(a.time)));
}
