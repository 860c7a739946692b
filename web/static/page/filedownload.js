// @ts-check
// The session file that the page holds, as a download.

import { closest, need, toast } from '../js/dom.js';
import { inflate } from './embeddeddata.js';

const ID = 'session-file';

export function startFile() {
  document.addEventListener('click', async (event) => {
    const link = closest(event, `a[href="#${ID}"]`);
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    const href = URL.createObjectURL(await (await inflate(ID, 'gzip')).blob());
    const a = document.createElement('a');
    Object.assign(a, { href, download: need(ID).dataset.name });
    a.click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
    toast('The download of the session file has started.');
  });
}
