/** Script of sockets on both pages: see shared-script.ts for how it is written. */
export const socketsScript = String.raw`// Sockets: what both pages say about them, and trying one from the console.
import { codeBlock, el, jsonView, prose, schemaView } from './shared.js';

const maxShown = 200;

/** What a client has to know: who may connect, what to send, what comes. */
export function socketFacts(spec, socket) {
  return el(
    'div',
    {},
    el('h4', {}, 'Who may connect'),
    socket.access === 'pub'
      ? prose('Anybody. With a token, runs are those of its user.')
      : [
          prose('Whoever brings a token, in one of these places:'),
          places([
            ['?token=<token>', 'in the address; what browsers can do'],
            ['Sec-WebSocket-Protocol: svc.v1, svc.bearer.<token>', 'as a subprotocol; keeps the token out of addresses'],
            ['Authorization: Bearer <token>', 'clients other than browsers'],
            ['X-API-Key: <key>', 'clients other than browsers; a key with the scope call'],
            ['{"token": "<token>"}', 'the first message'],
          ]),
        ],
    el('h4', {}, 'What to send'),
    prose('One JSON object for each run; a member \x60$id\x60 comes back as \x60id\x60.'),
    schemaView(spec, socket.message, true),
    el('h4', {}, 'What comes'),
    places([
      ['{"ok": true, "data": {"result": …, "reports": […]}}', socket.broadcast ? 'the end of a run, to everybody who is connected' : 'the end of a run'],
      ['{"ok": true, "type": "chunk", "data": …} … {"ok": true, "type": "done"}', 'a run that streams'],
      ['{"ok": false, "error": {"code": …, "message": …}}', 'a run that failed, or a message that cannot be taken; the connection stays'],
      ['{"type": "ping", "ts": …}', 'the heartbeat; no answer is needed'],
    ]),
    prose('Send \x60{"type": "ping"}\x60 to be answered, \x60{"type": "refresh", "token": …}\x60 before the token runs out.'),
    el('h4', {}, 'Why it closes'),
    places([
      ['4401', 'the token is missing, invalid, expired or revoked'],
      ['4403', 'too many connections'],
      ['4408', 'nothing was heard, or frames were not taken'],
      ['4413, 1009', 'a message is too large'],
      ['4429', 'too many messages'],
      ['1001, 1012', 'the server ends, or the endpoint changed: connect again'],
    ]),
  );
}

function places(rows) {
  return el('dl', { class: 'facts' }, rows.map(([text, meaning]) => [el('dt', {}, el('code', {}, text)), el('dd', {}, meaning)]));
}

/** A form that connects, sends messages and shows every frame. tools: what the console offers. */
export function socketTrial(spec, socket, tools) {
  const { credentials, jsonEditor, newId } = tools;
  const editor = jsonEditor(spec, socket.message);
  const status = el('span', { class: 'muted', role: 'status' }, 'Not connected');
  const log = el('ol', { class: 'frames', 'aria-label': 'Frames' });
  const how = placeChoice(socket, newId);
  const connect = el('button', { type: 'button', class: 'primary' }, 'Connect');
  const send = el('button', { type: 'submit', disabled: true }, 'Send');
  const clear = el('button', { type: 'button', click: () => log.replaceChildren() }, 'Clear');
  const code = el('div', {});
  let open;

  const showCode = () => {
    const text = codeText(addressOfSocket(socket, how.value, credentials.get('BearerAuth')), how.value, editor.read().text);
    code.replaceChildren(codeBlock(el('code', {}, text), 'JavaScript', text));
  };

  function note(direction, text) {
    const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
    log.append(
      el(
        'li',
        { class: 'frame frame-' + direction },
        el('span', { class: 'frame-mark', 'aria-label': direction }, { sent: '\u2191', received: '\u2193', note: '\u2022' }[direction]),
        el('time', { class: 'muted' }, new Date().toLocaleTimeString()),
        direction === 'note' ? el('span', { class: 'muted' }, text) : jsonView(text),
      ),
    );
    while (log.childElementCount > maxShown) log.firstChild.remove();
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  }

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
    const protocols = how.value === 'subprotocol' && token !== '' ? ['svc.v1', 'svc.bearer.' + token] : [];
    show(true, 'Connecting\u2026');
    send.disabled = true;
    let isReady = false;
    try {
      open = new WebSocket(address, protocols);
    } catch (error) {
      return show(false, error.message);
    }
    open.addEventListener('open', () => {
      isReady = true;
      show(true, 'Connected');
      note('note', 'connected');
      if (how.value === 'message' && token !== '') sendText(JSON.stringify({ type: 'auth', token }), JSON.stringify({ type: 'auth', token: '\u2026' }));
    });
    open.addEventListener('message', (event) => note('received', event.data));
    open.addEventListener('close', ({ code: number, reason }) => {
      open = undefined;
      const why = isReady
        ? 'Closed with ' + number + (reason ? ' ' + reason : '')
        : 'Refused: the token is missing or bad, or this server has no sockets at this address';
      show(false, why);
      note('note', why);
    });
  });

  function sendText(text, shown) {
    open.send(text);
    note('sent', shown || text);
  }

  const form = el(
    'form',
    {
      class: 'try',
      novalidate: true,
      input: showCode,
      change: showCode,
      submit: (event) => {
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

function placeChoice(socket, newId) {
  const id = newId();
  const options = [
    ['query', 'in the address'],
    ['subprotocol', 'as a subprotocol'],
    ['message', 'in the first message'],
    ['none', 'not at all'],
  ];
  const select = el('select', { id }, options.map(([value, text]) => el('option', { value }, text)));
  if (socket.access === 'pub') select.value = 'none';
  return {
    select,
    get value() {
      return select.value;
    },
    view: el('div', { class: 'field' }, el('label', { for: id }, 'Send the token'), select),
  };
}

function addressOfSocket(socket, place, token) {
  const address = new URL('../../' + socket.path.replace(/^\//, ''), import.meta.url);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  if (place === 'query' && token !== '') address.searchParams.set('token', token);
  return address.href;
}

function codeText(address, place, message) {
  const shown = address.replace(/token=[^&]*/, 'token=' + '<token>');
  const protocols = place === 'subprotocol' ? ", ['svc.v1', 'svc.bearer.<token>']" : '';
  const first = place === 'message' ? ["  socket.send(JSON.stringify({ type: 'auth', token: '<token>' }));"] : [];
  return [
    "const socket = new WebSocket('" + shown + "'" + protocols + ');',
    'socket.onopen = () => {',
    ...first,
    '  socket.send(JSON.stringify(' + compact(message) + '));',
    '};',
    'socket.onmessage = (event) => console.log(JSON.parse(event.data));',
  ].join('\n');
}

function compact(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
`;
