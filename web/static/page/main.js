// @ts-check
// The script of an HTML export: the session page's script with embedded data in place of a
// server. It runs in the head and starts when the document is loaded.

import { startActions } from '../js/actions.js';
import { BranchSwitch } from '../js/path/branchswitch.js';
import { openLabels, sessionCommands } from '../js/palette/commands.js';
import { announce } from '../js/notify.js';
import { isAbortError, setDataSource } from '../js/server.js';
import { applyRootAttributes, settings, startSettings } from '../js/settings.js';
import { startSettingsDialog } from '../js/dialog/settingsdialog.js';
import { startDrawer } from '../js/tree/drawer.js';
import { sessionKeys, startKeys } from '../js/keyboard.js';
import { CommandPalette } from '../js/palette/palette.js';
import { startImageViewer } from '../js/dialog/imageviewer.js';
import { startScrollState } from '../js/scrollstate.js';
import { startSidebarResize } from '../js/tree/sidebarresize.js';
import { SessionSearch } from '../js/find/searchfield.js';
import { SessionPage } from '../js/session.js';
import { startTheme } from '../js/theme.js';
import { startTimes } from '../js/times.js';
import { TreePane } from '../js/tree/tree.js';
import { parseView } from '../js/view.js';
import { startPathScroll } from '../js/path/pathscroll.js';
import { EmbeddedSource } from './embeddedsource.js';
import { startFileDownload } from './filedownload.js';
import { EntryTree } from './entrytree.js';
import { readPart } from './embeddeddata.js';
import { printPath, startPrint } from './print.js';

const root = document.documentElement, width = Number(settings.get('side-width'));
root.classList.add('js');
applyRootAttributes();
if (width >= 240 && width <= 640) root.style.setProperty('--side-w', width + 'px');
addEventListener('DOMContentLoaded', startPage);

async function startPage() {
  startSettings();
  startTheme();
  startSettingsDialog();
  startTimes();
  const data = await readPart('tree'), entryTree = new EntryTree(data), answerer = new EmbeddedSource(data, entryTree);
  setDataSource({ fragment: (url, signal) => reportFailure(answerer.fragment(url, signal)), lines: (url, onLine, signal) => reportFailure(answerer.lines(url, onLine, signal)) });
  startImageViewer();
  startExportedSession(data, entryTree);
  root.dataset.ready = '';
}

/**
 * Reports the error of a failed request. It is not a lost connection.
 * @template T
 * @param {Promise<T>} response
 */
async function reportFailure(response) {
  try {
    return await response;
  } catch (err) {
    if (!isAbortError(err)) reportError(err);
    throw err;
  }
}

/**
 * @param {any} data
 * @param {EntryTree} entryTree
 */
function startExportedSession(data, entryTree) {
  const session = new SessionPage();
  const branches = new BranchSwitch(session), tree = new TreePane(session), search = new SessionSearch(session);
  /** @type {() => Promise<void>} */
  const labels = () => openLabels(session, palette);
  const print = () => printPath(session, data.Print);
  const listChangeCommands = () => [{ name: 'Print this path', icon: 'file', keys: ['Ctrl', 'P'], run: print }];
  const page = { session, branches, tree, search, labels, changes: null, branchPanel: null, listChangeCommands };
  /** @type {CommandPalette} */
  const palette = new CommandPalette((focused) => sessionCommands(page, focused));
  session.onFactsChange(() => palette.refreshCommands());
  startActions(session, branches);
  startDrawer();
  startSidebarResize();
  startFileDownload();
  startPrint(print, session);
  showAddressedView(session, entryTree);
  startScrollState(session);
  startPathScroll(session);
  startKeys(sessionKeys(page), palette);
  document.addEventListener('drawer-opened', () => { session.rows.scrollToRow(Math.max(0, session.rows.tabStopIndex), 'center'); tree.focusTree(); });
}

/**
 * Shows the view of the address. The page itself contains the path to the leaf.
 * @param {SessionPage} session
 * @param {EntryTree} entryTree
 */
function showAddressedView(session, entryTree) {
  const requested = parseView(location.href);
  session.view = parseView('#?');
  if (!location.hash.startsWith('#?') && !history.state) return session.revealViewedEntry();
  if ([requested.entry, requested.leaf].some((id) => id && id !== 'none' && entryTree.findPosition(id) < 0)) {
    requested.entry = requested.leaf = '';
    announce('The entry of this link is not in the page.');
  }
  return session.showView(requested, { history: 'none', scrollState: history.state, selectRow: true });
}
