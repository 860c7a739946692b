// @ts-check
// The script of the page of a session.

import { startActions } from '../actions.js';
import { startBannerRefresh } from '../dialog/bannerrefresh.js';
import { changeCommands } from '../dialog/changecommands.js';
import { startUndoKey } from '../dialog/changeresult.js';
import { SessionChanges } from '../dialog/changes.js';
import { findTarget } from '../dialog/changetarget.js';
import { requireElement } from '../dom.js';
import { SessionSearch } from '../find/searchfield.js';
import { sessionKeys, startKeys } from '../keyboard.js';
import { SessionFollower } from '../live/follow.js';
import { LiveSocket } from '../live/socket.js';
import { startVisits } from '../live/visit.js';
import { startActionSheet } from '../palette/actionsheet.js';
import { openLabels, sessionCommands } from '../palette/commands.js';
import { CommandPalette } from '../palette/palette.js';
import { recordSessionViews, sessionSources } from '../palette/sources.js';
import { startPanels } from '../panels.js';
import { BranchSwitch } from '../path/branchswitch.js';
import { startPathFilter } from '../path/pathfilter.js';
import { startPathScroll } from '../path/pathscroll.js';
import { startTurnBar } from '../path/turnbar.js';
import { startReadAhead } from '../readahead.js';
import { startPlainPage } from '../plainpage.js';
import { startScrollState } from '../scrollstate.js';
import { rethrowUnexpected } from '../server.js';
import { SessionPage } from '../session.js';
import { startPage } from '../startpage.js';
import { startDrawer } from '../tree/drawer.js';
import { startRowTooltip } from '../tree/rowtooltip.js';
import { startSidebarResize } from '../tree/sidebarresize.js';
import { startStickyRows } from '../tree/stickyrows.js';
import { TreePane } from '../tree/tree.js';

startPage(() => (document.getElementById('app') ? startSession() : startPlainPage())); // the content may be an error

function startSession() {
  const session = new SessionPage();
  const branches = new BranchSwitch(session);
  const tree = new TreePane(session);
  const search = new SessionSearch(session);
  /** @type {() => Promise<void>} */
  const labels = () => openLabels(session, palette);
  const changes = session.isSnapshot ? null : new SessionChanges(session);
  const panels = session.isSnapshot ? { branchPanel: null, contextPanel: null, mapPanel: null } : startPanels(session);
  const listChangeCommands = (/** @type {Element | null} */ focused) => (changes ? changeCommands(changes, findTarget(session, focused)) : []);
  const page = { session, branches, tree, search, labels, changes, ...panels, listChangeCommands };
  /** @type {CommandPalette} */
  const palette = new CommandPalette((focused) => sessionCommands(page, focused), sessionSources(session, search));
  session.onFactsChange(() => palette.refreshCommands());
  startActions(session, branches);
  if (changes && panels.branchPanel) {
    startUndoKey();
    startBannerRefresh(session);
    startActionSheet({ session, search, labels, branchPanel: panels.branchPanel, contextPanel: panels.contextPanel, changes, palette });
  }
  startRowTooltip(session);
  startStickyRows(session);
  startDrawer();
  startSidebarResize();
  if (history.state) session.showView(session.view, { history: 'none', scrollState: history.state });
  else if (!requireElement('app').dataset.panel) session.revealViewedEntry();
  startScrollState(session);
  startPathScroll(session);
  startPathFilter(session);
  startTurnBar(session);
  startKeys(sessionKeys(page), palette);
  document.addEventListener('drawer-opened', () => { session.rows.scrollToRow(Math.max(0, session.rows.tabStopIndex), 'center'); tree.focusTree(); });
  if (!session.isSnapshot) {
    recordSessionViews(session);
    startReadAhead();
  }
  connectLive(session);
  startVisits(session);
  if (requireElement('app').dataset.panel) return panels.branchPanel?.use(() => {}); // the page contains the list of branches
}

/** @param {SessionPage} session */
function connectLive(session) {
  if (!document.documentElement.dataset.live) return;
  const follow = new SessionFollower(session, () => live);
  /** @type {LiveSocket} */
  const live = new LiveSocket({
    topic: 'session:' + document.getElementById('app')?.dataset.key,
    rev: () => follow.shownRevision,
    onNotice: (n) => follow.handleNotice(n),
    onClose: () => { if (session.isSnapshot) session.reloadFacts().catch(rethrowUnexpected); }, // the link may have been revoked
  });
  session.onFactsChange(() => live.showState());
}
