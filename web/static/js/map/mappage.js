// @ts-check
// The map of a session: its keys, the zoom, and updates as the agent writes.

import { closestElement, requireElement } from '../dom.js';
import { startKeys } from '../keyboard.js';
import { LiveSocket } from '../live/socket.js';
import { announce } from '../notify.js';
import { pageCommands } from '../palette/commands.js';
import { CommandPalette } from '../palette/palette.js';
import { pageSources } from '../palette/sources.js';
import { fetchFragment, rethrowUnexpected } from '../server.js';
import { localizeTimes } from '../times.js';
import { nextBranch } from './branchkeys.js';
import { placeBrush, startBrush } from './brush.js';
import { downloadMap } from './download.js';

const REFRESH_DELAY = 1000; // ms from a change to the picture of it

/** Starts the page. */
export function startMapPage() {
  startBrush();
  document.addEventListener('click', (event) => (closestElement(event, '[data-do="map-download"]') ? downloadMap() : followMapLink(event)));
  document.addEventListener('keydown', (event) => moveBetweenBranches(event));
  const palette = new CommandPalette(() => [{ name: 'Back to the session', icon: 'back', keys: ['Esc'], run: goBack }, { name: 'Download the map as SVG', icon: 'export', run: downloadMap }, ...pageCommands()], pageSources());
  startKeys((key) => mapKeys[key], palette);
  showPickedBranch();
  followSession();
}

/** @type {Record<string, () => unknown>} */
const mapKeys = {
  '+': () => clickLink('[data-map-zoom="zoom-in"]'),
  '=': () => clickLink('[data-map-zoom="zoom-in"]'),
  '-': () => clickLink('[data-map-zoom="zoom-out"]'),
  0: () => clickLink('[data-map-zoom="fit"]'),
  Escape: goBack,
};

/** Closes the details of the picked branch or, if none is picked, shows the session. */
function goBack() {
  if (!clickLink('[data-map-close]')) location.assign(/** @type {HTMLAnchorElement} */ (document.querySelector('[data-map-session]')).href);
}

/**
 * @param {string} selector
 * @returns {boolean} whether there is such a link
 */
function clickLink(selector) {
  const link = document.querySelector(selector);
  if (link instanceof HTMLAnchorElement) link.click();
  return link instanceof HTMLAnchorElement;
}

/**
 * Shows another map in place of this one: with another zoom or axis, or with another branch.
 * @param {MouseEvent} event
 */
function followMapLink(event) {
  const link = event.target instanceof Element ? event.target.closest('#mapbody a') : null, href = link?.getAttribute('href');
  if (!link || !href || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
  const to = new URL(href, location.href);
  if (to.pathname !== location.pathname) return;
  event.preventDefault();
  showMap(to).then(() => { if (link.matches('.map-branch, .map-name')) focusBranch(link.getAttribute('data-branch') ?? ''); }).catch(rethrowUnexpected);
}

/**
 * Shows the map of an address. The middle of the visible part stays in the middle.
 * @param {URL} to
 * @param {boolean} [isRefresh] keeps the address
 */
async function showMap(to, isRefresh) {
  const request = new URL(to);
  request.searchParams.set('part', 'body');
  const { status, body } = await fetchFragment(request.pathname + request.search, undefined, 'no-store');
  const next = body.getElementById('mapbody');
  if (status !== 200 || !next) {
    location.assign(to);
    return;
  }
  const before = requireElement('mapscroll'), { scrollTop } = before;
  const middle = (before.scrollLeft + before.clientWidth / 2) / before.scrollWidth, zoomed = to.searchParams.get('zoom') !== new URL(location.href).searchParams.get('zoom');
  requireElement('mapbody').replaceWith(next);
  localizeTimes(next);
  const after = requireElement('mapscroll');
  after.scrollTo(middle * after.scrollWidth - after.clientWidth / 2, scrollTop);
  if (!isRefresh) history.replaceState(null, '', to);
  placeBrush();
  if (!isRefresh && !zoomed) showPickedBranch();
}

/** Scrolls to the picked branch. */
function showPickedBranch() {
  document.querySelector('.map-line.is-picked .map-branch')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** @param {string} id of the first entry of a branch */
function focusBranch(id) {
  const link = document.querySelector(`.map-branch[data-branch="${CSS.escape(id)}"]`);
  if (link instanceof SVGElement) link.focus({ preventScroll: true });
}

/** @param {KeyboardEvent} event */
function moveBetweenBranches(event) {
  const current = closestElement(event, '.map-branch') ?? (document.activeElement?.matches('.map-branch') ? document.activeElement : null);
  if (!current || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !event.key.startsWith('Arrow')) return;
  event.preventDefault();
  const next = nextBranch(current, event.key);
  if (!(next instanceof SVGElement)) return;
  next.focus();
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Refreshes the map after changes of the session. */
function followSession() {
  const page = requireElement('mappage');
  let timer = 0;
  const refresh = () => {
    timer = 0;
    const focused = document.activeElement?.getAttribute('data-branch');
    showMap(new URL(location.href), true).then(() => { if (focused) focusBranch(focused); }).catch(rethrowUnexpected);
  };
  new LiveSocket({
    topic: 'session:' + page.dataset.key,
    rev: () => requireElement('mapbody').dataset.rev ?? '',
    onNotice: (notice) => {
      if (notice.kind === 'remove') announce('The file of this session is gone.');
      else timer ||= window.setTimeout(refresh, REFRESH_DELAY);
    },
  });
}
