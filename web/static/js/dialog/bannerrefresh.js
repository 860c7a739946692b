// @ts-check
// Some banners say something else after a while although nothing happens: a line
// that nobody finishes was left by a crash.

import { all, expected } from '../dom.js';

/** @param {import('../session.js').Session} session */
export function startAgain(session) {
  let timer = 0;
  const look = () => {
    clearTimeout(timer);
    const seconds = all('#banners [data-again]').map((el) => Number(el.dataset.again));
    if (seconds.length) timer = setTimeout(() => session.reloadFacts().catch(expected), Math.min(...seconds) * 1000);
  };
  session.onArrive(look);
  look();
}
