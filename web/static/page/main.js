// @ts-check
// The script of a page that stands by itself: that of a session's page, with what
// the page holds in place of a server. It runs in the head; what needs the document
// waits for it.

import { startActions } from '../js/actions.js';
import { BranchSwitch } from '../js/path/branchswitch.js';
import { labelCommands, sessionCommands } from '../js/palette/commands.js';
import { isAbortError, setDataSource, announce, settings } from '../js/dom.js';
import { startDrawer } from '../js/tree/drawer.js';
import { sessionKeys, startKeys } from '../js/keyboard.js';
import { CommandPalette } from '../js/palette/palette.js';
import { startImageViewer } from '../js/dialog/imageviewer.js';
import { startScrollState } from '../js/scrollstate.js';
import { startSidebarResize } from '../js/tree/sidebarresize.js';
import { SessionSearch } from '../js/search.js';
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

const root = document.documentElement, theme = settings.get('theme'), width = Number(settings.get('side-width'));
root.classList.add('js');
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
if (width >= 240 && width <= 640) root.style.setProperty('--side-w', width + 'px');
addEventListener('DOMContentLoaded', startPage);

async function startPage() {
  startTheme();
  startTimes();
  const data = await readPart('tree'), forest = new EntryTree(data), answerer = new EmbeddedSource(data, forest);
  setDataSource({ fragment: (url, signal) => reportFailure(answerer.fragment(url, signal)), json: (url, signal) => reportFailure(answerer.json(url, signal)) });
  startImageViewer();
  startExportedSession(data, forest);
  root.dataset.ready = '';
}

/**
 * What goes wrong here is no lost connection.
 * @template T
 * @param {Promise<T>} answer
 */
async function reportFailure(answer) {
  try {
    return await answer;
  } catch (err) {
    if (!isAbortError(err)) reportError(err);
    throw err;
  }
}

/**
 * @param {any} data
 * @param {EntryTree} forest
 */
function startExportedSession(data, forest) {
  const session = new SessionPage();
  const branches = new BranchSwitch(session), tree = new TreePane(session), search = new SessionSearch(session);
  /** @type {() => Promise<void>} */
  const labels = () => palette.openChoices(labelCommands(session), 'Go to a label', 'No such label.');
  const print = () => printPath(session, data.Print);
  const changing = () => [{ name: 'Print this path', icon: 'file', keys: ['Ctrl', 'P'], run: print }];
  const page = { session, branches, tree, search, labels, changes: null, changing };
  /** @type {CommandPalette} */
  const palette = new CommandPalette((focused) => sessionCommands(page, focused));
  session.onFactsChange(() => palette.refreshCommands());
  startActions(session, branches);
  startDrawer();
  startSidebarResize();
  startFileDownload();
  startPrint(print, session);
  showAddressedView(session, forest);
  startScrollState(session);
  startPathScroll(session);
  startKeys(sessionKeys(page), palette);
  document.addEventListener('drawer-opened', () => { session.rows.scrollToRow(Math.max(0, session.rows.tabStopIndex), 'center'); tree.focusTree(); });
}

/**
 * Shows what the address asks for. The page as it was written shows the path to the
 * leaf.
 * @param {SessionPage} session
 * @param {EntryTree} forest
 */
function showAddressedView(session, forest) {
  const asked = parseView(location.href);
  session.view = parseView('#?');
  if (!location.hash.startsWith('#?') && !history.state) return session.revealViewedEntry();
  if ([asked.entry, asked.leaf].some((id) => id && id !== 'none' && forest.findPosition(id) < 0)) {
    asked.entry = asked.leaf = '';
    announce('The entry of this link is not in the page.');
  }
  return session.showView(asked, { history: 'none', scrollState: history.state, selectRow: true });
}
