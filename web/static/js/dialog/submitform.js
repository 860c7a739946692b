// @ts-check
// Sends a form. For a generated summary the response is a stream of lines: progress, and at
// the end the result.

/**
 * @typedef {{status: number, body: DocumentFragment, text: string}} FormResponse text: the message of a problem
 */

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 * @param {AbortSignal} [signal]
 * @param {(text: string) => void} [progress]
 * @returns {Promise<FormResponse>}
 */
export async function submitForm(form, submitter, signal, progress) {
  const data = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) data.append(name, String(value));
  const slow = data.get('summary') === 'generate';
  const url = new URL(form.action);
  url.searchParams.set('part', slow ? 'stream' : 'dialog');
  const response = await fetch(url, { method: 'POST', body: data, signal, headers: { Accept: '*/*' } });
  if (!response.headers.get('Content-Type')?.startsWith('application/x-ndjson')) return parseResponse(response.status, response.headers.get('Content-Type') ?? '', await response.text());
  const last = await readProgress(response, progress);
  return { ...parseResponse(last.status, 'text/html', last.html ?? ''), text: last.text ?? '' };
}

/**
 * @param {number} status
 * @param {string} type
 * @param {string} text
 * @returns {FormResponse}
 */
function parseResponse(status, type, text) {
  const template = document.createElement('template');
  if (type.startsWith('text/html')) template.innerHTML = text;
  return { status, body: template.content, text: type.includes('json') ? formatProblem(JSON.parse(text)) : '' };
}

/** @param {{title: string, detail?: string}} problem */
const formatProblem = ({ title, detail }) => (detail ? `${title}: ${detail}` : title + '.');

/**
 * Reads a response line by line, reports progress and returns the last line.
 * @param {Response} response
 * @param {(text: string) => void} [progress]
 * @returns {Promise<{status: number, html?: string, text?: string}>}
 */
async function readProgress(response, progress) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the response ended early');
    rest += value;
    const whole = rest.split('\n');
    rest = whole.pop() ?? '';
    for (const line of whole) {
      const message = JSON.parse(line);
      if (message.status) return message;
      progress?.(message.progress);
    }
  }
}
