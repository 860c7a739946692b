// @ts-check
// Fetches banners again that change with time: an unfinished line means a crash once it is
// old enough.

import { findAll } from '../dom.js';
import { rethrowUnexpected } from '../server.js';

/** @param {import('../session.js').SessionPage} session */
export function startBannerRefresh(session) {
  let timer = 0;
  const scheduleRefresh = () => {
    clearTimeout(timer);
    const seconds = findAll('#banners [data-refresh-after]').map((el) => Number(el.dataset.refreshAfter));
    if (seconds.length) timer = setTimeout(() => session.reloadFacts().catch(rethrowUnexpected), Math.min(...seconds) * 1000);
  };
  session.onFactsChange(scheduleRefresh);
  scheduleRefresh();
}
