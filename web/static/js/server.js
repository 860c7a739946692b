// @ts-check
// Fetches fragments and data from the server, or from the embedded data of an HTML export.

/**
 * A response: its status and the elements of its body.
 * @typedef {{status: number, rev?: string, body: DocumentFragment}} FragmentResponse
 */

/**
 * Where fragments and data come from: the server, or the embedded data of an HTML export.
 * Only a source that cannot be reached throws.
 * @typedef {{fragment: (url: string, signal?: AbortSignal, cache?: RequestCache) => Promise<FragmentResponse>,
 *   lines: (url: string, onLine: (line: any) => void, signal?: AbortSignal) => Promise<void>}} DataSource
 */

/** @type {DataSource} */
let dataSource = {
  async fragment(url, signal, cache) {
    const template = document.createElement('template');
    const response = await fetch(url, { signal, cache, headers: { Accept: 'text/html' } });
    if (response.status === 410) location.reload(); // the link was revoked or has expired; the reloaded page explains it
    if (response.redirected) redirectToMovedSession(response.url);
    if (response.ok && response.status !== 205) template.innerHTML = await response.text();
    return { status: response.status, body: template.content };
  },
  async lines(url, onLine, signal) {
    const response = await fetch(url, { signal });
    if (response.ok) await readLines(response, onLine, signal);
  },
};

/**
 * Reads the body of a response that has a JSON value per line, and calls a function for each
 * value as it arrives. It calls no more after an abort.
 * @param {Response} response
 * @param {(line: any) => void} onLine
 * @param {AbortSignal} [signal]
 */
export async function readLines(response, onLine, signal) {
  const readLine = (/** @type {string} */ text) => { if (text && !signal?.aborted) onLine(JSON.parse(text)); };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader?.read(); reader && part && !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(readLine);
  }
  readLine(rest);
}

/**
 * Opens the new address of a session whose file was moved, in the same view.
 * @param {string} url the address that the server redirected to
 */
function redirectToMovedSession(url) {
  const key = /\/sessions\/[^/]+/, to = new URL(url).pathname.match(key)?.[0], from = location.pathname.match(key)?.[0];
  if (to && from && to !== from) location.replace(location.href.replace(from, to));
}

/** @param {DataSource} other */
export const setDataSource = (other) => { dataSource = other; };

/**
 * Fetches a piece of HTML. The caller handles error statuses; only a source that cannot be
 * reached throws.
 * @param {string} url
 * @param {AbortSignal} [signal]
 * @param {RequestCache} [cache] "no-store" skips the browser's cache, whose lookup takes time
 * @returns {Promise<FragmentResponse>}
 */
export async function fetchFragment(url, signal, cache) {
  try {
    return await dataSource.fragment(url, signal, cache);
  } catch (err) {
    throw isAbortError(err) ? err : new UnreachableError();
  }
}

/**
 * Fetches values, which arrive one after the other.
 * @param {string} url
 * @param {(line: any) => void} onLine
 * @param {AbortSignal} [signal]
 */
export async function fetchLines(url, onLine, signal) {
  try {
    await dataSource.lines(url, onLine, signal);
  } catch (err) {
    throw isAbortError(err) ? err : new UnreachableError();
  }
}

/** The server cannot be reached. The socket is closed as well, and a banner reports it. */
export class UnreachableError extends Error {}

/**
 * Rethrows an error unless it is an abort or an unreachable server.
 * @param {unknown} err
 */
export function rethrowUnexpected(err) {
  if (!isAbortError(err) && !(err instanceof UnreachableError)) throw err;
}

/**
 * Reports whether an error only means that the request was aborted.
 * @param {unknown} err
 */
export const isAbortError = (err) => err instanceof DOMException && err.name === 'AbortError';
