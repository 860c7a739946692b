// @ts-check
// Some banners say something else after a while although nothing happens: a line
// that nobody finishes was left by a crash.

import { findAll, rethrowUnexpected } from '../dom.js';

/** @param {import('../session.js').SessionPage} session */
export function startBannerRefresh(session) {
  let timer = 0;
  const look = () => {
    clearTimeout(timer);
    const seconds = findAll('#banners [data-again]').map((el) => Number(el.dataset.again));
    if (seconds.length) timer = setTimeout(() => session.reloadFacts().catch(rethrowUnexpected), Math.min(...seconds) * 1000);
  };
  session.onFactsChange(look);
  look();
}
