// @ts-check
// Finds out which page this is and starts what belongs to it.

import { Branches } from './path/branchswitch.js';
import { labelCommands, pageCommands, sessionCommands, showKeys } from './palette/commands.js';
import { startActions, startCopies } from './actions.js';
import { Changes } from './dialog/changedialog.js';
import { startAgain } from './dialog/bannerrefresh.js';
import { changeCommands } from './dialog/changecommands.js';
import { startUndo } from './dialog/changeresult.js';
import { targetOf } from './dialog/changetarget.js';
import { startTitle } from './dialog/rename.js';
import { expected } from './dom.js';
import { startDrawer } from './tree/drawer.js';
import { Follow } from './live/follow.js';
import { startIndex } from './sessionlist/sessionlist.js';
import { sessionKeys, startKeys } from './keyboard.js';
import { Live } from './live/socket.js';
import { Palette } from './palette/palette.js';
import { startPictures } from './dialog/imageviewer.js';
import { startPlaces } from './scrollstate.js';
import { startResize } from './tree/sidebarresize.js';
import { Search } from './search.js';
import { Session } from './session.js';
import { startShare } from './dialog/share.js';
import { startTheme } from './theme.js';
import { startTimes } from './times.js';
import { Tree } from './tree/tree.js';
import { startWalk } from './path/pathscroll.js';

if (/Mac|iP(hone|ad)/.test(navigator.platform)) {
  for (const el of document.querySelectorAll('[data-mod]')) el.textContent = '⌘ ' + el.getAttribute('data-mod');
}
for (const el of document.querySelectorAll('#loading, .loading-text')) el.remove(); // what stood here while the session was read
startTheme();
startTimes();
startPictures();
startShare();
if (document.getElementById('app')) startSession();
else if (document.getElementById('sessions')) startIndex();
else {
  startCopies();
  startKeys((key) => (key === '?' ? showKeys : undefined), new Palette(pageCommands));
}
document.documentElement.dataset.ready = '';

function startSession() {
  const session = new Session();
  const branches = new Branches(session);
  const tree = new Tree(session);
  const search = new Search(session);
  /** @type {() => Promise<void>} */
  const labels = () => palette.choose(labelCommands(session), 'Go to a label', 'No such label.');
  const changes = session.reader ? null : new Changes(session);
  const changing = (/** @type {Element | null} */ focused) => (changes ? changeCommands(changes, targetOf(session, focused)) : []);
  const page = { session, branches, tree, search, labels, changes, changing };
  /** @type {Palette} */
  const palette = new Palette((focused) => sessionCommands(page, focused));
  session.onArrive(() => palette.refresh());
  startActions(session, branches);
  if (changes) startChanges(session, changes);
  startDrawer();
  startResize();
  if (history.state) session.go(session.view, { history: 'none', place: history.state });
  else session.reveal();
  startPlaces(session);
  startWalk(session);
  startKeys(sessionKeys(page), palette);
  document.addEventListener('drawer-opened', () => { session.rows.scrollTo(Math.max(0, session.rows.focusIndex), 'center'); tree.enterTree(); });
  goLive(session);
}

/**
 * What changes a session.
 * @param {Session} session
 * @param {Changes} changes
 */
function startChanges(session, changes) {
  startTitle(changes);
  startUndo();
  startAgain(session);
}

/** @param {Session} session */
function goLive(session) {
  if (!document.documentElement.dataset.live) return;
  const follow = new Follow(session, (url) => live.ask(url));
  /** @type {Live} */
  const live = new Live({
    topic: 'session:' + document.getElementById('app')?.dataset.key,
    rev: () => follow.taken,
    notice: (n) => follow.notice(n),
    closed: () => { if (session.reader) session.reloadFacts().catch(expected); }, // perhaps the link has ended
  });
  session.onArrive(() => live.show());
}
