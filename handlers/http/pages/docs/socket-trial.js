/** Trying a socket from the console. */
/** @import { Spec, Socket } from './types.d.ts' */
import { jsonEditor } from './bodies.js';
import { credentials } from './credentials.js';
import { addressOf } from './description.js';
import { codeBlock, el, messageOf, newId } from './elements.js';
import { frameLog } from './frame-log.js';

/**
 * A form that connects, sends messages and shows every frame.
 *
 * @param {Spec} spec
 * @param {Socket} socket
 */
export function socketTrial(spec, socket) {
  const editor = jsonEditor(spec, socket.message);
  const status = el('span', { class: 'muted', role: 'status' }, 'Not connected');
  const { view: log, note } = frameLog();
  const how = placeChoice(socket);
  const connect = el('button', { type: 'button', class: 'primary' }, 'Connect');
  const send = el('button', { type: 'submit', disabled: true }, 'Send');
  const clear = el('button', { type: 'button', click: () => log.replaceChildren() }, 'Clear');
  const code = el('div', {});
  /** @type {WebSocket | undefined} */
  let open;

  const showCode = () => {
    const text = codeText(
      addressOfSocket(socket, how.value, credentials.get('BearerAuth')),
      how.value,
      editor.read().text,
    );
    code.replaceChildren(codeBlock(el('code', {}, text), 'JavaScript', text));
  };

  /**
   * @param {boolean} isOpen
   * @param {string} text
   */
  function show(isOpen, text) {
    status.textContent = text;
    connect.textContent = isOpen ? 'Disconnect' : 'Connect';
    send.disabled = !isOpen;
    how.select.disabled = isOpen;
  }

  connect.addEventListener('click', () => {
    if (open) return open.close(1000);
    const token = credentials.get('BearerAuth');
    const address = addressOfSocket(socket, how.value, token);
    const protocols = how.value === 'subprotocol' && token !== '' ? ['svc.v1', `svc.bearer.${token}`] : [];
    show(true, 'Connecting\u2026');
    send.disabled = true;
    let isReady = false;
    try {
      open = new WebSocket(address, protocols);
    } catch (error) {
      return show(false, messageOf(error));
    }
    open.addEventListener('open', () => {
      isReady = true;
      show(true, 'Connected');
      note('note', 'connected');
      if (how.value === 'message' && token !== '')
        sendText(JSON.stringify({ type: 'auth', token }), JSON.stringify({ type: 'auth', token: '\u2026' }));
    });
    open.addEventListener('message', (event) => note('received', event.data));
    open.addEventListener('close', ({ code: number, reason }) => {
      open = undefined;
      const why = isReady
        ? `Closed with ${number}${reason ? ` ${reason}` : ''}`
        : 'Refused: the token is missing or bad, or this server has no sockets at this address';
      show(false, why);
      note('note', why);
    });
  });

  /**
   * @param {string} text
   * @param {string} [shown] what is shown in its place
   */
  function sendText(text, shown = text) {
    open?.send(text);
    note('sent', shown);
  }

  const form = el(
    'form',
    {
      class: 'try',
      novalidate: true,
      input: showCode,
      change: showCode,
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (open && open.readyState === WebSocket.OPEN) sendText(editor.read().text);
      },
    },
    how.view,
    el('div', { class: 'actions' }, connect, status),
    el('fieldset', {}, el('legend', {}, 'Message'), editor.view),
    el('div', { class: 'actions' }, send, clear),
    log,
    code,
  );
  document.addEventListener('svc-credentials', showCode);
  showCode();
  return form;
}

/** @param {Socket} socket */
function placeChoice(socket) {
  const id = newId();
  const options = [
    ['query', 'in the address'],
    ['subprotocol', 'as a subprotocol'],
    ['message', 'in the first message'],
    ['none', 'not at all'],
  ];
  const select = el(
    'select',
    { id },
    options.map(([value, text]) => el('option', { value }, text)),
  );
  if (socket.access === 'pub') select.value = 'none';
  return {
    select,
    get value() {
      return select.value;
    },
    view: el('div', { class: 'field' }, el('label', { for: id }, 'Send the token'), select),
  };
}

/**
 * @param {Socket} socket
 * @param {string} place
 * @param {string} token
 */
function addressOfSocket(socket, place, token) {
  const address = addressOf(socket.path);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  if (place === 'query' && token !== '') address.searchParams.set('token', token);
  return address.href;
}

/**
 * @param {string} address
 * @param {string} place
 * @param {string} message
 */
function codeText(address, place, message) {
  const shown = address.replace(/token=[^&]*/, 'token=' + '<token>');
  const protocols = place === 'subprotocol' ? ", ['svc.v1', 'svc.bearer.<token>']" : '';
  const first = place === 'message' ? ["  socket.send(JSON.stringify({ type: 'auth', token: '<token>' }));"] : [];
  return [
    `const socket = new WebSocket('${shown}'${protocols});`,
    'socket.onopen = () => {',
    ...first,
    `  socket.send(JSON.stringify(${compact(message)}));`,
    '};',
    'socket.onmessage = (event) => console.log(JSON.parse(event.data));',
  ].join('\n');
}

/** @param {string} text */
function compact(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
