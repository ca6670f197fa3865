/** The socket of live subscriptions as AsyncAPI describes it (docs/server/live.md#frames). */
import type { ServedTarget } from '../../served-targets.ts';
import { type Channel, errorSchema, handshake, kind, message, object, text, tokenPlaces } from './asyncapi-sockets.ts';
import type { Schema } from './schema-forms.ts';

const id = {
  type: ['string', 'number'],
  maxLength: 128,
  description: 'Comes back in every frame that answers.',
} as const;
const version = { type: 'integer', minimum: 0 } as const;
const digest = { ...text, maxLength: 64, description: 'Of the value; for `have` after a reconnect.' } as const;
const have = object({ version, digest });
const data = object({ result: {}, reports: { type: 'array', items: {} } });

/** The one channel of all live walkers and functions; undefined where none can be subscribed to. */
export function liveChannel(targets: readonly ServedTarget[]): Channel | undefined {
  const live = targets.filter(({ rest }) => rest.protocol !== 'WEBHOOK');
  if (live.length === 0) return undefined;
  const names = (wanted: ServedTarget['kind']) => {
    const found = live.filter(({ kind: of }) => of === wanted).map(({ name }) => name);
    return found.length === 0 ? {} : { [wanted]: { ...text, enum: found } };
  };
  const wanted: Record<string, unknown> = {
    id,
    ...names('walker'),
    ...names('function'),
    fields: { type: 'object', description: 'As in the body of a call.' },
    node: { ...text, description: 'Node to spawn on; absent: the root.' },
    every: { type: 'integer', minimum: 1, description: 'Seconds after which it runs again without a reason.' },
    patch: { type: 'boolean', description: 'Differences may be sent.' },
    have,
    since: { type: 'object', additionalProperties: version, description: 'Numbers of the last messages, by topic.' },
  };
  const frames: Record<string, Schema> = {
    subscribe: message('subscribe', 'Follows a walker or function that only reads.', {
      type: 'object',
      properties: { type: kind('subscribe'), ...wanted, all: { type: 'array', items: object(wanted, ['id']) } },
      required: ['type'],
    }),
    unsubscribe: message('unsubscribe', 'Ends a subscription.', object({ type: kind('unsubscribe'), id })),
    token: message(
      'token',
      'Signs a guest in, or renews the token of the same user.',
      object({ type: kind('token'), token: text }),
    ),
    result: message('result', 'The present value.', object({ type: kind('result'), id, version, digest, data })),
    patch: message(
      'patch',
      'The present value, as operations of RFC 6902 on `data` of the version `base`.',
      object({
        type: kind('patch'),
        id,
        version,
        base: version,
        digest,
        ops: { type: 'array', items: { type: 'object' } },
      }),
    ),
    error: message(
      'error',
      'A run that failed; the subscription has ended when `final`. Without `id` it is about the connection.',
      object({ type: kind('error'), id, error: errorSchema, final: { type: 'boolean' } }, ['type', 'error']),
    ),
    message: message(
      'message',
      'A message of a topic that the latest run subscribed to.',
      object({ type: kind('message'), topic: text, seq: version, data: {}, id }),
    ),
    gap: message(
      'gap',
      'Messages of a topic that are not kept any more.',
      object({ type: kind('gap'), topic: text, from: version, to: version, id }),
    ),
  };
  const inChannel = (...some: string[]) => some.map((name) => ({ $ref: `#/channels/live/messages/${name}` }));
  const channel = { $ref: '#/channels/live' };
  return {
    id: 'live',
    channel: {
      address: '/live',
      title: 'Live subscriptions',
      summary: 'Values of walkers and functions that only read, sent again when they change.',
      servers: [{ $ref: '#/servers/sockets' }],
      messages: Object.fromEntries(
        Object.keys(frames).map((name) => [name, { $ref: `#/components/messages/live-${name}` }]),
      ),
      bindings: { ws: handshake },
    },
    operations: {
      live_ask: {
        action: 'receive',
        channel,
        title: 'Subscribe',
        security: tokenPlaces.slice(0, 2),
        messages: inChannel('subscribe', 'unsubscribe', 'token'),
        reply: { channel, messages: inChannel('result', 'error') },
      },
      live_tell: {
        action: 'send',
        channel,
        title: 'Values that changed',
        messages: inChannel('result', 'patch', 'error', 'message', 'gap'),
      },
    },
    messages: Object.fromEntries(Object.entries(frames).map(([name, frame]) => [`live-${name}`, frame])),
  };
}
