// @ts-check
// Sending a form. A summary takes a while: then the answer comes line by line, each
// telling how far it is, the last one what came of it.

/** @typedef {{status: number, body: DocumentFragment, text: string}} FormResponse text: what a problem says, for people */

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
  const answer = await fetch(url, { method: 'POST', body: data, signal, headers: { Accept: '*/*' } });
  if (!answer.headers.get('Content-Type')?.startsWith('application/x-ndjson')) return parseResponse(answer.status, answer.headers.get('Content-Type') ?? '', await answer.text());
  const last = await readProgress(answer, progress);
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
 * Reads an answer line by line and answers the last one.
 * @param {Response} answer
 * @param {(text: string) => void} [progress]
 * @returns {Promise<{status: number, html?: string, text?: string}>}
 */
async function readProgress(answer, progress) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the response ended early');
    rest += value;
    const whole = rest.split('\n');
    rest = whole.pop() ?? '';
    for (const line of whole) {
      const said = JSON.parse(line);
      if (said.status) return said;
      progress?.(said.progress);
    }
  }
}
