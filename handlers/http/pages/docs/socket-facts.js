/** What both pages say about a socket. */
/** @import { Spec, Socket } from './types.d.ts' */
import { el, prose } from './elements.js';
import { schemaView } from './schemas.js';

/**
 * What a client has to know: who may connect, what to send, what comes.
 *
 * @param {Spec} spec
 * @param {Socket} socket
 */
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
            [
              'Sec-WebSocket-Protocol: svc.v1, svc.bearer.<token>',
              'as a subprotocol; keeps the token out of addresses',
            ],
            ['Authorization: Bearer <token>', 'clients other than browsers'],
            ['X-API-Key: <key>', 'clients other than browsers; a key with the scope call'],
            ['{"token": "<token>"}', 'the first message'],
          ]),
        ],
    el('h4', {}, 'What to send'),
    prose(
      'One JSON object for each run; a member `$id` comes back as `id`, `$since` says which messages of topics were heard: `{"topic": 17}`.',
    ),
    schemaView(spec, socket.message, true),
    el('h4', {}, 'What comes'),
    places([
      [
        '{"ok": true, "data": {"result": …, "reports": […]}}',
        socket.broadcast ? 'the end of a run, to everybody who is connected' : 'the end of a run',
      ],
      ['{"ok": true, "type": "chunk", "data": …} … {"ok": true, "type": "done"}', 'a run that streams'],
      [
        '{"ok": false, "error": {"code": …, "message": …}}',
        'a run that failed, or a message that cannot be taken; the connection stays',
      ],
      ['{"type": "message", "topic": …, "seq": …, "data": …}', 'a message of a topic that a run subscribed to'],
      ['{"type": "gap", "topic": …, "from": …, "to": …}', 'messages of a topic that are not kept any more'],
      ['{"type": "ping", "ts": …}', 'the heartbeat; no answer is needed'],
    ]),
    prose('Send `{"type": "ping"}` to be answered, `{"type": "refresh", "token": …}` before the token runs out.'),
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

/** @param {readonly [text: string, meaning: string][]} rows */
function places(rows) {
  return el(
    'dl',
    { class: 'facts' },
    rows.map(([text, meaning]) => [el('dt', {}, el('code', {}, text)), el('dd', {}, meaning)]),
  );
}
