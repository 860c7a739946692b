// @ts-check
// Downloads the session file that is embedded in the page.

import { closestElement, requireElement } from '../js/dom.js';
import { showToast } from '../js/notify.js';
import { inflateElement } from './embeddeddata.js';

const FILE_ID = 'session-file';

export function startFileDownload() {
  document.addEventListener('click', async (event) => {
    const link = closestElement(event, `a[href="#${FILE_ID}"]`);
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    const href = URL.createObjectURL(await (await inflateElement(FILE_ID, 'gzip')).blob());
    const a = document.createElement('a');
    Object.assign(a, { href, download: requireElement(FILE_ID).dataset.name });
    a.click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
    showToast('The download of the session file has started.');
  });
}
