/** Following an operation from the console: its value, and each new one, over the socket of live subscriptions. */
/** @import { Operation, BodyEditor, Inputs } from './types.d.ts' */
import { credentials } from './credentials.js';
import { addressOf } from './description.js';
import { el, messageOf } from './elements.js';
import { frameLog } from './frame-log.js';

/**
 * A button that follows what the form holds and one more time ends it, and the frames that come; nothing where an operation cannot be followed.
 *
 * @param {Operation} operation
 * @param {Inputs} inputs
 * @param {BodyEditor} body
 */
export function follower(operation, inputs, body) {
  const target = operation['x-svc-live'];
  if (!target) return { button: null, frames: null };
  const { view, note } = frameLog();
  view.hidden = true;
  const button = el('button', { type: 'button', title: 'Shows its value again whenever it changes' }, 'Follow');
  /** @type {WebSocket | undefined} */
  let open;
  button.addEventListener('click', () => {
    if (open) return open.close(1000);
    view.hidden = false;
    view.replaceChildren();
    try {
      const frame = JSON.stringify({ type: 'subscribe', id: 1, ...target, ...asked(inputs, body) });
      const socket = new WebSocket(address());
      open = socket;
      button.textContent = 'Stop following';
      socket.addEventListener('open', () => socket.send(frame));
      socket.addEventListener('message', ({ data }) => {
        if (JSON.parse(data).type !== 'ping') note('received', data);
      });
      socket.addEventListener('close', ({ code, reason }) => {
        open = undefined;
        button.textContent = 'Follow';
        note('note', `Closed with ${code}${reason ? ` ${reason}` : ''}`);
      });
    } catch (error) {
      note('note', messageOf(error));
    }
  });
  return { button, frames: view };
}

/**
 * Fields and node as a frame names them.
 *
 * @param {Inputs} inputs
 * @param {BodyEditor} body
 */
function asked(inputs, body) {
  /** @type {Record<string, unknown>} */
  const fields = JSON.parse(body.read().text || '{}');
  /** @type {string | undefined} */
  let node;
  for (const { parameter, input } of inputs.rows) {
    if (input.value === '') continue;
    if (parameter.name === 'nd') node = input.value;
    else fields[parameter.name] = valueOf(input.value);
  }
  return { fields, node };
}

/**
 * Text of an input: JSON where it is some.
 *
 * @param {string} text
 */
function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function address() {
  const found = addressOf('live');
  found.protocol = found.protocol === 'https:' ? 'wss:' : 'ws:';
  const token = credentials.get('BearerAuth');
  if (token !== '') found.searchParams.set('token', token);
  return found.href;
}
