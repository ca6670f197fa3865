/** Sockets as AsyncAPI describes them: the handshake, the frames of both sides (docs/server/sockets.md). */

import type { ServedTarget } from '../../served-targets.ts';
import { socketPaths } from '../../socket/socket-paths.ts';
import { fieldsOf } from './request.ts';
import type { Schema } from './schema-forms.ts';
import type { SchemaBook } from './schemas.ts';

/** Part that one target adds to the document. */
export interface Channel {
  readonly id: string;
  readonly channel: Schema;
  readonly operations: Readonly<Record<string, Schema>>;
  readonly messages: Readonly<Record<string, Schema>>;
}

export const text = { type: 'string' } as const;
const number = { type: 'integer', minimum: 0 } as const;
const isTrue = { type: 'boolean', const: true } as const;
const id = { type: ['string', 'number'], description: 'The `$id` of the message this answers.' } as const;
export const errorSchema = {
  type: 'object',
  properties: { code: text, message: text, reason: text, details: {} },
  required: ['code', 'message'],
} as const;

export function object(
  properties: Record<string, unknown>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', properties, required: [...required] };
}

export function message(title: string, summary: string, payload: Schema): Schema {
  return { title, summary, payload };
}

export const kind = (type: string) => ({ type: 'string', const: type });

/** Frames that are the same for every target. Their names cannot be those of targets. */
export const socketMessages: Readonly<Record<string, Schema>> = {
  'frame-ping': message(
    'ping',
    'Asks for a sign of life; either side may.',
    object({ type: kind('ping'), ts: { type: 'integer' } }, ['type']),
  ),
  'frame-pong': message('pong', 'Answers a ping.', object({ type: kind('pong'), ts: { type: 'integer' } }, ['type'])),
  'frame-auth': message(
    'auth',
    'Signs in, as the first message, or says again who is there.',
    object({ type: kind('auth'), token: text }),
  ),
  'frame-authenticated': message(
    'authenticated',
    'The token was taken.',
    object({ type: kind('authenticated'), ok: isTrue }),
  ),
  'frame-refresh': message(
    'refresh',
    'Brings a newer token of the same user.',
    object({ type: kind('refresh'), token: text }),
  ),
  'frame-refreshed': message(
    'refreshed',
    'The newer token was taken.',
    object({ type: kind('refreshed'), ok: isTrue }),
  ),
  'frame-chunk': message(
    'chunk',
    'One value of a stream.',
    object({ ok: isTrue, type: kind('chunk'), data: {}, id }, ['ok', 'type', 'data']),
  ),
  'frame-done': message(
    'done',
    'A stream has ended; when `ok` is false, with an error.',
    object({ ok: { type: 'boolean' }, type: kind('done'), error: errorSchema, id }, ['ok', 'type']),
  ),
  'frame-message': message(
    'message',
    'A message of a topic that a run subscribed this connection to.',
    object({ type: kind('message'), topic: text, seq: number, data: {} }),
  ),
  'frame-gap': message(
    'gap',
    'Messages of a topic with these numbers are not there any more.',
    object({ type: kind('gap'), topic: text, from: number, to: number }),
  ),
  'frame-error': message(
    'error',
    'A run that failed, or a message that cannot be taken. Only its sender gets it.',
    object({ ok: { type: 'boolean', const: false }, error: errorSchema, id }, ['ok', 'error']),
  ),
};

export function socketChannel(target: ServedTarget, book: SchemaBook): Channel {
  const { name, kind: of, rest, isPublic } = target;
  const channelId = of === 'function' ? `socket_function_${name}` : `socket_${name}`;
  const own = { fields: `${channelId}_fields`, result: `${channelId}_result` };
  const inChannel = (...names: string[]) => names.map((one) => ({ $ref: `#/channels/${channelId}/messages/${one}` }));
  const channel = { $ref: `#/channels/${channelId}` };
  const security = isPublic ? {} : { security: tokenPlaces };
  const answers = inChannel('result', 'chunk', 'done', 'error');
  const operations: Record<string, Schema> = {
    [`${channelId}_run`]: {
      action: 'receive',
      channel,
      title: `Run ${name}`,
      summary: 'One message is one run, in order of arrival.',
      ...security,
      messages: inChannel('fields'),
      reply: { channel, messages: answers },
    },
    [`${channelId}_control`]: {
      action: 'receive',
      channel,
      title: 'Control frames',
      ...security,
      messages: inChannel('ping', 'pong', 'auth', 'refresh'),
      reply: { channel, messages: inChannel('pong', 'authenticated', 'refreshed', 'error') },
    },
    [`${channelId}_${rest.broadcast ? 'broadcast' : 'beat'}`]: {
      action: 'send',
      channel,
      title: rest.broadcast ? 'Results of everybody' : 'Heartbeat',
      ...security,
      messages: rest.broadcast ? inChannel('result', 'chunk', 'done', 'ping') : inChannel('ping'),
    },
    [`${channelId}_topics`]: {
      action: 'send',
      channel,
      title: 'Messages of topics',
      summary: 'Those that runs of this connection subscribed to.',
      ...security,
      messages: inChannel('message', 'gap'),
    },
  };
  return {
    id: channelId,
    channel: {
      address: socketPaths(target)[0],
      title: name,
      summary: target.doc.trim().split('\n')[0] || name,
      description: describe(target),
      servers: [{ $ref: '#/servers/sockets' }],
      messages: {
        fields: { $ref: `#/components/messages/${own.fields}` },
        result: { $ref: `#/components/messages/${own.result}` },
        ...Object.fromEntries(
          Object.keys(socketMessages).map((frame) => [
            frame.replace('frame-', ''),
            { $ref: `#/components/messages/${frame}` },
          ]),
        ),
      },
      bindings: { ws: handshake },
    },
    operations,
    messages: {
      [own.fields]: {
        title: `${name} fields`,
        payload: fieldsPayload(target, book),
        correlationId: { location: '$message.payload#/$id' },
      },
      [own.result]: {
        title: `${name} result`,
        payload: resultPayload(target, book),
        correlationId: { location: '$message.payload#/id' },
      },
    },
  };
}

/** Places of a token, one of which suffices; the first message is another (`frame-auth`). */
export const tokenPlaces = ['TokenInQuery', 'BearerAuth', 'ApiKeyAuth'].map((name) => ({
  $ref: `#/components/securitySchemes/${name}`,
}));

export const handshake = {
  method: 'GET',
  query: { type: 'object', properties: { token: text } },
  headers: {
    type: 'object',
    properties: {
      Authorization: { ...text, description: '`Bearer` and the token.' },
      'X-API-Key': { ...text, description: 'A key with the scope `call`.' },
      'Sec-WebSocket-Protocol': {
        ...text,
        description:
          '`svc.v1` for frames as described here, which is usual; `svc.reports.v1` for reports without anything around them; with either of them `svc.bearer.` and the token, for browsers.',
      },
    },
  },
  bindingVersion: '0.1.0',
};

function describe({ doc, isPublic, rest }: ServedTarget): string {
  const who = isPublic
    ? 'Anybody may connect; with a token, runs are its user’s.'
    : 'Needs a token: in the query, in `Authorization`, as the subprotocol `svc.bearer.<token>`, or in the first message; or an API key.';
  const whom = rest.broadcast ? ' Results go to everybody who is connected.' : '';
  return `${doc.trim()}\n\n${who}${whom}`.trim();
}

function fieldsPayload(target: ServedTarget, book: SchemaBook): Schema {
  const { properties, ...rest } = book.members(fieldsOf(target)) as { readonly properties: Schema };
  const own = {
    $id: { type: ['string', 'number'], maxLength: 128, description: 'Comes back as `id` in every frame that answers.' },
    $since: {
      type: 'object',
      additionalProperties: number,
      description: 'Topics and the numbers of their last messages: what is kept of later ones comes first.',
    },
  };
  return { ...rest, properties: { ...properties, ...own } };
}

function resultPayload({ meta, spec }: ServedTarget, book: SchemaBook): Schema {
  const reports = { type: 'array', items: {} };
  const result = meta !== undefined ? book.instance(meta) : spec === undefined ? {} : book.output(spec.result);
  return object({ ok: isTrue, data: object({ result, reports }), id }, ['ok', 'data']);
}
