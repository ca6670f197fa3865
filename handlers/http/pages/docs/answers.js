/** Answers in the console: status, headers, body; streams as they arrive. */
import { credentials } from './credentials.js';
import { codeBlock, el, jsonView } from './elements.js';

/**
 * @param {HTMLElement} answer
 * @param {Response} response
 * @param {number} started `performance.now()` when the call was sent
 */
export async function showAnswer(answer, response, started) {
  const type = response.headers.get('content-type') || '';
  const kind = Math.floor(response.status / 100);
  const facts = el('span', { class: 'muted' });
  const head = el(
    'div',
    { class: 'answer-head' },
    el('span', { class: `status status-${kind}` }, `${response.status} ${response.statusText}`),
    facts,
  );
  const headers = el(
    'details',
    { class: 'inner' },
    el('summary', {}, 'Headers'),
    el(
      'dl',
      { class: 'headers' },
      [...response.headers].map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
    ),
  );
  const place = el('div', {});
  answer.replaceChildren(head, place, headers);
  const finish = (/** @type {number} */ size) => {
    facts.textContent = `${Math.round(performance.now() - started)} ms, ${sizeText(size)}`;
  };
  if (type.startsWith('text/event-stream')) {
    finish(await showStream(place, response));
    return;
  }
  const bytes = await response.arrayBuffer();
  finish(bytes.byteLength);
  if (bytes.byteLength === 0) {
    place.append(el('p', { class: 'muted' }, 'No body.'));
  } else if (/json|^text\/|xml|javascript/.test(type)) {
    const text = prettyText(new TextDecoder().decode(bytes), type);
    place.append(codeBlock(/json/.test(type) ? jsonView(text) : el('code', {}, text), type.split(';')[0] ?? '', text));
    offerCredential(place, text);
  } else {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    place.append(
      el(
        'p',
        {},
        el('a', { href: url, download: 'answer' }, `Save ${sizeText(bytes.byteLength)} of ${type || 'data'}`),
      ),
    );
  }
}

/**
 * Events appear as they arrive.
 *
 * @param {HTMLElement} place
 * @param {Response} response
 */
async function showStream(place, response) {
  const text = el('code', {});
  place.append(codeBlock(text, 'text/event-stream', () => text.textContent));
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return size;
    size += value.byteLength;
    text.append(decoder.decode(value, { stream: true }));
  }
}

/**
 * After signing in or making a key, one click uses it.
 *
 * @param {HTMLElement} place
 * @param {string} text
 */
function offerCredential(place, text) {
  let data;
  try {
    data = JSON.parse(text).data || {};
  } catch {
    return; // not JSON
  }
  if (typeof data.access_token === 'string') place.append(useButton('token', { BearerAuth: data.access_token }));
  if (typeof data.api_key === 'string') place.append(useButton('key', { ApiKeyAuth: data.api_key }));
}

/**
 * @param {string} what
 * @param {Record<string, string>} values
 */
function useButton(what, values) {
  const button = el('button', { type: 'button' }, `Use this ${what}`);
  button.addEventListener('click', () => {
    credentials.set(values);
    button.textContent = 'In use';
    button.disabled = true;
  });
  return el('p', {}, button);
}

/**
 * @param {string} text
 * @param {string} type
 */
function prettyText(text, type) {
  if (!/json/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** @param {number} bytes */
function sizeText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`;
}
