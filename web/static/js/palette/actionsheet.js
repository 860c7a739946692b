// @ts-check
// The sheet of actions on a phone: what the bar at the bottom has no room for.

import { compareBranches, copyText } from '../actions.js';
import { closestElement, requireElement } from '../dom.js';
import { showSettings } from '../dialog/settingsdialog.js';
import { ExportSteps } from './exportsteps.js';
import { findTarget } from '../dialog/changetarget.js';
import { mapAddress } from '../view.js';

/**
 * Starts the sheet.
 * @param {{session: import('../session.js').SessionPage, search: import('../find/searchfield.js').SessionSearch, labels: () => unknown,
 *   branchPanel: import('../panels.js').LazyPanel<import('../branches/branchpanel.js').BranchPanel>,
 *   contextPanel: import('../panels.js').LazyPanel<import('../context/contextpanel.js').ContextPanel>, changes: import('../dialog/changes.js').SessionChanges,
 *   palette: import('./palette.js').CommandPalette}} page
 */
export function startActionSheet({ session, search, labels, branchPanel, contextPanel, changes, palette }) {
  const sheet = /** @type {HTMLDialogElement} */ (requireElement('actions'));
  /** @type {Record<string, () => unknown>} */
  const actions = {
    search: () => search.focusField(),
    branches: () => branchPanel.use((panel) => panel.open()),
    compare: () => compareBranches(session),
    files: () => location.assign(session.base + '/files'),
    map: () => location.assign(mapAddress(session.base, session.view)),
    labels,
    context: () => contextPanel.use((panel) => panel.toggle()),
    resume: () => copyText(requireElement('app').dataset.resume ?? '', 'Command copied'),
    export: () => palette.openSteps(new ExportSteps(session.base, findTarget(session, null).entry, (href) => changes.openAddress(href))),
    share: () => changes.openShare(''),
    rename: () => changes.rename(),
    settings: showSettings,
    commands: () => palette.openCommands(),
  };
  document.addEventListener('click', (event) => {
    if (closestElement(event, '[data-do="actions"]')) openSheet(sheet);
    if (closestElement(event, '[data-do="find"]')) search.focusField();
    const button = closestElement(event, '#actions [data-action]');
    if (!button) return;
    sheet.close();
    actions[button.dataset.action ?? '']?.();
  });
}

/** @param {HTMLDialogElement} sheet */
function openSheet(sheet) {
  requireElement('actions-title').textContent = document.getElementById('title')?.textContent?.trim() ?? '';
  for (const el of sheet.querySelectorAll('[data-count]')) el.textContent = requireElement('side-foot').getAttribute('data-' + el.getAttribute('data-count')) ?? '';
  sheet.showModal();
}
