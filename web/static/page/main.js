// @ts-check
// The script of a page that stands by itself: that of a session's page, with what
// the page holds in place of a server. It runs in the head; what needs the document
// waits for it.

import { startActions } from '../js/actions.js';
import { Branches } from '../js/path/branchswitch.js';
import { labelCommands, sessionCommands } from '../js/palette/commands.js';
import { aborted, answerWith, say, settings } from '../js/dom.js';
import { startDrawer } from '../js/tree/drawer.js';
import { sessionKeys, startKeys } from '../js/keyboard.js';
import { Palette } from '../js/palette/palette.js';
import { startPictures } from '../js/dialog/imageviewer.js';
import { startPlaces } from '../js/scrollstate.js';
import { startResize } from '../js/tree/sidebarresize.js';
import { Search } from '../js/search.js';
import { Session } from '../js/session.js';
import { startTheme } from '../js/theme.js';
import { startTimes } from '../js/times.js';
import { Tree } from '../js/tree/tree.js';
import { viewOf } from '../js/view.js';
import { startWalk } from '../js/path/pathscroll.js';
import { Answerer } from './localserver.js';
import { startFile } from './filedownload.js';
import { Forest } from './entrytree.js';
import { part } from './embeddeddata.js';
import { printPath, startPrint } from './print.js';

const root = document.documentElement, theme = settings.get('theme'), width = Number(settings.get('side-width'));
root.classList.add('js');
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
if (width >= 240 && width <= 640) root.style.setProperty('--side-w', width + 'px');
addEventListener('DOMContentLoaded', start);

async function start() {
  startTheme();
  startTimes();
  const data = await part('tree'), forest = new Forest(data), answerer = new Answerer(data, forest);
  answerWith({ fragment: (url, signal) => told(answerer.fragment(url, signal)), json: (url, signal) => told(answerer.json(url, signal)) });
  startPictures();
  startSession(data, forest);
  root.dataset.ready = '';
}

/**
 * What goes wrong here is no lost connection.
 * @template T
 * @param {Promise<T>} answer
 */
async function told(answer) {
  try {
    return await answer;
  } catch (err) {
    if (!aborted(err)) reportError(err);
    throw err;
  }
}

/**
 * @param {any} data
 * @param {Forest} forest
 */
function startSession(data, forest) {
  const session = new Session();
  const branches = new Branches(session), tree = new Tree(session), search = new Search(session);
  const labels = () => palette.choose(labelCommands(session), 'Go to a label', 'No such label.');
  const print = () => printPath(session, data.Print);
  const changing = () => [{ name: 'Print this path', icon: 'file', keys: ['Ctrl', 'P'], run: print }];
  const page = { session, branches, tree, search, labels, changes: null, changing };
  const palette = new Palette((focused) => sessionCommands(page, focused));
  session.onArrive(() => palette.refresh());
  startActions(session, branches);
  startDrawer();
  startResize();
  startFile();
  startPrint(print, session);
  begin(session, forest);
  startPlaces(session);
  startWalk(session);
  startKeys(sessionKeys(page), palette);
  document.addEventListener('drawer-opened', () => { session.rows.scrollTo(Math.max(0, session.rows.focusIndex), 'center'); tree.enterTree(); });
}

/**
 * Shows what the address asks for. The page as it was written shows the path to the
 * leaf.
 * @param {Session} session
 * @param {Forest} forest
 */
function begin(session, forest) {
  const asked = viewOf(location.href);
  session.view = viewOf('#?');
  if (!location.hash.startsWith('#?') && !history.state) return session.reveal();
  if ([asked.entry, asked.leaf].some((id) => id && id !== 'none' && forest.find(id) < 0)) {
    asked.entry = asked.leaf = '';
    say('The entry of this link is not in the page.');
  }
  return session.go(asked, { history: 'none', place: history.state, rowsToo: true });
}
