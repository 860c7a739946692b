// @ts-check
// Waits on the page "Add a device" until the device was added.

import { announce } from '../notify.js';
import { fetchFragment, rethrowUnexpected } from '../server.js';
import { localizeTimes } from '../times.js';

const CHECK_INTERVAL = 2000; // ms

/** Starts to check, if a device is awaited. */
export function startDeviceStatus() {
  if (document.querySelector('#device-status .spin')) setTimeout(() => check().catch(rethrowUnexpected), CHECK_INTERVAL);
}

async function check() {
  const shown = document.getElementById('device-status');
  if (!shown) return;
  const url = new URL(shown.dataset.check ?? '', location.href);
  url.searchParams.set('part', 'status');
  const { body, status } = await fetchFragment(url.href, undefined, 'no-store').catch(() => ({ body: document, status: 0 }));
  const next = body.querySelector('#device-status');
  if (status === 200 && next && !next.querySelector('.spin')) {
    localizeTimes(next);
    announce(next.textContent?.trim() ?? '');
    shown.replaceWith(next);
  }
  startDeviceStatus();
}
