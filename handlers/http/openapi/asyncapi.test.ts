import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { liveRoutes } from '../../live/live-routes.ts';
import { buildAsyncApi } from './asyncapi.ts';
import { openApiFixture } from './openapi-fixture.ts';

const { served, config } = openApiFixture();
const document = buildAsyncApi(served, config) as any;

/** The official schema has its own copy of draft 7. */
const isValid = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
  (specs as any).schemasWithoutId['3.0.0'],
);

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string') yield $ref;
  for (const inner of Object.values(value)) yield* references(inner);
}

const at = (path: string): any =>
  path
    .replace('#/', '')
    .split('/')
    .reduce((value: any, key) => value?.[key], document);

test('the document fits the official schema of AsyncAPI 3.0', () => {
  isValid(document);
  expect(isValid.errors ?? []).toEqual([]);
  expect(isValid({ ...document, operations: { one: { action: 'take' } } }), 'the schema is the one meant').toBe(false);
});

test('every reference leads somewhere', () => {
  const all = [...references(document)].filter((one) => !one.startsWith('$'));
  expect(all.length).toBeGreaterThan(50);
  for (const one of all) expect(at(one), one).toBeDefined();
});

test('sockets: where, what to send, what comes, who may', () => {
  expect(Object.keys(document.channels)).toEqual([
    'webhook_PaymentReceived',
    'webhook_Asked',
    'webhook_Anybody',
    'socket_Room',
  ]);
  expect(document.channels.socket_Room).toMatchObject({
    address: '/ws/Room',
    servers: [{ $ref: '#/servers/sockets' }],
  });
  expect(at('#/components/messages/socket_Room_fields').payload).toMatchObject({
    required: ['message'],
    properties: { message: { type: 'string' }, sender: { default: 'anonymous' }, $id: { type: ['string', 'number'] } },
  });
  expect(at('#/operations/socket_Room_run')).toMatchObject({ action: 'receive', reply: { messages: { length: 4 } } });
  expect(at('#/operations/socket_Room_run')).not.toHaveProperty('security'); // public
  expect(at('#/operations/socket_Room_broadcast').action).toBe('send');
  expect(at('#/operations/socket_Room_topics')).toMatchObject({ action: 'send', messages: { length: 2 } });
  expect(at(at('#/channels/socket_Room/messages/gap').$ref).payload.required).toEqual(['type', 'topic', 'from', 'to']);
  const closed = buildAsyncApi(
    {
      targets: served.targets.map((target) => {
        const protocol = target.name === 'Odd' || target.name === 'add' ? 'WEBSOCKET' : target.rest.protocol;
        return { ...target, isPublic: false, rest: { ...target.rest, protocol } };
      }),
    },
    { ...config, serve: { ...config.serve, baseUrl: 'https://example.com/api' } },
  ) as any;
  expect(closed.operations.socket_Room_run.security).toHaveLength(3);
  expect(closed.servers.sockets).toMatchObject({ host: 'example.com', pathname: '/api', protocol: 'wss' });
  isValid(closed);
  expect(isValid.errors ?? []).toEqual([]);
  expect(closed.channels.socket_function_add.address).toBe('/ws/function/add');
  expect(JSON.stringify(closed), 'a word of later drafts').not.toContain('prefixItems');
});

test('webhooks: whose signatures, in which headers', () => {
  const headers = (name: string) => at(`#/components/messages/webhook_${name}_call`).headers;
  expect(headers('PaymentReceived').required).toEqual(['X-API-Key']);
  expect(headers('Asked').required).toEqual(['X-Slack-Signature', 'X-Slack-Request-Timestamp']);
  expect(headers('Anybody')).toEqual({ type: 'object' });
  expect(at('#/operations/webhook_Asked').security).toEqual([{ $ref: '#/components/securitySchemes/SlackSignature' }]);
  expect(at('#/operations/webhook_Anybody')).not.toHaveProperty('security');
  expect(at('#/components/securitySchemes/SlackSignature')).toMatchObject({ type: 'httpApiKey', in: 'header' });
});

test('live subscriptions: what can be subscribed to, where they are served', () => {
  expect(document.channels).not.toHaveProperty('live');
  const live = buildAsyncApi(
    { ...served, fixed: liveRoutes({ events: () => Promise.reject(new Error('no')) }) },
    config,
  ) as any;
  isValid(live);
  expect(isValid.errors ?? []).toEqual([]);
  expect(live.channels.live.address).toBe('/live');
  const { properties } = live.components.messages['live-subscribe'].payload;
  expect(properties.walker.enum).toContain('Room');
  expect(properties.walker.enum).not.toContain('PaymentReceived');
});
