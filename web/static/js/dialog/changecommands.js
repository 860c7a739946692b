// @ts-check
// The commands that change a session. What cannot be done stays in the list and
// says why.

import { all, need } from '../dom.js';
import { copyFrom } from '../actions.js';
import { undoForm } from './changeresult.js';
import { rename } from './rename.js';

/**
 * @param {import('./changedialog.js').Changes} changes
 * @param {{entry: string, row: Element | null, place: string}} target what commands about an entry are about
 * @returns {import('../palette/palette.js').Command[]}
 */
export function changeCommands(changes, { entry, row, place }) {
  const can = need('can').dataset, { base } = changes.session, undo = undoForm();
  const about = (/** @type {string} */ action, at = entry) => () => changes.open(`${base}/${action}?entry=${encodeURIComponent(at)}`, row);
  return [
    ...(undo ? [{ name: 'Undo the last change', icon: 'reset', keys: ['Ctrl', 'Z'], run: () => undo.requestSubmit() }] : []),
    ...(entry ? [
      { name: 'Label this entry', icon: 'flag', keys: ['Shift', 'L'], why: can.label, run: about('label') },
      { name: 'Branch here', icon: 'fork', keys: ['B'], why: can.branch, run: about('branch', place) },
      { name: 'Branch to new file', icon: 'file-plus', why: can.fork, run: about('fork') },
      { name: 'Copy to the end of the current branch', icon: 'copy', why: can.copy, run: about('cherry-pick') },
      { name: 'Add this branch’s messages to the current one', icon: 'sum', why: can.copy, run: about('merge') },
    ] : []),
    { name: 'Export', icon: 'export', run: () => changes.act('export') },
    { name: 'Export this path as Markdown', icon: 'export', run: () => changes.open(`${base}/export?ask=1&scope=path&as=md&entry=${encodeURIComponent(entry)}`) },
    { name: 'Export this path as a session file', icon: 'export', run: () => changes.open(`${base}/export?ask=1&scope=path&as=jsonl&entry=${encodeURIComponent(entry)}`) },
    { name: 'Export this path as a web page', icon: 'export', run: () => changes.open(`${base}/export?ask=1&scope=path&as=html&entry=${encodeURIComponent(entry)}`) },
    { name: 'Export the whole session as a web page', icon: 'export', run: () => changes.open(base + '/export?ask=1&scope=tree&as=html') },
    { name: 'Export the whole session as a session file', icon: 'export', run: () => changes.open(base + '/export?ask=1&scope=tree&as=jsonl') },
    { name: 'Share this session', icon: 'share', run: () => changes.share('') },
    ...(entry ? [{ name: 'Share from this entry on', icon: 'share', run: () => changes.share(entry) }] : []),
    { name: 'Show all shares', icon: 'link', run: () => location.assign('/shares') },
    { name: 'Copy path as Markdown', icon: 'copy', run: () => copyFrom(`${base}/export?scope=path&as=md&entry=${encodeURIComponent(entry)}`) },
    { name: 'Branch before the first entry', icon: 'fork', why: can.branch, run: () => changes.open(base + '/branch?entry=none') },
    { name: 'Go back one prompt', icon: 'up', why: can.branch, run: () => changes.about('pop') },
    { name: 'Branches', icon: 'tree', run: () => changes.about('branches') },
    { name: 'Rename this session', icon: 'pencil', why: can.name, run: () => rename(changes) },
    ...(can.old === 'true' ? [{ name: 'Migrate this file to the current version', icon: 'file', why: can.migrate, run: () => changes.about('migrate') }] : []),
    ...all('#banners a[data-change]:not([href$="/migrate"])').map((link) => ({ name: link.textContent?.trim() ?? '', icon: 'reset', run: () => changes.open(/** @type {HTMLAnchorElement} */ (link).href) })),
  ];
}
