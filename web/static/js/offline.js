// @ts-check
// The page that the service worker shows while the server is not running.

const DEFAULT_PORT = '7777';
const RETRY_DELAY = 2000; // ms between two attempts

const command = document.getElementById('command'), status = document.getElementById('say');
if (command && location.port !== DEFAULT_PORT) command.textContent += ` --listen ${location.host}`;

/** Loads the page again if there is a server at this address. Reports whether there is one. */
async function retry() {
  try {
    await fetch('/healthz', { cache: 'no-store' });
  } catch {
    return false;
  }
  location.reload();
  return true;
}

async function retryAgain() {
  if (document.hidden || !await retry()) setTimeout(retryAgain, RETRY_DELAY);
}

document.addEventListener('click', async (event) => {
  if (!(event.target instanceof Element) || !event.target.closest('[data-do="retry"]')) return;
  if (status) status.textContent = '';
  if (!await retry() && status) status.textContent = 'Still not running.';
});
setTimeout(retryAgain, RETRY_DELAY);
document.documentElement.dataset.ready = '';
