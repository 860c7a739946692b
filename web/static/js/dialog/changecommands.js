// @ts-check
// The commands that change a session. A command that is not possible stays in the list with
// the reason.

import { findAll, requireElement } from '../dom.js';
import { copyResponse } from '../actions.js';
import { findUndoForm } from './changeresult.js';
import { ExportSteps } from '../palette/exportsteps.js';

/**
 * @param {import('./changes.js').SessionChanges} changes
 * @param {{entry: string, row: Element | null, branchEntry: string}} target the entry that the
 * commands act on
 * @returns {import('../palette/rank.js').Command[]}
 */
export function changeCommands(changes, { entry, row, branchEntry }) {
  const can = requireElement('can').dataset, { base } = changes.session, undo = findUndoForm();
  const about = (/** @type {string} */ action, at = entry) => () => changes.openAddress(`${base}/${action}?entry=${encodeURIComponent(at)}`, row);
  return [
    ...(undo ? [{ name: 'Undo the last change', icon: 'reset', keys: ['Ctrl', 'Z'], run: () => undo.requestSubmit() }] : []),
    ...(entry ? [
      { name: 'Label this entry', icon: 'flag', keys: ['Shift', 'L'], disabledReason: can.label, run: about('label') },
      { name: 'Branch here', icon: 'fork', keys: ['B'], disabledReason: can.branch, run: about('branch', branchEntry) },
      { name: 'Branch to new file', icon: 'file-plus', disabledReason: can.fork, run: about('fork') },
      { name: 'Copy to the end of the current branch', icon: 'copy', disabledReason: can.copy, run: about('cherry-pick') },
      { name: 'Add this branch’s messages to the current one', icon: 'sum', disabledReason: can.copy, run: about('merge') },
    ] : []),
    { name: 'Export…', icon: 'export', more: '3 formats', steps: () => new ExportSteps(base, entry, (href) => changes.openAddress(href)), run: () => {} },
    { name: 'Share this session', icon: 'share', run: () => changes.openShare('') },
    ...(entry ? [{ name: 'Share from this entry on', icon: 'share', run: () => changes.openShare(entry) }] : []),
    { name: 'Show all shares', icon: 'link', run: () => location.assign('/shares') },
    { name: 'Copy path as Markdown', icon: 'copy', run: () => copyResponse(`${base}/export?scope=path&as=md&entry=${encodeURIComponent(entry)}`) },
    { name: 'Branch before the first entry', icon: 'fork', disabledReason: can.branch, run: () => changes.openAddress(base + '/branch?entry=none') },
    { name: 'Go back one prompt', icon: 'up', disabledReason: can.branch, run: () => changes.openForSession('pop') },
    { name: 'Rename this session', icon: 'pencil', disabledReason: can.name, run: () => changes.rename() },
    ...(can.old === 'true' ? [{ name: 'Migrate this file to the current version', icon: 'file', disabledReason: can.migrate, run: () => changes.openForSession('migrate') }] : []),
    ...findAll('#banners a[data-change]:not([href$="/migrate"])').map((link) => ({ name: link.textContent?.trim() ?? '', icon: 'reset', run: () => changes.openAddress(/** @type {HTMLAnchorElement} */ (link).href) })),
  ];
}
