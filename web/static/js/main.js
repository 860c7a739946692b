// @ts-check
// Starts the features of the page.

import { BranchSwitch } from './path/branchswitch.js';
import { openLabels, pageCommands, sessionCommands } from './palette/commands.js';
import { startActions, startCopyButtons } from './actions.js';
import { startComparePage } from './compare/comparepage.js';
import { MapPanel } from './map/mappanel.js';
import { BranchPanel } from './branches/branchpanel.js';
import { ContextPanel } from './context/contextpanel.js';
import { startContextPage } from './context/contextlist.js';
import { ChangeDialog } from './dialog/changedialog.js';
import { startBannerRefresh } from './dialog/bannerrefresh.js';
import { changeCommands } from './dialog/changecommands.js';
import { startUndoKey } from './dialog/changeresult.js';
import { findTarget } from './dialog/changetarget.js';
import { startRename } from './dialog/rename.js';
import { rethrowUnexpected } from './server.js';
import { startDrawer } from './tree/drawer.js';
import { SessionFollower } from './live/follow.js';
import { startVisits } from './live/visit.js';
import { startSessionList } from './sessionlist/sessionlist.js';
import { sessionKeys, startKeys } from './keyboard.js';
import { LiveSocket } from './live/socket.js';
import { startActionSheet } from './palette/actionsheet.js';
import { CommandPalette } from './palette/palette.js';
import { pageSources, recordSessionViews, sessionSources } from './palette/sources.js';
import { startImageViewer } from './dialog/imageviewer.js';
import { startScrollState } from './scrollstate.js';
import { registerWorker } from './registerworker.js';
import { startSettings } from './settings.js';
import { startSettingsDialog } from './dialog/settingsdialog.js';
import { startSidebarResize } from './tree/sidebarresize.js';
import { SessionSearch } from './find/searchfield.js';
import { startSearchAllKey } from './searchlink.js';
import { SessionPage } from './session.js';
import { startChartKeys } from './spend/chartkeys.js';
import { startSharing } from './dialog/share.js';
import { startTheme } from './theme.js';
import { startElapsedTimes } from './elapsed.js';
import { startTimes } from './times.js';
import { startRowTooltip } from './tree/rowtooltip.js';
import { startStickyRows } from './tree/stickyrows.js';
import { TreePane } from './tree/tree.js';
import { startPathFilter } from './path/pathfilter.js';
import { startPathScroll } from './path/pathscroll.js';
import { startTurnBar } from './path/turnbar.js';

if (/Mac|iP(hone|ad)/.test(navigator.platform)) {
  for (const el of document.querySelectorAll('[data-modifier-key]')) el.textContent = '⌘ ' + el.getAttribute('data-modifier-key');
}
for (const el of document.querySelectorAll('#loading, .loading-text')) el.remove(); // placeholders from while the session was read
startSettings();
startTheme();
startSettingsDialog();
startTimes();
startElapsedTimes();
startImageViewer();
startSharing();
startSearchAllKey();
if (document.getElementById('app')) startSession();
else if (document.getElementById('sessions')) startSessionList();
else if (document.getElementById('searchpage')) import('./searchall/searchpage.js').then((module) => module.startSearchPage());
else if (document.getElementById('comparepage')) startComparePage();
else if (document.getElementById('filespage') || document.getElementById('historypage')) import('./files/filespage.js').then((module) => module.startFilesPage());
else if (document.getElementById('nowpage')) import('./now/nowpage.js').then((module) => module.startNowPage());
else if (document.getElementById('mappage')) import('./map/mappage.js').then((module) => module.startMapPage());
else {
  const context = document.getElementById('context');
  if (context) startContextPage(context);
  startCopyButtons();
  startChartKeys();
  startKeys(() => undefined, new CommandPalette(pageCommands, pageSources()));
}
document.documentElement.dataset.ready = '';
registerWorker();

function startSession() {
  const session = new SessionPage();
  const branches = new BranchSwitch(session);
  const tree = new TreePane(session);
  const search = new SessionSearch(session);
  /** @type {() => Promise<void>} */
  const labels = () => openLabels(session, palette);
  const changes = session.isSnapshot ? null : new ChangeDialog(session);
  const branchPanel = session.isSnapshot ? null : new BranchPanel(session);
  const contextPanel = session.isSnapshot ? null : new ContextPanel(session);
  const mapPanel = session.isSnapshot ? null : new MapPanel(session);
  const listChangeCommands = (/** @type {Element | null} */ focused) => (changes ? changeCommands(changes, findTarget(session, focused)) : []);
  const page = { session, branches, tree, search, labels, changes, branchPanel, contextPanel, mapPanel, listChangeCommands };
  /** @type {CommandPalette} */
  const palette = new CommandPalette((focused) => sessionCommands(page, focused), sessionSources(session, search));
  session.onFactsChange(() => palette.refreshCommands());
  startActions(session, branches);
  if (changes) startChangeDialogs(session, changes);
  if (branchPanel && contextPanel && changes) startActionSheet({ session, search, labels, branchPanel, contextPanel, changes, palette });
  startRowTooltip(session);
  startStickyRows(session);
  startDrawer();
  startSidebarResize();
  if (history.state) session.showView(session.view, { history: 'none', scrollState: history.state });
  else if (!branchPanel?.isOpen) session.revealViewedEntry();
  startScrollState(session);
  startPathScroll(session);
  startPathFilter(session);
  startTurnBar(session);
  startKeys(sessionKeys(page), palette);
  document.addEventListener('drawer-opened', () => { session.rows.scrollToRow(Math.max(0, session.rows.tabStopIndex), 'center'); tree.focusTree(); });
  if (!session.isSnapshot) recordSessionViews(session);
  connectLive(session);
  startVisits(session);
}

/**
 * Starts the features that change a session.
 * @param {SessionPage} session
 * @param {ChangeDialog} changes
 */
function startChangeDialogs(session, changes) {
  startRename(changes);
  startUndoKey();
  startBannerRefresh(session);
}

/** @param {SessionPage} session */
function connectLive(session) {
  if (!document.documentElement.dataset.live) return;
  const follow = new SessionFollower(session, (url) => live.requestFragment(url));
  /** @type {LiveSocket} */
  const live = new LiveSocket({
    topic: 'session:' + document.getElementById('app')?.dataset.key,
    rev: () => follow.shownRevision,
    onNotice: (n) => follow.handleNotice(n),
    onClose: () => { if (session.isSnapshot) session.reloadFacts().catch(rethrowUnexpected); }, // the link may have been revoked
  });
  session.onFactsChange(() => live.showState());
}
