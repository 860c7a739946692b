// @ts-check
// The page of the sessions of a team: updated as devices push and people share.

import { requireElement } from '../dom.js';
import { startKeys } from '../keyboard.js';
import { LiveSocket } from '../live/socket.js';
import { pageCommands } from '../palette/commands.js';
import { CommandPalette } from '../palette/palette.js';
import { pageSources } from '../palette/sources.js';
import { morphElement } from '../path/morphitems.js';
import { startReadAhead } from '../readahead.js';
import { rowFocusKeys } from '../rowfocus.js';
import { fetchFragment, rethrowUnexpected } from '../server.js';
import { localizeTimes } from '../times.js';

const MIN_REFRESH_INTERVAL = 300; // ms between two refreshes caused by notices

let refreshTimer = 0, lastRefresh = 0;

/** Starts the page. */
export function startTeamPage() {
  startReadAhead();
  new LiveSocket({ topic: 'library', rev: () => requireElement('team').dataset.rev ?? '', onNotice: refreshSoon, onRestart: refreshSoon });
  startKeys((key) => teamKeys[key], new CommandPalette(pageCommands, pageSources()));
}

/** Refreshes the page: at once, or later if the last refresh was recent. */
function refreshSoon() {
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(() => refresh().catch(rethrowUnexpected), Math.max(0, lastRefresh + MIN_REFRESH_INTERVAL - Date.now()));
}

async function refresh() {
  lastRefresh = Date.now();
  const url = new URL(location.href);
  url.searchParams.set('part', 'list');
  const { body, status } = await fetchFragment(url.href, undefined, 'no-store');
  const next = body.querySelector('#team');
  if (status !== 200 || !next) return;
  localizeTimes(body);
  morphElement(requireElement('team'), next);
}

/** @type {Record<string, () => unknown>} */
const teamKeys = rowFocusKeys('.team-name', '.team-row');
